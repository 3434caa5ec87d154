//! Why a graph file cannot be read.

use crate::file::{FileKind, ReadError, RonError};
use crate::motion::PoseMetricError;

/// The version that is written.
pub const VERSION: u64 = 1;

/// More candidate paths of a pair are not searched: the fifth already differs little from the first.
pub const MOST_PATHS: usize = 100;

/// Why a graph could not be opened or written.
#[derive(Debug, thiserror::Error)]
pub enum GraphFileError {
    /// The operating system refused.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The text makes no sense at one place.
    #[error(transparent)]
    Syntax(#[from] RonError),
    /// A later program wrote it, or it is no graph.
    #[error(
        "the transition graph was saved in format {found}; this Kinfolk knows format {VERSION}, please update to open it"
    )]
    Version {
        /// The version in the file.
        found: u64,
    },
    /// It is something else.
    #[error("this is {0}; sequences need a transition graph, as `kinfolk graph` writes it")]
    Other(FileKind),
    /// Well-formed, but one of its parts is none.
    #[error("not a whole transition graph: {part}: {what}")]
    Part {
        /// The part of the graph: `clip 3 ("walk")`.
        part: String,
        /// What is wrong with it, in words.
        what: String,
    },
    /// Poses cannot be compared in the way it says.
    #[error("not a whole transition graph: {0}")]
    Metric(#[from] PoseMetricError),
    /// The values cannot be written as text.
    #[error("cannot be written: {0}")]
    Write(#[from] ron::Error),
}
