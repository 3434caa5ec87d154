//! Graphs that were built.

use std::sync::Arc;

use crate::app::sequence::graphs::build::{BuiltGraph, Wanted};
use crate::document::SequenceId;

/// The graph that was built, and what is being built.
#[derive(Debug, Default)]
pub struct BuiltGraphs {
    pub(super) built: Option<Arc<BuiltGraph>>,
    /// What the job that runs builds.
    pub(super) building: Option<Wanted>,
    /// What could not be built, and why; not tried again until it is something else.
    pub(super) failed: Option<(Wanted, String)>,
    /// The state of the document and the choice for which nothing was to do.
    pub(super) settled: Option<(u64, Option<SequenceId>)>,
}

impl BuiltGraphs {
    /// Why the graph could not be built.
    pub fn failure(&self) -> Option<&str> {
        self.failed.as_ref().map(|(_, why)| why.as_str())
    }

    /// Whether a graph is being built.
    pub fn is_building(&self) -> bool {
        self.building.is_some()
    }
}
