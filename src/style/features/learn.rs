//! Statistics of the features of a set of clips: means, principal axes, which coordinates move, and how far.

use std::sync::Arc;

use nalgebra::Matrix3;

use super::chain;
use super::{Block, BlockKind, FeatureMap, FeatureParts};
use crate::motion::joint_chart::{JointChart, PrincipalAxes, covariance};
use crate::motion::{Clip, HeadingFrame, Quat, Skeleton, Vec3};
use crate::style::StyleError;
use crate::style::error::check_clips;

/// A coordinate that moves less than this is held by a spring instead of being a feature.
///
/// Below it lies the rounding of
/// files with four decimals of a degree, and scales of such features grow without bound.
pub const STILL_DEVIATION_RAD: f64 = 0.005;

impl FeatureMap {
    /// Learns from clips on one skeleton, with the same up. For styles that are to be blended, give the clips of all.
    pub fn learn(clips: &[&Clip]) -> Result<Self, StyleError> {
        check_clips(clips)?;
        let skeleton = Arc::clone(clips[0].skeleton());
        let heading = HeadingFrame::learn(clips);
        let blocks = blocks(clips, &skeleton, &heading);
        if blocks.iter().all(|block| block.is_live == [false; 3]) {
            return Err(StyleError::NothingMoves);
        }
        let translations = mean_translations(clips, &heading);
        let parts = FeatureParts {
            heading,
            blocks,
            translations,
        };
        Self::from_parts(skeleton, parts)
    }
}

fn blocks(clips: &[&Clip], skeleton: &Skeleton, heading: &HeadingFrame) -> Vec<Block> {
    let chain = chain::from_root(skeleton, heading.root);
    let above = &chain[..chain.len() - 1];
    let n = skeleton.n_joints();
    (0..n)
        .map(|joint| {
            let every = || {
                let rotations = clips.iter().map(|clip| clip.motion().rotations.iter());
                rotations.flat_map(move |all| all.skip(joint).step_by(n))
            };
            if above.contains(&joint) {
                return still_block(*every().next().unwrap_or(&Quat::identity()));
            }
            if joint == heading.root {
                let frames = clips.iter().flat_map(|clip| clip.frames());
                let up = heading.up.vector();
                let raw: Vec<Vec3> = frames
                    .map(|pose| chain::world_from(&chain, pose.rotations).inverse() * up)
                    .collect();
                // Where a decoded body starts from: its usual hold, on joints that never move.
                let parent = chain::world_from(above, clips[0].frame(0).rotations);
                return block(BlockKind::Up, parent.inverse() * heading.upright, &raw);
            }
            let chart = JointChart::about_mean(every());
            let raw: Vec<Vec3> = every().map(|q| chart.vector(q)).collect();
            let mut block = block(BlockKind::Turn, chart.mean, &raw);
            if flips(clips, joint) {
                block.is_live = [false; 3];
            }
            block
        })
        .collect()
}

/// Whether a joint was not captured: it jumps by more than a quarter turn from one frame to the next, faster than any
/// limb, and does so again and again. A glitch in a frame or two is no reason to forget a joint.
fn flips(clips: &[&Clip], joint: usize) -> bool {
    const JUMP_RAD: f64 = std::f64::consts::FRAC_PI_2;
    const FASTEST_RAD_PER_SEC: f64 = 40.0;
    const LEAST_JUMPS: usize = 4;
    const LEAST_SHARE: f64 = 0.005;
    let mut n_jumps = 0;
    let mut n_steps = 0;
    for clip in clips {
        let n = clip.skeleton().n_joints();
        let rotations = &clip.motion().rotations;
        let each = rotations.iter().skip(joint).step_by(n);
        let next = rotations.iter().skip(joint + n).step_by(n);
        let least = JUMP_RAD.max(FASTEST_RAD_PER_SEC / clip.fps());
        n_jumps += each
            .zip(next)
            .filter(|(a, b)| a.angle_to(b) > least)
            .count();
        n_steps += clip.n_frames() - 1;
    }
    n_jumps >= LEAST_JUMPS && n_jumps as f64 > LEAST_SHARE * n_steps as f64
}

fn still_block(mean: Quat) -> Block {
    Block {
        kind: BlockKind::Fixed,
        chart: JointChart {
            mean,
            axes: Matrix3::identity(),
        },
        centre: Vec3::zeros(),
        is_live: [false; 3],
        low: Vec3::zeros(),
        high: Vec3::zeros(),
    }
}

/// Centre, axes and reach of one joint's raw vectors.
fn block(kind: BlockKind, mean: Quat, raw: &[Vec3]) -> Block {
    let (centre, scatter) = covariance(raw.iter().copied());
    let PrincipalAxes { axes, variances } = PrincipalAxes::of(&scatter);
    let chart = JointChart { mean, axes };
    let mut low = Vec3::zeros();
    let mut high = Vec3::zeros();
    for v in raw {
        let coordinates = chart.coordinates(&(v - centre));
        low = low.inf(&coordinates);
        high = high.sup(&coordinates);
    }
    Block {
        kind,
        chart,
        centre,
        is_live: variances.map(|v| v >= STILL_DEVIATION_RAD * STILL_DEVIATION_RAD),
        low,
        high,
    }
}

/// The mean place of every joint that translates; the body stands over the origin, at its mean height.
fn mean_translations(clips: &[&Clip], heading: &HeadingFrame) -> Vec<Vec3> {
    let skeleton = clips[0].skeleton();
    let slots = skeleton.translating().len();
    let n: usize = clips.iter().map(|clip| clip.n_frames()).sum();
    let mut means = vec![Vec3::zeros(); slots];
    for clip in clips {
        for (at, t) in clip.motion().translations.iter().enumerate() {
            // Divided first: sums of the largest numbers would overflow.
            means[at % slots] += t / n as f64;
        }
    }
    let up = heading.up.vector();
    means[0] = up * means[0].dot(&up);
    means
}
