//! Outlier joints: where a style finds a clip broken.
//!
//! Each joint's rotation is tested given those of all other joints: with the style's Gaussian that is a conditional
//! distribution, and the squared Mahalanobis distance is the joint's score. A wrong joint raises the scores of its
//! neighbours, too, so the worst one is marginalised, the others are tested without it, and so on until none is over
//! its limit.
//!
//! Limits are learned from the style's own kept poses, joint by joint: motions are not Gaussian.
//! Left out: where the body is in the world, and coordinates that never moved in the training poses.

use std::ops::Range;

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::features::BlockKind;
use super::{Style, StyleError};
use crate::jobs::Ticket;
use crate::motion::{Clip, PoseRef};
use crate::numerics::quantile::quantile;
use crate::style::error::check_fits;

/// A joint whose rotation is an outlier over some frames.
#[derive(Debug, Clone, PartialEq)]
pub struct JointOutlier {
    /// The joint whose rotation is wrong: its children are misplaced.
    pub joint: usize,
    /// The frames in question, margins included.
    pub frames: Range<usize>,
    /// The largest score of these frames over the joint's limit; over one.
    pub limit_ratio: f64,
}

/// Squared deviations below this never count: three coordinates exceed it once in a million frames.
const MIN_LIMIT: f64 = 31.0;
/// A joint's limit over the quantile of its scores in kept poses; 4 in squares is twice as far.
const LIMIT_FACTOR: f64 = 4.0;
/// This quantile, so that a few kept poses may be broken themselves.
const LIMIT_QUANTILE: f64 = 0.95;
/// Ranges of a joint that are closer together than this are merged.
const MERGE_SECS: f64 = 0.15;
/// Added before and after a range: a joint is usually wrong there already, only less.
const MARGIN_SECS: f64 = 0.05;

impl Style {
    /// The joints of a clip whose rotations are outliers, by rising first frame.
    pub fn outliers(&self, clip: &Clip, ticket: &Ticket) -> Result<Vec<JointOutlier>, StyleError> {
        let up = self.map().parts().heading.up;
        check_fits(self.skeleton(), "the style", up, clip)?;
        let test = OutlierTest::new(self);
        let frames: Vec<PoseRef<'_>> = clip.frames().collect();
        let n = frames.len();
        let found: Result<Vec<Vec<(usize, f64)>>, StyleError> = (0..n)
            .into_par_iter()
            .map(|f| {
                if f % 16 == 0 {
                    ticket.step(f as f64 / n as f64)?;
                }
                Ok(test.outlier_joints(frames[f]))
            })
            .collect();
        let mut by_joint: Vec<Vec<(usize, f64)>> = vec![Vec::new(); clip.skeleton().n_joints()];
        for (frame, odd) in found?.into_iter().enumerate() {
            for (joint, limit_ratio) in odd {
                by_joint[joint].push((frame, limit_ratio));
            }
        }
        let each = by_joint.iter().enumerate();
        let mut all: Vec<JointOutlier> = each
            .flat_map(|(joint, odd)| runs(joint, odd, clip.fps(), n))
            .collect();
        all.sort_by_key(|suspect| (suspect.frames.start, suspect.joint));
        Ok(all)
    }
}

/// Frames of one joint, gathered into stretches.
fn runs(joint: usize, odd: &[(usize, f64)], fps: f64, n_frames: usize) -> Vec<JointOutlier> {
    let close = (MERGE_SECS * fps).ceil() as usize;
    let margin = (MARGIN_SECS * fps).ceil() as usize;
    let mut runs: Vec<JointOutlier> = Vec::new();
    for &(frame, limit_ratio) in odd {
        match runs.last_mut() {
            Some(last) if frame <= last.frames.end + close => {
                last.frames.end = frame + 1;
                last.limit_ratio = last.limit_ratio.max(limit_ratio);
            }
            _ => runs.push(JointOutlier {
                joint,
                frames: frame..frame + 1,
                limit_ratio,
            }),
        }
    }
    for run in &mut runs {
        run.frames.start = run.frames.start.saturating_sub(margin);
        run.frames.end = (run.frames.end + margin).min(n_frames);
    }
    runs
}

/// The test of single joints with the style's Gaussian.
struct OutlierTest<'a> {
    style: &'a Style,
    /// The features of each joint that is tested; the others have none.
    features: Vec<Vec<usize>>,
    /// Per joint; unused for those that are not tested.
    limits: Vec<f64>,
}

impl<'a> OutlierTest<'a> {
    fn new(style: &'a Style) -> Self {
        let map = style.map();
        let features = map.blocks().iter().enumerate().map(|(joint, block)| {
            let own = map.feature_of(joint).into_iter().flatten();
            // The body's lean is not a joint that could be rebuilt from the others.
            match block.kind {
                BlockKind::Turn => own.collect(),
                BlockKind::Up | BlockKind::Fixed => Vec::new(),
            }
        });
        let mut test = Self {
            style,
            features: features.collect(),
            limits: Vec::new(),
        };
        let scores: Vec<Vec<f64>> = style
            .active()
            .par_iter()
            .map(|pose| {
                let (precision, gradient) = test.precision_and_gradient(pose.as_ref());
                let joints = test.features.iter();
                joints
                    .map(|own| conditional_score(&precision, &gradient, own).unwrap_or(0.0))
                    .collect()
            })
            .collect();
        test.limits = (0..test.features.len())
            .map(|joint| {
                let mut own: Vec<f64> = scores.iter().map(|s| s[joint]).collect();
                let nearly_all = quantile(&mut own, LIMIT_QUANTILE).unwrap_or(0.0);
                MIN_LIMIT.max(LIMIT_FACTOR * nearly_all)
            })
            .collect();
        test
    }

    /// The precision of all features, and the precision times how far each is from the mean.
    fn precision_and_gradient(&self, pose: PoseRef<'_>) -> (DMatrix<f64>, DVector<f64>) {
        let gaussian = self.style.gaussian();
        let mut features = vec![0.0; gaussian.n_features()];
        self.style.map().encode(pose, &mut features);
        let off = features.iter().zip(gaussian.mean()).map(|(y, m)| y - m);
        let off = DVector::from_iterator(features.len(), off);
        let precision = gaussian.precision().clone();
        let gradient = &precision * off;
        (precision, gradient)
    }

    /// The joints of a pose that are over their limits, worst first, each judged without those before it.
    fn outlier_joints(&self, pose: PoseRef<'_>) -> Vec<(usize, f64)> {
        let (mut precision, mut gradient) = self.precision_and_gradient(pose);
        let mut odd: Vec<(usize, f64)> = Vec::new();
        let mut is_in = vec![true; self.features.len()];
        // With most joints set aside there is nothing left to test by.
        while odd.len() < self.features.len() / 2 {
            let judged = (0..self.features.len()).filter(|&joint| is_in[joint]);
            let worst = judged
                .filter_map(|joint| {
                    let score = conditional_score(&precision, &gradient, &self.features[joint])?;
                    Some((joint, score / self.limits[joint]))
                })
                .max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((joint, limit_ratio)) = worst.filter(|(_, times)| *times > 1.0) else {
                break;
            };
            odd.push((joint, limit_ratio));
            is_in[joint] = false;
            if !marginalise(&mut precision, &mut gradient, &self.features[joint]) {
                break;
            }
        }
        odd
    }
}

/// Squared deviations of some features, given all others: with the precision `L` of all and `p = L (y - mean)`, the
/// conditional is `p_B^T L_BB^-1 p_B`.
fn conditional_score(
    precision: &DMatrix<f64>,
    gradient: &DVector<f64>,
    own: &[usize],
) -> Option<f64> {
    if own.is_empty() {
        return None;
    }
    let block = DMatrix::from_fn(own.len(), own.len(), |i, j| precision[(own[i], own[j])]);
    let gradient = DVector::from_fn(own.len(), |i, _| gradient[own[i]]);
    let solved = block.cholesky()?.solve(&gradient);
    Some(gradient.dot(&solved))
}

/// Marginalises these features by the Schur complement; their rows remain as zeros. False if the block is singular.
fn marginalise(precision: &mut DMatrix<f64>, gradient: &mut DVector<f64>, own: &[usize]) -> bool {
    let n = gradient.len();
    let block = DMatrix::from_fn(own.len(), own.len(), |i, j| precision[(own[i], own[j])]);
    let Some(factor) = block.cholesky() else {
        return false;
    };
    let across = DMatrix::from_fn(own.len(), n, |i, j| precision[(own[i], j)]);
    let own_gradient = DVector::from_fn(own.len(), |i, _| gradient[own[i]]);
    let solved_gradient = factor.solve(&own_gradient);
    let solved = factor.solve(&across);
    *precision -= across.tr_mul(&solved);
    *gradient -= across.tr_mul(&solved_gradient);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::random::Stream;

    #[test]
    fn setting_a_block_aside_is_the_marginal() {
        let n = 8;
        let mut stream = Stream::named(3, &[]);
        let factor = DMatrix::from_fn(n, n, |_, _| stream.normal());
        let covariance = &factor * factor.transpose() + DMatrix::identity(n, n);
        let mut precision = covariance.clone().try_inverse().unwrap();
        let mut gradient = DVector::from_element(n, 1.0);
        let off = &covariance * &gradient;
        assert!(
            marginalise(&mut precision, &mut gradient, &[2, 3]),
            "solved"
        );
        let rest: Vec<usize> = (0..n).filter(|i| ![2, 3].contains(i)).collect();
        let marginal = DMatrix::from_fn(rest.len(), rest.len(), |i, j| {
            covariance[(rest[i], rest[j])]
        });
        let wanted = marginal.cholesky().unwrap();
        let rest_off = DVector::from_fn(rest.len(), |i, _| off[rest[i]]);
        let wanted = wanted.solve(&rest_off);
        for (i, &feature) in rest.iter().enumerate() {
            let error = (gradient[feature] - wanted[i]).abs();
            assert!(error < 1e-6 * wanted.amax(), "{feature}: {error}");
        }
    }
}
