//! Clips that one model can be built from: on one skeleton, at one frame rate, with unique names. Clips that do not fit
//! are named and left out.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::Common;
use crate::motion::{Clip, PoseMetricError, edit};

/// Says why a clip is not used.
pub(super) fn leave_out(clip: &Clip, why: &str) {
    match &clip.info.file {
        Some(file) => tell!("error: {}: {why}", file.display()),
        None => tell!("error: clip \"{}\": {why}", clip.info.name),
    }
}

/// Clips of one frame are named and left out.
pub(super) fn with_motion(mut clips: Vec<Clip>, all_used: &mut bool) -> Vec<Clip> {
    clips.retain(|clip| {
        let moves = clip.n_frames() > 1;
        if !moves {
            leave_out(
                clip,
                "it has one frame, which is a pose and no motion; at least two are needed",
            );
            *all_used = false;
        }
        moves
    });
    clips
}

/// The clips on the skeleton that most of them are on; the others are named and left out. Without a majority it is an
/// error.
pub(super) fn on_one_skeleton(clips: Vec<Clip>, all_used: &mut bool) -> anyhow::Result<Vec<Clip>> {
    let mut firsts: Vec<usize> = Vec::new();
    let mut groups: Vec<usize> = Vec::with_capacity(clips.len());
    for (at, clip) in clips.iter().enumerate() {
        let is_like = |&first: &usize| {
            let other: &Clip = &clips[first];
            clip.skeleton().same_structure(other.skeleton()) && clip.info.up == other.info.up
        };
        let group = firsts.iter().position(is_like);
        groups.push(group.unwrap_or(firsts.len()));
        if group.is_none() {
            firsts.push(at);
        }
    }
    let size = |group: usize| groups.iter().filter(|&&g| g == group).count();
    let Some(most) = (0..firsts.len()).find(|&group| 2 * size(group) > clips.len()) else {
        if let [first, other, ..] = firsts[..] {
            return Err(PoseMetricError::Skeleton {
                first: clips[first].info.name.clone(),
                clip: clips[other].info.name.clone(),
            }
            .into());
        }
        return Ok(clips);
    };
    let pairs = clips.into_iter().zip(groups);
    let kept = pairs.filter_map(|(clip, group)| {
        if group == most {
            return Some(clip);
        }
        leave_out(
            &clip,
            "it is on another skeleton than most of the clips; `kinfolk retarget` brings it there",
        );
        *all_used = false;
        None
    });
    Ok(kept.collect())
}

/// Brings all clips to one rate; those that this leaves without motion are named and left out.
pub(super) fn at_one_rate(
    clips: Vec<Clip>,
    fps: f64,
    whole: &str,
    all_used: &mut bool,
    common: &Common,
) -> Vec<Clip> {
    let mut n_resampled = 0;
    let each = clips.into_iter().filter_map(|clip| {
        if (clip.fps() - fps).abs() <= 1e-6 * fps {
            return Some(clip);
        }
        let why = match edit::resample(&clip, fps) {
            Ok(resampled) if resampled.n_frames() > 1 => {
                n_resampled += 1;
                return Some(resampled);
            }
            Ok(_) => format!("at {fps} frames a second it has one frame, which is no motion"),
            Err(error) => error.to_string(),
        };
        leave_out(&clip, &why);
        *all_used = false;
        None
    });
    let clips: Vec<Clip> = each.collect();
    if n_resampled > 0 && !common.quiet {
        let clips = if n_resampled == 1 { "clip" } else { "clips" };
        tell!(
            "note: {n_resampled} {clips} brought to {fps} frames a second, the rate of the {whole}"
        );
    }
    clips
}

/// Clips are asked for by their names, so that no two may have the same.
pub(super) fn with_own_names(
    clips: Vec<Clip>,
    others: &[Arc<Clip>],
    whole: &str,
    common: &Common,
) -> Vec<Arc<Clip>> {
    let mut taken: BTreeSet<String> = others.iter().map(|c| c.info.name.clone()).collect();
    let each = clips.into_iter().map(|mut clip| {
        let name = clip.info.name.clone();
        let mut number = 2;
        while !taken.insert(clip.info.name.clone()) {
            clip.info.name = format!("{name} ({number})");
            number += 1;
        }
        if clip.info.name != name && !common.quiet {
            let file = clip.info.file.as_deref().unwrap_or(Path::new(&name));
            let (file, new) = (file.display(), &clip.info.name);
            tell!("note: {file}: another clip has this name; in the {whole} it is \"{new}\"");
        }
        Arc::new(clip)
    });
    each.collect()
}

/// Says that a graph or a texture has no such clip, and which it has.
pub(super) fn no_clip<'a>(
    whole: &str,
    name: &str,
    clips: impl Iterator<Item = &'a Clip>,
) -> String {
    /// More names would fill the screen.
    const NAMED: usize = 60;
    let names: Vec<&str> = clips.map(|clip| clip.info.name.as_str()).collect();
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let names = names[..names.len().min(NAMED)].join(", ");
    format!("the {whole} has no clip \"{name}\"; it has {names}{more}")
}
