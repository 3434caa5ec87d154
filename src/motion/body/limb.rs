//! An arm or leg.

use crate::motion::names::Side;

/// A leg or an arm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limb {
    /// The side of the body it is on.
    pub side: Side,
    /// Hip or shoulder: where the limb turns.
    pub upper: usize,
    /// Joint index of the knee or elbow.
    pub middle: usize,
    /// Ankle or wrist: what is held in place.
    pub end: usize,
    /// Toe joint, for legs that have one.
    pub toe: Option<usize>,
}
