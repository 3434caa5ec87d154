//! A sequence whose last action goes over into its first, to be played on and on.
//!
//! The first action is put behind the last one once more, joined like every other. From where that join has settled,
//! the action is the one that the motion began with, only turned and moved: the motion from there in its first play to
//! there in its second is a round, and its end is its beginning to the last bit. Place and heading go on from round to
//! round by the same [`Carry`]; nothing is drawn back to where it began.
//!
//! A first action whose feet stand where the action before has put them never is what it was when nothing came before
//! it: a straight leg that stands five centimetres elsewhere bends its knee by forty degrees. Nor is one that is left
//! before the join into it has settled, such as a single cycle of a walk. Then everything is played once more, and the
//! round is what is between the second and the third play of the first action, both of which come from the last one.
//! As soon as one action on the way has settled, these are the same to the last bit. Where none does, they come nearer
//! to each other from round to round; the round is closed where the poses are nearest, and what is lacking is spread
//! over the whole ([`make_loop`]).

use std::ops::Range;

use super::ActionList;
use super::evaluate::Evaluation;
use super::former::Former;
use super::round::{Carry, Closed, Round};
use super::step::Step;
use crate::jobs::Ticket;
use crate::motion::cycles::{CycleError, make_loop};
use crate::motion::edit::{self, EditError};
use crate::motion::heading::turn;
use crate::motion::join::Strip;
use crate::motion::rotation::wrap;
use crate::motion::{Clip, ClipError};
use crate::transition::{TransitionError, TransitionGraph};

/// Everything is played so often, at most, before the round begins.
const MOST_BEFORE: usize = 2;
/// What is lacking by less is spread over the round, and nobody sees it.
const UNSEEN_RAD: f64 = 0.25_f64.to_radians();
/// Poses that differ by less are the same: places in the world are summed up.
const SAME_RAD: f64 = 1e-9;
/// The round is closed where this is reached first, in times of the least difference.
const NEARLY: f64 = 1.1;
/// Frames of the shortest round.
const SHORTEST: usize = 4;

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

impl Evaluation {
    /// The round of a sequence that goes over into itself; none of others.
    pub fn round(&self) -> Option<&Round> {
        self.closed.round.as_ref()
    }

    /// The motion: the whole strip, or its round. None without actions.
    pub fn motion(&self, name: &str) -> Result<Option<Clip>, MotionError> {
        let Some(strip) = self.strip() else {
            return Ok(None);
        };
        let whole = strip.to_clip(name)?;
        Ok(Some(match self.round() {
            None => whole,
            Some(round) if round.is_exact => edit::trim(&whole, round.frames.clone())?,
            Some(round) => make_loop(&whole, &round.frames)?.clip,
        }))
    }

    /// Plays on into the first action, if the sequence loops, and cuts out the round.
    pub(super) fn close<S: Clone>(
        &mut self,
        graph: &TransitionGraph,
        list: &ActionList<S>,
        former: &mut Former,
        ticket: &Ticket,
    ) -> Result<(), TransitionError> {
        self.closed = Closed::default();
        let n = self.steps.len();
        if n == 0 || !list.loops {
            return Ok(());
        }
        for n_before in 0..=MOST_BEFORE {
            ticket.check()?;
            self.play_again(graph, list, n_before * n, former)?;
            let first = n_before * n;
            let round = self.strip.as_ref();
            let round = round.and_then(|strip| self.round_from(strip, first, first + n));
            let is_closed = round
                .as_ref()
                .is_some_and(|round| round.off_rad < UNSEEN_RAD);
            self.closed = Closed {
                first,
                round,
                strip: None,
            };
            if is_closed {
                break;
            }
            if n_before < MOST_BEFORE {
                for at in first + 1..first + n {
                    self.play_again(graph, list, at, former)?;
                }
            }
        }
        if self.closed.round.is_none() {
            // Too short to be cut anywhere: it is what it is.
            self.closed.first = 0;
            self.steps.truncate(n + 1);
            self.restore_last();
        }
        self.bring_home(n);
        Ok(())
    }

    /// Puts the action of a step behind the last one once more.
    fn play_again<S: Clone>(
        &mut self,
        graph: &TransitionGraph,
        list: &ActionList<S>,
        step: usize,
        former: &mut Former,
    ) -> Result<(), TransitionError> {
        let mut planned = self.steps[step].planned.clone();
        planned.round += 1;
        if step == 0
            && let Some(entry) = list.entry(planned.entry)
        {
            planned.choice = entry.reached;
        }
        self.follow(graph, planned, former)
    }

    /// The round from a play of the first action to the next.
    fn round_from(&self, strip: &Strip, first: usize, last: usize) -> Option<Round> {
        let [one, other] = [first, last].map(|step| self.steps.get(step));
        let (one, other, second) = (one?, other?, self.steps.get(first + 1)?);
        let left = one.clip_frame(second.start + second.transition.as_ref()?.at);
        let frames = same_frames(one, other, left);
        let both = |frame: usize| (one.frame_of(frame), other.frame_of(frame));
        let off: Vec<f64> = frames
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
        let (begin, end) = both(frames.start + at);
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

    /// What was played before the round has carried the body away: it is moved so that the first action of the round
    /// stands where it stands when nothing comes before it. What keeps a captured place is where it belongs already.
    fn bring_home(&mut self, n: usize) {
        let first = self.closed.first;
        let (Some(round), Some(strip)) = (&self.closed.round, &self.strip) else {
            return;
        };
        if first == 0 || self.steps.iter().any(Step::is_in_world) {
            return;
        }
        let (home, away) = (&self.steps[0], &self.steps[first]);
        let frame = home.frame_of(away.clip_frame(round.frames.start));
        let there = strip.tail(round.frames.start);
        let mut moved = strip.clone();
        moved.splice_placed(0, strip, &home.piece.placement_of(frame, &there));
        self.closed.round = self.round_from(&moved, first, first + n);
        self.closed.strip = Some(moved);
    }
}

/// The frames of a clip that two plays of it show unblended, up to where it is left; where it is left sooner, those
/// that both show at all.
fn same_frames(one: &Step, other: &Step, left: usize) -> Range<usize> {
    let enters = |step: &Step| step.marks().1;
    let settles = |step: &Step| {
        let (start, enter, blended, _) = step.marks();
        enter + blended.saturating_sub(start)
    };
    let settled = settles(one).max(settles(other));
    let entered = enters(one).max(enters(other));
    settled.min(left.saturating_sub(1)).max(entered)..left
}

/// The most that a joint of one frame is turned from where it is in another, whichever way the body faces.
fn apart_rad(strip: &Strip, one: usize, other: usize) -> f64 {
    let [[_, one], [_, other]] = [one, other].map(|frame| strip.moving_pose(frame));
    let pairs = one.rotations.iter().zip(&other.rotations);
    pairs.map(|(a, b)| a.angle_to(b)).fold(0.0, f64::max)
}
