//! One round of a sequence that goes over into itself, and how the body is carried on by it.

use std::ops::Range;

use crate::motion::join::Strip;
use crate::motion::{Quat, Vec3};

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
    /// The rotation about up.
    pub turn: Quat,
    /// The movement after that rotation.
    pub shift: Vec3,
}

/// How a sequence was closed.
#[derive(Debug, Default)]
pub(super) struct Closed {
    /// The step with which the round begins.
    pub(super) first: usize,
    pub(super) round: Option<Round>,
    /// The motion, where it was moved so that the round begins where the sequence does.
    pub(super) strip: Option<Strip>,
}

impl Carry {
    /// Where it stands that was not carried.
    pub fn none() -> Self {
        Self {
            turn: Quat::identity(),
            shift: Vec3::zeros(),
        }
    }

    /// This one, followed by one round more.
    #[must_use]
    pub fn then(&self, round: &Self) -> Self {
        Self {
            turn: self.turn * round.turn,
            shift: self.turn * round.shift + self.shift,
        }
    }
}
