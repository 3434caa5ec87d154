//! Cutting takes apart and putting them together.

use std::ops::Range;
use std::sync::Arc;

use super::error::{EditError, difference};
use super::place::{Placement, align_in};
use super::{noted, remade, resample, set_up};
use crate::motion::contacts::spans;
use crate::motion::heading::turn;
use crate::motion::{Clip, Contact, HeadingFrame, Motion, NoteKind, Skeleton, Vec3};

/// Only these frames; the end is not included.
pub fn trim(clip: &Clip, frames: Range<usize>) -> Result<Clip, EditError> {
    let (from, to) = (frames.start, frames.end);
    if frames.is_empty() || to > clip.n_frames() {
        let n_frames = clip.n_frames();
        return Err(EditError::Range { from, to, n_frames });
    }
    let skeleton = clip.skeleton();
    let (joints, slots) = (skeleton.n_joints(), skeleton.translating().len());
    let motion = Motion {
        frame_secs: clip.frame_secs(),
        translations: clip.motion().translations[from * slots..to * slots].to_vec(),
        rotations: clip.motion().rotations[from * joints..to * joints].to_vec(),
    };
    let contacts = spans::cut(clip.contacts(), &frames);
    let done = format!("trimmed to frames {from}..{to}");
    remade(clip, Arc::clone(skeleton), motion, contacts, done)
}

/// Cuts before each of these frames, in any order; without any, the clip comes back whole. The parts are told apart
/// by a number behind the name: `walk_1`, `walk_2`.
pub fn split(clip: &Clip, at: &[usize]) -> Result<Vec<Clip>, EditError> {
    let n_frames = clip.n_frames();
    if let Some(&frame) = at.iter().find(|f| **f == 0 || **f >= n_frames) {
        return Err(EditError::Cut { frame, n_frames });
    }
    let mut edges = at.to_vec();
    edges.extend([0, n_frames]);
    edges.sort_unstable();
    edges.dedup();
    if edges.len() == 2 {
        return Ok(vec![clip.clone()]);
    }
    edges
        .windows(2)
        .enumerate()
        .map(|(idx, edge)| {
            let mut part = trim(clip, edge[0]..edge[1])?;
            part.info.name = format!("{}_{}", clip.info.name, idx + 1);
            Ok(part)
        })
        .collect()
}

/// How a clip follows the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Join {
    /// Where its file put it.
    Plain,
    /// Moved over the floor and turned about up, so that it begins where the clip before was about to go: at its last
    /// place and heading plus its last step. Height is not touched.
    #[default]
    Continue,
}

/// One clip after another. The first one gives name, skeleton, up axis and frame rate; others are turned and resampled
/// to fit. Poses are not blended: transitions do that.
pub fn concatenate(clips: &[&Clip], join: Join) -> Result<Clip, EditError> {
    let (first, others) = clips.split_first().ok_or(EditError::NoClips)?;
    let skeleton = first.skeleton();
    let mut parts = vec![Clip::clone(first)];
    let (mut lengths_differ, mut rates_differ) = (false, false);
    for other in others {
        if let Some(difference) = difference(skeleton, other.skeleton()) {
            let clip = other.info.name.clone();
            return Err(EditError::Skeletons { clip, difference });
        }
        let turned = set_up(other, first.info.up)?;
        lengths_differ |= !same_bones(skeleton, turned.skeleton());
        rates_differ |= other.fps() != first.fps();
        let mut next = resample(&turned, first.fps())?;
        if join == Join::Continue
            && let Some(before) = parts.last()
        {
            next = continued(before, &next)?;
        }
        parts.push(next);
    }
    let mut joined = glued(first, &parts)?;
    if lengths_differ {
        let text = "joined clips have other bone lengths; all use those of the first";
        joined = noted(joined, NoteKind::Noticed, text);
    }
    if rates_differ {
        let text = "joined clips had other frame rates; all were resampled to that of the first";
        joined = noted(joined, NoteKind::Noticed, text);
    }
    Ok(joined)
}

/// Whether the bones are the same within the rounding of text files.
fn same_bones(a: &Skeleton, b: &Skeleton) -> bool {
    let bones = a.joints().iter().zip(b.joints()).skip(1);
    bones
        .into_iter()
        .all(|(a, b)| (a.offset - b.offset).norm() <= 1e-4 * a.offset.norm().max(b.offset.norm()))
}

/// The second clip, placed where the first was about to go.
fn continued(before: &Clip, next: &Clip) -> Result<Clip, EditError> {
    let frame = HeadingFrame::learn(&[before, next]);
    let track = frame.track(before);
    let last = before.n_frames() - 1;
    let earlier = last.saturating_sub(1);
    let heading = 2.0 * track.headings[last] - track.headings[earlier];
    let step = track.positions[last] - track.positions[earlier];
    let bend = turn(frame.up, track.headings[last] - track.headings[earlier]);
    let place: Vec3 = track.positions[last] + bend * step;
    let placement = Placement {
        frame: 0,
        place: Some(place),
        heading_rad: Some(heading),
    };
    align_in(next, &frame, &placement)
}

/// The poses of all on the first one's skeleton.
fn glued(first: &Clip, parts: &[Clip]) -> Result<Clip, EditError> {
    let skeleton = first.skeleton();
    let n_frames = parts.iter().map(Clip::n_frames).sum();
    let mut motion = Motion::with_capacity(skeleton, first.frame_secs(), n_frames);
    let mut contacts = Vec::new();
    let mut from = 0;
    for part in parts {
        let poses = part.motion();
        motion.translations.extend_from_slice(&poses.translations);
        motion.rotations.extend_from_slice(&poses.rotations);
        contacts.extend(part.contacts().iter().map(|c| Contact {
            joint: c.joint,
            frames: c.frames.start + from..c.frames.end + from,
        }));
        from += part.n_frames();
    }
    let names: Vec<&str> = parts.iter().map(|c| c.info.name.as_str()).collect();
    let done = format!("joined from {}", names.join(", "));
    remade(first, Arc::clone(skeleton), motion, contacts, done)
}
