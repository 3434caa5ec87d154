//! A sequence whose last action goes over into its first, to be played on and on.
//!
//! The first action is put behind the last one once more, joined like every other. From where that join has settled,
//! the action is the one that the motion began with, only turned and moved: the motion from there in its first play to
//! there in its second is a round, and its end is its beginning to the last bit. Place and heading go on from round to
//! round by the same [`Carry`]; nothing is drawn back to where it began.
//!
//! A first action that is left before the join into it has settled (a single cycle of a walk) never comes back to the
//! last bit. Then the round is closed where it is nearest, and what is lacking, a fraction of a degree, is spread over
//! the whole ([`make_loop`]).

use std::ops::Range;

use super::ActionList;
use super::evaluate::{Evaluation, Planned, input};
use crate::motion::cycles::{CycleError, make_loop};
use crate::motion::edit::{self, EditError};
use crate::motion::heading::turn;
use crate::motion::join::Rig;
use crate::motion::rotation::wrap;
use crate::motion::{Clip, ClipError, Quat, Vec3};

/// One round of a sequence that goes over into itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    /// The frames of the strip that are played on and on.
    pub frames: Range<usize>,
    /// Whether the frame behind the last is the first to the last bit, only turned and moved.
    pub is_exact: bool,
    /// From one round to the next.
    pub carry: Carry,
}

/// How the body stands at the end of a round, beside how it stood at its beginning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carry {
    /// About up.
    pub turn: Quat,
    /// After the turn.
    pub shift: Vec3,
}

/// Why the motion of a sequence is not a clip.
#[derive(Debug, thiserror::Error)]
pub enum MotionError {
    /// The strip is not.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// The round could not be cut out of it.
    #[error(transparent)]
    Cut(#[from] EditError),
    /// The round could not be closed.
    #[error(transparent)]
    Loop(#[from] CycleError),
}

impl Carry {
    /// Where it stands that was not carried.
    pub fn none() -> Self {
        Self {
            turn: Quat::identity(),
            shift: Vec3::zeros(),
        }
    }

    /// One round more.
    #[must_use]
    pub fn then(&self, round: &Self) -> Self {
        Self {
            turn: self.turn * round.turn,
            shift: self.turn * round.shift + self.shift,
        }
    }
}

impl Evaluation {
    /// The round of a sequence that goes over into itself; none of others.
    pub fn round(&self) -> Option<Round> {
        let last = self.steps.last().filter(|step| step.planned.closes)?;
        let strip = self.strip()?;
        let (first, second) = (self.steps.first()?, self.steps.get(1)?);
        let (start, enter, _, settled) = last.marks();
        let made = second.transition.as_ref()?;
        let untouched = first.planned.frames.start + second.start + made.at - 1;
        let whole_again = enter + settled - start;
        let shown = whole_again.min(untouched).max(enter);
        let begin = shown.checked_sub(first.planned.frames.start)?;
        let end = last.start + start + shown - enter;
        if begin + 4 > end || end >= strip.n_frames() {
            return None;
        }
        let up = strip.rig().metric.heading.up;
        let turn = turn(up, wrap(strip.heading_rad(end) - strip.heading_rad(begin)));
        Some(Round {
            frames: begin..end,
            is_exact: whole_again <= untouched,
            carry: Carry {
                turn,
                shift: strip.place(end) - turn * strip.place(begin),
            },
        })
    }

    /// The motion: the whole strip, or its round. None without actions.
    pub fn motion(&self, name: &str) -> Result<Option<Clip>, MotionError> {
        let Some(strip) = self.strip() else {
            return Ok(None);
        };
        let whole = strip.to_clip(name)?;
        Ok(Some(match self.round() {
            None => whole,
            Some(round) if round.is_exact => edit::trim(&whole, round.frames)?,
            Some(round) => make_loop(&whole, &round.frames)?.clip,
        }))
    }

    /// The first action again, as far as it is untouched where it was played first.
    pub(super) fn closing<S: Clone>(&self, rig: &Rig, list: &ActionList<S>) -> Option<Planned> {
        let first = self.steps.first().filter(|_| list.loops)?;
        let mut planned = first.planned.clone();
        planned.closes = true;
        planned.choice = list.entry(planned.entry)?.reached;
        let left = match self.steps.get(1) {
            Some(second) => second.start + second.transition.as_ref()?.at,
            // It is left for itself.
            None => {
                let input = input(rig, first, &planned);
                input.from + input.leaves.start + 1
            }
        };
        let frames = &mut planned.frames;
        // One frame more, so that there is one behind the last of the round.
        frames.end = (frames.start + left + 1).clamp(frames.start + 2, frames.end);
        Some(planned)
    }
}
