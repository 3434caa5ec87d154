//! One moment of a body.

use super::{Quat, Skeleton, Vec3};

/// Where every joint is at one moment, relative to its parent.
#[derive(Debug, Clone, PartialEq)]
pub struct Pose {
    /// One per entry of [`Skeleton::translating`]; the root's comes first.
    pub translations: Vec<Vec3>,
    /// Rotation of each joint relative to its parent.
    pub rotations: Vec<Quat>,
}

/// A pose that lives inside a clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PoseRef<'a> {
    /// One per entry of [`Skeleton::translating`]; the root's comes first.
    pub translations: &'a [Vec3],
    /// Rotation of each joint relative to its parent.
    pub rotations: &'a [Quat],
}

impl Pose {
    /// Every joint at its offset, nothing turned.
    pub fn rest(skeleton: &Skeleton) -> Self {
        let joints = skeleton.joints();
        Self {
            translations: skeleton
                .translating()
                .iter()
                .map(|&j| joints[j].offset)
                .collect(),
            rotations: vec![Quat::identity(); joints.len()],
        }
    }

    /// Borrowed, as most functions want it.
    pub fn as_ref(&self) -> PoseRef<'_> {
        PoseRef {
            translations: &self.translations,
            rotations: &self.rotations,
        }
    }

    /// In between two poses: 0 is `a`, 1 is `b`; joints turn the short way.
    pub fn between(a: PoseRef<'_>, b: PoseRef<'_>, share: f64) -> Self {
        let mut pose = a.to_pose();
        for (t, to) in pose.translations.iter_mut().zip(b.translations) {
            *t = t.lerp(to, share);
        }
        for (q, to) in pose.rotations.iter_mut().zip(b.rotations) {
            *q = super::rotation::slerp(q, to, share);
        }
        pose
    }
}

impl PoseRef<'_> {
    /// Where the root is.
    pub fn root(self) -> Vec3 {
        self.translations[0]
    }

    /// A copy that can be changed.
    pub fn to_pose(self) -> Pose {
        Pose {
            translations: self.translations.to_vec(),
            rotations: self.rotations.to_vec(),
        }
    }
}
