//! The poses of the clips as rows of features.

use rayon::prelude::*;

use crate::motion::{Clip, Pose};
use crate::style::features::{FeatureMap, STILL_DEVIATION_RAD};
use crate::style::gaussian::column_means;

/// All frames of the clips, one after another.
#[derive(Debug)]
pub(super) struct Training<'a> {
    clips: &'a [&'a Clip],
    /// One row of features per frame.
    pub(super) rows: Vec<f64>,
    pub(super) n_features: usize,
}

impl<'a> Training<'a> {
    pub(super) fn of(map: &FeatureMap, clips: &'a [&'a Clip]) -> Self {
        let n_features = map.n_features();
        let each: Vec<Vec<f64>> = clips.par_iter().map(|clip| encode(map, clip)).collect();
        Self {
            clips,
            rows: each.concat(),
            n_features,
        }
    }

    pub(super) fn n(&self) -> usize {
        self.rows.len() / self.n_features
    }

    /// The rows of these frames.
    pub(super) fn select(&self, frames: &[usize]) -> Vec<f64> {
        let d = self.n_features;
        let rows = frames.iter().map(|&f| &self.rows[f * d..][..d]);
        rows.flatten().copied().collect()
    }

    /// Every feature in its own standard deviations, so that fingers count as much as hips.
    pub(super) fn standardised(&self) -> Vec<f64> {
        standardised(&self.rows, self.n_features)
    }

    /// The pose of one frame.
    pub(super) fn pose(&self, frame: usize) -> Pose {
        let mut left = frame;
        for clip in self.clips {
            if left < clip.n_frames() {
                return clip.frame(left).to_pose();
            }
            left -= clip.n_frames();
        }
        unreachable!("frames are those of the clips");
    }
}

/// The features of every frame of a clip, row by row.
pub fn encode(map: &FeatureMap, clip: &Clip) -> Vec<f64> {
    let d = map.n_features();
    let mut rows = vec![0.0; clip.n_frames() * d];
    for (pose, row) in clip.frames().zip(rows.chunks_exact_mut(d)) {
        map.encode(pose, row);
    }
    rows
}

/// Columns with mean zero and standard deviation one; those that hardly move are not blown up.
pub(super) fn standardised(rows: &[f64], width: usize) -> Vec<f64> {
    let means = column_means(rows, width);
    let n = (rows.len() / width) as f64;
    let mut variances = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        for ((v, y), m) in variances.iter_mut().zip(row).zip(&means) {
            *v += (y - m) * (y - m) / n;
        }
    }
    let scales: Vec<f64> = variances
        .iter()
        .map(|v| 1.0 / v.sqrt().max(STILL_DEVIATION_RAD))
        .collect();
    let mut out = rows.to_vec();
    for row in out.chunks_exact_mut(width) {
        for ((y, m), s) in row.iter_mut().zip(&means).zip(&scales) {
            *y = (*y - m) * s;
        }
    }
    out
}
