//! Whether the root's positions stand for themselves or count from its offset.

use super::super::RootOffset;
use super::notes::{Notes, Quirk};
use crate::motion::{Motion, Skeleton, Vec3};
use crate::numerics::quantile::median;

/// An offset this many times the reach of the body is where a camera stood, not how high the hips are: those are at
/// most one reach above the floor. A camera must be about two body heights away to see the whole of it.
const FAR_IN_REACHES: f64 = 1.5;
/// A first position within this of the origin is no standing body in a room with its origin on the floor.
const NEAR_IN_REACHES: f64 = 0.5;
/// Half of the time the root must be nearer to the origin than this share of its offset.
const MIDDLE_SHARE: f64 = 0.5;

/// Adds the root's offset to its positions where they are relative to it.
pub(super) fn settle(
    meaning: RootOffset,
    skeleton: &Skeleton,
    motion: &mut Motion,
    notes: &mut Notes,
) {
    let root = &skeleton.joints()[0];
    let adds = match meaning {
        RootOffset::Replace => false,
        RootOffset::Add => true,
        RootOffset::Guess => {
            let adds = looks_relative(skeleton, motion);
            if adds {
                let distance = || format!("{:.4}", root.offset.norm());
                notes.see_with(Quirk::RootOffsetAdded, None, distance);
            }
            adds
        }
    };
    if !adds {
        return;
    }
    // Axes without a channel hold the offset already.
    let mut added = Vec3::zeros();
    for dim in root.channels.positions() {
        added[dim.index()] = root.offset[dim.index()];
    }
    let step = skeleton.translating().len();
    for place in motion.translations.iter_mut().step_by(step) {
        *place += added;
    }
}

/// Whether this is how depth cameras write: the offset far away, the positions around zero. All three must be
/// channels. Files whose root has its height as offset (Rokoko, Perception Neuron) or the place of their first frame
/// (LAFAN1) stay well clear of every one of these bounds, or of the first position's.
fn looks_relative(skeleton: &Skeleton, motion: &Motion) -> bool {
    let root = &skeleton.joints()[0];
    if root.channels.positions().count() < 3 {
        return false;
    }
    let (far, reach) = (root.offset.norm(), reach(skeleton));
    if reach == 0.0 || far < FAR_IN_REACHES * reach {
        return false;
    }
    let places = motion.translations.iter();
    let mut distances: Vec<f64> = places
        .step_by(skeleton.translating().len())
        .map(Vec3::norm)
        .collect();
    let first = distances[0];
    let median = median(&mut distances).unwrap_or(first);
    first <= NEAR_IN_REACHES * reach && median <= MIDDLE_SHARE * far
}

/// How far the body reaches from its root at rest.
fn reach(skeleton: &Skeleton) -> f64 {
    let joints = skeleton.joints();
    let mut from_root = vec![Vec3::zeros(); joints.len()];
    let mut reach: f64 = 0.0;
    for (idx, joint) in joints.iter().enumerate().skip(1) {
        let parent = joint.parent.map_or_else(Vec3::zeros, |p| from_root[p]);
        from_root[idx] = parent + joint.offset;
        reach = reach.max(from_root[idx].norm());
    }
    let tips = skeleton.ends().iter();
    tips.map(|end| (from_root[end.joint] + end.offset).norm())
        .fold(reach, f64::max)
}
