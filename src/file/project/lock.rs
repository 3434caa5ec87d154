//! One project, one program that saves it.
//!
//! The operating system holds the lock and lets go of it by itself when the program ends in whatever way, so that no
//! crash locks anybody out. A file beside it says who has the project open, for the words of the second one who comes.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::owner::Owner;
use crate::file::atomic::replace_entry;
use crate::file::open::bytes_of;
use crate::file::ron_text;

const LOCK_FILE: &str = ".lock";

const OWNER_FILE: &str = ".opened-by.ron";

/// The lock on a project, released on drop.
#[derive(Debug)]
pub struct Lock {
    /// Locked for as long as it is open.
    _file: File,
    folder: PathBuf,
    owner: Owner,
}

impl Lock {
    /// Takes the lock, or returns its owner. A lock left by a crashed program is free.
    pub fn take(folder: &Path) -> Result<Self, LockError> {
        let path = folder.join(LOCK_FILE);
        if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
            // A link could lead to a file outside the project, and opening a pipe waits for somebody at its other end.
            fs::remove_file(&path)?;
        }
        let mut options = OpenOptions::new();
        let file = options
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let owner = owner_in(folder).unwrap_or_else(Owner::unknown);
                return Err(LockError::InUse(owner));
            }
            // A network disk without locks: the words are all there is. They may be left over from a crash on another
            // computer, and then the project has to be taken over.
            Err(TryLockError::Error(e)) if e.kind() == io::ErrorKind::Unsupported => {
                if let Some(owner) = owner_in(folder).filter(|owner| !owner.is_dead()) {
                    return Err(LockError::InUse(owner));
                }
            }
            Err(TryLockError::Error(e)) => return Err(e.into()),
        }
        Self::signed(file, folder)
    }

    /// Takes the lock from whoever has it. They notice when they want to save.
    pub fn take_over(folder: &Path) -> Result<Self, LockError> {
        match Self::take(folder) {
            Err(LockError::InUse(_)) => {
                // The other one keeps the lock of a file that has no name any more.
                fs::remove_file(folder.join(LOCK_FILE))?;
                if let Err(e) = fs::remove_file(folder.join(OWNER_FILE))
                    && e.kind() != io::ErrorKind::NotFound
                {
                    return Err(e.into());
                }
                Self::take(folder)
            }
            taken => taken,
        }
    }

    fn signed(file: File, folder: &Path) -> Result<Self, LockError> {
        let owner = Owner::this();
        let words = ron_text::pretty(&owner, 1).map_err(io::Error::other)?;
        replace_entry(&folder.join(OWNER_FILE), words.as_bytes())?;
        Ok(Self {
            _file: file,
            folder: folder.to_owned(),
            owner,
        })
    }

    /// Who holds it: this program.
    pub fn owner(&self) -> &Owner {
        &self.owner
    }

    /// Whether it is still held by this process; otherwise the new owner.
    pub fn check(&self) -> Result<(), Owner> {
        match owner_in(&self.folder) {
            Some(owner) if owner != self.owner => Err(owner),
            // Removed by hand: the operating system's lock is still held.
            _ => Ok(()),
        }
    }

    /// Whether the project in this folder is not open anywhere.
    pub fn is_free(folder: &Path) -> bool {
        let path = folder.join(LOCK_FILE);
        if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
            return true;
        }
        match File::open(path) {
            Ok(file) => match file.try_lock() {
                Ok(()) => true,
                Err(TryLockError::Error(e)) if e.kind() == io::ErrorKind::Unsupported => {
                    owner_in(folder).is_none_or(|owner| owner.is_dead())
                }
                Err(_held) => false,
            },
            Err(_never_opened) => true,
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.check().is_ok() {
            // If it stays, it names an owner without a lock, and is ignored.
            fs::remove_file(self.folder.join(OWNER_FILE)).ok();
        }
    }
}

fn owner_in(folder: &Path) -> Option<Owner> {
    let bytes = bytes_of(&folder.join(OWNER_FILE)).ok()?;
    ron_text::parse(&bytes).ok()
}

/// Why a project could not be taken for writing.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another program, or another window, has it open.
    #[error("the project is open already: {0}")]
    InUse(Owner),
    /// The operating system refused, as on a disk that can only be read.
    #[error("the project cannot be opened for writing: {0}")]
    Io(#[from] io::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn only_the_dead_of_this_computer_are_dead() {
        let this = Owner::this();
        assert!(!this.is_dead(), "still running");
        let gone = Owner {
            process: u32::MAX,
            ..this
        };
        assert!(gone.is_dead(), "no such process");
        let host = "elsewhere".to_owned();
        assert!(!Owner { host, ..gone }.is_dead(), "who knows");
    }
}
