//! Where a motion repeats itself, and how to cut loops out of it.
//!
//! Any cyclic motion will do: walks, jogs, hops, strokes, jumping jacks. How far the motion at one frame is from that
//! at a later one is averaged over the clip for every time between them; the first clear dip of this curve is the
//! period. Then, for each frame, the best length near the period is sought: the one after which the pose and its
//! speed go on as they were, over a small window. [`make_loop`] turns such a cut into a loop without a seam.
//!
//! Travel and turning do not count, so a walk around a corner has cycles as well. A clip that never moves, or moves
//! without returning, has none, and says so.

mod make_loop;
mod seam;

use std::ops::Range;

use rayon::prelude::*;

use super::features::{FeatureError, FeatureSpace};
use super::{Body, Clip, ClipError};
use crate::numerics::rows::{Rows, squared_distance};

pub use make_loop::{Loop, make_loop};
pub use seam::{Closure, Gap, closure};

/// How far a velocity is looked ahead when it is weighed against a pose: a gap of 1 m/s counts as much as 10 cm.
const VELOCITY_SECS: f64 = 0.1;
/// Work is done at about this rate, and the cuts found are sharpened at the full one.
const SEARCH_FPS: f64 = 60.0;
/// A period brings the body back so near to where it was: 0 is the same pose, 1 as different as any two moments. Cycles
/// of uneven length keep the mean over a whole take high (hops reach 0.5 to 0.7),
const CLEAR_RETURN: f64 = 0.8;
/// so it also counts how much nearer than in between.
const CLEAR_DIP: f64 = 0.6;
/// A clip that is one cycle as a whole has no dip; its end must be so near to its beginning.
const WHOLE_RETURN: f64 = 0.2;
/// Lengths that a cut may have, in periods.
const LENGTHS: (f64, f64) = (0.8, 1.25);

/// Cycles cannot be found or made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CycleError {
    /// The poses cannot be described.
    #[error(transparent)]
    Features(#[from] FeatureError),
    /// Nothing moves.
    #[error("the body does not move, so there is nothing to cut")]
    Still,
    /// The motion never comes back to where it was.
    #[error("the motion does not repeat itself within {seconds:.1} s")]
    NoCycle {
        /// The longest time looked at.
        seconds: f64,
    },
    /// Too few frames to speak of velocity.
    #[error("{found} frames are too few to {what}; at least {needed} are needed")]
    TooShort {
        /// What was wanted.
        what: &'static str,
        /// Frames there are.
        found: usize,
        /// Frames it takes.
        needed: usize,
    },
    /// The range is empty or reaches beyond the clip.
    #[error("frames {from}..{to} are not inside the clip of {n_frames} frames")]
    Range {
        /// First frame.
        from: usize,
        /// One past the last.
        to: usize,
        /// Length of the clip.
        n_frames: usize,
    },
    /// The repeated loop would be too long.
    #[error("{n_frames} frames are too many for one clip; at most {most} are made")]
    TooLong {
        /// Frames wanted.
        n_frames: usize,
        /// Frames allowed.
        most: usize,
    },
    /// The numbers make no clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// Where cuts may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CutStart {
    /// Wherever the seam is smallest.
    #[default]
    Anywhere,
    /// Where the left foot is furthest ahead of the body, about heel-strike, so that cycles of many takes begin alike.
    LeftFootAhead,
}

/// How to look for cycles.
#[derive(Debug, Clone, PartialEq)]
pub struct CycleSettings {
    /// The longest cycle looked for, in seconds.
    pub longest_secs: f64,
    /// Poses are compared over so many seconds before and after a seam.
    pub window_secs: f64,
    /// Where cuts may begin.
    pub start: CutStart,
}

impl Default for CycleSettings {
    fn default() -> Self {
        Self {
            longest_secs: 6.0,
            window_secs: 0.1,
            start: CutStart::Anywhere,
        }
    }
}

/// A stretch that can be played again and again.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
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
    pub cuts: Vec<Cut>,
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
    let per_frame = |i: usize| best.get(i / stride).copied().flatten();
    let score = |squared: f64| (1.0 - (squared / typical).sqrt()).max(0.0);
    let scores: Vec<f64> = (0..clip.n_frames())
        .map(|i| per_frame(i).map_or(0.0, |(squared, _)| score(squared)))
        .collect();
    let cycle = |from: usize, length: usize, squared: f64| Cut {
        frames: from..from + length,
        score: score(squared),
        gap: squared.sqrt(),
    };
    let candidates: Vec<Cut> = match settings.start {
        CutStart::Anywhere => best
            .iter()
            .enumerate()
            .filter_map(|(i, b)| b.map(|(squared, length)| (squared, i * stride, length * stride)))
            .map(|(squared, from, length)| cycle(from, length, squared))
            .collect(),
        CutStart::LeftFootAhead => {
            let lengths = lengths.start * stride..lengths.end * stride;
            let marks = foot_ahead(clip, &space, &features.rows, period * stride as f64);
            between_marks(&marks, &lengths)
                .map(|(from, length)| cycle(from, length, states.seam(from, length)))
                .collect()
        }
    };
    let mut cuts = apart(candidates, period * stride as f64 / 2.0);
    if settings.start == CutStart::Anywhere && stride > 1 {
        for cut in &mut cuts {
            let (from, length, squared) = states.sharpened(cut.frames.clone(), stride);
            *cut = cycle(from, length, squared);
        }
        cuts.sort_by(|a, b| a.gap.total_cmp(&b.gap));
    }
    Ok(Cycles {
        period_secs: period * stride as f64 / clip.fps(),
        lengths: (0..clip.n_frames())
            .map(|i| per_frame(i).map_or(0, |(_, length)| length * stride))
            .collect(),
        scores,
        cuts,
    })
}

/// Poses and velocities side by side, so that one distance weighs both.
struct States {
    rows: Rows,
    /// Frames of the window either way.
    reach: usize,
}

impl States {
    fn of(poses: &Rows, fps: f64, window_secs: f64) -> Self {
        let n = poses.len();
        let n_dims = poses.n_dims();
        let mut values = Vec::with_capacity(2 * n * n_dims);
        for i in 0..n {
            let (before, after) = (i.saturating_sub(1), (i + 1).min(n - 1));
            let scale = (VELOCITY_SECS * fps / (after - before).max(1) as f64) as f32;
            values.extend_from_slice(poses.row(i));
            let pairs = poses.row(after).iter().zip(poses.row(before));
            values.extend(pairs.map(|(a, b)| (a - b) * scale));
        }
        Self {
            rows: Rows::new(2 * n_dims, values),
            reach: ((window_secs * fps).round().max(0.0) as usize).min(n),
        }
    }

    fn every(&self, stride: usize) -> Self {
        let picked = self.rows.iter().step_by(stride);
        Self {
            rows: Rows::new(self.rows.n_dims(), picked.flatten().copied().collect()),
            reach: self.reach / stride,
        }
    }

    fn squared(&self, i: usize, j: usize) -> f64 {
        // Two rows of numbers per point: pose and velocity.
        let per_point = 2.0 * self.rows.per_point();
        f64::from(squared_distance(self.rows.row(i), self.rows.row(j)) * per_point)
    }

    /// Mean squared distance of any two moments: twice the variance.
    fn typical_squared(&self) -> f64 {
        let n_dims = self.rows.n_dims();
        let n = self.rows.len() as f64;
        let mut mean = vec![0.0_f64; n_dims];
        for row in self.rows.iter() {
            for (m, v) in mean.iter_mut().zip(row) {
                *m += f64::from(*v) / n;
            }
        }
        let mut squares = 0.0;
        for row in self.rows.iter() {
            for (m, v) in mean.iter().zip(row) {
                squares += (f64::from(*v) - m).powi(2);
            }
        }
        let typical = 2.0 * squares / n * 2.0 * f64::from(self.rows.per_point());
        // Rounding noise of a still body is no motion: less than a hundred-thousandth of its height.
        if typical > 1e-10 { typical } else { 0.0 }
    }

    /// Squared distances of frames `length` apart, averaged over the window around each.
    fn seams(&self, length: usize) -> Vec<f64> {
        let n = self.rows.len().saturating_sub(length);
        let mut sums = Vec::with_capacity(n + 1);
        let mut sum = 0.0;
        sums.push(sum);
        for i in 0..n {
            sum += self.squared(i, i + length);
            sums.push(sum);
        }
        (0..n)
            .map(|i| {
                let (from, to) = (i.saturating_sub(self.reach), (i + self.reach + 1).min(n));
                (sums[to] - sums[from]) / (to - from) as f64
            })
            .collect()
    }

    /// One of [`Self::seams`].
    fn seam(&self, from: usize, length: usize) -> f64 {
        let n = self.rows.len().saturating_sub(length);
        let window = from.saturating_sub(self.reach)..(from + self.reach + 1).min(n);
        let count = window.len().max(1) as f64;
        window.map(|i| self.squared(i, i + length)).sum::<f64>() / count
    }

    /// The best cut within `reach` frames of this one at either end.
    fn sharpened(&self, near: Range<usize>, reach: usize) -> (usize, usize, f64) {
        let mut best = (near.start, near.len(), f64::INFINITY);
        for from in near.start.saturating_sub(reach)..=near.start + reach {
            for to in near.end.saturating_sub(reach)..=near.end + reach {
                if to <= from || to >= self.rows.len() {
                    continue;
                }
                let squared = self.seam(from, to - from);
                if squared < best.2 {
                    best = (from, to - from, squared);
                }
            }
        }
        best
    }
}

/// The first clear dip of the mean distance over the time between two frames, in frames. Without one, a clip that as a
/// whole comes back to its beginning counts as one cycle.
fn period(
    states: &States,
    typical: f64,
    fps: f64,
    settings: &CycleSettings,
) -> Result<f64, CycleError> {
    let n = states.rows.len();
    // Frames near the end of the curve are the means of too few pairs to trust: keep a fifth of the clip.
    let longest = ((settings.longest_secs * fps) as usize).min(n * 4 / 5);
    let curve: Vec<f64> = (0..=longest)
        .into_par_iter()
        .map(|length| {
            let seams = states.seams(length);
            seams.iter().sum::<f64>() / (seams.len().max(1) as f64 * typical)
        })
        .collect();
    // Short times are alike because nothing has happened yet: begin where the body is half-way to any other pose.
    let left = curve.iter().position(|&c| c > 0.5).unwrap_or(longest);
    let mut peak = 0.0_f64;
    let mut dips = Vec::new();
    for l in left.max(1)..longest {
        peak = peak.max(curve[l]);
        let is_dip = curve[l] <= curve[l - 1] && curve[l] < curve[l + 1];
        if is_dip && curve[l] < CLEAR_RETURN.min(CLEAR_DIP * peak) {
            dips.push(l);
        }
    }
    let deepest = dips.iter().map(|&l| curve[l]).fold(f64::INFINITY, f64::min);
    // A later dip may be deeper by chance; only a much deeper one shows that the first was half of the period.
    let first = dips.iter().find(|&&l| curve[l] <= 3.0 * deepest + 0.15);
    if let Some(&first) = first {
        return Ok(first as f64);
    }
    let no_cycle = CycleError::NoCycle {
        seconds: longest as f64 / fps,
    };
    if n as f64 > settings.longest_secs * fps {
        return Err(no_cycle);
    }
    let whole = (n * 2 / 3..n)
        .map(|length| (length, states.seam(0, length)))
        .min_by(|a, b| a.1.total_cmp(&b.1));
    match whole {
        Some((length, squared)) if squared < WHOLE_RETURN * typical => Ok(length as f64),
        _ => Err(no_cycle),
    }
}

/// For each frame the smallest seam and its length.
fn best_lengths(states: &States, lengths: &Range<usize>) -> Vec<Option<(f64, usize)>> {
    let n = states.rows.len();
    let better = |a: Option<(f64, usize)>, b: Option<(f64, usize)>| match (a, b) {
        (Some(x), Some(y)) => Some(if y.0 < x.0 { y } else { x }),
        (x, None) => x,
        (None, y) => y,
    };
    let merge = |a: Vec<_>, b: Vec<_>| -> Vec<_> {
        a.into_iter().zip(b).map(|(x, y)| better(x, y)).collect()
    };
    lengths
        .clone()
        .into_par_iter()
        .fold(
            || vec![None; n],
            |best, length| {
                let mut seams: Vec<_> = states
                    .seams(length)
                    .iter()
                    .map(|s| Some((*s, length)))
                    .collect();
                seams.resize(n, None);
                merge(best, seams)
            },
        )
        .reduce(|| vec![None; n], merge)
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
fn apart(mut cuts: Vec<Cut>, distance: f64) -> Vec<Cut> {
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
