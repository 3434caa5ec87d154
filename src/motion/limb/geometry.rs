//! A leg or arm at one moment: two bones, a ball joint above, a hinge between, and whatever hangs on the end.

use crate::motion::{Clip, Limb, Quat, Skeleton, Vec3, WorldPose, body};

/// Below this sine of the bend the plane of a limb does not determine its hinge.
const BENT_SIN: f64 = 0.05;
/// A joint is a hinge if one axis takes this share of its turning...
const HINGE_SHARE: f64 = 0.9;
/// ...and it turns by at least this much, in radians (root mean square).
const HINGE_TURN: f64 = 0.05;
/// The used axis must agree with the plane of the bend at least this well (a cosine).
const HINGE_AGREES: f64 = 0.9;

/// A limb in one pose. Joints in between (twist bones) are part of the bones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LimbPose {
    /// World position of hip or shoulder.
    pub upper_pos_world: Vec3,
    /// World from the axes that the upper joint turns in.
    pub world_from_parent: Quat,
    /// Rotation of hip or shoulder.
    pub upper: Quat,
    /// From the upper to the middle joint, in the upper joint's axes.
    pub upper_bone: Vec3,
    /// The upper joint's axes from those that the middle joint turns in.
    pub upper_from_middle_parent: Quat,
    /// Rotation of knee or elbow.
    pub middle: Quat,
    /// From the middle joint to the end, in the middle joint's axes.
    pub lower_bone: Vec3,
    /// The middle joint's axes from those that the end joint turns in.
    pub middle_from_end_parent: Quat,
    /// Rotation of ankle or wrist.
    pub end: Quat,
}

impl LimbPose {
    pub(crate) fn of(
        skeleton: &Skeleton,
        limb: &Limb,
        world: &WorldPose,
        rotations: &[Quat],
    ) -> Self {
        let joints = skeleton.joints();
        let parent_rotation = |joint: usize| {
            joints[joint]
                .parent
                .map_or_else(Quat::identity, |p| world.rotations[p])
        };
        let (upper, middle, end) = (limb.upper, limb.middle, limb.end);
        let from_upper = world.rotations[upper].inverse();
        let from_middle = world.rotations[middle].inverse();
        Self {
            upper_pos_world: world.positions[upper],
            world_from_parent: parent_rotation(upper),
            upper: rotations[upper],
            upper_bone: from_upper * (world.positions[middle] - world.positions[upper]),
            upper_from_middle_parent: from_upper * parent_rotation(middle),
            middle: rotations[middle],
            lower_bone: from_middle * (world.positions[end] - world.positions[middle]),
            middle_from_end_parent: from_middle * parent_rotation(end),
            end: rotations[end],
        }
    }

    /// World from the axes of the end joint's parent.
    pub(crate) fn world_from_end_parent(&self) -> Quat {
        self.world_from_parent
            * self.upper
            * self.upper_from_middle_parent
            * self.middle
            * self.middle_from_end_parent
    }

    /// World from the end joint.
    pub(crate) fn world_from_end(&self) -> Quat {
        self.world_from_end_parent() * self.end
    }

    /// World position of the end joint.
    pub(crate) fn end_pos_world(&self) -> Vec3 {
        let world_from_upper = self.world_from_parent * self.upper;
        let lower = self.upper_from_middle_parent * self.middle * self.lower_bone;
        self.upper_pos_world + world_from_upper * (self.upper_bone + lower)
    }
}

/// The axis about which a knee or elbow bends, in its own axes; a positive turn bends it more.
pub(crate) fn hinge_axis(clip: &Clip, limb: &Limb) -> Vec3 {
    let skeleton = clip.skeleton();
    let mut world = WorldPose::of(skeleton, clip.frame(0));
    let chain = skeleton.with_ancestors([limb.end]);
    // A few hundred frames are enough.
    let stride = clip.n_frames().div_ceil(300);
    let frames = (0..clip.n_frames()).step_by(stride);
    let mut across_sum = Vec3::zeros();
    let mut rotations = Vec::with_capacity(frames.len());
    let mut lower_bone = Vec3::zeros();
    for frame in frames {
        let pose = clip.frame(frame);
        world.update_some(skeleton, pose, &chain);
        let limb_pose = LimbPose::of(skeleton, limb, &world, pose.rotations);
        let upper = (limb_pose.upper_from_middle_parent * limb_pose.middle).inverse()
            * limb_pose.upper_bone;
        let lengths = upper.norm() * limb_pose.lower_bone.norm();
        if lengths > 0.0 {
            across_sum += upper.cross(&limb_pose.lower_bone) / lengths;
        }
        lower_bone = limb_pose.lower_bone;
        rotations.push(limb_pose.middle);
    }
    let bend = across_sum / rotations.len() as f64;
    if bend.norm() < BENT_SIN {
        return straight_hinge(skeleton, limb, &lower_bone);
    }
    let bend = bend.normalize();
    match used_axis(&rotations) {
        Some(axis) if axis.dot(&bend).abs() >= HINGE_AGREES => axis * axis.dot(&bend).signum(),
        _ => bend,
    }
}

/// The axis that a joint really turns about, if it is a hinge.
fn used_axis(rotations: &[Quat]) -> Option<Vec3> {
    let mean = crate::motion::rotation::mean(rotations);
    let mut spread = nalgebra::Matrix3::zeros();
    for q in rotations {
        let turn = (mean.inverse() * q).scaled_axis();
        spread += turn * turn.transpose();
    }
    spread /= rotations.len() as f64;
    let eigen = spread.symmetric_eigen();
    let widest = eigen.eigenvalues.imax();
    let most = eigen.eigenvalues[widest];
    let is_hinge = most > HINGE_TURN * HINGE_TURN && most > HINGE_SHARE * eigen.eigenvalues.sum();
    is_hinge.then(|| eigen.eigenvectors.column(widest).normalize())
}

/// A limb that is straight all the time: knees bend backwards, elbows forwards, seen from where the toes point.
fn straight_hinge(skeleton: &Skeleton, limb: &Limb, lower_bone: &Vec3) -> Vec3 {
    let rest = crate::motion::Pose::rest(skeleton);
    let world = WorldPose::of(skeleton, rest.as_ref());
    let legs = body::Body::of(skeleton).legs;
    let forward = legs
        .iter()
        .find_map(|leg| {
            leg.toe
                .map(|toe| world.positions[toe] - world.positions[leg.end])
        })
        .unwrap_or_else(Vec3::z);
    let is_leg = legs.iter().any(|leg| leg.end == limb.end);
    let towards = if is_leg { -forward } else { forward };
    let across = lower_bone.cross(&towards);
    if across.norm() > 1e-6 * lower_bone.norm() * towards.norm() {
        return across.normalize();
    }
    let sideways = lower_bone.cross(&Vec3::x());
    let across = if sideways.norm() > 1e-6 * lower_bone.norm() {
        sideways
    } else {
        lower_bone.cross(&Vec3::y())
    };
    across.try_normalize(0.0).unwrap_or_else(Vec3::x)
}
