//! A sequence whose last action goes over into its first, to be played on and on.
//!
//! The first action is put behind the last one once more, joined like every other. From where that join has settled,
//! the action is the one that the motion began with, only turned and moved: the motion from there in its first play to
//! there in its second is a round, and its end is its beginning to the last bit. Place and heading go on from round to
//! round by the same [`Carry`]; nothing is drawn back to where it began.
//!
//! A first action that is left before the join into it has settled never comes back to the last bit: a single cycle of
//! a walk, or a kick whose other foot stands where the action before has put it. Then the round is closed where the
//! poses are nearest, and what is lacking, degrees at most, is spread over the whole ([`make_loop`]).

use std::ops::Range;

use super::ActionList;
use super::evaluate::{Evaluation, Planned, input};
use crate::motion::cycles::{CycleError, make_loop};
use crate::motion::edit::{self, EditError};
use crate::motion::heading::turn;
use crate::motion::join::{Rig, Strip};
use crate::motion::rotation::wrap;
use crate::motion::{Clip, ClipError, Quat, Vec3};

/// Poses that differ by less are the same: places in the world are summed up.
const SAME_RAD: f64 = 1e-9;
/// The round is closed where this is reached first, in times of the least difference.
const NEARLY: f64 = 1.1;
/// Frames of the shortest round.
const SHORTEST: usize = 4;

/// One round of a sequence that goes over into itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    /// The frames of the strip that are played on and on.
    pub frames: Range<usize>,
    /// Whether the frame behind the last is the first, only turned and moved.
    pub is_exact: bool,
    /// By how much any joint differs there, before it is closed.
    pub off_rad: f64,
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
        let (start, enter, blended, _) = last.marks();
        let begins = first.planned.frames.start;
        // The same frames of the clip in both plays: unblended in the second, not yet left in the first.
        let left = begins + second.start + second.transition.as_ref()?.at;
        let shown = (enter + blended.saturating_sub(start)).max(begins)..left;
        let both = |frame: usize| (frame - begins, last.start + start + frame - enter);
        let shown = shown.start.min(shown.end - 1).max(enter)..shown.end;
        let off: Vec<f64> = shown
            .clone()
            .map(|frame| {
                let (first, again) = both(frame);
                if again < strip.n_frames() {
                    apart_rad(strip, first, again)
                } else {
                    f64::INFINITY
                }
            })
            .collect();
        // From where on it stays the same.
        let n_same = off.iter().rev().take_while(|off| **off < SAME_RAD).count();
        let is_exact = n_same > 0;
        let at = if is_exact {
            off.len() - n_same
        } else {
            let least = off.iter().copied().fold(f64::INFINITY, f64::min);
            off.iter().position(|off| *off <= NEARLY * least)?
        };
        let (begin, end) = both(shown.start + at);
        if begin + SHORTEST > end || end >= strip.n_frames() {
            return None;
        }
        let up = strip.rig().metric.heading.up;
        let turn = turn(up, wrap(strip.heading_rad(end) - strip.heading_rad(begin)));
        Some(Round {
            frames: begin..end,
            is_exact,
            off_rad: off[at],
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
        let left = if let Some(second) = self.steps.get(1) {
            second.start + second.transition.as_ref()?.at
        } else {
            // It is left for itself.
            let input = input(rig, first, &planned);
            input.from + input.leaves.start + 1
        };
        let frames = &mut planned.frames;
        // One frame more, so that there is one behind the last of the round.
        frames.end = (frames.start + left + 1).clamp(frames.start + 2, frames.end);
        Some(planned)
    }
}

/// The most that a joint of one frame is turned from where it is in another, whichever way the body faces.
fn apart_rad(strip: &Strip, one: usize, other: usize) -> f64 {
    let [[_, one], [_, other]] = [one, other].map(|frame| strip.moving_pose(frame));
    let pairs = one.rotations.iter().zip(&other.rotations);
    pairs.map(|(a, b)| a.angle_to(b)).fold(0.0, f64::max)
}
