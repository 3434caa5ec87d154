//! Rigid movement of a whole clip through its root motion.
//!
//! A clip is moved by the joint that carries the body: the root, or the hips below a root that stands still, so that a
//! game engine's root stays at the origin. If such a root has other children than the hips, the root itself is moved,
//! so that these come along.

use super::heading::body_root;
use super::{Axis, Clip, Motion, Quat, Skeleton, Vec3};

/// A turn, then a shift, in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct WorldMove {
    pub(super) turn: Quat,
    pub(super) shift: Vec3,
}

impl WorldMove {
    /// A turn about a place instead of the origin.
    pub(super) fn about(place: &Vec3, turn: Quat) -> Self {
        Self {
            turn,
            shift: place - turn * place,
        }
    }

    /// The move that undoes this one.
    pub(super) fn inverse(&self) -> Self {
        let turn = self.turn.inverse();
        Self {
            turn,
            shift: -(turn * self.shift),
        }
    }

    /// This one first, then a shift.
    pub(super) fn then_shifted(self, shift: &Vec3) -> Self {
        Self {
            turn: self.turn,
            shift: self.shift + shift,
        }
    }
}

/// The joint to move when the body is to be elsewhere; it always has a translation of its own.
pub(super) fn mover_joint(clip: &Clip) -> usize {
    let skeleton = clip.skeleton();
    let body = body_root(&[clip]);
    let is_alone = skeleton
        .ancestors(body)
        .skip(1)
        .all(|above| skeleton.children(above).nth(1).is_none() && !has_ends(skeleton, above));
    if skeleton.translation_slot(body).is_some() && is_alone {
        body
    } else {
        0
    }
}

fn has_ends(skeleton: &Skeleton, joint: usize) -> bool {
    !skeleton.ends_of(joint).is_empty()
}

/// A joint with a translation of its own, and what is above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RootMover {
    pub(super) joint: usize,
    slot: usize,
    /// From the root down to its parent.
    above: Vec<usize>,
}

impl RootMover {
    /// A joint that translates.
    pub(super) fn at(skeleton: &Skeleton, joint: usize) -> Self {
        let mut above: Vec<usize> = skeleton.ancestors(joint).skip(1).collect();
        above.reverse();
        Self {
            joint,
            slot: skeleton.translation_slot(joint).unwrap_or(0),
            above,
        }
    }

    /// Moves the joint, and all it carries, of one pose.
    pub(super) fn apply(
        &self,
        skeleton: &Skeleton,
        translations: &mut [Vec3],
        rotations: &mut [Quat],
        by: &WorldMove,
    ) {
        let (mut position, mut rotation) = (Vec3::zeros(), Quat::identity());
        for &j in &self.above {
            let local = match skeleton.translation_slot(j) {
                Some(s) => translations[s],
                None => skeleton.joints()[j].offset,
            };
            position += rotation * local;
            rotation *= rotations[j];
        }
        let back = rotation.inverse();
        let translation = &mut translations[self.slot];
        let world = position + rotation * *translation;
        *translation = back * (by.turn * world + by.shift - position);
        let local = &mut rotations[self.joint];
        *local = back * by.turn * rotation * *local;
    }
}

/// The motion with a joint and all it carries moved as a whole, in each frame by its own amount.
pub(super) fn moved(clip: &Clip, joint: usize, by: impl Fn(usize) -> WorldMove) -> Motion {
    let skeleton = clip.skeleton();
    let mover = RootMover::at(skeleton, joint);
    let (n_joints, n_slots) = (skeleton.n_joints(), skeleton.translating().len());
    let mut motion = clip.motion().clone();
    for frame in 0..clip.n_frames() {
        let translations = &mut motion.translations[frame * n_slots..][..n_slots];
        let rotations = &mut motion.rotations[frame * n_joints..][..n_joints];
        mover.apply(skeleton, translations, rotations, &by(frame));
    }
    motion
}

/// The part of a vector along the floor.
pub(super) fn planar(v: &Vec3, up: Axis) -> Vec3 {
    let mut flat = *v;
    flat[up.dim.index()] = 0.0;
    flat
}
