//! How long a gait cycle is: two steps, after which the same foot is in front again.
//!
//! How far the one foot is ahead of the other, and how far above it, are waves with the period of the cycle (the
//! height of the hips has half of it): the first is clean in straight walks, the second in turns and in place. Their
//! common autocorrelation peaks there. A motion may go from sneaking to running, so it is looked at in windows of
//! some seconds; windows without a clear peak take the cycle of their neighbours.

use super::Vec2;
use crate::motion::heading::forward;
use crate::motion::{Body, Clip, RootTrack, WorldPose, body, heading};

/// A cycle of a walk, for what has none of its own.
const USUAL_SECS: f64 = 1.1;
/// Sprints and the slowest sneaking.
const RANGE_SECS: (f64, f64) = (0.4, 2.6);
/// How much is looked at at once, and how far it is to the next look.
const WINDOW_SECS: f64 = 5.0;
const HOP_SECS: f64 = 0.5;
/// A peak has to correlate this well.
const CLEAR: f64 = 0.4;
/// The first of the peaks that come up to this share of the highest is the cycle.
const AS_HIGH: f64 = 0.75;
/// Feet that part by less than this, in body heights (root mean square), take no steps.
const LEAST_STRIDE: f64 = 0.03;

/// The gait cycle through a clip.
#[derive(Debug, Clone, PartialEq)]
pub struct GaitCycle {
    /// Seconds, one for each frame.
    pub secs: Vec<f64>,
    /// Whether any part of the clip told; if not, it is the cycle of a usual walk.
    pub is_found: bool,
}

impl GaitCycle {
    /// The same cycle for all frames.
    pub fn constant(secs: f64, n_frames: usize) -> Self {
        Self {
            secs: vec![secs; n_frames],
            is_found: false,
        }
    }

    /// Frames in a cycle, one number for each frame.
    pub fn frames(&self, fps: f64) -> Vec<f64> {
        self.secs.iter().map(|secs| secs * fps).collect()
    }
}

/// Finds the gait cycle at every frame of a clip.
pub fn gait_cycle(clip: &Clip, heading: &heading::HeadingFrame) -> GaitCycle {
    let track = heading.track(clip);
    let n = clip.n_frames();
    let fps = clip.fps();
    let Some(feet) = feet(clip, &track) else {
        return GaitCycle::constant(USUAL_SECS, n);
    };
    let window = ((WINDOW_SECS * fps) as usize).clamp(1, n);
    let hop = ((HOP_SECS * fps) as usize).max(1);
    let mut found: Vec<(f64, f64)> = Vec::new();
    let least = LEAST_STRIDE * body::height(clip);
    let mut from = 0;
    loop {
        let to = (from + window).min(n);
        if let Some(frames) = period(&feet[to - window..to], fps, least) {
            found.push((0.5 * (to - window + to) as f64, frames / fps));
        }
        if to == n {
            break;
        }
        from += hop;
    }
    if found.is_empty() {
        return GaitCycle::constant(USUAL_SECS, n);
    }
    let secs = (0..n).map(|frame| between(&found, frame as f64));
    GaitCycle {
        secs: secs.collect(),
        is_found: true,
    }
}

/// How far the first foot is ahead of the second, and above it; none without two legs.
fn feet(clip: &Clip, track: &RootTrack) -> Option<Vec<Vec2>> {
    let skeleton = clip.skeleton();
    let body = Body::of(skeleton);
    let [one, other, ..] = body.legs.as_slice() else {
        return None;
    };
    let up = clip.info.up;
    let chains = skeleton.with_ancestors([one.end, other.end]);
    let mut world = WorldPose::of(skeleton, clip.frame(0));
    let waves = clip.frames().zip(&track.headings).map(|(pose, heading)| {
        world.update_some(skeleton, pose, &chains);
        let ahead = heading::turn(up, *heading) * forward(up);
        let way = world.positions[one.end] - world.positions[other.end];
        Vec2::new(ahead.dot(&way), up.along(&way))
    });
    Some(waves.collect())
}

/// The lag of the first high peak of the autocorrelation, in frames.
fn period(waves: &[Vec2], fps: f64, least: f64) -> Option<f64> {
    let n = waves.len();
    let mean = waves.iter().sum::<Vec2>() / n as f64;
    let waves: Vec<Vec2> = waves.iter().map(|v| v - mean).collect();
    let power = |v: &Vec2| v.component_mul(v);
    let size = (waves.iter().map(power).sum::<Vec2>() / n as f64).map(f64::sqrt);
    if size.norm() < least {
        return None;
    }
    // Both weigh alike, unless one is next to nothing.
    let scale = size.map(|s| 1.0 / s.max(0.2 * least));
    let waves: Vec<Vec2> = waves.iter().map(|v| v.component_mul(&scale)).collect();
    let (shortest, longest) = RANGE_SECS;
    let first = ((shortest * fps) as usize).max(2);
    // A lag has to leave half a cycle to compare, or chance decides.
    let last = ((longest * fps) as usize).min(2 * n / 3);
    let correlation = |lag: usize| {
        let (mut both, mut early, mut late) = (0.0, 0.0, 0.0);
        for (a, b) in waves.iter().zip(&waves[lag..]) {
            both += a.dot(b);
            early += a.norm_squared();
            late += b.norm_squared();
        }
        both / (early * late).sqrt().max(f64::MIN_POSITIVE)
    };
    let values: Vec<f64> = (first - 1..=last + 1)
        .take_while(|lag| *lag < n)
        .map(correlation)
        .collect();
    let inner = 1..values.len().saturating_sub(1);
    let is_peak = |i: &usize| values[*i] >= values[i - 1] && values[*i] > values[i + 1];
    let peaks: Vec<usize> = inner.filter(is_peak).collect();
    let highest = peaks.iter().map(|&i| values[i]).fold(CLEAR, f64::max);
    // Two cycles correlate as well as one; a limp or a start from standing correlates a little everywhere.
    let peak = *peaks.iter().find(|&&i| values[i] >= AS_HIGH * highest)?;
    let (before, here, after) = (values[peak - 1], values[peak], values[peak + 1]);
    let bend = before - 2.0 * here + after;
    let shift = if bend < 0.0 {
        0.5 * (before - after) / bend
    } else {
        0.0
    };
    Some((first - 1 + peak) as f64 + shift)
}

/// Straight lines between what was found, level beyond.
fn between(found: &[(f64, f64)], frame: f64) -> f64 {
    let after = found.partition_point(|(at, _)| *at <= frame);
    match (after.checked_sub(1).map(|i| found[i]), found.get(after)) {
        (Some((from, a)), Some(&(to, b))) => a + (b - a) * (frame - from) / (to - from),
        (Some((_, only)), None) | (None, Some(&(_, only))) => only,
        (None, None) => USUAL_SECS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_period_of_a_wave_is_found_between_frames() {
        for frames in [14.0, 33.4, 57.0] {
            let waves: Vec<Vec2> = (0..150)
                .map(|f| {
                    let phase = std::f64::consts::TAU * f64::from(f) / frames;
                    // The stride of a limping turn hardly tells one step from two; the height does.
                    let ahead = 0.5 + 0.4 * (2.0 * phase).sin() + 0.1 * phase.sin();
                    Vec2::new(ahead, 0.1 * phase.cos())
                })
                .collect();
            let found = period(&waves, 30.0, 0.01).unwrap();
            assert!((found - frames).abs() < 0.2, "{found} for {frames}");
        }
    }

    #[test]
    fn no_steps_no_cycle() {
        let still = vec![Vec2::new(0.3, 0.0); 100];
        assert_eq!(period(&still, 30.0, 0.01), None, "still");
        assert_eq!(period(&still[..1], 30.0, 0.01), None, "one frame");
        let once: Vec<Vec2> = (0..100)
            .map(|f| Vec2::new(f64::from(f) * 0.02, 0.0))
            .collect();
        assert_eq!(period(&once, 30.0, 0.01), None, "one way only");
    }

    #[test]
    fn between_two_gaits_the_cycle_goes_over() {
        let found = [(10.0, 1.0), (20.0, 2.0)];
        assert_eq!(between(&found, 0.0), 1.0);
        assert_eq!(between(&found, 15.0), 1.5);
        assert_eq!(between(&found, 99.0), 2.0);
    }
}
