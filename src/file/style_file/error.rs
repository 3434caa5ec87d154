//! Why a style file cannot be read.

use crate::file::{FileKind, ReadError, RonError};
use crate::style::StyleError;

/// The version that is written.
pub const VERSION: u64 = 1;

/// Why a style could not be opened or written.
#[derive(Debug, thiserror::Error)]
pub enum StyleFileError {
    /// The operating system refused.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The text makes no sense at one place.
    #[error(transparent)]
    Syntax(#[from] RonError),
    /// A later program wrote it, or it is no style.
    #[error(
        "the style was saved in format {found}; this Kinfolk knows format {VERSION}, please update to open it"
    )]
    Version {
        /// The version in the file.
        found: u64,
    },
    /// It is something else.
    #[error("this is {0}; poses need a style, as `kinfolk style learn` writes it")]
    Other(FileKind),
    /// Well-formed, but no skeleton.
    #[error("the skeleton: {0}")]
    Skeleton(String),
    /// Well-formed, but no style.
    #[error(transparent)]
    Style(#[from] StyleError),
    /// The values cannot be written as text.
    #[error("cannot be written: {0}")]
    Write(#[from] ron::Error),
}
