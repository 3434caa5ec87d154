//! Bones with a position constraint at both ends, turned into the direction between the two positions.
//!
//! For a target straight behind a joint the gradient vanishes: a hand that points the other way stays so, and the arm
//! contorts to bring its tip to the target. So a bone that points more than 90 degrees away from the direction between
//! its targets is rotated into it before anything else is solved.

use super::constraint::{Constraint, ConstraintMode, Goal, Placing};
use crate::motion::rotation::align;
use crate::motion::{Pose, Quat, Site, Skeleton, Vec3, WorldPose};

/// Rotates the bones that point away from their targets. Most poses have none; then no forward kinematics is run.
pub(super) fn align_bones(
    skeleton: &Skeleton,
    placing: &Placing,
    constraints: &[Constraint],
    pose: &mut Pose,
) {
    let mut world: Option<WorldPose> = None;
    // From the root outwards: what hangs on a bone goes with it.
    let joints = skeleton.joints().iter().enumerate();
    let joints =
        joints.filter_map(|(j, joint)| Some((joint.parent?, joint.offset, Site::Joint(j))));
    let ends = skeleton.ends().iter().enumerate();
    let ends = ends.map(|(e, end)| (end.joint, end.offset, Site::End(e)));
    for (joint, offset, tip) in joints.chain(ends) {
        let (Some(from), Some(to)) = (
            place(constraints, Site::Joint(joint)),
            place(constraints, tip),
        ) else {
            continue;
        };
        let now = world.get_or_insert_with(|| WorldPose::of(skeleton, pose.as_ref()));
        let rotation = now.rotations[joint];
        let (bone, wanted) = (rotation * offset, to - from);
        if bone.dot(&wanted) < 0.0 && !placing.is_locked[joint] {
            let turn = rotation.inverse() * align(&bone, &wanted) * rotation;
            let turned = pose.rotations[joint] * turn;
            pose.rotations[joint] = Quat::new_normalize(turned.into_inner());
            world = None;
        }
    }
}

/// Where a site has to be, if that is said.
fn place(constraints: &[Constraint], site: Site) -> Option<Vec3> {
    let mut hard = constraints
        .iter()
        .filter(|constraint| constraint.mode == ConstraintMode::Hard);
    hard.find_map(|constraint| match constraint.goal {
        Goal::Position(place) if constraint.site == site => Some(place),
        _ => None,
    })
}
