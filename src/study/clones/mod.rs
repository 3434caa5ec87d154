//! Motion that was seen before: exact and near repetition within a long sequence and across a crowd.
//!
//! Section 8 of Lau 2009 calls a sequence repetitive "if many of the motion clips are exactly repeated"; McDonnell et al. 2008
//! ("Clone attack! Perception of crowd variety") found that motion clones are noticed after some time of watching. A clone here
//! is a stretch of at least a window (a second, or the length of the shortest clip) that comes again, in the same clip or in
//! another one, at any place, in any direction, from any moment on, nearer than real people repeat themselves.
//!
//! The threshold is from real clips: [`NEAR`] says how. Where hardly anything moves nobody sees a repetition; such windows do not count.

mod pair;
mod runs;

use rayon::prelude::*;

use super::windows::{Match, Windows, window_for};
use crate::jobs::{Cancelled, Ticket};
use crate::motion::Clip;
use crate::motion::features::FeatureError;
use pair::HOP;

pub use pair::{CloneKind, ClonePair, EXACT, NEAR, Span};

/// Joints that stay this near to their mean places, in body heights, do not move enough to be recognised.
const STILL: f64 = 0.01;

/// From which length and nearness on motion counts as repeated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CloneSettings {
    /// What is nearer than this, in body heights, is a clone.
    pub near: f64,
}

impl Default for CloneSettings {
    fn default() -> Self {
        Self { near: NEAR }
    }
}

/// Nothing could be looked for.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CloneError {
    /// The bodies cannot be compared.
    #[error(transparent)]
    Features(#[from] FeatureError),
    /// The threshold is none.
    #[error("the distance of clones must be a number of at least zero, found {0}")]
    Near(f64),
    /// The work was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// How far a clip is from its like.
#[derive(Debug, Clone, PartialEq)]
pub struct NearestLike {
    /// Mean distance of its windows from the nearest other window, body heights.
    pub mean: f64,
    /// The least distance of one of its windows.
    pub least: f64,
    /// Where that is: first frame of the clip's own window.
    pub frame: usize,
    /// And of the other one.
    pub other: Span,
}

/// What a search for clones found.
#[derive(Debug, Clone, PartialEq)]
pub struct CloneReport {
    /// Each repeated stretch with the nearest one that it repeats; copies first, then the longest.
    pub clones: Vec<ClonePair>,
    /// Share of all moving windows that are part of one.
    pub share: f64,
    /// Median distance of a moving window from the nearest other one, in body heights; none if there is no other.
    pub median: Option<f64>,
    /// For each clip how near it comes to others and to itself; none for clips that hardly move or have no like.
    pub nearest: Vec<Option<NearestLike>>,
    /// Seconds that a window lasts.
    pub window_secs: f64,
}

/// Looks for stretches that come again, within clips and between them.
pub fn find(
    clips: &[&Clip],
    settings: CloneSettings,
    ticket: &Ticket,
) -> Result<CloneReport, CloneError> {
    if !(settings.near >= 0.0 && settings.near.is_finite()) {
        return Err(CloneError::Near(settings.near));
    }
    let windows = Windows::of(clips, window_for(clips))?;
    ticket.step(0.1)?;
    let matches = best_matches(&windows, ticket)?;
    let all: Vec<f64> = matches
        .iter()
        .flatten()
        .flatten()
        .map(|m| m.distance)
        .collect();
    let n_near = all.iter().filter(|d| **d <= settings.near).count();
    let nearest = matches.iter().enumerate();
    let nearest = nearest.map(|(clip, own)| nearest_like(&windows, clip, own));
    let report = CloneReport {
        share: n_near as f64 / all.len().max(1) as f64,
        median: median(&all),
        nearest: nearest.collect(),
        clones: runs::pairs(&windows, &matches, settings.near),
        window_secs: windows.size as f64 / super::windows::FPS,
    };
    ticket.step(1.0)?;
    Ok(report)
}

/// For every clip and every [`HOP`]-th row the window most like the one that begins there; none where nothing moves.
fn best_matches(windows: &Windows, ticket: &Ticket) -> Result<Vec<Vec<Option<Match>>>, Cancelled> {
    let starts: Vec<(usize, usize)> = windows
        .tracks
        .iter()
        .enumerate()
        .flat_map(|(clip, track)| {
            let n = (track.rows.len() + 1).saturating_sub(windows.size);
            (0..n).step_by(HOP).map(move |row| (clip, row))
        })
        .collect();
    let found = starts
        .par_iter()
        .map(|&(clip, row)| {
            ticket.check()?;
            let rows = &windows.tracks[clip].rows;
            if windows.motion(rows, row) < STILL {
                return Ok(None);
            }
            Ok(windows.nearest(rows, row, |other, start| {
                other != clip || start.abs_diff(row) >= windows.size
            }))
        })
        .collect::<Result<Vec<Option<Match>>, Cancelled>>()?;
    let mut by_clip: Vec<Vec<Option<Match>>> = vec![Vec::new(); windows.tracks.len()];
    for ((clip, _), found) in starts.into_iter().zip(found) {
        by_clip[clip].push(found);
    }
    Ok(by_clip)
}

fn nearest_like(windows: &Windows, clip: usize, own: &[Option<Match>]) -> Option<NearestLike> {
    let found = own.iter().enumerate();
    let found: Vec<(usize, Match)> = found.filter_map(|(i, m)| Some((i, (*m)?))).collect();
    let (at, least) = found
        .iter()
        .min_by(|a, b| a.1.distance.total_cmp(&b.1.distance))?;
    let rows = least.row..least.row + windows.size;
    Some(NearestLike {
        mean: found.iter().map(|(_, m)| m.distance).sum::<f64>() / found.len() as f64,
        least: least.distance,
        frame: windows.tracks[clip].frame(at * HOP),
        other: Span {
            clip: least.clip,
            frames: windows.tracks[least.clip].frames(rows),
        },
    })
}

fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}
