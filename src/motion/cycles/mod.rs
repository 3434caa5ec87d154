//! Where a motion repeats itself, and how to cut loops out of it.
//!
//! Any cyclic motion will do: walks, jogs, hops, strokes, jumping jacks. How far the motion at one frame is from that
//! at a later one is averaged over the clip for every time between them; the first clear dip of this curve is the
//! period. Then, for each frame, the best length near the period is sought: the one after which the pose and its
//! speed go on as they were, over a small window. [`make_loop`] turns such a cut into a loop without a seam.
//!
//! Travel and turning do not count, so a walk around a corner has cycles as well. A clip that never moves, or moves
//! without returning, has none, which is an error with this reason.

mod make_loop;
mod seam;
mod seam_smoothing;
mod settings;
mod states;

use std::ops::Range;

use super::features::FeatureSpace;
use super::{Body, Clip};
use crate::numerics::rows::Rows;
use states::{States, best_lengths, period};

pub use make_loop::{Loop, make_loop};
pub use seam::{Closure, SeamGap, closure};
pub use settings::{CutStart, CycleError, CycleSettings};

/// Work is done at about this rate, and the cuts found are sharpened at the full one.
const SEARCH_FPS: f64 = 60.0;

/// Lengths that a cut may have, in periods.
const LENGTHS: (f64, f64) = (0.8, 1.25);

/// A range that can be played again and again.
#[derive(Debug, Clone, PartialEq)]
pub struct CycleCut {
    /// The frame after the last continues like the first.
    pub frames: Range<usize>,
    /// 1 if it continues exactly, 0 if the frames are as different as any two of the clip.
    pub score: f64,
    /// Distance of pose and velocity at the seam, in body heights.
    pub gap: f64,
}

/// What was found in a clip.
#[derive(Debug, Clone, PartialEq)]
pub struct Cycles {
    /// The time after which the motion returns.
    pub period_secs: f64,
    /// For each frame how well a cut that begins there can close, 0 to 1; 0 where no whole cycle follows.
    pub scores: Vec<f64>,
    /// For each frame the length of that cut in frames; 0 where there is none.
    pub lengths: Vec<usize>,
    /// The best first. Their beginnings are at least half a period apart.
    pub cuts: Vec<CycleCut>,
}

/// Finds the period of a clip and the best places to cut loops.
pub fn find_cycles(clip: &Clip, settings: &CycleSettings) -> Result<Cycles, CycleError> {
    const FEWEST: usize = 8;
    if clip.n_frames() < FEWEST {
        return Err(CycleError::TooShort {
            what: "look for cycles",
            found: clip.n_frames(),
            needed: FEWEST,
        });
    }
    let space = FeatureSpace::learn(&[clip])?;
    let features = space.features(clip)?;
    let states = States::of(&features.rows, clip.fps(), settings.window_secs);
    let typical = states.typical_squared();
    if typical <= 0.0 {
        return Err(CycleError::Still);
    }
    let stride = ((clip.fps() / SEARCH_FPS).round() as usize).max(1);
    let coarse = states.every(stride);
    let period = period(&coarse, typical, clip.fps() / stride as f64, settings)?;
    let lengths = ((LENGTHS.0 * period) as usize).max(1)..(LENGTHS.1 * period).ceil() as usize + 1;
    let best = best_lengths(&coarse, &lengths);
    let period_frames = period * stride as f64;
    let scorer = SeamScorer { typical };
    let cuts = match settings.start {
        CutStart::Anywhere => {
            let some = best.iter().enumerate().filter_map(|(i, b)| {
                b.map(|(squared, length)| scorer.cut(i * stride, length * stride, squared))
            });
            let mut cuts = apart(some.collect(), period_frames / 2.0);
            for cut in &mut cuts {
                let (from, length, squared) = states.sharpened(cut.frames.clone(), stride - 1);
                *cut = scorer.cut(from, length, squared);
            }
            cuts.sort_by(|a, b| a.gap.total_cmp(&b.gap));
            cuts
        }
        CutStart::LeftFootAhead => {
            let lengths = lengths.start * stride..lengths.end * stride;
            let marks = foot_ahead(clip, &space, &features.rows, period_frames);
            let some = between_marks(&marks, &lengths)
                .map(|(from, length)| scorer.cut(from, length, states.seam(from, length)));
            apart(some.collect(), period_frames / 2.0)
        }
    };
    let per_frame = |i: usize| best.get(i / stride).copied().flatten();
    let frames = 0..clip.n_frames();
    Ok(Cycles {
        period_secs: period_frames / clip.fps(),
        scores: frames
            .clone()
            .map(|i| per_frame(i).map_or(0.0, |(squared, _)| scorer.score(squared)))
            .collect(),
        lengths: frames
            .map(|i| per_frame(i).map_or(0, |(_, length)| length * stride))
            .collect(),
        cuts,
    })
}

/// Turns squared distances into scores.
struct SeamScorer {
    /// Mean squared distance of any two moments.
    typical: f64,
}

impl SeamScorer {
    fn score(&self, squared: f64) -> f64 {
        (1.0 - (squared / self.typical).sqrt()).max(0.0)
    }

    fn cut(&self, from: usize, length: usize, squared: f64) -> CycleCut {
        CycleCut {
            frames: from..from + length,
            score: self.score(squared),
            gap: squared.sqrt(),
        }
    }
}

/// Frames where the left foot is furthest ahead of the body root, one in each period; none without a left leg.
fn foot_ahead(clip: &Clip, space: &FeatureSpace, poses: &Rows, period: f64) -> Vec<usize> {
    let body = Body::of(clip.skeleton());
    let ankle = body.legs.first().map(|leg| leg.end);
    let part = space.parts.iter().position(|p| Some(p.joint) == ankle);
    let Some(part) = part else { return Vec::new() };
    let ahead: Vec<f32> = poses.iter().map(|row| row[3 * part + 2]).collect();
    let reach = (period * 0.4) as usize;
    let n = ahead.len();
    (1..n.saturating_sub(1))
        .filter(|&i| {
            let around = &ahead[i.saturating_sub(reach)..(i + reach + 1).min(n)];
            ahead[i] > ahead[i - 1] && around.iter().all(|a| *a <= ahead[i])
        })
        .collect()
}

/// Pairs of marks that are one cycle apart.
fn between_marks<'a>(
    marks: &'a [usize],
    lengths: &'a Range<usize>,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    marks.iter().flat_map(move |&from| {
        let ends = marks.iter().filter(move |&&to| to > from);
        ends.map(move |&to| (from, to - from))
            .filter(|(_, length)| lengths.contains(length))
    })
}

/// The best cuts whose beginnings are far enough apart.
fn apart(mut cuts: Vec<CycleCut>, distance: f64) -> Vec<CycleCut> {
    cuts.sort_by(|a, b| {
        a.gap
            .total_cmp(&b.gap)
            .then(a.frames.start.cmp(&b.frames.start))
    });
    // Beginnings of the cuts kept, in order, so that each new one looks at its neighbours only.
    let mut taken = std::collections::BTreeSet::new();
    cuts.retain(|cut| {
        let start = cut.frames.start;
        let reach = distance as usize;
        let is_free = taken
            .range(start.saturating_sub(reach)..=start.saturating_add(reach))
            .next()
            .is_none();
        if is_free {
            taken.insert(start);
        }
        is_free
    });
    cuts
}
