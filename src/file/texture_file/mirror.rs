//! Between a texture's parts and what its file says, by hand, so that either can change without the other.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{MOST_EM_ROUNDS, TextureFileError, VERSION, packed, v1, v2};
use crate::file::base64;
use crate::file::inline_clip::{self, InlineClip, SharedClipData};
use crate::file::project::{self, Skeletons};
use crate::motion::{Axis, Clip, Skeleton, body, fps_of};
use crate::texture::{
    Annotation, Fit, FrameId, LabelledClip, Section, Span, TextureParts, TextureSettings,
    Transition,
};

/// Places and bones beyond this many units of the clips are mistakes, whatever the unit: sums of them lose all digits.
const FAR: f64 = 1e9;
/// A body that is smaller than this has no size to measure by.
const LEAST_HEIGHT: f64 = 1e-6;
/// Deviations that many times as large as systems say are no motion any more.
const MOST_SPREAD: f64 = 100.0;
/// Bytes of a transition of version 1.
const TRANSITION: usize = 4 * size_of::<u32>() + size_of::<f64>();

pub(super) fn to(parts: &TextureParts) -> v2::Texture {
    let mut skeletons = Skeletons::default();
    let clips = parts.clips.iter().map(|LabelledClip { clip, label }| {
        let motion = packed::motion_to(clip.motion());
        v1::Labelled {
            label: label.clone(),
            clip: inline_clip::with_motion(clip, &mut skeletons, motion),
        }
    });
    let up = parts.clips.first().map_or(Axis::Y, |c| c.clip.info.up);
    let n_frames: Vec<usize> = parts.clips.iter().map(|c| c.clip.n_frames()).collect();
    let windows = parts.windows.as_deref().unwrap_or_default();
    v2::Texture {
        version: VERSION,
        settings: v1::Settings {
            seed: parts.settings.seed,
            max_error_deg: parts.settings.most_error_deg,
            threshold: parts.settings.threshold,
            em_rounds: parts.settings.em_rounds,
        },
        up: up.to_string(),
        clips: clips.collect(),
        skeletons: skeletons.list,
        mended: parts.n_mended,
        sections: parts.sections.iter().map(section_to).collect(),
        threshold: parts.threshold,
        transitions: packed::transitions_to(&parts.transitions, &n_frames),
        windows: packed::windows_to(windows),
        spreads: parts.spreads.clone().unwrap_or_default(),
        annotations: parts.annotations.iter().map(annotation_to).collect(),
    }
}

pub(super) fn from_v1(mirror: v1::Texture) -> Result<TextureParts, TextureFileError> {
    let clips = clips_from(
        mirror.clips,
        &mirror.skeletons,
        &mirror.up,
        inline_clip::from,
    )?;
    let n_frames: Vec<usize> = clips.iter().map(|c| c.clip.n_frames()).collect();
    Ok(TextureParts {
        settings: settings_from(&mirror.settings)?,
        n_mended: mirror.mended,
        sections: sections_from(&mirror.sections, &n_frames)?,
        threshold: not_negative("the threshold", mirror.threshold)?,
        transitions: transitions_from(&mirror.transitions, &n_frames)?,
        windows: None,
        spreads: None,
        annotations: annotations_from(mirror.annotations, &n_frames)?,
        clips,
    })
}

pub(super) fn from(mirror: v2::Texture) -> Result<TextureParts, TextureFileError> {
    let unpacked = |clip: InlineClip, skeletons: &[Arc<Skeleton>], common: &SharedClipData<'_>| {
        inline_clip::from_motion(clip, skeletons, common, packed::motion_from)
    };
    let clips = clips_from(mirror.clips, &mirror.skeletons, &mirror.up, unpacked)?;
    let n_frames: Vec<usize> = clips.iter().map(|c| c.clip.n_frames()).collect();
    let transitions = packed::transitions_from(&mirror.transitions, &n_frames);
    let windows = packed::windows_from(&mirror.windows, &n_frames);
    Ok(TextureParts {
        settings: settings_from(&mirror.settings)?,
        n_mended: mirror.mended,
        sections: sections_from(&mirror.sections, &n_frames)?,
        threshold: not_negative("the threshold", mirror.threshold)?,
        transitions: transitions.map_err(|what| part("transitions", what))?,
        windows: Some(windows.map_err(|what| part("windows", what))?),
        spreads: Some(spreads_from(mirror.spreads, &clips)?),
        annotations: annotations_from(mirror.annotations, &n_frames)?,
        clips,
    })
}

/// One for each label.
fn spreads_from(spreads: Vec<f64>, clips: &[LabelledClip]) -> Result<Vec<f64>, TextureFileError> {
    let labels: BTreeSet<&str> = clips.iter().map(|c| c.label.as_str()).collect();
    if spreads.len() != labels.len() {
        let (expected, found) = (labels.len(), spreads.len());
        let what = format!("expected one for each of {expected} labels, found {found}");
        return Err(part("spreads", what));
    }
    if let Some(wrong) = spreads.iter().find(|s| !(0.0..=MOST_SPREAD).contains(*s)) {
        let what = format!("expected numbers from 0 to {MOST_SPREAD}, found {wrong}");
        return Err(part("spreads", what));
    }
    Ok(spreads)
}

fn part(part: impl Into<String>, what: impl Into<String>) -> TextureFileError {
    TextureFileError::Part {
        part: part.into(),
        what: what.into(),
    }
}

fn not_negative(what: &str, found: f64) -> Result<f64, TextureFileError> {
    if found >= 0.0 && found.is_finite() {
        return Ok(found);
    }
    let words = format!("expected a number of at least 0, found {found}");
    Err(part(what, words))
}

fn settings_from(mirror: &v1::Settings) -> Result<TextureSettings, TextureFileError> {
    if mirror.em_rounds > MOST_EM_ROUNDS {
        let found = mirror.em_rounds;
        let what = format!("expected at most {MOST_EM_ROUNDS} rounds, found {found}");
        return Err(part("expectation maximisation", what));
    }
    let settings = TextureSettings {
        seed: mirror.seed,
        most_error_deg: mirror.max_error_deg,
        threshold: mirror.threshold,
        em_rounds: mirror.em_rounds,
    };
    let checked = settings.check();
    checked.map_err(|error| part("the settings", error.to_string()))?;
    Ok(settings)
}

fn clips_from(
    mirrors: Vec<v1::Labelled>,
    skeletons: &[project::Skeleton],
    up: &str,
    clip_from: impl Fn(InlineClip, &[Arc<Skeleton>], &SharedClipData<'_>) -> Result<Clip, String>,
) -> Result<Vec<LabelledClip>, TextureFileError> {
    let up: Axis = up
        .parse()
        .map_err(|error| part("the axis that is up", format!("{error}")))?;
    let skeletons = inline_clip::skeletons_from(skeletons);
    let skeletons = skeletons.map_err(|(name, what)| part(name, what))?;
    let first = mirrors.first().map(|m| &m.clip);
    let first = first.ok_or_else(|| part("clips", "there is none"))?;
    let skeleton = skeletons.get(first.skeleton).map(Arc::clone);
    let skeleton = skeleton.ok_or_else(|| {
        let what = format!("there is no skeleton {}", first.skeleton);
        part(inline_clip::part_name(0, first), what)
    })?;
    let common = SharedClipData {
        whole: "texture",
        skeleton: &skeleton,
        up,
        fps: fps_of(first.frame_secs),
        far: FAR,
    };
    let mut clips = Vec::with_capacity(mirrors.len());
    for (at, v1::Labelled { label, clip }) in mirrors.into_iter().enumerate() {
        let name = inline_clip::part_name(at, &clip);
        let clip = clip_from(clip, &skeletons, &common).and_then(|clip| {
            if body::height(&clip) > LEAST_HEIGHT {
                Ok(clip)
            } else {
                Err("its skeleton has no size".to_owned())
            }
        });
        let clip = Arc::new(clip.map_err(|what| part(name, what))?);
        clips.push(LabelledClip { clip, label });
    }
    Ok(clips)
}

fn section_to(section: &Section) -> v1::Section {
    v1::Section {
        clip: section.clip,
        from: section.frames.start,
        to: section.frames.end,
        system: section.system,
        fit: match section.fit {
            Fit::Predicted(deg) => v1::Fit::Predicted(deg),
            Fit::TooFar(deg) => v1::Fit::TooFar(deg),
            Fit::Alone => v1::Fit::Alone,
        },
    }
}

/// Sections lie in their clips, in order, and there are no more systems than sections.
fn sections_from(
    mirrors: &[v1::Section],
    n_frames: &[usize],
) -> Result<Vec<Section>, TextureFileError> {
    let mut free = (0, 0);
    let mut sections = Vec::with_capacity(mirrors.len());
    for (at, mirror) in mirrors.iter().enumerate() {
        let wrong = |what: String| part(format!("section {at}"), what);
        let &v1::Section { clip, from, to, .. } = mirror;
        check_frames(clip, from, to, n_frames).map_err(wrong)?;
        if (clip, from) < free {
            let words = format!("frame {from} of clip {clip} lies before the end of the last one");
            return Err(wrong(words));
        }
        free = (clip, to);
        if mirror.system >= mirrors.len() {
            let (system, n) = (mirror.system, mirrors.len());
            return Err(wrong(format!("system {system} of {n} at most")));
        }
        let error = |deg| not_negative(&format!("the error of section {at}"), deg);
        sections.push(Section {
            clip,
            frames: from..to,
            system: mirror.system,
            fit: match mirror.fit {
                v1::Fit::Predicted(deg) => Fit::Predicted(error(deg)?),
                v1::Fit::TooFar(deg) => Fit::TooFar(error(deg)?),
                v1::Fit::Alone => Fit::Alone,
            },
        });
    }
    Ok(sections)
}

fn check_frames(clip: usize, from: usize, to: usize, n_frames: &[usize]) -> Result<(), String> {
    let n = n_frames
        .get(clip)
        .ok_or_else(|| format!("there is no clip {clip}"))?;
    if from < to && to <= *n {
        Ok(())
    } else {
        Err(format!("clip {clip} has frames 0..{n}, not {from}..{to}"))
    }
}

fn transitions_from(text: &str, n_frames: &[usize]) -> Result<Vec<Transition>, TextureFileError> {
    let bytes = base64::decode(text).map_err(|e| part("transitions", e.to_string()))?;
    let (chunks, rest) = bytes.as_chunks::<TRANSITION>();
    if !rest.is_empty() {
        let n = bytes.len();
        let what = format!("expected {TRANSITION} bytes for each, found {n} bytes in all");
        return Err(part("transitions", what));
    }
    let mut transitions = Vec::with_capacity(chunks.len());
    for (at, chunk) in chunks.iter().enumerate() {
        let transition = transition_from(chunk);
        let is_there = |id: FrameId| n_frames.get(id.clip).is_some_and(|&n| id.frame < n);
        let Transition { from, to, distance } = transition;
        for id in [from, to] {
            if !is_there(id) {
                let what = format!("there is no frame {} of clip {}", id.frame, id.clip);
                return Err(part(format!("transition {at}"), what));
            }
        }
        not_negative(&format!("the distance of transition {at}"), distance)?;
        transitions.push(transition);
    }
    Ok(transitions)
}

fn transition_from(bytes: &[u8; TRANSITION]) -> Transition {
    let (numbers, distance) = bytes.split_at(4 * size_of::<u32>());
    let (numbers, _) = numbers.as_chunks::<4>();
    let number = |at: usize| u32::from_le_bytes(numbers[at]) as usize;
    let (distance, _) = distance.as_chunks::<8>();
    Transition {
        from: FrameId {
            clip: number(0),
            frame: number(1),
        },
        to: FrameId {
            clip: number(2),
            frame: number(3),
        },
        distance: f64::from_le_bytes(distance[0]),
    }
}

fn annotation_to(annotation: &Annotation) -> v1::Annotation {
    let spans = annotation.spans.iter();
    let spans = spans.map(|s| (s.clip, s.frames.start, s.frames.end));
    v1::Annotation {
        name: annotation.name.clone(),
        spans: spans.collect(),
    }
}

fn annotations_from(
    mirrors: Vec<v1::Annotation>,
    n_frames: &[usize],
) -> Result<Vec<Annotation>, TextureFileError> {
    let mut names = BTreeSet::new();
    let mut annotations = Vec::with_capacity(mirrors.len());
    for v1::Annotation { name, spans } in mirrors {
        let wrong = |what: String| part(format!("the name \"{name}\""), what);
        if !names.insert(name.clone()) {
            return Err(wrong("it is given twice".to_owned()));
        }
        for &(clip, from, to) in &spans {
            check_frames(clip, from, to, n_frames).map_err(wrong)?;
        }
        let spans = spans.into_iter().map(|(clip, from, to)| Span {
            clip,
            frames: from..to,
        });
        let spans = spans.collect();
        annotations.push(Annotation { name, spans });
    }
    Ok(annotations)
}
