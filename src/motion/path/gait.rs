//! How long a gait cycle is: two steps, after which the same foot is in front again.
//!
//! How far the one foot is ahead of the other, and how far above it, are waves with the period of the cycle (the
//! height of the hips has half of it): the first is clean in straight walks, the second in turns and in place. Their
//! common autocorrelation peaks there. A motion may go from sneaking to running, so it is looked at in windows of
//! some seconds; windows without a clear peak take the cycle of their neighbours.
//!
//! Two cycles correlate nearly as well as one, and a little noise decides which peak stands out in a window. So, as
//! pitch trackers do (Talkin 1995), each window names all its peaks, and of all ways through them the one is taken
//! that has good peaks and few leaps.

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
/// The first of the peaks that come up to this share of the highest is the likeliest cycle.
const AS_HIGH: f64 = 0.75;
/// Peaks that come up to this share of it may be the cycle, too.
const NAMED: f64 = 0.4;
/// What it costs a window to take another of its peaks, beside what that lacks of the highest. A leap costs as much as
/// the logarithm of the ratio, so that windows of about a second are outvoted by those around them, and not more: a
/// walk does become a run.
const OTHER_PEAK: f64 = 0.3;
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
    let mut seen: Vec<(f64, Vec<Peak>)> = Vec::new();
    let least = LEAST_STRIDE * body::height(clip);
    let mut from = 0;
    loop {
        let to = (from + window).min(n);
        let peaks = peaks(&feet[to - window..to], fps, least);
        if !peaks.is_empty() {
            seen.push((0.5 * (to - window + to) as f64, peaks));
        }
        if to == n {
            break;
        }
        from += hop;
    }
    if seen.is_empty() {
        return GaitCycle::constant(USUAL_SECS, n);
    }
    let found: Vec<(f64, f64)> = steadiest(&seen)
        .into_iter()
        .zip(&seen)
        .map(|(frames, (middle, _))| (*middle, frames / fps))
        .collect();
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

/// A lag at which waves repeat themselves.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Peak {
    frames: f64,
    /// What it costs to take this one for the cycle; none for the likeliest.
    cost: f64,
}

/// The high peaks of the autocorrelation; none if nothing is repeated.
fn peaks(waves: &[Vec2], fps: f64, least: f64) -> Vec<Peak> {
    let n = waves.len();
    let mean = waves.iter().sum::<Vec2>() / n as f64;
    let waves: Vec<Vec2> = waves.iter().map(|v| v - mean).collect();
    let power = |v: &Vec2| v.component_mul(v);
    let size = (waves.iter().map(power).sum::<Vec2>() / n as f64).map(f64::sqrt);
    if size.norm() < least {
        return Vec::new();
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
    let likeliest = peaks.iter().position(|&i| values[i] >= AS_HIGH * highest);
    let Some(likeliest) = likeliest.map(|nth| peaks[nth]) else {
        return Vec::new();
    };
    let named = peaks.into_iter().filter(|&i| values[i] >= NAMED * highest);
    let peak = |i: usize| Peak {
        frames: (first - 1 + i) as f64 + vertex([values[i - 1], values[i], values[i + 1]]),
        cost: if i == likeliest {
            0.0
        } else {
            OTHER_PEAK + (1.0 - values[i] / highest)
        },
    };
    named.map(peak).collect()
}

/// Where the parabola through three values is highest, from the middle one.
fn vertex([before, here, after]: [f64; 3]) -> f64 {
    let bend = before - 2.0 * here + after;
    if bend < 0.0 {
        0.5 * (before - after) / bend
    } else {
        0.0
    }
}

/// One peak of each window, in frames, such that peaks and leaps between them cost the least together.
fn steadiest(seen: &[(f64, Vec<Peak>)]) -> Vec<f64> {
    let mut costs: Vec<f64> = Vec::new();
    let mut before: &[Peak] = &[];
    let mut came_from: Vec<Vec<usize>> = Vec::with_capacity(seen.len());
    for (_, peaks) in seen {
        let arrivals = peaks.iter().map(|peak| {
            let leaps = before.iter().zip(&costs).enumerate();
            let each = leaps.map(|(i, (b, cost))| (cost + (peak.frames / b.frames).ln().abs(), i));
            let (least, from) = each.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
            (least + peak.cost, from)
        });
        let (now, from) = arrivals.unzip();
        costs = now;
        came_from.push(from);
        before = peaks;
    }
    let ends = costs.iter().enumerate();
    let last = ends.min_by(|a, b| a.1.total_cmp(b.1));
    let mut at = last.map_or(0, |(i, _)| i);
    let mut frames: Vec<f64> = Vec::with_capacity(seen.len());
    for ((_, peaks), from) in seen.iter().zip(&came_from).rev() {
        frames.push(peaks[at].frames);
        at = from[at];
    }
    frames.reverse();
    frames
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
            let found = peaks(&waves, 30.0, 0.01);
            let likeliest = found.iter().find(|peak| peak.cost == 0.0).unwrap();
            let off = (likeliest.frames - frames).abs();
            assert!(off < 0.2, "{found:?} for {frames}");
        }
    }

    #[test]
    fn no_steps_no_cycle() {
        let still = vec![Vec2::new(0.3, 0.0); 100];
        assert_eq!(peaks(&still, 30.0, 0.01), [], "still");
        assert_eq!(peaks(&still[..1], 30.0, 0.01), [], "one frame");
        let once: Vec<Vec2> = (0..100)
            .map(|f| Vec2::new(f64::from(f) * 0.02, 0.0))
            .collect();
        assert_eq!(peaks(&once, 30.0, 0.01), [], "one way only");
    }

    /// Deviations let another peak stand out in some windows of runs round a circle: their roots came off by 10 cm.
    #[test]
    fn a_window_that_takes_another_peak_is_outvoted_and_a_new_gait_is_not() {
        let peak = |frames: f64, cost: f64| Peak { frames, cost };
        let run = |at: f64| (at, vec![peak(20.0, 0.0), peak(40.0, 0.35)]);
        let doubtful = (30.0, vec![peak(40.0, 0.0), peak(60.0, 0.4)]);
        let hidden = (30.0, vec![peak(21.0, 0.45), peak(40.0, 0.0)]);
        let walk = |at: f64| (at, vec![peak(40.0, 0.0)]);
        let one = [run(0.0), run(15.0), hidden, run(45.0)];
        assert_eq!(steadiest(&one), [20.0, 20.0, 21.0, 20.0]);
        let over = [run(0.0), run(15.0), doubtful, walk(45.0), walk(60.0)];
        assert_eq!(steadiest(&over), [20.0, 20.0, 40.0, 40.0, 40.0]);
    }

    #[test]
    fn between_two_gaits_the_cycle_goes_over() {
        let found = [(10.0, 1.0), (20.0, 2.0)];
        assert_eq!(between(&found, 0.0), 1.0);
        assert_eq!(between(&found, 15.0), 1.5);
        assert_eq!(between(&found, 99.0), 2.0);
    }
}
