//! Names for degrees of freedom that an animator knows.

use nalgebra::Matrix3;

use super::{DofKind, JointAxes};
use crate::motion::heading::left;
use crate::motion::{Clip, HeadingFrame, Pose, Quat, Skeleton, Vec3, WorldPose};

/// What a turn about each of the columns of [`body_axes`] is called.
const WORDS: [&str; 3] = ["bend", "sideways", "twist"];

/// All ways to give three words to three axes.
const PERMUTATIONS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

/// The name of a coordinate; `word` says which turn.
pub(super) fn name(kind: DofKind, joint_name: &str, word: &str) -> String {
    // Namespaces (`mixamorig:Hips`) are the same on every joint and say nothing here.
    let joint = joint_name.rsplit([':', '|']).next().unwrap_or(joint_name);
    let what = match kind {
        DofKind::ForwardSpeed => "forward speed",
        DofKind::SidewaysSpeed => "sideways speed",
        DofKind::TurnRate => "turn rate",
        DofKind::Height => "height",
        DofKind::LeanForward => "lean forward",
        DofKind::LeanLeft => "lean left",
        DofKind::LeanTwist => "lean twist",
        DofKind::Turn { .. } => word,
        DofKind::Shift(dim) => {
            return format!("{joint} position {}", dim.letter().to_ascii_lowercase());
        }
    };
    format!("{joint} {what}")
}

/// For each joint its axes of bending, of going sideways and of twisting, as columns in the joint's own mean space.
///
/// Twisting is about the bone, bending about the body's left as far as that is across the bone, when every joint is
/// at its mean rotation. An arm held out to the left bends about up, as if it hung.
pub(super) fn body_axes(
    clip: &Clip,
    heading: &HeadingFrame,
    joints: &[JointAxes],
) -> Vec<Matrix3<f64>> {
    let skeleton = clip.skeleton();
    let mut pose = clip.frame(0).to_pose();
    for (rotation, joint) in pose.rotations.iter_mut().zip(joints) {
        *rotation = joint.chart.mean;
    }
    let mut world = WorldPose::of(skeleton, pose.as_ref());
    let above = skeleton.joints()[heading.root].parent;
    let world_from_above = above.map_or_else(Quat::identity, |joint| world.rotations[joint]);
    pose.rotations[heading.root] = world_from_above.inverse() * heading.upright;
    world.update(skeleton, pose.as_ref());
    (0..skeleton.n_joints())
        .map(|joint| {
            let joint_from_world = world.rotations[joint].inverse();
            let bone = bone_of(skeleton, &pose, joint);
            let up = heading.up.vector();
            let bone = bone.unwrap_or_else(|| joint_from_world * up);
            anatomical(&bone, &joint_from_world, &left(heading.up), &up)
        })
        .collect()
}

fn anatomical(bone: &Vec3, joint_from_world: &Quat, left: &Vec3, up: &Vec3) -> Matrix3<f64> {
    /// Nearer to the bone than 30 degrees, left no longer says which way a joint bends.
    const ACROSS: f64 = 0.5;
    let across = |direction: &Vec3| {
        let local = joint_from_world * direction;
        local - bone * bone.dot(&local)
    };
    let bend = Some(across(left))
        .filter(|b| b.norm() >= ACROSS)
        .unwrap_or_else(|| across(up))
        .normalize();
    Matrix3::from_columns(&[bend, bone.cross(&bend), *bone])
}

/// Direction to the first child or tip that is apart from the joint, in the joint's space.
fn bone_of(skeleton: &Skeleton, pose: &Pose, joint: usize) -> Option<Vec3> {
    let children = skeleton
        .children(joint)
        .map(|child| match skeleton.translation_slot(child) {
            Some(slot) => pose.translations[slot],
            None => skeleton.joints()[child].offset,
        });
    let tips = skeleton.ends()[skeleton.ends_of(joint)]
        .iter()
        .map(|end| end.offset);
    children.chain(tips).find_map(|v| v.try_normalize(1e-12))
}

/// Gives each of a joint's principal axes (columns) one of the words, and the sign in which it turns that way.
pub(super) fn fit(axes: &mut Matrix3<f64>, body_axes: &Matrix3<f64>) -> [&'static str; 3] {
    let cosines = body_axes.transpose() * *axes;
    let score = |words: &[usize; 3]| -> f64 {
        (0..3)
            .map(|axis| cosines[(words[axis], axis)].powi(2))
            .sum()
    };
    let best = PERMUTATIONS
        .into_iter()
        .max_by(|a, b| score(a).total_cmp(&score(b)))
        .unwrap_or(PERMUTATIONS[0]);
    for axis in 0..3 {
        if cosines[(best[axis], axis)] < 0.0 {
            axes.column_mut(axis).neg_mut();
        }
    }
    best.map(|word| WORDS[word])
}
