//! What a graph is built from: the values that a file keeps.

use std::sync::Arc;

use super::error::TransitionError;
use super::graph::{GraphSettings, TransitionGraph};
use crate::jobs::Ticket;
use crate::motion::Clip;
use crate::motion::join::{JoinClip, Rig};

/// All that a graph is built from.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphParts {
    /// How it was asked for.
    pub settings: GraphSettings,
    /// T of the clustering, as it was asked for or found.
    pub threshold: f64,
    /// What all clips have in common.
    pub rig: Arc<Rig>,
    /// At the rate of the rig.
    pub clips: Vec<Arc<Clip>>,
}

impl GraphParts {
    /// The parts of a graph.
    pub fn of(graph: &TransitionGraph) -> Self {
        Self {
            settings: graph.settings().clone(),
            threshold: graph.threshold(),
            rig: Arc::clone(graph.rig()),
            clips: graph.clips().map(|(_, c)| Arc::clone(&c.clip)).collect(),
        }
    }

    /// Builds the graph; nothing is searched for, since the threshold is known.
    pub fn build(&self, ticket: &Ticket) -> Result<TransitionGraph, TransitionError> {
        let mut clips = Vec::with_capacity(self.clips.len());
        for (at, clip) in self.clips.iter().enumerate() {
            ticket.step(0.3 * at as f64 / self.clips.len() as f64)?;
            clips.push(Arc::new(JoinClip::new(&self.rig, clip)?));
        }
        if clips.is_empty() {
            return Err(TransitionError::NoClips);
        }
        let settings = GraphSettings {
            threshold: Some(self.threshold),
            ..self.settings.clone()
        };
        TransitionGraph::of(Arc::clone(&self.rig), &clips, &settings, ticket)
    }
}
