//! The whole body follows where a limb is too short: by as much as is missing, earlier and later than it is, so that
//! nobody sees a jolt.

use super::plan::LimbPlan;
use crate::motion::{Clip, Vec3, body};
use crate::numerics::smoothing::triweight;

/// Rounds of finding what is missing and smoothing it. Each leaves a small part of the last; limbs that pull apart
/// never agree, and their misses are reported.
const ROUNDS: usize = 12;
/// A limb that misses by less than this share of the body's height counts as reaching.
const NEAR_ENOUGH: f64 = 1e-6;
/// The body follows over no more frames than this to each side: a file can claim any frame rate, and time and memory go
/// with it.
const MOST_FRAMES: usize = 1000;

/// How the body has to move in the world, one entry per frame; empty if it can stay.
pub(super) fn follow(plans: &[LimbPlan], clip: &Clip, ease_secs: f64) -> Vec<Vec3> {
    let n = clip.n_frames();
    let reach = ((ease_secs * clip.fps()).ceil() as usize).clamp(1, MOST_FRAMES);
    let near_enough = NEAR_ENOUGH * body::height(clip);
    let mut shifts = vec![Vec3::zeros(); n];
    let mut is_needed = false;
    for _ in 0..ROUNDS {
        let missing: Vec<Vec3> = (0..n).map(|f| missing(plans, f, &shifts[f])).collect();
        if missing.iter().all(|m| m.norm() <= near_enough) {
            break;
        }
        is_needed = true;
        let smooth = smoothed(&widest(&missing, reach), reach);
        for (shift, more) in shifts.iter_mut().zip(smooth) {
            *shift += more;
        }
    }
    if is_needed { shifts } else { Vec::new() }
}

/// What is missing at a frame for all limbs to reach, when the body is already moved by `shift`: the nearest move,
/// found by going to each limb's reach in turn.
fn missing(plans: &[LimbPlan], frame: usize, shift: &Vec3) -> Vec3 {
    const TURNS: usize = 8;
    let mut at = *shift;
    for _ in 0..TURNS {
        let mut is_reached = true;
        for plan in plans {
            let to_target = plan.targets[frame] - plan.uppers[frame] - at;
            let over = to_target.norm() - plan.limits[frame];
            if over > 0.0 {
                at += to_target.normalize() * over;
                is_reached = false;
            }
        }
        if is_reached {
            break;
        }
    }
    at - shift
}

/// At each frame the longest of the vectors within `reach` frames: smoothed over the same time it still covers them.
fn widest(vectors: &[Vec3], reach: usize) -> Vec<Vec3> {
    let n = vectors.len();
    let lengths: Vec<f64> = vectors.iter().map(Vec3::norm_squared).collect();
    // Indices of candidates, longest first: the usual queue of a sliding maximum.
    let mut queue = std::collections::VecDeque::new();
    let mut next = 0;
    (0..n)
        .map(|frame| {
            while next < (frame + reach + 1).min(n) {
                while queue
                    .back()
                    .is_some_and(|&b: &usize| lengths[b] <= lengths[next])
                {
                    queue.pop_back();
                }
                queue.push_back(next);
                next += 1;
            }
            while queue.front().is_some_and(|&f| f + reach < frame) {
                queue.pop_front();
            }
            queue.front().map_or_else(Vec3::zeros, |&f| vectors[f])
        })
        .collect()
}

/// Weighted mean over `reach` frames to both sides; the weights go to zero with two derivatives.
fn smoothed(vectors: &[Vec3], reach: usize) -> Vec<Vec3> {
    let n = vectors.len();
    let weights: Vec<f64> = (0..=2 * reach)
        .map(|i| {
            let u = (i as f64 - reach as f64) / (reach as f64 + 1.0);
            triweight(u)
        })
        .collect();
    let total: f64 = weights.iter().sum();
    (0..n)
        .map(|frame| {
            let mut sum = Vec3::zeros();
            for (i, weight) in weights.iter().enumerate() {
                // Before the first and after the last frame the clip holds still.
                let at = (frame + i).saturating_sub(reach).min(n - 1);
                sum += vectors[at] * *weight;
            }
            sum / total
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_is_found_in_every_window() {
        let lengths: Vec<f64> = (0..97).map(|i| f64::from((i * 37) % 19)).collect();
        let vectors: Vec<Vec3> = lengths.iter().map(|l| Vec3::y() * *l).collect();
        for reach in [1, 4, 30, 200] {
            for (frame, v) in widest(&vectors, reach).iter().enumerate() {
                let window = frame.saturating_sub(reach)..(frame + reach + 1).min(97);
                let most = lengths[window].iter().copied().fold(0.0, f64::max);
                assert_eq!(v.y, most, "frame {frame}, reach {reach}");
            }
        }
    }

    #[test]
    fn smoothing_the_widest_covers_what_was_asked() {
        let mut asked = vec![Vec3::zeros(); 100];
        asked[40] = Vec3::y() * -2.0;
        asked[41] = Vec3::y() * -3.0;
        let covered = smoothed(&widest(&asked, 12), 12);
        for (a, c) in asked.iter().zip(&covered) {
            assert!(c.y <= a.y + 1e-12, "{} does not cover {}", c.y, a.y);
        }
        let jerk = |w: &[Vec3]| (w[3] - w[2] * 3.0 + w[1] * 3.0 - w[0]).norm();
        let most = covered.windows(4).map(jerk).fold(0.0, f64::max);
        assert!(most < 0.06, "smooth: {most}");
        assert!(smoothed(&[Vec3::x()], 5)[0].x > 0.999, "one frame alone");
    }
}
