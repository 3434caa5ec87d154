//! Numbers as glTF holds them: single precision, of unit length where rotations must be.

use crate::motion::{Quat, Vec3};

/// In single precision; what does not fit becomes the largest number that does.
pub(super) fn single(v: &Vec3) -> [f32; 3] {
    let limit = |x: f64| x.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32;
    // Adding zero turns the minus off a zero, so that a joint at rest is seen to be at rest.
    [limit(v.x) + 0.0, limit(v.y) + 0.0, limit(v.z) + 0.0]
}

pub(super) fn single4(q: &Quat) -> [f32; 4] {
    let unit = Quat::new_normalize(q.into_inner());
    [unit.i, unit.j, unit.k, unit.w].map(|x| x as f32 + 0.0)
}
