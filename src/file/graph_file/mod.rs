//! Transition graphs on disk: one RON file with a version, which needs no other file.
//!
//! Kept are the clips, how poses are compared, and the threshold of the clustering. Clusters and edges follow from
//! these and are found again on opening, which takes less time than reading them would. The numbers of the motions are
//! base64 of their bytes: they come back bit for bit, and a file is read in a fraction of the time that decimals take.
//!
//! A graph that was built comes back with the same clusters. One to which clips were added, or from which some were
//! removed, comes back as if it had been built from the clips it has now, with the threshold and the metric it had
//! then.
//!
//! Everything is checked on the way in, because a file may be broken, newer, or made to do harm. Memory follows the
//! length of the file. Left out: tags, notes and history of the clips, and folders of this machine.

mod dot;
mod mirror;
mod v1;

use std::path::Path;

use super::kind::Header;
use super::{FileKind, ReadError, RonError, ron_text};
use crate::motion::PoseMetricError;
use crate::transition::{GraphParts, TransitionGraph};

pub use dot::dot;

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

/// Reads a graph file; [`GraphParts::build`] makes the graph.
pub fn read(path: &Path) -> Result<GraphParts, GraphFileError> {
    parse(&super::open::bytes_of(path)?)
}

/// Reads the parts of a graph; errors name line and column. Memory follows the length of the text.
pub fn parse(bytes: &[u8]) -> Result<GraphParts, GraphFileError> {
    let header = Header::of(bytes)?;
    if let Some(other) = header.other_than(FileKind::Graph) {
        return Err(GraphFileError::Other(other));
    }
    let version = header.version()?;
    if version != VERSION {
        return Err(GraphFileError::Version { found: version });
    }
    let graph: v1::Graph = ron_text::parse(bytes)?;
    mirror::from(graph)
}

/// A graph as text, one line for each skeleton and clip.
pub fn write(graph: &TransitionGraph) -> Result<String, GraphFileError> {
    write_parts(&GraphParts::of(graph))
}

/// The parts of a graph as text.
pub fn write_parts(parts: &GraphParts) -> Result<String, GraphFileError> {
    Ok(ron_text::pretty(&mirror::to(parts), 2)?)
}
