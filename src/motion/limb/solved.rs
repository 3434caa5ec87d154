//! A motion in which limbs were brought to what holds them.

use crate::motion::{Motion, Vec3};

/// Poses that were found, and how far the body was moved for them; no shifts stand for none.
pub(super) struct SolvedMotion {
    pub(super) motion: Motion,
    pub(super) shifts: Vec<Vec3>,
}
