//! A project on disk, as it was opened.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::kept::{FileContent, FileOwner, StoredPath};
use super::{Lock, Problem, v1};
use crate::document::Document;
use crate::motion::Skeleton;

/// How a project is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// For editing; refused while another user has it open.
    Write,
    /// Read-only, also while another user edits it.
    Read,
    /// For editing, taking the lock over from another user, who cannot save any more.
    TakeOver,
}

/// A project that was opened.
#[derive(Debug)]
pub struct Opened {
    /// The content of the project.
    pub document: Document,
    /// Where to save it.
    pub folder: ProjectFolder,
    /// What could not be opened or was mended.
    pub problems: Vec<Problem>,
}

/// The outcome of a save.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Saved {
    /// Motions and models that were new or had changed.
    pub written: usize,
    /// Motions and models whose files stayed as they were.
    pub kept: usize,
    /// Files that are not needed any more but could not be removed; the next save tries again.
    pub left_over: Vec<String>,
}

/// A project's folder. Holds the project's lock, unless it was opened read-only.
#[derive(Debug)]
pub struct ProjectFolder {
    pub(super) path: PathBuf,
    pub(super) lock: Option<Lock>,
    /// Which motions and models are in which files, as `project.ron` on disk has it.
    pub(super) stored: BTreeMap<FileOwner, Stored>,
    /// Clips whose files could not be read; what is known about them is kept.
    pub(super) lost: Vec<Lost>,
    /// Models whose files could not be read.
    pub(super) lost_models: Vec<v1::Model>,
    /// Files of the pose library that could not be read.
    pub(super) lost_poses: Vec<String>,
    /// Pictures whose files could not be read.
    pub(super) lost_pictures: Vec<v1::Picture>,
    /// Studies whose files could not be read.
    pub(super) lost_studies: Vec<v1::Study>,
}

/// A motion or model on disk.
#[derive(Debug, Clone)]
pub(super) struct Stored {
    /// What is in the file; kept to see whether it has changed since.
    pub(super) kept: FileContent,
    pub(super) place: StoredPath,
}

/// What is known about a clip whose file could not be read.
#[derive(Debug, Clone)]
pub(super) struct Lost {
    pub(super) record: v1::Clip,
    pub(super) skeleton: Option<Arc<Skeleton>>,
    /// The sets it belongs to.
    pub(super) sets: Vec<u64>,
}
