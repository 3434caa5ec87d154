//! Sequences: actions lined up on a strip, with the transitions that were chosen between them.

use std::sync::Arc;

use super::edit::line;
use super::{CheckError, ClipId, Document, EditError, GraphId, ModelId};
use crate::motion::{Site, Vec3};
use crate::sequence::ActionList;

/// Names a sequence for as long as the project lives. Never used again for another sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SequenceId(pub u64);

impl std::fmt::Display for SequenceId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

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

impl Document {
    /// All sequences in the order in which they were made.
    pub fn sequences(&self) -> &[(SequenceId, Arc<Sequence>)] {
        &self.sequences
    }

    /// One sequence, if it is still there.
    pub fn sequence(&self, id: SequenceId) -> Option<&Arc<Sequence>> {
        let at = self.sequences.binary_search_by_key(&id, |(id, _)| *id);
        at.ok().map(|at| &self.sequences[at].1)
    }

    pub(super) fn add_sequence(&mut self, sequence: Arc<Sequence>) -> Result<(), EditError> {
        let sequence = sound(sequence)?;
        let id = SequenceId(self.new_number()?);
        Arc::make_mut(&mut self.sequences).push((id, sequence));
        Ok(())
    }

    pub(super) fn change_sequence(
        &mut self,
        id: SequenceId,
        sequence: Arc<Sequence>,
    ) -> Result<(), EditError> {
        let sequence = sound(sequence)?;
        let at = self.place_of_sequence(id)?;
        Arc::make_mut(&mut self.sequences)[at].1 = sequence;
        Ok(())
    }

    pub(super) fn remove_sequence(&mut self, id: SequenceId) -> Result<(), EditError> {
        let at = self.place_of_sequence(id)?;
        Arc::make_mut(&mut self.sequences).remove(at);
        Ok(())
    }

    fn place_of_sequence(&self, id: SequenceId) -> Result<usize, EditError> {
        let at = self.sequences.binary_search_by_key(&id, |(id, _)| *id);
        at.map_err(|_place| EditError::NoSuchSequence(id))
    }

    pub(super) fn check_sequences(&self) -> Result<(), CheckError> {
        let mut pairs = self.sequences.windows(2);
        if let Some(pair) = pairs.find(|pair| pair[0].0 >= pair[1].0) {
            return Err(CheckError::SequenceTwice(pair[1].0));
        }
        let flawed = self.sequences.iter().find_map(|(id, sequence)| {
            let why = sequence.flaw()?;
            Some(CheckError::Sequence { id: *id, why })
        });
        flawed.map_or(Ok(()), Err)
    }
}

fn sound(sequence: Arc<Sequence>) -> Result<Arc<Sequence>, EditError> {
    if let Some(why) = sequence.flaw() {
        return Err(EditError::Sequence(why));
    }
    let name = line("the name of a sequence", sequence.name.clone())?;
    Ok(if name == sequence.name {
        sequence
    } else {
        Arc::new(Sequence {
            name,
            ..Sequence::clone(&sequence)
        })
    })
}
