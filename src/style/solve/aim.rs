//! Bones that are wished for at both ends, pointed the way they go.
//!
//! A place that lies behind a joint pulls its bone neither left nor right: a hand that points the other way stays so, and
//! the arm contorts to bring its tip to its place. So a bone that points more than a quarter turn away from where its ends
//! are to be is swung round before anything else is solved.

use super::constraint::{Constraint, Goal, Hold, Placing};
use crate::motion::rotation::align;
use crate::motion::{Pose, Quat, Site, Skeleton, Vec3, WorldPose};

/// Swings round the bones that point away. Most poses have none such, and are not even carried out.
pub(super) fn aim(skeleton: &Skeleton, placing: &Placing, wishes: &[Constraint], pose: &mut Pose) {
    let mut world: Option<WorldPose> = None;
    // From the root outwards: what hangs on a bone goes with it.
    let joints = skeleton.joints().iter().enumerate();
    let joints =
        joints.filter_map(|(j, joint)| Some((joint.parent?, joint.offset, Site::Joint(j))));
    let ends = skeleton.ends().iter().enumerate();
    let ends = ends.map(|(e, end)| (end.joint, end.offset, Site::End(e)));
    for (joint, offset, tip) in joints.chain(ends) {
        let (Some(from), Some(to)) = (place(wishes, Site::Joint(joint)), place(wishes, tip)) else {
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
fn place(wishes: &[Constraint], site: Site) -> Option<Vec3> {
    let mut hard = wishes.iter().filter(|wish| wish.hold == Hold::Hard);
    hard.find_map(|wish| match wish.goal {
        Goal::Position(place) if wish.site == site => Some(place),
        _ => None,
    })
}
