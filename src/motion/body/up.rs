//! The up axis, which motion files do not state.

use super::Body;
use crate::motion::{Axis, Clip, Dim, Pose, Vec3, WorldPose};
use crate::numerics::quantile::quantile;

/// A guess at which way is up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UpGuess {
    /// The direction that is most likely up.
    pub axis: Axis,
    /// Whether the body clearly stands along it; lying bodies and unknown skeletons leave doubt.
    pub is_sure: bool,
}

/// A body stands along an axis if the direction from feet to head reaches this far along it.
const CLEAR: f64 = 0.7;

/// Which way is up: where the head is above the feet, over the whole clip.
///
/// Lying down all the time leaves the rest pose to tell. A rest pose that stands another way than the motion leaves
/// doubt: a swimmer lies along one axis from the first frame to the last.
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
    // Some sixty frames are enough.
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
        // No body stands along X or head down for a whole clip, and a standing body has a foot on the floor.
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
    let mut at = |share: f64| quantile(&mut levels, share).unwrap_or(0.0);
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::motion::rotation::align;
    use crate::motion::{Channels, ClipInfo, Joint, Motion, Quat, RotationOrder, Skeleton};

    /// A person who stands along Y at rest, turned as a whole, with both hips and knees bent by `bend` of each frame.
    fn clip(turn: Quat, bend: impl Fn(usize) -> f64) -> Clip {
        let bones = [
            ("Hips", None, [0.0, 0.0, 0.0]),
            ("LeftUpLeg", Some(0), [10.0, 0.0, 0.0]),
            ("LeftLeg", Some(1), [0.0, -40.0, 0.0]),
            ("LeftFoot", Some(2), [0.0, -40.0, 0.0]),
            ("RightUpLeg", Some(0), [-10.0, 0.0, 0.0]),
            ("RightLeg", Some(4), [0.0, -40.0, 0.0]),
            ("RightFoot", Some(5), [0.0, -40.0, 0.0]),
            ("Spine", Some(0), [0.0, 50.0, 0.0]),
            ("Head", Some(7), [0.0, 20.0, 0.0]),
        ];
        let joints = bones.map(|(name, parent, offset)| Joint {
            name: name.to_owned(),
            parent,
            offset: Vec3::from(offset),
            channels: Channels::rotation(RotationOrder::ZXY),
        });
        let skeleton = Arc::new(Skeleton::new(joints.to_vec(), vec![]).unwrap());
        let mut motion = Motion::with_capacity(&skeleton, 0.1, 40);
        for frame in 0..40 {
            let mut pose = Pose::rest(&skeleton);
            pose.rotations[0] = turn;
            for (hip, knee) in [(1, 2), (4, 5)] {
                pose.rotations[hip] = Quat::from_scaled_axis(-Vec3::x() * bend(frame));
                pose.rotations[knee] = Quat::from_scaled_axis(Vec3::x() * (2.0 * bend(frame)));
            }
            motion.push(pose.as_ref());
        }
        Clip::new(ClipInfo::named("person"), skeleton, motion).unwrap()
    }

    fn guess(along: Axis, bend: impl Fn(usize) -> f64) -> UpGuess {
        guess_up(&clip(align(&Vec3::y(), &along.vector()), bend))
    }

    #[test]
    fn who_stands_shows_it() {
        let sure = UpGuess {
            axis: Axis::Y,
            is_sure: true,
        };
        assert_eq!(guess(Axis::Y, |_| 0.1), sure);
        let kicks = |frame: usize| (frame as f64 * 0.7).sin().abs();
        assert_eq!(guess(Axis::Y, kicks), sure, "the rest pose agrees");
    }

    #[test]
    fn a_world_with_another_up_than_the_rest_pose_has_feet_on_its_floor() {
        assert_eq!(guess(Axis::Z, |_| 0.1).axis, Axis::Z);
    }

    #[test]
    fn who_lies_does_not_change_what_is_up() {
        let kicks = |frame: usize| (frame as f64 * 0.7).sin().abs();
        for along in [Axis::X, Axis::X.opposite(), Axis::Z.opposite()] {
            assert_eq!(guess(along, |_| 0.1).axis, Axis::Y, "lies along {along}");
        }
        assert_eq!(guess(Axis::Z, kicks).axis, Axis::Y, "swims along Z");
    }
}
