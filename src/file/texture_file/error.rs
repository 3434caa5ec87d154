//! Why a texture file cannot be read.

use crate::file::{FileKind, ReadError, RonError};

/// The version that is written.
pub const VERSION: u64 = 2;

/// More rounds of expectation maximisation change nothing any more.
pub const MOST_EM_ROUNDS: usize = 100;

/// Why a texture could not be opened or written.
#[derive(Debug, thiserror::Error)]
pub enum TextureFileError {
    /// The operating system refused.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The text makes no sense at one place.
    #[error(transparent)]
    Syntax(#[from] RonError),
    /// A later program wrote it, or it is no texture.
    #[error(
        "the motion texture was saved in format {found}; this Kinfolk knows format {VERSION}, please update to open it"
    )]
    Version {
        /// The version in the file.
        found: u64,
    },
    /// It is something else.
    #[error(
        "this is {0}; actions and paths need a motion texture, as `kinfolk texture learn` writes it"
    )]
    Other(FileKind),
    /// Well-formed, but one of its parts is none.
    #[error("not a whole motion texture: {part}: {what}")]
    Part {
        /// Which: `clip 3 ("walk")`.
        part: String,
        /// What is wrong with it.
        what: String,
    },
    /// The values cannot be written as text.
    #[error("cannot be written: {0}")]
    Write(#[from] ron::Error),
}
