//! A skeleton that was looked at: its parts, and the pose that turns are measured from.

use std::sync::Arc;

use super::labels::{Labels, NoBody};
use super::reference::{Reference, ReferencePose};
use crate::motion::{Axis, Clip, Pose, Quat, Skeleton, Vec3};

/// A body that motions can be taken from or brought onto.
#[derive(Debug, Clone, PartialEq)]
pub struct Character {
    skeleton: Arc<Skeleton>,
    labels: Labels,
    up: Axis,
    /// What the reference was made from.
    pose: ReferencePose,
    pub(super) reference: Reference,
}

impl Character {
    /// Looks at the skeleton of a clip. Its frames tell what the rest pose does not.
    pub fn of(clip: &Clip, pose: ReferencePose) -> Result<Self, NoBody> {
        let labels = Labels::of(clip)?;
        Ok(Self {
            reference: Reference::of(clip, &labels, &pose)?,
            skeleton: Arc::clone(clip.skeleton()),
            up: clip.info.up,
            labels,
            pose,
        })
    }

    /// The skeleton of the character.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// Which joint is which.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Which way is up.
    pub fn up(&self) -> Axis {
        self.up
    }

    /// The pose that the reference was made from.
    pub fn pose(&self) -> &ReferencePose {
        &self.pose
    }

    /// Where its joints are in the T-pose that turns are measured from.
    pub fn places(&self) -> &[Vec3] {
        &self.reference.places
    }

    /// The pose of the skeleton in which the body is a T.
    pub fn t_pose(&self) -> Pose {
        let world = &self.reference.rotations;
        let mut pose = self.reference.base.clone();
        for (joint, bone) in self.skeleton.joints().iter().enumerate() {
            let above = bone.parent.map_or_else(Quat::identity, |p| world[p]);
            pose.rotations[joint] = above.inverse() * world[joint];
        }
        pose
    }
}
