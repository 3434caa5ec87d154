//! Clips inside a file that holds more than clips: what graphs and textures keep of the motions they were made from.
//!
//! The numbers of the motions are base64 of their bytes: they come back bit for bit, and a file is read in a fraction
//! of the time that decimals take. Everything is checked on the way in, and memory follows the length of the file.
//! Left out: tags, notes and history of the clips, and folders of this machine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nalgebra::{Quaternion, Vector4};
use serde::{Deserialize, Serialize};

use super::base64;
use super::project::{self, Skeletons, skeleton_from};
use crate::motion::{Axis, Clip, ClipInfo, Contact, Motion, Quat, Skeleton, Vec3};

/// Rotations are unit quaternions up to rounding.
const UNIT: f64 = 1e-6;
/// All clips have one rate; files round frame times.
const SAME_RATE: f64 = 1e-6;
/// Bytes of a number.
const NUMBER: usize = size_of::<f64>();

/// A clip, word by word; part of every version so far. Fields that a file has in excess are passed over.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct InlineClip {
    pub(super) name: String,
    /// Name of the file it came from, without folders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<String>,
    /// Index into the skeletons.
    pub(super) skeleton: usize,
    pub(super) frame_secs: f64,
    pub(super) frames: usize,
    /// Joint, first frame, one past the last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) contacts: Vec<(usize, usize, usize)>,
    /// Base64 of f64, little-endian: all translations, then all rotations, each frame by frame. Rotations are
    /// quaternions x, y, z, w.
    pub(super) motion: String,
}

/// What all clips of a file have in common.
pub(super) struct SharedClipData<'a> {
    /// What the file holds: "graph".
    pub(super) whole: &'static str,
    pub(super) skeleton: &'a Skeleton,
    pub(super) up: Axis,
    pub(super) fps: f64,
    /// Places and bones farther away than this, in units of the clips, are mistakes: sums of them lose all digits.
    pub(super) far: f64,
}

pub(super) fn to(clip: &Clip, skeletons: &mut Skeletons) -> InlineClip {
    with_motion(clip, skeletons, motion_to(clip.motion()))
}

/// The same with a motion that is written in another way.
pub(super) fn with_motion(clip: &Clip, skeletons: &mut Skeletons, motion: String) -> InlineClip {
    let name = |path: &PathBuf| Some(path.file_name()?.to_string_lossy().into_owned());
    InlineClip {
        name: clip.info.name.clone(),
        file: clip.info.file.as_ref().and_then(name),
        skeleton: skeletons.index(clip.skeleton()),
        frame_secs: clip.frame_secs(),
        frames: clip.n_frames(),
        contacts: clip
            .contacts()
            .iter()
            .map(|c| (c.joint, c.frames.start, c.frames.end))
            .collect(),
        motion,
    }
}

fn motion_to(motion: &Motion) -> String {
    let n_numbers = 3 * motion.translations.len() + 4 * motion.rotations.len();
    let mut bytes = Vec::with_capacity(NUMBER * n_numbers);
    let translations = motion.translations.iter().flat_map(|t| t.iter());
    let rotations = motion.rotations.iter().flat_map(|q| q.coords.iter());
    for number in translations.chain(rotations) {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    let mut text = String::new();
    base64::encode(&bytes, &mut text);
    text
}

/// All skeletons of a file; the part that is none, and why.
pub(super) fn skeletons_from(
    mirrors: &[project::Skeleton],
) -> Result<Vec<Arc<Skeleton>>, (String, String)> {
    let each = mirrors.iter().enumerate().map(|(at, skeleton)| {
        let skeleton = skeleton_from(skeleton).map_err(|what| (format!("skeleton {at}"), what));
        skeleton.map(Arc::new)
    });
    each.collect()
}

/// How a clip is called in messages.
pub(super) fn part_name(at: usize, clip: &InlineClip) -> String {
    format!("clip {at} (\"{}\")", clip.name)
}

pub(super) fn from(
    mirror: InlineClip,
    skeletons: &[Arc<Skeleton>],
    common: &SharedClipData<'_>,
) -> Result<Clip, String> {
    from_motion(mirror, skeletons, common, motion_from)
}

/// The same with a motion that is written in another way.
pub(super) fn from_motion(
    mirror: InlineClip,
    skeletons: &[Arc<Skeleton>],
    common: &SharedClipData<'_>,
    motion_from: impl Fn(&InlineClip, &Skeleton) -> Result<Motion, String>,
) -> Result<Clip, String> {
    let skeleton = skeletons.get(mirror.skeleton);
    let skeleton = skeleton.ok_or_else(|| format!("there is no skeleton {}", mirror.skeleton))?;
    if !skeleton.same_structure(common.skeleton) {
        let whole = common.whole;
        return Err(format!(
            "its skeleton has other joints than that of the {whole}"
        ));
    }
    let motion = motion_from(&mirror, skeleton)?;
    check_places(skeleton, &motion, common.far)?;
    let mut info = ClipInfo::named(mirror.name);
    info.up = common.up;
    // Folders do not belong there, and following those of a stranger's file would be wrong.
    let file = mirror
        .file
        .as_deref()
        .and_then(|f| Path::new(f).file_name());
    info.file = file.map(PathBuf::from);
    let clip = Clip::new(info, Arc::clone(skeleton), motion).map_err(|e| e.to_string())?;
    if (clip.fps() - common.fps).abs() > SAME_RATE * common.fps {
        return Err(format!(
            "it has {} frames a second, the {} {}",
            clip.fps(),
            common.whole,
            common.fps
        ));
    }
    if clip.n_frames() < 2 {
        return Err("it has one frame, which is a pose and no motion".to_owned());
    }
    let contacts = mirror.contacts.iter().map(|&(joint, start, end)| Contact {
        joint,
        frames: start..end,
    });
    let clip = clip.with_contacts(contacts.collect());
    clip.map_err(|e| e.to_string())
}

fn check_places(skeleton: &Skeleton, motion: &Motion, far: f64) -> Result<(), String> {
    let is_far = |v: &Vec3| v.amax() > far;
    let joints = skeleton.joints();
    let bones = joints.iter().map(|j| (j, &j.offset));
    let ends = skeleton
        .ends()
        .iter()
        .map(|e| (&joints[e.joint], &e.offset));
    if let Some((joint, _)) = bones.chain(ends).find(|(_, offset)| is_far(offset)) {
        return Err(format!("the bone at joint \"{}\" is too long", joint.name));
    }
    if let Some(at) = motion.translations.iter().position(is_far) {
        let slots = skeleton.translating();
        let joint = &joints[slots[at % slots.len()]].name;
        let frame = at / slots.len();
        return Err(format!("frame {frame}, joint \"{joint}\": too far away"));
    }
    Ok(())
}

fn motion_from(mirror: &InlineClip, skeleton: &Skeleton) -> Result<Motion, String> {
    let (n_joints, n_slots) = (skeleton.n_joints(), skeleton.translating().len());
    let bytes = base64::decode(&mirror.motion).map_err(|e| format!("its motion: {e}"))?;
    let by_frame = NUMBER * (3 * n_slots + 4 * n_joints);
    if mirror.frames.checked_mul(by_frame) != Some(bytes.len()) {
        return Err(format!(
            "its motion: expected {} frames of {by_frame} bytes, found {} bytes",
            mirror.frames,
            bytes.len()
        ));
    }
    let (chunks, _) = bytes.as_chunks::<NUMBER>();
    let numbers: Vec<f64> = chunks.iter().map(|b| f64::from_le_bytes(*b)).collect();
    let (translations, rotations) = numbers.split_at(3 * n_slots * mirror.frames);
    let (translations, _) = translations.as_chunks::<3>();
    let (rotations, _) = rotations.as_chunks::<4>();
    let mut motion = Motion::with_capacity(skeleton, mirror.frame_secs, mirror.frames);
    motion
        .translations
        .extend(translations.iter().map(|t| Vec3::from(*t)));
    for (at, rotation) in rotations.iter().enumerate() {
        let rotation = quat_from(*rotation).ok_or_else(|| {
            let (frame, joint) = (at / n_joints, &skeleton.joints()[at % n_joints].name);
            let [x, y, z, w] = rotation;
            format!("frame {frame}, joint \"{joint}\": ({x}, {y}, {z}, {w}) is not a rotation")
        })?;
        motion.rotations.push(rotation);
    }
    Ok(motion)
}

/// Bit for bit what was written, if that was a rotation.
pub(super) fn quat_from(coords: [f64; 4]) -> Option<Quat> {
    let quat = Quaternion::from(Vector4::from(coords));
    ((quat.norm() - 1.0).abs() < UNIT).then(|| Quat::new_unchecked(quat))
}
