//! Windows that are alike one after the other are one stretch.

use std::cmp::Reverse;

use super::super::windows::{Match, Windows};
use super::{CloneKind, ClonePair, EXACT, HOP, Span};

/// A window may go on with the partner of the one before although another is nearer, as long as it is by no more than this.
const AS_NEAR: f64 = 1.2;
/// Stretches that share more than this of the shorter one, on both sides, are one finding.
const SHARED: f64 = 0.5;

/// Rows of one clip that go on being like those of another.
struct Run {
    clip: usize,
    rows: std::ops::Range<usize>,
    other: usize,
    /// The first row of the run in the other clip.
    start: usize,
    distances: Vec<f64>,
}

/// All stretches with what they repeat: copies first, then the longest.
pub(super) fn pairs(
    windows: &Windows,
    matches: &[Vec<Option<Match>>],
    near: f64,
) -> Vec<ClonePair> {
    let runs = matches
        .iter()
        .enumerate()
        .flat_map(|(clip, own)| runs(windows, clip, own, near));
    let mut pairs: Vec<ClonePair> = runs.map(|run| pair(windows, &run)).collect();
    // By where they are, so that the two ways of finding one stand side by side.
    pairs.sort_by_key(|pair| (pair.first.place(), pair.second.place()));
    let mut kept: Vec<ClonePair> = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let before = kept.iter_mut().rev();
        let mut same = before
            .take_while(|k| {
                k.first.clip == pair.first.clip && k.first.frames.end > pair.first.frames.start
            })
            .filter(|k| is_shared(&k.first, &pair.first) && is_shared(&k.second, &pair.second));
        match same.next() {
            Some(known) => *known = joined(known, &pair),
            None => kept.push(pair),
        }
    }
    let length = |pair: &ClonePair| pair.first.frames.len();
    kept.sort_by_key(|pair| (pair.kind, Reverse(length(pair)), pair.first.place()));
    kept
}

fn runs(windows: &Windows, clip: usize, own: &[Option<Match>], near: f64) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut is_open = false;
    for (at, found) in own.iter().enumerate() {
        let row = at * HOP;
        let Some(found) = found.filter(|m| m.distance <= near) else {
            is_open = false;
            continue;
        };
        let last = runs.last_mut().filter(|_| is_open);
        if let Some(run) = last
            && let Some(on) = going_on(windows, clip, row, run, found, near)
        {
            run.rows.end = row + windows.size;
            run.distances.push(on.distance);
        } else {
            runs.push(Run {
                clip,
                rows: row..row + windows.size,
                other: found.clip,
                start: found.row,
                distances: vec![found.distance],
            });
        }
        is_open = true;
    }
    runs
}

/// The window that the run would go on with, if it is about as near as the nearest.
fn going_on(
    windows: &Windows,
    clip: usize,
    row: usize,
    run: &Run,
    best: Match,
    near: f64,
) -> Option<Match> {
    let start = run.start + (row - run.rows.start);
    if best.clip == run.other && best.row.abs_diff(start) <= 1 {
        return Some(best);
    }
    if start + windows.size > windows.tracks[run.other].rows.len() {
        return None;
    }
    let on = windows.compare(&windows.tracks[clip].rows, row, run.other, start);
    let limit = (best.distance * AS_NEAR).max(EXACT).min(near);
    (on.distance <= limit).then_some(on)
}

fn pair(windows: &Windows, run: &Run) -> ClonePair {
    let other = &windows.tracks[run.other];
    let end = (run.start + run.rows.len()).min(other.rows.len());
    let own = Span {
        clip: run.clip,
        frames: windows.tracks[run.clip].frames(run.rows.clone()),
    };
    let other = Span {
        clip: run.other,
        frames: other.frames(run.start..end),
    };
    let distance = run.distances.iter().sum::<f64>() / run.distances.len() as f64;
    let (first, second) = if own.place() <= other.place() {
        (own, other)
    } else {
        (other, own)
    };
    ClonePair {
        first,
        second,
        distance,
        kind: kind(distance),
    }
}

fn kind(distance: f64) -> CloneKind {
    if distance <= EXACT {
        CloneKind::Exact
    } else {
        CloneKind::Near
    }
}

fn is_shared(a: &Span, b: &Span) -> bool {
    let shared = a
        .frames
        .end
        .min(b.frames.end)
        .saturating_sub(a.frames.start.max(b.frames.start));
    a.clip == b.clip && shared as f64 > SHARED * a.frames.len().min(b.frames.len()) as f64
}

/// One finding of two: as long as both together.
fn joined(a: &ClonePair, b: &ClonePair) -> ClonePair {
    let both = |a: &Span, b: &Span| Span {
        clip: a.clip,
        frames: a.frames.start.min(b.frames.start)..a.frames.end.max(b.frames.end),
    };
    let distance = 0.5 * (a.distance + b.distance);
    ClonePair {
        first: both(&a.first, &b.first),
        second: both(&a.second, &b.second),
        distance,
        kind: kind(distance),
    }
}
