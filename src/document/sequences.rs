//! Sequences: actions lined up on a strip, with the transitions that were chosen between them.

use std::sync::Arc;

use super::ids::SequenceId;
use super::{ClipId, GraphId, ModelId};
use crate::motion::{Site, Vec3};
use crate::sequence::ActionList;

/// What an action of a sequence plays. Also what is dragged onto the strip.
#[derive(Debug, Clone, PartialEq)]
pub enum ActionSource {
    /// A clip of the library.
    Clip(ClipId),
    /// A model of variation: each repetition is another variant.
    Model(ModelId),
    /// A parametric action, made from examples so that it meets its target.
    Target(TargetAction),
}

/// An action that reaches for a point.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetAction {
    /// Clips of one action, at least two.
    pub examples: Vec<ClipId>,
    /// What reaches: a fist, a foot.
    pub site: Site,
    /// Where it shall be at the moment of effect, in the world.
    pub target: Vec3,
}

impl ActionSource {
    /// The clips that it is made from.
    pub fn clips(&self) -> &[ClipId] {
        match self {
            Self::Clip(clip) => std::slice::from_ref(clip),
            Self::Model(_) => &[],
            Self::Target(action) => &action.examples,
        }
    }

    fn flaw(&self) -> Option<&'static str> {
        let Self::Target(action) = self else {
            return None;
        };
        if !(2..=1000).contains(&action.examples.len()) {
            Some("an action with a target needs two examples or more")
        } else if !action.target.iter().all(|x| x.is_finite()) {
            Some("a target is at no finite place")
        } else {
            None
        }
    }
}

/// A sequence of actions. Immutable behind an `Arc`: every change makes a new one.
#[derive(Debug, Clone, PartialEq)]
pub struct Sequence {
    /// One line of text.
    pub name: String,
    /// The graph that transitions are found in. Without one, or while it is not there, nothing can be joined.
    pub graph: Option<GraphId>,
    /// The actions. What they play may not be in the project any more; then they are passed over.
    pub actions: ActionList<ActionSource>,
}

impl Sequence {
    /// What is wrong with it, if anything is.
    pub fn flaw(&self) -> Option<&'static str> {
        let mut sources = self.actions.entries.iter().map(|entry| &entry.source);
        let flawed = sources.find_map(ActionSource::flaw);
        flawed.or_else(|| self.actions.flaw())
    }
}

/// All sequences in the order in which they were made, so also by number.
pub(super) type Sequences = Arc<Vec<(SequenceId, Arc<Sequence>)>>;
