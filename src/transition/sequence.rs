//! Actions in an order, with transitions between them.

use std::ops::Range;
use std::sync::Arc;

use super::error::TransitionError;
use super::graph::TransitionGraph;
use super::synthesis::{JoinTask, Transition, TransitionSettings};
use crate::jobs::Ticket;
use crate::motion::join::{JoinClip, Strip};
use crate::numerics::random::Stream;

/// A source may be left this share of its frames before its end, where that joins better.
const LEAVE_SHARE: f64 = 0.1;

/// When an action is left for the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Leave {
    /// At its end, or where shortly before it joins better.
    #[default]
    End,
    /// After exactly this frame of the action.
    At(usize),
}

/// One entry of a sequence.
#[derive(Debug, Clone)]
pub struct SequenceAction {
    /// What is played; it need not be in the graph.
    pub clip: Arc<JoinClip>,
    /// The frames of it that are played.
    pub frames: Range<usize>,
    /// When the action is left for the next one.
    pub leave: Leave,
    /// How this action is reached; `None` for the sequence's own settings.
    pub reached: Option<TransitionSettings>,
}

impl SequenceAction {
    /// A whole clip, left at its end.
    pub fn whole(clip: &Arc<JoinClip>) -> Self {
        Self {
            frames: 0..clip.n_frames(),
            clip: Arc::clone(clip),
            leave: Leave::End,
            reached: None,
        }
    }

    fn check(&self) -> Result<(), TransitionError> {
        let past = |frame: usize| TransitionError::PastTheEnd {
            clip: self.clip.clip.info.name.clone(),
            frame,
            n_frames: self.clip.n_frames(),
        };
        if self.frames.end > self.clip.n_frames() || self.frames.len() < 2 {
            return Err(past(self.frames.end));
        }
        match self.leave {
            Leave::At(frame) if !self.frames.contains(&frame) => Err(past(frame)),
            _ => Ok(()),
        }
    }
}

/// How a sequence is made.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SequenceSettings {
    /// How transitions are made.
    pub transition: TransitionSettings,
    /// Names the random numbers.
    pub seed: u64,
}

/// A sequence that was made.
#[derive(Debug, Clone)]
pub struct Sequenced {
    /// The motion with all transitions.
    pub strip: Strip,
    /// One less than actions.
    pub transitions: Vec<Transition>,
}

/// Plays actions one after another; position and heading go on from each to the next.
pub fn sequence(
    graph: &TransitionGraph,
    actions: &[SequenceAction],
    settings: &SequenceSettings,
    ticket: &Ticket,
) -> Result<Sequenced, TransitionError> {
    let first = actions.first().ok_or(TransitionError::NoActions)?;
    for action in actions {
        action.check()?;
    }
    let mut strip = Strip::of(graph.rig(), &first.clip, first.frames.clone());
    let mut transitions: Vec<Transition> = Vec::with_capacity(actions.len() - 1);
    for (at, pair) in actions.windows(2).enumerate() {
        ticket.step(at as f64 / actions.len() as f64)?;
        let [source, next] = pair else { continue };
        let (start, enter, blended) = match transitions.last() {
            Some(t) => (t.action.start, t.enter, t.at + t.frames),
            None => (0, source.frames.start, 0),
        };
        let n = strip.n_frames();
        let leaves = match source.leave {
            Leave::At(frame) => {
                let leave = (start + frame.saturating_sub(enter)).min(n - 1);
                leave..leave + 1
            }
            Leave::End => {
                let early = (source.frames.len() as f64 * LEAVE_SHARE) as usize;
                n.saturating_sub(1 + early).max(blended.min(n - 1))..n
            }
        };
        let task = JoinTask {
            leaves,
            action: &next.clip,
            frames: next.frames.clone(),
            may_skip: true,
        };
        let mut stream = Stream::named(settings.seed, &[at as u64]);
        let how = next.reached.as_ref().unwrap_or(&settings.transition);
        transitions.push(graph.transit(&mut strip, &task, how, &mut stream)?);
    }
    // The last action may be left early, too: the motion ends there.
    if let (Leave::At(frame), Some(last)) = (actions[actions.len() - 1].leave, actions.last()) {
        let (start, enter) = match transitions.last() {
            Some(t) => (t.action.start, t.enter),
            None => (0, last.frames.start),
        };
        strip.truncate((start + frame.saturating_sub(enter) + 1).min(strip.n_frames()));
    }
    ticket.step(1.0)?;
    Ok(Sequenced { strip, transitions })
}
