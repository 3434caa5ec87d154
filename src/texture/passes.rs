//! How other takes pass through the same poses: what the systems learn from.
//!
//! A window of one clip, and a stretch of another clip of the same label that goes nearly the same way, brought into
//! step by dynamic time warping. The difference of their states over time is a sample of what a performer may do
//! otherwise.

use std::ops::Range;

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::corpus::Corpus;
use super::error::TextureError;
use crate::jobs::Ticket;

/// Length of a window; about one step and a half.
const WINDOW_SECS: f64 = 1.0;
/// Other takes for each window. With one the nearest alone would speak, which is nearer than takes usually are.
const MOST_PASSES: usize = 4;
/// How much earlier or later than at an even pace another take may be.
const SLACK_SECS: f64 = 0.2;
/// A stretch of the same clip counts as another take if it is so far away. Only for labels with few clips.
pub(super) const APART_SECS: f64 = 0.75;
/// Labels with so many clips do without stretches of the same clip.
pub(super) const MANY_CLIPS: usize = 3;
/// A step of the warp off the even pace costs this; as a squared distance of states.
const OFF_PACE: f64 = 0.05;
/// How much velocities count against states when takes are compared; seconds.
pub(super) const VELOCITY_SECS: f64 = 0.1;

/// Moments are whole in units of a frame over so many: that is how files keep them.
pub const MOMENT_STEPS: f64 = 256.0;

/// Another take that goes through the states of a window.
#[derive(Debug, Clone, PartialEq)]
pub struct Pass {
    /// Index of its clip.
    pub clip: usize,
    /// Where in that clip it is at each frame of the window.
    pub moments: Vec<f64>,
}

/// A window of a clip with the passes through it.
#[derive(Debug, Clone, PartialEq)]
pub struct Window {
    /// Index of its clip.
    pub clip: usize,
    /// The frames of the clip.
    pub frames: Range<usize>,
    /// The passes through it, nearest first.
    pub passes: Vec<Pass>,
}

impl Window {
    /// The frame that says to which system it belongs.
    pub(super) fn middle(&self) -> usize {
        self.frames.start.midpoint(self.frames.end)
    }

    /// States of a pass less those of the window, a column for each frame.
    pub(super) fn difference(&self, corpus: &Corpus, pass: &Pass) -> DMatrix<f64> {
        let own = corpus.clips[self.clip]
            .states
            .columns(self.frames.start, self.frames.len());
        let other = &corpus.clips[pass.clip].states;
        let columns: Vec<DVector<f64>> = pass
            .moments
            .iter()
            .zip(own.column_iter())
            .map(|(&moment, own)| state_at(other, moment) - own)
            .collect();
        DMatrix::from_columns(&columns)
    }
}

/// The state between two frames.
pub(super) fn state_at(states: &DMatrix<f64>, moment: f64) -> DVector<f64> {
    let last = states.ncols() - 1;
    let moment = moment.clamp(0.0, last as f64);
    let before = (moment as usize).min(last.saturating_sub(1));
    let after = (before + 1).min(last);
    states
        .column(before)
        .lerp(&states.column(after), moment - before as f64)
}

/// States over velocities in units of states: what makes two moments alike.
pub(super) fn features(corpus: &Corpus) -> Vec<DMatrix<f64>> {
    let weight = VELOCITY_SECS * corpus.fps();
    let of = |states: &DMatrix<f64>| {
        let (d, n) = states.shape();
        let mut all = DMatrix::zeros(2 * d, n);
        all.rows_mut(0, d).copy_from(states);
        for f in 0..n {
            let now = f.max(1).min(n - 1);
            let step = states.column(now) - states.column(now.saturating_sub(1));
            all.view_mut((d, f), (d, 1)).copy_from(&(step * weight));
        }
        all
    };
    corpus.clips.par_iter().map(|c| of(&c.states)).collect()
}

/// All windows of all clips with their passes; windows overlap by half.
pub(super) fn windows(corpus: &Corpus, ticket: &Ticket) -> Result<Vec<Window>, TextureError> {
    let features = features(corpus);
    let length = corpus.frames_in(WINDOW_SECS).max(4);
    let mut places = Vec::new();
    for (clip, data) in corpus.clips.iter().enumerate() {
        let mut from = 0;
        while from + length <= data.is_clean.len() {
            if data.is_clean[from..from + length].iter().all(|c| *c) {
                places.push((clip, from..from + length));
            }
            from += length.div_ceil(2);
        }
    }
    let search = Search {
        corpus,
        features: &features,
    };
    let found = places.into_par_iter().map(|(clip, frames)| {
        ticket.check()?;
        let passes = search.passes(clip, &frames);
        Ok(Window {
            clip,
            frames,
            passes,
        })
    });
    found.collect()
}

struct Search<'a> {
    corpus: &'a Corpus,
    features: &'a [DMatrix<f64>],
}

impl Search<'_> {
    fn passes(&self, clip: usize, frames: &Range<usize>) -> Vec<Pass> {
        let corpus = self.corpus;
        let label = corpus.clips[clip].label;
        let alike = || (0..corpus.clips.len()).filter(|&c| corpus.clips[c].label == label);
        let n_alike = alike().count();
        let mut starts: Vec<(f64, usize, usize)> = Vec::new();
        for other in alike() {
            if other != clip || n_alike < MANY_CLIPS {
                self.nearest_moments(clip, frames, other, &mut starts);
            }
        }
        starts.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let mut passes: Vec<(f64, Pass)> = starts
            .iter()
            .take(2 * MOST_PASSES)
            .filter_map(|&(_, other, moment)| self.pass(clip, frames, other, moment))
            .collect();
        passes.sort_by(|a, b| a.0.total_cmp(&b.0));
        passes.truncate(MOST_PASSES);
        passes.into_iter().map(|(_, pass)| pass).collect()
    }

    /// The moments of another clip that are nearest to the middle of the window, some apart from each other.
    fn nearest_moments(
        &self,
        clip: usize,
        frames: &Range<usize>,
        other: usize,
        found: &mut Vec<(f64, usize, usize)>,
    ) {
        const EACH: usize = 3;
        let middle = frames.start.midpoint(frames.end);
        let apart = self.corpus.frames_in(APART_SECS);
        let wanted = self.features[clip].column(middle);
        let columns = self.features[other].column_iter().enumerate();
        let mut near: Vec<(f64, usize)> = columns
            .filter(|(f, _)| other != clip || f.abs_diff(middle) > apart)
            .map(|(f, column)| ((column - wanted).norm_squared(), f))
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut kept: Vec<usize> = Vec::new();
        for (distance, frame) in near {
            if kept.iter().all(|k| k.abs_diff(frame) > apart / 2) {
                kept.push(frame);
                found.push((distance, other, frame));
                if kept.len() == EACH {
                    return;
                }
            }
        }
    }

    /// Brings the stretch around a moment of another clip into step, and tells how far it is; none if the clip ends
    /// within it or is broken there.
    fn pass(
        &self,
        clip: usize,
        frames: &Range<usize>,
        other: usize,
        moment: usize,
    ) -> Option<(f64, Pass)> {
        let slack = self.corpus.frames_in(SLACK_SECS);
        let before = frames.len() / 2 + slack;
        let from = moment.checked_sub(before)?;
        let to = from + frames.len() + 2 * slack;
        let is_clean = self.corpus.clips[other].is_clean.get(from..to)?;
        let overlaps = other == clip && from < frames.end && frames.start < to;
        if overlaps || !is_clean.iter().all(|c| *c) {
            return None;
        }
        let window = self.features[clip].columns(frames.start, frames.len());
        let stretch = self.features[other].columns(from, to - from);
        let (warp, distance) = warp(&window.into_owned(), &stretch.into_owned());
        let moments = smooth_warp(&warp, (to - from - 1) as f64);
        let whole = |m: &f64| ((m + from as f64) * MOMENT_STEPS).round() / MOMENT_STEPS;
        let pass = Pass {
            clip: other,
            moments: moments.iter().map(whole).collect(),
        };
        Some((distance, pass))
    }
}

/// For each frame of the window the frame of the stretch that goes with it, and the mean squared distance: steps of
/// 0, 1 or 2 frames, free at both ends.
fn warp(window: &DMatrix<f64>, stretch: &DMatrix<f64>) -> (Vec<usize>, f64) {
    let (n, m) = (window.ncols(), stretch.ncols());
    let cost = |i: usize, j: usize| (window.column(i) - stretch.column(j)).norm_squared();
    let mut best: Vec<f64> = (0..m).map(|j| cost(0, j)).collect();
    let mut steps = vec![0_u8; n * m];
    for i in 1..n {
        let mut next = vec![f64::INFINITY; m];
        for j in 0..m {
            for step in 0..=2.min(j) {
                let total = best[j - step] + if step == 1 { 0.0 } else { OFF_PACE };
                if total < next[j] {
                    next[j] = total;
                    steps[i * m + j] = step as u8;
                }
            }
            next[j] += cost(i, j);
        }
        best = next;
    }
    let mut at = (0..m)
        .min_by(|&a, &b| best[a].total_cmp(&best[b]))
        .unwrap_or_default();
    let total = best[at];
    let mut frames = vec![at; n];
    for i in (1..n).rev() {
        at -= usize::from(steps[i * m + at]);
        frames[i - 1] = at;
    }
    (frames, total / n as f64)
}

/// A warp without corners: steps of whole frames would make the other take jerk.
fn smooth_warp(frames: &[usize], last: f64) -> Vec<f64> {
    const DEVIATION: f64 = 3.0;
    let n = frames.len();
    let middle = (n as f64 - 1.0) / 2.0;
    let mean = frames.iter().sum::<usize>() as f64 / n as f64;
    let (mut across, mut along) = (0.0, 0.0);
    for (i, &f) in frames.iter().enumerate() {
        across += (i as f64 - middle) * (f as f64 - mean);
        along += (i as f64 - middle).powi(2);
    }
    let pace = if along > 0.0 { across / along } else { 1.0 };
    let line = |i: usize| mean + pace * (i as f64 - middle);
    let off = DMatrix::from_fn(1, n, |_, i| frames[i] as f64 - line(i));
    let off = crate::numerics::smoothing::gaussian(&off, DEVIATION);
    (0..n)
        .map(|i| (line(i) + off[i]).clamp(0.0, last))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_at_another_pace_is_brought_into_step() {
        let curve = |t: f64| DVector::from_vec(vec![(0.3 * t).sin() * 5.0, (0.3 * t).cos() * 5.0]);
        let window =
            DMatrix::from_columns(&(0..30).map(|i| curve(f64::from(i))).collect::<Vec<_>>());
        let slower = (0..45).map(|i| curve(f64::from(i) / 1.25 - 3.0));
        let stretch = DMatrix::from_columns(&slower.collect::<Vec<_>>());
        let (frames, distance) = warp(&window, &stretch);
        let moments = smooth_warp(&frames, 44.0);
        assert!(distance < 0.2, "{distance}");
        for (i, moment) in moments.iter().enumerate() {
            let truth = (i as f64 + 3.0) * 1.25;
            assert!((moment - truth).abs() < 0.8, "{i}: {moment} for {truth}");
        }
    }
}
