//! Converters like to put a T-pose before the motion (every CMU file has one); learned from, it poisons everything.

use super::{EditError, cut::trim, noted};
use crate::motion::{Body, Clip, Limb, NoteKind, PoseRef, Quat, Skeleton, Vec3, WorldPose};

/// Arms this far from straight out, or legs from straight down, still make a T; rest poses spread their legs by 20.
const LIMB_OFF_RAD: f64 = 0.52;
/// On average over the joints, a pose this near to the rest pose is the rest pose.
const REST_OFF_RAD: f64 = 0.1;
/// Frames of a held T-pose differ by less than this on average over the joints.
const HELD_RAD: f64 = 0.02;
/// A cut to the motion turns joints at least this far on average, and one of them by [`CUT_MOST_RAD`]. Measured on 23
/// CMU walks: 0.19 to 0.37 and 1.36 to 1.6.
const CUT_MEAN_RAD: f64 = 0.1;
const CUT_MOST_RAD: f64 = 0.6;

/// How many frames at the start hold a T-pose (or the rest pose) before the motion begins with a jump. An actor who
/// stands in a T and moves out of it is motion, and counts as none.
pub fn leading_tpose_frames(clip: &Clip) -> usize {
    let skeleton = clip.skeleton();
    let body = Body::of(skeleton);
    let mut frames = clip.frames();
    let Some(mut before) = frames.next() else {
        return 0;
    };
    if !is_rest(before) && !is_t(skeleton, &body, before) {
        return 0;
    }
    for (idx, pose) in frames.enumerate() {
        let (mean, most) = turned(before, pose);
        if mean > CUT_MEAN_RAD && most > CUT_MOST_RAD {
            return idx + 1;
        }
        if mean > HELD_RAD {
            return 0;
        }
        before = pose;
    }
    0
}

/// The clip without the T-pose at its start, if it has one; otherwise as it is.
pub fn drop_tpose(clip: &Clip) -> Result<Clip, EditError> {
    let n = leading_tpose_frames(clip);
    if n == 0 {
        return Ok(clip.clone());
    }
    let mut dropped = trim(clip, n..clip.n_frames())?;
    let words = if n == 1 {
        "the T-pose in the first frame was dropped".to_owned()
    } else {
        format!("the T-pose in the first {n} frames was dropped")
    };
    if let Some(last) = dropped.info.history.last_mut() {
        last.clone_from(&words);
    }
    Ok(noted(dropped, NoteKind::Repaired, words))
}

/// How far joints turn from one pose to the next: mean and most.
fn turned(a: PoseRef<'_>, b: PoseRef<'_>) -> (f64, f64) {
    let angles = a.rotations.iter().zip(b.rotations);
    let (mut sum, mut most) = (0.0, 0.0_f64);
    for (a, b) in angles {
        let angle = a.angle_to(b);
        sum += angle;
        most = most.max(angle);
    }
    (sum / a.rotations.len() as f64, most)
}

fn is_rest(pose: PoseRef<'_>) -> bool {
    let sum: f64 = pose.rotations.iter().map(Quat::angle).sum();
    sum <= REST_OFF_RAD * pose.rotations.len() as f64
}

/// Two straight arms out to the sides and two straight legs down, seen from the body itself.
fn is_t(skeleton: &Skeleton, body: &Body, pose: PoseRef<'_>) -> bool {
    let ([left_arm, right_arm], [left_leg, right_leg]) =
        (body.arms.as_slice(), body.legs.as_slice())
    else {
        return false;
    };
    let Some(head) = body.head else { return false };
    let world = WorldPose::of(skeleton, pose);
    let at = |joint: usize| world.positions[joint];
    let trunk = at(head) - (at(left_leg.upper) + at(right_leg.upper)) / 2.0;
    let across = at(left_leg.upper) - at(right_leg.upper);
    let points = |limb: &Limb, way: &Vec3| {
        let bones = [(limb.upper, limb.middle), (limb.middle, limb.end)];
        bones
            .iter()
            .all(|&(from, to)| (at(to) - at(from)).angle(way) <= LIMB_OFF_RAD)
    };
    points(left_arm, &across)
        && points(right_arm, &-across)
        && points(left_leg, &-trunk)
        && points(right_leg, &-trunk)
}
