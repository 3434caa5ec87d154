//! How alike the moments of a clip are: the distances behind periods and cuts.

use std::ops::Range;

use rayon::prelude::*;

use super::{CycleError, CycleSettings};
use crate::numerics::rows::{Rows, squared_distance};

/// How far a velocity is looked ahead when it is weighed against a pose: a gap of 1 m/s counts as much as 10 cm.
const VELOCITY_SECS: f64 = 0.1;
/// A period brings the body back so near to where it was: 0 is the same pose, 1 as different as any two moments. Cycles
/// of uneven length keep the mean over a whole take high (hops reach 0.5 to 0.7),
const CLEAR_RETURN: f64 = 0.8;
/// so it also counts how much nearer than in between.
const CLEAR_DIP: f64 = 0.6;
/// A clip that is one cycle as a whole has no dip; its end must be so near to its beginning.
const WHOLE_RETURN: f64 = 0.2;

/// Poses and velocities side by side, so that one distance weighs both.
pub(super) struct States {
    pub(super) rows: Rows,
    /// Frames of the window either way.
    reach: usize,
}

impl States {
    pub(super) fn of(poses: &Rows, fps: f64, window_secs: f64) -> Self {
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

    pub(super) fn every(&self, stride: usize) -> Self {
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
    pub(super) fn typical_squared(&self) -> f64 {
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

    /// One value of [`Self::seams`] without computing the others.
    pub(super) fn seam(&self, from: usize, length: usize) -> f64 {
        let n = self.rows.len().saturating_sub(length);
        let window = from.saturating_sub(self.reach)..(from + self.reach + 1).min(n);
        let count = window.len().max(1) as f64;
        window.map(|i| self.squared(i, i + length)).sum::<f64>() / count
    }

    /// The best cut within `reach` frames of this one at either end.
    pub(super) fn sharpened(&self, near: Range<usize>, reach: usize) -> (usize, usize, f64) {
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
pub(super) fn period(
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
pub(super) fn best_lengths(states: &States, lengths: &Range<usize>) -> Vec<Option<(f64, usize)>> {
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
