//! Which way is up, which motion files do not say.

use super::Body;
use crate::motion::{Axis, Clip, Dim, Pose, Vec3, WorldPose};

/// A guess at which way is up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UpGuess {
    /// The likeliest direction.
    pub axis: Axis,
    /// Whether the body clearly stands along it; lying bodies and unknown skeletons leave doubt.
    pub is_sure: bool,
}

/// A body stands along an axis if the direction from feet to head reaches this far along it.
const CLEAR: f64 = 0.7;

/// Which way is up: where the head is above the feet, over the whole clip.
///
/// Lying down all the time leaves the rest pose to tell. A rest pose that stands another way than the motion leaves doubt: a swimmer lies along one axis from
/// the first frame to the last.
pub fn guess_up(clip: &Clip) -> UpGuess {
    let skeleton = clip.skeleton();
    let body = Body::of(skeleton);
    let unknown = UpGuess {
        axis: Axis::Y,
        is_sure: false,
    };
    let Some(head) = body.head else {
        return unknown;
    };
    if body.legs.is_empty() {
        return unknown;
    }
    let standing = |world: &WorldPose| {
        let feet: Vec3 = body.legs.iter().map(|leg| world.positions[leg.end]).sum();
        let v = world.positions[head] - feet / body.legs.len() as f64;
        v / v.norm().max(f64::MIN_POSITIVE)
    };
    // Some sixty moments tell as much as all.
    let stride = clip.n_frames().div_ceil(64);
    let moments: Vec<WorldPose> = (0..clip.n_frames())
        .step_by(stride)
        .map(|frame| WorldPose::of(skeleton, clip.frame(frame)))
        .collect();
    let rest = WorldPose::of(skeleton, Pose::rest(skeleton).as_ref());
    let (rest_axis, rest_share) = dominant(&standing(&rest));
    let rest_stands = rest_share > CLEAR;
    let mean: Vec3 = moments.iter().map(&standing).sum::<Vec3>() / moments.len() as f64;
    let (axis, share) = dominant(&mean);
    if share > CLEAR {
        let rest_is_body = rest_stands && body.is_straight(&rest) == Some(true);
        if !rest_is_body || axis == rest_axis {
            let is_sure = axis == Axis::Y || axis == Axis::Z;
            return UpGuess { axis, is_sure };
        }
        // Either the body lies, or its file has another up than its rest pose (as files made from Z-up databases do).
        // Nobody stands along X or head down for a whole clip, and who stands has a foot on the floor.
        let lies = axis.negative || axis.dim == Dim::X || !keeps_a_floor(&body, &moments, axis);
        return UpGuess {
            axis: if lies { rest_axis } else { axis },
            is_sure: false,
        };
    }
    if rest_stands {
        UpGuess {
            axis: rest_axis,
            is_sure: false,
        }
    } else {
        unknown
    }
}

/// Whether the lower foot is at one level nearly all the time: within a tenth of the legs' length in four fifths of the
/// moments. (Breaststroke on a bench, seen along the body, does not.)
fn keeps_a_floor(body: &Body, moments: &[WorldPose], up: Axis) -> bool {
    let mut levels: Vec<f64> = moments
        .iter()
        .map(|world| {
            let feet = body.foot_joints().map(|j| up.along(&world.positions[j]));
            feet.fold(f64::INFINITY, f64::min)
        })
        .collect();
    levels.sort_by(f64::total_cmp);
    let at = |share: f64| levels[((levels.len() - 1) as f64 * share).round() as usize];
    let leg = body.legs.iter().map(|leg| {
        let world = &moments[0].positions;
        (world[leg.upper] - world[leg.middle]).norm() + (world[leg.middle] - world[leg.end]).norm()
    });
    at(0.9) - at(0.1) < 0.1 * leg.fold(0.0, f64::max)
}

/// The axis nearest to a direction, and how far along it the direction reaches.
fn dominant(v: &Vec3) -> (Axis, f64) {
    let dim = Dim::ALL[v.abs().imax()];
    let axis = Axis {
        dim,
        negative: v[dim.index()] < 0.0,
    };
    (axis, axis.along(v))
}
