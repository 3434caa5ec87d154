//! Bones that are seen at both ends, pointed the way they go.
//!
//! A place that lies behind a joint pulls its bone neither left nor right: a finger that points the other way stays so, and
//! the arm contorts to bring it to its place. So a bone whose two ends are wished for, and which points more than a
//! quarter turn away from where they lie, is swung round before anything else is solved.

use super::constraint::{Constraint, Goal, Hold, Placing};
use crate::motion::rotation::align;
use crate::motion::{Pose, Quat, Site, Skeleton, Vec3, WorldPose};

/// Swings round the bones that point away from their ends. Wishes are few, and most poses have none such.
pub(super) fn aim(skeleton: &Skeleton, placing: &Placing, wishes: &[Constraint], pose: &mut Pose) {
    let mut places: Vec<Option<Vec3>> = vec![None; skeleton.n_joints()];
    for wish in wishes.iter().filter(|w| w.hold == Hold::Hard) {
        if let (Site::Joint(joint), Goal::Position(place)) = (wish.site, &wish.goal) {
            places[joint] = Some(*place);
        }
    }
    let mut world: Option<WorldPose> = None;
    for (child, joint) in skeleton.joints().iter().enumerate() {
        let Some(parent) = joint.parent else { continue };
        let (Some(from), Some(to)) = (places[parent], places[child]) else {
            continue;
        };
        let now = world.get_or_insert_with(|| WorldPose::of(skeleton, pose.as_ref()));
        let bone = now.rotations[parent] * joint.offset;
        let wanted = to - from;
        let is_away = bone.dot(&wanted) < 0.0 && !placing.is_locked[parent];
        if is_away && bone.norm_squared() > 0.0 {
            let turn = align(&bone, &wanted);
            let local = now.rotations[parent].inverse() * turn * now.rotations[parent];
            pose.rotations[parent] =
                Quat::new_normalize((pose.rotations[parent] * local).into_inner());
            world = None;
        }
    }
}
