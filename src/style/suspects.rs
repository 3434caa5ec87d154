//! Joints that look wrong: what a style proposes when an animator asks where a take is broken.
//!
//! Each joint is judged by how it is turned, given how all other joints are turned: with the style's Gaussian that is a
//! conditional distribution, and its squared distance in standard deviations is the joint's score. A wrong joint makes its
//! neighbours look wrong too, so the worst one is set aside, the others are judged without it, and so on until the rest
//! fits together.
//!
//! What counts as too far is learned from the style's own kept poses, joint by joint: motions are not Gaussian.
//! Left out: where the body is in the world, and coordinates that never moved in the training poses.

use std::ops::Range;

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::features::BlockKind;
use super::{Style, StyleError};
use crate::jobs::Ticket;
use crate::motion::{Clip, PoseRef};
use crate::style::error::check_fits;

/// A joint that is turned as the style has never seen it, over some frames.
#[derive(Debug, Clone, PartialEq)]
pub struct Suspect {
    /// Which joint is turned oddly: its children are out of place.
    pub joint: usize,
    /// The frames in question, margins included.
    pub frames: Range<usize>,
    /// The largest score of these frames over the joint's limit; over one.
    pub times_over: f64,
}

/// Squared deviations below this never count: three coordinates exceed it once in a million frames.
const LEAST_LIMIT: f64 = 31.0;
/// How much farther than nearly all kept poses a joint has to be, in squares: twice as far.
const BEYOND: f64 = 4.0;
/// "Nearly all": robust against a few kept poses that are broken themselves.
const NEARLY_ALL: f64 = 0.95;
/// Runs of a joint that are closer together than this are one.
const CLOSE_SECS: f64 = 0.15;
/// Before and after a joint is caught it is usually wrong already, only less.
const MARGIN_SECS: f64 = 0.05;

impl Style {
    /// The joints of a clip that look wrong, and when, by rising first frame.
    pub fn suspects(&self, clip: &Clip, ticket: &Ticket) -> Result<Vec<Suspect>, StyleError> {
        let up = self.map().parts().heading.up;
        check_fits(self.skeleton(), "the style", up, clip)?;
        let judge = Judge::new(self);
        let frames: Vec<PoseRef<'_>> = clip.frames().collect();
        let n = frames.len();
        let found: Result<Vec<Vec<(usize, f64)>>, StyleError> = (0..n)
            .into_par_iter()
            .map(|f| {
                if f % 16 == 0 {
                    ticket.step(f as f64 / n as f64)?;
                }
                Ok(judge.odd_joints(frames[f]))
            })
            .collect();
        let mut by_joint: Vec<Vec<(usize, f64)>> = vec![Vec::new(); clip.skeleton().n_joints()];
        for (frame, odd) in found?.into_iter().enumerate() {
            for (joint, times_over) in odd {
                by_joint[joint].push((frame, times_over));
            }
        }
        let each = by_joint.iter().enumerate();
        let mut all: Vec<Suspect> = each
            .flat_map(|(joint, odd)| runs(joint, odd, clip.fps(), n))
            .collect();
        all.sort_by_key(|suspect| (suspect.frames.start, suspect.joint));
        Ok(all)
    }
}

/// Frames of one joint, gathered into stretches.
fn runs(joint: usize, odd: &[(usize, f64)], fps: f64, n_frames: usize) -> Vec<Suspect> {
    let close = (CLOSE_SECS * fps).ceil() as usize;
    let margin = (MARGIN_SECS * fps).ceil() as usize;
    let mut runs: Vec<Suspect> = Vec::new();
    for &(frame, times_over) in odd {
        match runs.last_mut() {
            Some(last) if frame <= last.frames.end + close => {
                last.frames.end = frame + 1;
                last.times_over = last.times_over.max(times_over);
            }
            _ => runs.push(Suspect {
                joint,
                frames: frame..frame + 1,
                times_over,
            }),
        }
    }
    for run in &mut runs {
        run.frames.start = run.frames.start.saturating_sub(margin);
        run.frames.end = (run.frames.end + margin).min(n_frames);
    }
    runs
}

/// The style's Gaussian, by joints.
struct Judge<'a> {
    style: &'a Style,
    /// The features of each joint that is judged; the others have none.
    features: Vec<Vec<usize>>,
    /// Per joint; infinite for those that are not judged.
    limits: Vec<f64>,
}

impl<'a> Judge<'a> {
    fn new(style: &'a Style) -> Self {
        let map = style.map();
        let features = map.blocks().iter().enumerate().map(|(joint, block)| {
            let own = map.feature_of(joint).into_iter().flatten();
            // A body that leans oddly is no joint that could be rebuilt from the others.
            match block.kind {
                BlockKind::Turn => own.collect(),
                BlockKind::Up | BlockKind::Fixed => Vec::new(),
            }
        });
        let mut judge = Self {
            style,
            features: features.collect(),
            limits: Vec::new(),
        };
        let scores: Vec<Vec<f64>> = style
            .active()
            .par_iter()
            .map(|pose| {
                let (precision, pull) = judge.opened(pose.as_ref());
                let joints = judge.features.iter();
                joints
                    .map(|own| score(&precision, &pull, own).unwrap_or(0.0))
                    .collect()
            })
            .collect();
        judge.limits = (0..judge.features.len())
            .map(|joint| {
                let mut own: Vec<f64> = scores.iter().map(|s| s[joint]).collect();
                own.sort_by(f64::total_cmp);
                let at = (NEARLY_ALL * (own.len() - 1) as f64).round() as usize;
                LEAST_LIMIT.max(BEYOND * own[at])
            })
            .collect();
        judge
    }

    /// The precision of all features, and the precision times how far each is from the mean.
    fn opened(&self, pose: PoseRef<'_>) -> (DMatrix<f64>, DVector<f64>) {
        let gaussian = self.style.gaussian();
        let mut features = vec![0.0; gaussian.n_features()];
        self.style.map().encode(pose, &mut features);
        let off = features.iter().zip(gaussian.mean()).map(|(y, m)| y - m);
        let off = DVector::from_iterator(features.len(), off);
        let precision = gaussian.precision().clone();
        let pull = &precision * off;
        (precision, pull)
    }

    /// The joints of a pose that are over their limits, worst first, each judged without those before it.
    fn odd_joints(&self, pose: PoseRef<'_>) -> Vec<(usize, f64)> {
        let (mut precision, mut pull) = self.opened(pose);
        let mut odd: Vec<(usize, f64)> = Vec::new();
        let mut is_in = vec![true; self.features.len()];
        // With most joints set aside there is nothing left to judge by.
        while odd.len() < self.features.len() / 2 {
            let judged = (0..self.features.len()).filter(|&joint| is_in[joint]);
            let worst = judged
                .filter_map(|joint| {
                    let score = score(&precision, &pull, &self.features[joint])?;
                    Some((joint, score / self.limits[joint]))
                })
                .max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((joint, times_over)) = worst.filter(|(_, times)| *times > 1.0) else {
                break;
            };
            odd.push((joint, times_over));
            is_in[joint] = false;
            if !set_aside(&mut precision, &mut pull, &self.features[joint]) {
                break;
            }
        }
        odd
    }
}

/// Squared deviations of some features, given all others: with the precision `L` of all and `p = L (y - mean)`, the
/// conditional is `p_B^T L_BB^-1 p_B`.
fn score(precision: &DMatrix<f64>, pull: &DVector<f64>, own: &[usize]) -> Option<f64> {
    if own.is_empty() {
        return None;
    }
    let block = DMatrix::from_fn(own.len(), own.len(), |i, j| precision[(own[i], own[j])]);
    let pull = DVector::from_fn(own.len(), |i, _| pull[own[i]]);
    let solved = block.cholesky()?.solve(&pull);
    Some(pull.dot(&solved))
}

/// What the others say when these features are not known: the Schur complement. Rows of what was set aside stay behind
/// as zeros. Whether that worked.
fn set_aside(precision: &mut DMatrix<f64>, pull: &mut DVector<f64>, own: &[usize]) -> bool {
    let n = pull.len();
    let block = DMatrix::from_fn(own.len(), own.len(), |i, j| precision[(own[i], own[j])]);
    let Some(factor) = block.cholesky() else {
        return false;
    };
    let across = DMatrix::from_fn(own.len(), n, |i, j| precision[(own[i], j)]);
    let own_pull = DVector::from_fn(own.len(), |i, _| pull[own[i]]);
    let solved_pull = factor.solve(&own_pull);
    let solved = factor.solve(&across);
    *precision -= across.tr_mul(&solved);
    *pull -= across.tr_mul(&solved_pull);
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
        let mut pull = DVector::from_element(n, 1.0);
        let off = &covariance * &pull;
        assert!(set_aside(&mut precision, &mut pull, &[2, 3]), "solved");
        let rest: Vec<usize> = (0..n).filter(|i| ![2, 3].contains(i)).collect();
        let marginal = DMatrix::from_fn(rest.len(), rest.len(), |i, j| {
            covariance[(rest[i], rest[j])]
        });
        let wanted = marginal.cholesky().unwrap();
        let rest_off = DVector::from_fn(rest.len(), |i, _| off[rest[i]]);
        let wanted = wanted.solve(&rest_off);
        for (i, &feature) in rest.iter().enumerate() {
            let error = (pull[feature] - wanted[i]).abs();
            assert!(error < 1e-6 * wanted.amax(), "{feature}: {error}");
        }
    }
}
