//! Why a project could not be opened or saved, and what was wrong with one that could.

use std::io;
use std::path::PathBuf;

use super::lock::LockError;
use super::{Owner, PROJECT_FILE, VERSION};
use crate::document::CheckError;
use crate::file::{FileKind, ReadError, RonError};

/// Why a project could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder or its `project.ron` is not there.
    #[error("there is no project here: {PROJECT_FILE} is missing")]
    NotAProject,
    /// The operating system refused.
    #[error("{PROJECT_FILE} {0}")]
    Read(#[from] ReadError),
    /// The text makes no sense at one place.
    #[error("{PROJECT_FILE}, {0}")]
    Syntax(#[from] RonError),
    /// The file of that name is something else.
    #[error("{PROJECT_FILE} is {0}")]
    Other(FileKind),
    /// A later program wrote it.
    #[error(
        "the project was saved by a newer Kinfolk (format {found}; this one knows up to {VERSION}); please update to open it"
    )]
    Newer {
        /// The version in the file.
        found: u64,
    },
    /// The numbers of clips and sets cannot be made sense of.
    #[error("{PROJECT_FILE}: {0}")]
    Content(#[from] CheckError),
    /// Somebody has it open, or the lock cannot be had.
    #[error(transparent)]
    Lock(#[from] LockError),
}

/// Why a project could not be saved. What was on disk before is still there.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The operating system refused: a full disk, a folder without permission.
    #[error("cannot be written: {error}: {}", file.display())]
    Io {
        /// The file in question.
        file: PathBuf,
        /// What the operating system said.
        error: io::Error,
    },
    /// A motion cannot be kept in a file.
    #[error("the motion of \"{clip}\" cannot be kept in a file: {why}")]
    Clip {
        /// Name of the clip.
        clip: String,
        /// Why it cannot be written.
        why: String,
    },
    /// A model cannot be kept in a file.
    #[error("model \"{model}\" cannot be kept in a file: {why}")]
    Model {
        /// Name of the model.
        model: String,
        /// Why it cannot be written.
        why: String,
    },
    /// `project.ron` cannot be spelled.
    #[error("{PROJECT_FILE} cannot be written: {0}")]
    Text(#[from] ron::Error),
    /// It was opened to look at only.
    #[error("the project was opened read-only; save it under another name")]
    ReadOnly,
    /// Somebody took the project over after it was opened here.
    #[error("the project was taken over by {0}; save it under another name")]
    TakenOver(Owner),
    /// There is a project already, and replacing it was not asked for.
    #[error("there is a project here already")]
    Exists,
    /// The project that is to be replaced cannot be looked into.
    #[error("the project that is there already cannot be replaced: {0}")]
    Replace(Box<OpenError>),
    /// Somebody has it open, or the lock cannot be had.
    #[error(transparent)]
    Lock(#[from] LockError),
}

impl SaveError {
    pub(super) fn io(file: impl Into<PathBuf>, error: io::Error) -> Self {
        let file = file.into();
        Self::Io { file, error }
    }
}

/// Something in a project that could not be opened or was mended; the rest is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file in the project's folder.
    pub file: String,
    /// One plain sentence for the user.
    pub text: String,
}

impl Problem {
    pub(super) fn new(file: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            text: text.into(),
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.file, self.text)
    }
}
