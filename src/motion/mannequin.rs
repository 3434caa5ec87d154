//! A skeleton in a pose that is being bent into shape, joint by joint.

use super::{Pose, Quat, Skeleton, WorldPose};

/// A pose and where it puts every joint; both change together.
pub(crate) struct Mannequin<'a> {
    pub(crate) skeleton: &'a Skeleton,
    pub(crate) pose: Pose,
    pub(crate) world: WorldPose,
}

impl<'a> Mannequin<'a> {
    pub(crate) fn new(skeleton: &'a Skeleton, pose: Pose) -> Self {
        let world = WorldPose::of(skeleton, pose.as_ref());
        Self {
            skeleton,
            pose,
            world,
        }
    }

    /// Turns a joint, and all it carries, in the world.
    pub(crate) fn turn(&mut self, joint: usize, by: &Quat) {
        let above = match self.skeleton.joints()[joint].parent {
            Some(parent) => self.world.rotations[parent],
            None => Quat::identity(),
        };
        self.pose.rotations[joint] = above.inverse() * by * self.world.rotations[joint];
        self.world.update(self.skeleton, self.pose.as_ref());
    }

    /// Points the bones between these joints, one after another, one way; what hangs on the last follows.
    pub(crate) fn straighten(&mut self, joints: &[usize], direction: &super::Vec3) {
        for pair in joints.windows(2) {
            let bone = self.world.positions[pair[1]] - self.world.positions[pair[0]];
            if bone.norm() > 0.0 {
                self.turn(pair[0], &super::rotation::align(&bone, direction));
            }
        }
    }
}
