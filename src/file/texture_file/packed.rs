//! What version 2 packs into bytes: motions, transitions, and how takes pass each other.

use super::bytes::{Bytes, Reader};
use crate::file::inline_clip::InlineClip;
use crate::motion::{Motion, Skeleton, Vec3};
use crate::texture::{FrameId, MOMENT_STEPS, Pass, Transition, Window, pack, unpack};

/// All translations in single precision, then all rotations in six bytes, each frame by frame.
pub(super) fn motion_to(motion: &Motion) -> String {
    let mut bytes = Bytes::default();
    for number in motion.translations.iter().flat_map(|t| t.iter()) {
        bytes.single(*number);
    }
    for number in motion.rotations.iter().flat_map(pack) {
        bytes.small(number);
    }
    bytes.text()
}

pub(super) fn motion_from(mirror: &InlineClip, skeleton: &Skeleton) -> Result<Motion, String> {
    let wrong = |what: String| format!("its motion: {what}");
    let mut reader = Reader::of(&mirror.motion).map_err(wrong)?;
    let (n_joints, n_slots) = (skeleton.n_joints(), skeleton.translating().len());
    let by_frame = 3 * (size_of::<f32>() * n_slots + size_of::<i16>() * n_joints);
    if mirror.frames.checked_mul(by_frame) != Some(reader.left()) {
        let (n, found) = (mirror.frames, reader.left());
        let what = format!("expected {n} frames of {by_frame} bytes, found {found} bytes");
        return Err(wrong(what));
    }
    let mut motion = Motion::with_capacity(skeleton, mirror.frame_secs, mirror.frames);
    for _ in 0..mirror.frames * n_slots {
        let mut number = || reader.single().map_err(wrong);
        let place = Vec3::new(number()?, number()?, number()?);
        motion.translations.push(place);
    }
    for at in 0..mirror.frames * n_joints {
        let mut number = || reader.small().map_err(wrong);
        let steps = [number()?, number()?, number()?];
        let rotation = unpack(steps).ok_or_else(|| {
            let (frame, joint) = (at / n_joints, &skeleton.joints()[at % n_joints].name);
            format!("frame {frame}, joint \"{joint}\": {steps:?} is not a rotation")
        })?;
        motion.rotations.push(rotation);
    }
    Ok(motion)
}

/// For every clip and frame how many leave it; clip and frame that each enters, and its distance.
pub(super) fn transitions_to(transitions: &[Transition], n_frames: &[usize]) -> String {
    let mut bytes = Bytes::default();
    let mut rest = transitions;
    for (clip, &n) in n_frames.iter().enumerate() {
        for frame in 0..n {
            let here = FrameId { clip, frame };
            let own = rest.partition_point(|t| t.from <= here);
            bytes.count(own);
            for transition in &rest[..own] {
                bytes.count(transition.to.clip);
                bytes.count(transition.to.frame);
                bytes.single(transition.distance);
            }
            rest = &rest[own..];
        }
    }
    bytes.text()
}

pub(super) fn transitions_from(text: &str, n_frames: &[usize]) -> Result<Vec<Transition>, String> {
    let mut reader = Reader::of(text)?;
    let mut transitions = Vec::new();
    for (clip, &n) in n_frames.iter().enumerate() {
        for frame in 0..n {
            for _ in 0..reader.count()? {
                let to = FrameId {
                    clip: reader.count()?,
                    frame: reader.count()?,
                };
                if n_frames.get(to.clip).is_none_or(|&n| to.frame >= n) {
                    return Err(format!(
                        "there is no frame {} of clip {}",
                        to.frame, to.clip
                    ));
                }
                let distance = reader.single()?;
                if distance < 0.0 {
                    return Err(format!("{distance} is no distance"));
                }
                let from = FrameId { clip, frame };
                transitions.push(Transition { from, to, distance });
            }
        }
    }
    reader.end()?;
    Ok(transitions)
}

/// Clip, first frame and length of each window, and its passes: the clip, the first moment and the steps to the next
/// ones.
pub(super) fn windows_to(windows: &[Window]) -> String {
    let mut bytes = Bytes::default();
    bytes.count(windows.len());
    for Window {
        clip,
        frames,
        passes,
    } in windows
    {
        for number in [*clip, frames.start, frames.len(), passes.len()] {
            bytes.count(number);
        }
        for pass in passes {
            let steps = pass
                .moments
                .iter()
                .map(|m| (m * MOMENT_STEPS).round() as i64);
            let steps: Vec<i64> = steps.collect();
            bytes.count(pass.clip);
            bytes.count(steps[0] as usize);
            for pair in steps.windows(2) {
                bytes.small((pair[1] - pair[0]) as i16);
            }
        }
    }
    bytes.text()
}

pub(super) fn windows_from(text: &str, n_frames: &[usize]) -> Result<Vec<Window>, String> {
    let mut reader = Reader::of(text)?;
    let mut windows = Vec::new();
    for at in 0..reader.count()? {
        let wrong = |what: &str| format!("window {at}: {what}");
        let [clip, start, length, n_passes] = [
            reader.count()?,
            reader.count()?,
            reader.count()?,
            reader.count()?,
        ];
        let n = n_frames.get(clip).copied().unwrap_or(0);
        if length == 0 || start >= n || length > n - start {
            return Err(wrong("it does not lie in its clip"));
        }
        let mut passes = Vec::new();
        for _ in 0..n_passes {
            let clip = reader.count()?;
            let last = n_frames.get(clip).map_or(-1.0, |n| *n as f64 - 1.0);
            let mut steps = i64::try_from(reader.count()?).map_err(|e| e.to_string())?;
            let mut moments = Vec::with_capacity(length);
            for nth in 0..length {
                if nth > 0 {
                    steps = steps.saturating_add(i64::from(reader.small()?));
                }
                let moment = steps as f64 / MOMENT_STEPS;
                if !(0.0..=last).contains(&moment) {
                    return Err(wrong("another take does not lie in its clip"));
                }
                moments.push(moment);
            }
            passes.push(Pass { clip, moments });
        }
        windows.push(Window {
            clip,
            frames: start..start + length,
            passes,
        });
    }
    reader.end()?;
    Ok(windows)
}
