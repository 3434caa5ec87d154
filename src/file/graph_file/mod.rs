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
mod error;
mod mirror;
mod v1;

use std::path::Path;

use super::kind::Header;
use super::{FileKind, ron_text};
use crate::transition::{GraphParts, TransitionGraph};

pub use dot::dot;
pub use error::{GraphFileError, MOST_PATHS, VERSION};

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
