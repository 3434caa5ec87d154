//! One motion in one BVH file, and back on the very skeleton it came from.
//!
//! A BVH file lists joints in its own order, mends their names and knows no root offset where the root has positions.
//! So the skeleton is kept in `project.ron`, and the file only has to move it.

use std::sync::Arc;

use crate::file::ReadError;
use crate::file::bvh::{self, ReadSettings, WriteSettings};
use crate::motion::{Clip, ClipInfo, Motion, RotationOrder, Skeleton, Vec3};

/// Lengths and rotations that come back this near are what was written.
const SAME: f64 = 1e-9;

/// The motion of a clip as a file that was read again and found to be the same.
///
/// Reading it again costs time once, and means that no save can put into a file what no opening gets out.
pub(super) fn encode(clip: &Clip) -> Result<Vec<u8>, String> {
    let as_source = WriteSettings::default();
    // Names that look like a comment, or joints without channels in so many frames that the reader suspects a trap:
    // plain names and all channels help.
    let plain = WriteSettings {
        order: Some(RotationOrder::ZXY),
        safe_names: true,
        ..WriteSettings::default()
    };
    let mut why = String::new();
    for settings in [as_source, plain] {
        let bytes = bvh::write_exactly(clip, &settings).bytes;
        match decode(&bytes, Some(clip.skeleton())) {
            Ok(back) if is_same(clip, &back) => return Ok(bytes),
            Ok(_) => "it would not be the same when opened again".clone_into(&mut why),
            Err(error) => why = error.to_string(),
        }
    }
    Err(why)
}

fn is_same(clip: &Clip, back: &Decoded) -> bool {
    let motion = clip.motion();
    let place = |(a, b): (&Vec3, &Vec3)| (a - b).amax() <= SAME * a.amax().max(1.0);
    Arc::ptr_eq(clip.skeleton(), &back.skeleton)
        && motion.rotations.len() == back.motion.rotations.len()
        && motion
            .translations
            .iter()
            .zip(&back.motion.translations)
            .all(place)
        && motion
            .rotations
            .iter()
            .zip(&back.motion.rotations)
            .all(|(a, b)| {
                let apart = (a.coords - b.coords).amax();
                apart.min((a.coords + b.coords).amax()) <= SAME
            })
}

/// A clip file as it was read.
#[derive(Debug)]
pub(super) struct Decoded {
    /// The one that was asked for, shared with other clips; or the file's own.
    pub(super) skeleton: Arc<Skeleton>,
    pub(super) motion: Motion,
    /// Name, notes and up axis as read.
    pub(super) info: ClipInfo,
    /// The file moves another skeleton than the one that was asked for: another program has written it.
    pub(super) is_foreign: bool,
}

/// Reads a motion for this skeleton.
pub(super) fn decode(bytes: &[u8], skeleton: Option<&Arc<Skeleton>>) -> Result<Decoded, ReadError> {
    let clip = bvh::read(bytes, &ReadSettings::default())?;
    let order = skeleton.map(|wanted| (wanted, file_order(wanted)));
    let fits = order.filter(|(wanted, order)| moves(clip.skeleton(), wanted, order));
    let info = clip.info.clone();
    Ok(match fits {
        Some((wanted, order)) => Decoded {
            skeleton: Arc::clone(wanted),
            motion: reordered(clip, wanted, &order),
            info,
            is_foreign: false,
        },
        None => Decoded {
            skeleton: Arc::clone(clip.skeleton()),
            motion: clip.into_motion(),
            info,
            is_foreign: skeleton.is_some(),
        },
    })
}

/// The joints as a BVH file lists them: each directly before all that hangs on it.
fn file_order(skeleton: &Skeleton) -> Vec<usize> {
    let joints = skeleton.joints();
    let mut children = vec![Vec::new(); joints.len()];
    for (idx, joint) in joints.iter().enumerate().rev() {
        if let Some(parent) = joint.parent {
            children[parent].push(idx);
        }
    }
    let mut order = Vec::with_capacity(joints.len());
    let mut open = vec![0];
    while let Some(joint) = open.pop() {
        order.push(joint);
        open.append(&mut children[joint]);
    }
    order
}

/// Whether the skeleton of a file is this one, but for the names and the root's offset.
fn moves(in_file: &Skeleton, wanted: &Skeleton, order: &[usize]) -> bool {
    let near = |a: &Vec3, b: &Vec3| (a - b).amax() <= SAME * a.amax().max(1.0);
    in_file.n_joints() == wanted.n_joints()
        && in_file
            .joints()
            .iter()
            .zip(order)
            .enumerate()
            .all(|(idx, (joint, &to))| {
                let other = &wanted.joints()[to];
                let (ends, other_ends) = (in_file.ends_of(idx), wanted.ends_of(to));
                joint.parent.map(|parent| order[parent]) == other.parent
                    && (idx == 0 || near(&joint.offset, &other.offset))
                    && in_file.translation_slot(idx).is_some()
                        == wanted.translation_slot(to).is_some()
                    && ends.len() == other_ends.len()
                    && ends
                        .zip(other_ends)
                        .all(|(a, b)| near(&in_file.ends()[a].offset, &wanted.ends()[b].offset))
            })
}

fn reordered(clip: Clip, wanted: &Skeleton, order: &[usize]) -> Motion {
    if order.is_sorted() {
        return clip.into_motion();
    }
    // For each joint its place in the file.
    let mut places = vec![0; order.len()];
    for (place, &joint) in order.iter().enumerate() {
        places[joint] = place;
    }
    let in_file = clip.skeleton();
    let slots: Vec<usize> = wanted
        .translating()
        .iter()
        .filter_map(|&joint| in_file.translation_slot(places[joint]))
        .collect();
    let mut motion = Motion::with_capacity(wanted, clip.frame_secs(), clip.n_frames());
    for pose in clip.frames() {
        motion
            .translations
            .extend(slots.iter().map(|&slot| pose.translations[slot]));
        motion
            .rotations
            .extend(places.iter().map(|&place| pose.rotations[place]));
    }
    motion
}
