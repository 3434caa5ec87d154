//! The file operations of a save, one by one.
//!
//! A save is safe if it may stop after any of them. That is why they are a trait: tests stop it everywhere.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use crate::file::atomic;

/// What a save does to the disk, step by step.
pub trait Disk: Sync {
    /// Makes a folder with all above it; one that is there is fine.
    fn make_folder(&self, path: &Path) -> io::Result<()>;
    /// Writes a file that was not there, and waits until it is on the disk.
    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Gives a file that will not change a second name, or copies it where that cannot be done.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Puts a whole file in the place of another: before and after a crash there is the one or the other.
    fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Waits until the names in a folder are on the disk.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
    /// Removes one file from the disk.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// The disk of this computer.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        // Other disks and some file systems have no links; a copy does as well.
        fs::hard_link(from, to).or_else(|_no_links| {
            let mut source = File::open(from)?;
            let mut copy = OpenOptions::new().write(true).create_new(true).open(to)?;
            io::copy(&mut source, &mut copy)?;
            copy.sync_all()
        })
    }

    fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        atomic::replace_entry(path, bytes)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        // Elsewhere folders cannot be opened as files, and the system orders these things itself.
        if !cfg!(unix) {
            return Ok(());
        }
        match File::open(path)?.sync_all() {
            // Network file systems that know no such thing.
            Err(e)
                if matches!(
                    e.kind(),
                    io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
                ) =>
            {
                Ok(())
            }
            other => other,
        }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}
