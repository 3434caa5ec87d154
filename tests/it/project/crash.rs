//! A save that stops anywhere leaves the old project or the new one.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use kinfolk::document::{ClipId, Command, Document};
use kinfolk::file::project::{Disk, PROJECT_FILE, RealDisk, SaveError};

use super::make::{after, assert_same, clip, document, learned, motions, opened, saved};

/// A disk that stops after some operations: the power goes, or no more bytes fit.
struct Failing {
    left: AtomicUsize,
    how: How,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum How {
    /// Nothing happens any more; what was being written is there by half.
    Dead,
    /// Nothing can be written any more, but files can be removed.
    Full,
}

impl Failing {
    fn after(n_operations: usize, how: How) -> Self {
        let left = AtomicUsize::new(n_operations);
        Self { left, how }
    }

    /// Whether this operation still works. Counts down without going below zero.
    fn works(&self) -> bool {
        let count = |left: usize| left.checked_sub(1);
        self.left
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, count)
            .is_ok()
    }

    fn error() -> io::Error {
        io::ErrorKind::StorageFull.into()
    }
}

impl Disk for Failing {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        if self.works() {
            RealDisk.make_folder(path)
        } else {
            Err(Self::error())
        }
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if self.works() {
            return RealDisk.write_new(path, bytes);
        }
        RealDisk.write_new(path, &bytes[..bytes.len() / 2]).ok();
        Err(Self::error())
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        if self.works() {
            RealDisk.link(from, to)
        } else {
            Err(Self::error())
        }
    }

    fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if self.works() {
            return RealDisk.replace(path, bytes);
        }
        if self.how == How::Dead {
            // The temporary file of the one who was stopped.
            let part = path.with_file_name(".kinfolk-x.part");
            fs::write(part, &bytes[..bytes.len() / 2]).unwrap();
        }
        Err(Self::error())
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        if self.works() {
            RealDisk.sync_folder(path)
        } else {
            Err(Self::error())
        }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        if self.works() || self.how == How::Full {
            RealDisk.remove(path)
        } else {
            Err(Self::error())
        }
    }
}

/// The old project, and a new one with a changed, a removed and two added clips and a model.
fn old_and_new() -> (Document, Document) {
    let old = document();
    let changed = vec![(ClipId(3), clip("Walk", 6, 50))];
    let commands = vec![
        Command::ReplaceClips {
            what: "trim".to_owned(),
            clips: changed,
        },
        Command::RemoveClips(vec![ClipId(2)]),
        Command::AddClips(vec![clip("walk", 2, 51), clip("hop", 2, 52)]),
        Command::AddModel {
            name: "calm".to_owned(),
            learned: learned(1),
        },
        Command::RenameProject("New".to_owned()),
    ];
    let new = after(&old, commands);
    (old, new)
}

fn names(path: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(path).unwrap();
    entries
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn a_crash_at_any_moment_leaves_the_old_project_or_the_new_one() {
    let (old, new) = old_and_new();
    let mut n_old = 0;
    for n_operations in 0.. {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("a.kinfolk");
        let mut folder = saved(&path, &old);
        let outcome = folder.save_on(&Failing::after(n_operations, How::Dead), &new, None);
        drop(folder);
        // The next morning.
        let mut found = opened(&path);
        assert_eq!(found.problems, [], "after {n_operations}");
        let is_new = found.document.name() == "New";
        assert_same(if is_new { &new } else { &old }, &found.document);
        assert_eq!(outcome.is_ok(), is_new, "after {n_operations}: {outcome:?}");
        n_old += usize::from(!is_new);
        // Saving again brings everything in order: nothing half, nothing left behind.
        found.folder.save(&new).unwrap();
        assert_eq!(motions(&path).len(), new.n_clips(), "after {n_operations}");
        drop(found);
        assert_eq!(
            names(&path),
            [".lock", "clips", "models", PROJECT_FILE]
                .map(str::to_owned)
                .into()
        );
        assert_eq!(
            names(&path.join("models")).len(),
            new.models().len(),
            "models"
        );
        assert_same(&new, &opened(&path).document);
        if outcome.is_ok_and(|saved| saved.left_over.is_empty()) {
            assert!(n_old > 5, "the save has as many moments: {n_old}");
            assert!(n_operations > 9, "so many operations: {n_operations}");
            return;
        }
    }
}

#[test]
fn a_full_disk_is_told_and_leaves_the_project_as_it_was() {
    let (old, new) = old_and_new();
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    let mut folder = saved(&path, &old);
    let (text, files) = (fs::read(path.join(PROJECT_FILE)).unwrap(), motions(&path));
    for n_operations in 0.. {
        match folder.save_on(&Failing::after(n_operations, How::Full), &new, None) {
            Ok(_) => break,
            Err(SaveError::Io { error, .. }) => {
                assert_eq!(error.kind(), io::ErrorKind::StorageFull);
            }
            Err(other) => panic!("{other}"),
        }
        assert_eq!(
            fs::read(path.join(PROJECT_FILE)).unwrap(),
            text,
            "after {n_operations}"
        );
        assert_eq!(motions(&path), files, "after {n_operations}");
    }
    drop(folder);
    assert_same(&new, &opened(&path).document);
    assert_eq!(motions(&path).len(), new.n_clips());
}

#[test]
fn the_first_save_of_all_may_crash_too() {
    let (_, new) = old_and_new();
    for n_operations in 0..14 {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("a.kinfolk");
        let create = || {
            let overwrite = kinfolk::file::atomic::Overwrite::Never;
            kinfolk::file::project::ProjectFolder::create(&path, overwrite)
        };
        let mut folder = create().unwrap();
        let outcome = folder.save_on(&Failing::after(n_operations, How::Dead), &new, None);
        drop(folder);
        if outcome.is_err() {
            assert!(!path.join(PROJECT_FILE).exists(), "after {n_operations}");
            create().unwrap().save(&new).unwrap();
        }
        assert_same(&new, &opened(&path).document);
        assert_eq!(motions(&path).len(), new.n_clips(), "after {n_operations}");
    }
}
