//! What a file is called until it is whole: `.kinfolk-xxxxxx.part`.
//!
//! The writer holds the operating system's lock on its temporary file and loses it with its life, however that ends. A
//! file of that name whose lock is free is therefore left over, also on a disk that several machines share, and whoever
//! writes to the folder next removes it. Disks without locks are left alone.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

const START: &str = ".kinfolk-";
const END: &str = ".part";

/// Held by everyone who writes, so that a program that is told to stop can wait until no file is half written.
static WRITING: RwLock<()> = RwLock::new(());

/// Waits until nothing is being written; nothing more is while the result is held.
pub fn hold_writing() -> RwLockWriteGuard<'static, ()> {
    WRITING.write().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file that is being written, removed on drop unless it was given a name.
pub(super) struct Part {
    file: tempfile::NamedTempFile,
    _writing: RwLockReadGuard<'static, ()>,
}

impl Part {
    /// A new one in this folder. The first one sweeps up what others left there.
    pub(super) fn create_in(folder: &Path) -> io::Result<Self> {
        const TRIES: usize = 20;
        let writing = WRITING.read().unwrap_or_else(PoisonError::into_inner);
        sweep_once(folder);
        for _ in 0..TRIES {
            let file = named_in(folder)?;
            let is_ours = match file.as_file().try_lock() {
                // Between the two, one who sweeps may have taken it for left over.
                Ok(()) => fs::symlink_metadata(file.path()).is_ok(),
                Err(TryLockError::WouldBlock) => false,
                // Without locks nobody sweeps.
                Err(TryLockError::Error(_)) => true,
            };
            if is_ours {
                return Ok(Self {
                    file,
                    _writing: writing,
                });
            }
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }

    pub(super) fn as_file(&self) -> &File {
        self.file.as_file()
    }

    /// Gives it this name, in the place of whatever has it.
    pub(super) fn persist(self, path: &Path) -> io::Result<()> {
        // The error holds the temporary file, which is removed when it is dropped here.
        self.file.persist(path).map(drop).map_err(|e| e.error)
    }

    /// Gives it this name unless that is taken.
    pub(super) fn persist_noclobber(self, path: &Path) -> io::Result<()> {
        let named = self.file.persist_noclobber(path);
        named.map(drop).map_err(|e| e.error)
    }
}

fn named_in(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(START).suffix(END);
    // Temporary files are private by default; this one becomes the user's, so only the user's mask should count.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Sweeps the folder unless this process already did: looking through it for each of 100 000 variants would take longer
/// than making them.
fn sweep_once(folder: &Path) {
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if swept.insert(folder.to_owned()) {
        sweep(folder);
    }
}

/// Removes temporary files whose writers are gone. What cannot be removed stays: it is in nobody's way.
pub(super) fn sweep(folder: &Path) {
    for path in all_in(folder) {
        // A pipe or a link of that name is not ours, and opening it might never end.
        if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
            continue;
        }
        let file = OpenOptions::new().write(true).open(&path);
        // Held until it is removed, so that the two are one step for the writer of a new file.
        if let Ok(file) = file
            && file.try_lock().is_ok()
        {
            fs::remove_file(&path).ok();
        }
    }
}

/// Temporary files in a folder, of the living and the dead.
fn all_in(folder: &Path) -> Vec<PathBuf> {
    let is_part = |name: &str| name.starts_with(START) && name.ends_with(END);
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_name().to_str().is_some_and(is_part))
        .map(|entry| entry.path())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_writes_any_more_is_swept() {
        let folder = tempfile::tempdir().unwrap();
        let left_over = folder.path().join(".kinfolk-a1B2c3.part");
        let another = folder.path().join("notes.part");
        for path in [&left_over, &another] {
            fs::write(path, "half").unwrap();
        }
        let part = Part::create_in(folder.path()).unwrap();
        assert!(!left_over.exists(), "its writer is gone");
        assert!(another.exists(), "not ours");
        sweep(folder.path());
        assert!(part.file.path().exists(), "still being written");
        part.persist(&folder.path().join("whole")).unwrap();
        assert_eq!(all_in(folder.path()), Vec::<PathBuf>::new());
    }
}
