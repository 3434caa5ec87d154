//! Which bone carries the travel of a body.

use std::sync::Arc;

use super::RetargetError;
use super::character::Character;
use super::settings::RootMotion;
use crate::motion::edit::{self, InPlace};
use crate::motion::heading::turn;
use crate::motion::{
    Channel, Channels, Clip, Dim, HeadingFrame, Motion, Quat, Skeleton, Vec3, WorldPose,
};

/// The clip with its travel where it was asked for.
pub(super) fn carried_by(
    clip: Clip,
    target: &Character,
    wanted: RootMotion,
) -> Result<Clip, RetargetError> {
    match wanted {
        RootMotion::Hips => Ok(clip),
        RootMotion::InPlace => Ok(edit::root_in_place(&clip, InPlace::Travel)?.0),
        RootMotion::RootBone => on_root_bone(&clip, target),
    }
}

/// Moves travel and heading from the hips to the root bone.
fn on_root_bone(clip: &Clip, target: &Character) -> Result<Clip, RetargetError> {
    let hips = target.labels().hips;
    if hips == 0 {
        return Err(RetargetError::NoRootBone(
            target.skeleton().joints()[0].name.clone(),
        ));
    }
    let old = clip.skeleton();
    let skeleton = movable(old, hips)?;
    let track = HeadingFrame {
        root: hips,
        up: clip.info.up,
        upright: target.reference.rotations[hips],
    }
    .track(clip);
    let up = clip.info.up;
    let mut motion = Motion::with_capacity(&skeleton, clip.frame_secs(), clip.n_frames());
    let mut world = WorldPose::of(old, clip.frame(0));
    let between: Vec<usize> = old.ancestors(hips).collect();
    for (frame, pose) in clip.frames().enumerate() {
        world.update(old, pose);
        let at = world.positions[hips];
        let root_place = at - up.vector() * up.along(&at);
        let root_turn = turn(up, track.headings[frame]);
        for joint in 0..skeleton.n_joints() {
            if skeleton.translation_slot(joint).is_none() {
                continue;
            }
            motion.translations.push(if joint == 0 {
                root_place
            } else if joint == hips {
                root_turn.inverse() * (at - root_place)
            } else if between.contains(&joint) {
                Vec3::zeros()
            } else {
                let slot = old.translation_slot(joint);
                slot.map_or(old.joints()[joint].offset, |slot| pose.translations[slot])
            });
        }
        for (joint, rotation) in pose.rotations.iter().enumerate() {
            motion.rotations.push(if joint == 0 {
                root_turn
            } else if joint == hips {
                Quat::new_normalize((root_turn.inverse() * world.rotations[hips]).into_inner())
            } else if between.contains(&joint) {
                Quat::identity()
            } else {
                *rotation
            });
        }
    }
    let mut made = Clip::new(clip.info.clone(), skeleton, motion)?;
    made = made.with_contacts(clip.contacts().to_vec())?;
    made.info
        .history
        .push("travel put on the root bone".to_owned());
    Ok(made)
}

/// The skeleton with hips that may move against the root; joints between the two must not move either.
fn movable(skeleton: &Arc<Skeleton>, hips: usize) -> Result<Arc<Skeleton>, RetargetError> {
    let mut joints = skeleton.joints().to_vec();
    let between: Vec<usize> = skeleton
        .ancestors(hips)
        .skip(1)
        .filter(|&j| j != 0)
        .collect();
    for &joint in &between {
        joints[joint].offset = Vec3::zeros();
    }
    if skeleton.translation_slot(hips).is_none() {
        let own = joints[hips].channels;
        let all = Dim::ALL
            .map(Channel::Position)
            .into_iter()
            .chain(own.as_slice().iter().copied());
        let all: Vec<Channel> = all.collect();
        joints[hips].channels = Channels::new(&all).unwrap_or(own);
    } else if between.is_empty() {
        return Ok(Arc::clone(skeleton));
    }
    Ok(Arc::new(Skeleton::new(joints, skeleton.ends().to_vec())?))
}
