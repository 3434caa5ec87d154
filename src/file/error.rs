//! Why a file could not be read or written, in words that lead to the place.

use std::path::PathBuf;

use super::FileKind;
use crate::motion::{ClipError, SkeletonError, StrokeError};

/// A text file ends early or holds something that is not valid there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: expected {expected}, found {found}")]
pub struct SyntaxError {
    /// The line of the file, counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: usize,
    /// What would have been right here.
    pub expected: String,
    /// What stands there instead: the word in quotes, or `the end of the file`.
    pub found: String,
}

/// Why a clip could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The operating system refused.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// The text makes no sense at one place.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// Well-formed, but no skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// Well-formed, but no clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// Well-formed, but no stroke.
    #[error(transparent)]
    Stroke(#[from] StrokeError),
    /// An AMC file holds only angles; its skeleton is in an ASF file.
    #[error("an AMC file needs the ASF file of its skeleton; looked for {looked_for}")]
    NoAsf {
        /// The names that were tried.
        looked_for: String,
    },
    /// The skeleton that an AMC file belongs to cannot be read.
    #[error("its skeleton {}: {error}", file.display())]
    InAsf {
        /// Path of the ASF file.
        file: PathBuf,
        /// Why the ASF file cannot be read.
        error: Box<Self>,
    },
    /// No FBX file, or none with motion.
    #[error(transparent)]
    Fbx(#[from] super::fbx::FbxError),
    /// There is no such take in the file.
    #[error("no take {wanted} in this file, which has {found}")]
    NoTake {
        /// The number of the take that was asked for, counted from 0.
        wanted: usize,
        /// How many there are.
        found: usize,
    },
    /// Its ending says one thing and what stands in it another.
    #[error("this is {found}, whatever its ending says")]
    OtherKind {
        /// What stands in it.
        found: FileKind,
    },
    /// It is known what it is, and it is no motion, or is not called like it.
    #[error("this is {found}; motion is read from .bvh, .fbx, or .amc beside its .asf")]
    NoMotion {
        /// What stands in it.
        found: FileKind,
    },
    /// A device, a pipe or a folder.
    #[error("not a file but {0}")]
    NotAFile(&'static str),
    /// The file name has no known ending.
    #[error("not a motion file that can be read here (.bvh, .fbx, or .amc beside its .asf)")]
    UnknownFormat,
}

/// Why something could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The operating system refused.
    #[error("cannot be written: {0}")]
    Io(#[from] std::io::Error),
    /// The file exists already, and replacing it was not asked for.
    #[error("exists already; it is replaced only with --force")]
    Exists,
}
