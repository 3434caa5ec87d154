//! A motion in which limbs were brought to what holds them.

use super::plan::LimbPlan;
use super::problem::{Hold, LimbSettings};
use crate::motion::{Body, Clip, Motion, Vec3};

/// Poses that were found, and how far the body was moved for them; no shifts stand for none.
pub(super) struct SolvedMotion {
    pub(super) motion: Motion,
    pub(super) shifts: Vec<Vec3>,
}

/// What all rounds of solving one clip share.
pub(in crate::motion) struct LimbProblem<'a> {
    pub(super) clip: &'a Clip,
    pub(super) holds: &'a [Hold],
    pub(super) settings: &'a LimbSettings,
    pub(super) body: &'a Body,
    /// One for each limb that is held at some time.
    pub(super) plans: Vec<LimbPlan>,
}
