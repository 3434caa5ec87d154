//! Between a graph's parts and what its file says, by hand, so that either can change without the other.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nalgebra::{Quaternion, Vector4};

use super::{GraphFileError, MOST_PATHS, VERSION, v1};
use crate::file::base64;
use crate::file::project::{Skeletons, skeleton_from};
use crate::motion::join::Rig;
use crate::motion::{
    Axis, Clip, ClipInfo, Contact, HeadingFrame, Motion, PoseMetric, PoseMetricSettings, Quat,
    Skeleton, Vec3,
};
use crate::transition::{GraphParts, GraphSettings};

/// Rotations are unit quaternions up to rounding.
const UNIT: f64 = 1e-6;
/// All clips have one rate; files round frame times.
const SAME_RATE: f64 = 1e-6;
/// Places and bones, for a body of 1.75 m, that are larger than this many metres are mistakes: sums of them lose all digits.
const FAR_METRES: f64 = 1e7;
/// Bytes of a number.
const NUMBER: usize = size_of::<f64>();

pub(super) fn to(parts: &GraphParts) -> v1::Graph {
    let mut skeletons = Skeletons::default();
    let rig = rig_to(&parts.rig, &mut skeletons);
    let clips = parts.clips.iter();
    let clips = clips.map(|clip| clip_to(clip, &mut skeletons)).collect();
    v1::Graph {
        version: VERSION,
        settings: settings_to(&parts.settings),
        threshold: parts.threshold,
        rig,
        skeletons: skeletons.list,
        clips,
    }
}

pub(super) fn from(mirror: v1::Graph) -> Result<GraphParts, GraphFileError> {
    let settings = settings_from(&mirror.settings)?;
    let threshold = over_zero("the threshold", mirror.threshold)?;
    let mut skeletons = Vec::with_capacity(mirror.skeletons.len());
    for (at, skeleton) in mirror.skeletons.iter().enumerate() {
        let skeleton = skeleton_from(skeleton).map_err(|what| part(format!("skeleton {at}"), what));
        skeletons.push(Arc::new(skeleton?));
    }
    let rig = rig_from(&mirror.rig, &skeletons, &settings.metric)?;
    if mirror.clips.is_empty() {
        return Err(part("clips", "there is none"));
    }
    let mut clips = Vec::with_capacity(mirror.clips.len());
    for (at, clip) in mirror.clips.into_iter().enumerate() {
        let name = format!("clip {at} (\"{}\")", clip.name);
        let clip = clip_from(clip, &skeletons, &rig).map_err(|what| part(name, what))?;
        clips.push(Arc::new(clip));
    }
    Ok(GraphParts {
        settings,
        threshold,
        rig: Arc::new(rig),
        clips,
    })
}

fn part(part: impl Into<String>, what: impl Into<String>) -> GraphFileError {
    GraphFileError::Part {
        part: part.into(),
        what: what.into(),
    }
}

fn over_zero(what: &str, found: f64) -> Result<f64, GraphFileError> {
    if found > 0.0 && found.is_finite() {
        Ok(found)
    } else {
        Err(part(
            what,
            format!("expected a number over zero, found {found}"),
        ))
    }
}

fn settings_to(settings: &GraphSettings) -> v1::Settings {
    v1::Settings {
        velocity_secs: settings.metric.velocity_secs,
        weights: settings.metric.weights.clone(),
        threshold: settings.threshold,
        undirected: settings.is_undirected,
        paths: settings.n_paths,
        cost_limit: settings.cost_limit,
    }
}

/// Weights are checked where they are used.
fn settings_from(mirror: &v1::Settings) -> Result<GraphSettings, GraphFileError> {
    if !(1..=MOST_PATHS).contains(&mirror.paths) {
        let found = mirror.paths;
        let what = format!("expected a number from 1 to {MOST_PATHS}, found {found}");
        return Err(part("the number of paths", what));
    }
    if let Some(threshold) = mirror.threshold {
        over_zero("the threshold of the settings", threshold)?;
    }
    Ok(GraphSettings {
        metric: PoseMetricSettings {
            velocity_secs: mirror.velocity_secs,
            weights: mirror.weights.clone(),
        },
        threshold: mirror.threshold,
        is_undirected: mirror.undirected,
        n_paths: mirror.paths,
        cost_limit: over_zero("the limit of a path's cost", mirror.cost_limit)?,
    })
}

fn rig_to(rig: &Rig, skeletons: &mut Skeletons) -> v1::Rig {
    let metric = &rig.metric;
    v1::Rig {
        fps: rig.fps,
        skeleton: skeletons.index(rig.skeleton()),
        up: metric.heading.up.to_string(),
        root: metric.heading.root,
        upright: metric.heading.upright.coords.into(),
        metres: metric.metres,
        carrier: rig.carrier(),
    }
}

fn rig_from(
    mirror: &v1::Rig,
    skeletons: &[Arc<Skeleton>],
    settings: &PoseMetricSettings,
) -> Result<Rig, GraphFileError> {
    let wrong = |what: String| part("the rig", what);
    let skeleton = skeletons.get(mirror.skeleton);
    let skeleton = skeleton.ok_or_else(|| wrong(format!("no skeleton {}", mirror.skeleton)))?;
    let up: Axis = mirror
        .up
        .parse()
        .map_err(|error| wrong(format!("{error}")))?;
    let n_joints = skeleton.n_joints();
    if mirror.root >= n_joints {
        let root = mirror.root;
        return Err(wrong(format!("its root is joint {root} of {n_joints}")));
    }
    let carrier = mirror.carrier;
    if carrier >= n_joints || skeleton.translation_slot(carrier).is_none() {
        return Err(wrong(format!(
            "the body is moved by joint {carrier}, which cannot be moved"
        )));
    }
    let upright = quat_from(mirror.upright);
    let heading = HeadingFrame {
        root: mirror.root,
        up,
        upright: upright.ok_or_else(|| wrong("the upright hold is not a rotation".to_owned()))?,
    };
    let fps = over_zero("the frame rate", mirror.fps)?;
    let metres = over_zero("the scale", mirror.metres)?;
    let metric = PoseMetric::new(heading, Arc::clone(skeleton), metres, settings)?;
    Ok(Rig::new(metric, fps, carrier))
}

fn clip_to(clip: &Clip, skeletons: &mut Skeletons) -> v1::Clip {
    let name = |path: &PathBuf| Some(path.file_name()?.to_string_lossy().into_owned());
    v1::Clip {
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
        motion: motion_to(clip.motion()),
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

fn clip_from(mirror: v1::Clip, skeletons: &[Arc<Skeleton>], rig: &Rig) -> Result<Clip, String> {
    let skeleton = skeletons.get(mirror.skeleton);
    let skeleton = skeleton.ok_or_else(|| format!("there is no skeleton {}", mirror.skeleton))?;
    if !skeleton.same_structure(rig.skeleton()) {
        return Err("its skeleton has other joints than that of the rig".to_owned());
    }
    let motion = motion_from(&mirror, skeleton)?;
    check_places(skeleton, &motion, rig.metric.metres)?;
    let mut info = ClipInfo::named(mirror.name);
    info.up = rig.metric.heading.up;
    // Folders do not belong there, and following those of a stranger's file would be wrong.
    let file = mirror
        .file
        .as_deref()
        .and_then(|f| Path::new(f).file_name());
    info.file = file.map(PathBuf::from);
    let clip = Clip::new(info, Arc::clone(skeleton), motion).map_err(|e| e.to_string())?;
    if (clip.fps() - rig.fps).abs() > SAME_RATE * rig.fps {
        return Err(format!(
            "it has {} frames a second, the graph {}",
            clip.fps(),
            rig.fps
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

fn check_places(skeleton: &Skeleton, motion: &Motion, metres: f64) -> Result<(), String> {
    let is_far = |v: &Vec3| v.amax() * metres > FAR_METRES;
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

fn motion_from(mirror: &v1::Clip, skeleton: &Skeleton) -> Result<Motion, String> {
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
fn quat_from(coords: [f64; 4]) -> Option<Quat> {
    let quat = Quaternion::from(Vector4::from(coords));
    ((quat.norm() - 1.0).abs() < UNIT).then(|| Quat::new_unchecked(quat))
}
