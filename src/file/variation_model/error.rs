//! Why a model file cannot be read.

use crate::file::{FileKind, ReadError, RonError};
use crate::motion::ChartError;
use crate::variation::LearnError;

/// Why a file is no model.
#[derive(Debug, thiserror::Error)]
pub enum ModelFileError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The text makes no sense at one place.
    #[error(transparent)]
    Syntax(#[from] RonError),
    /// Written by a later version of the program.
    #[error("this model was written by a newer version (file version {found}, known {VERSION})")]
    Newer {
        /// The version that the file claims.
        found: u64,
    },
    /// Well-formed, but its parts make no model.
    #[error("not a whole model: {0}")]
    Broken(#[from] LearnError),
    /// Well-formed, but its coordinates make no sense.
    #[error("not a whole model: {0}")]
    Chart(#[from] ChartError),
    /// It is something else.
    #[error("this is {0}; variants need what `kinfolk learn` writes")]
    Other(FileKind),
    /// A word that is not known here.
    #[error("not a whole model: {0}")]
    Word(String),
    /// It is a model of something else.
    #[error("this is a model of {found}, not of {wanted}")]
    Kind {
        /// What it is of.
        found: &'static str,
        /// What was asked for.
        wanted: &'static str,
    },
    /// The text cannot be made; a bug if it ever happens.
    #[error("cannot be written: {0}")]
    Text(#[from] ron::Error),
}

/// What is written today.
pub(super) const VERSION: u64 = 2;
