//! Corrections that come and go without a jolt.
//!
//! While something is held, the correction is given. Before and after, it fades along a curve of least jerk (a
//! polynomial of fifth degree) that starts at its place with half its speed and comes to rest at zero, or runs
//! straight over to the next held stretch if that is near. The fade is cut off where the clip ends.
//!
//! Why half the speed: a foot that is let go while it already moves has a correction that grows. Taking over all of
//! its speed is smooth but carries the foot further from its way before it returns; taking over none jolts. Over 190
//! real clips half gave the least jerk in most groups and three quarters of the largest correction; acceleration taken
//! over as well gave more of both.

use crate::motion::Vec3;

/// Speed at the end of a held stretch is read over this time: less would be the jitter of markers.
const FIT_SECS: f64 = 0.04;
/// How much of the speed of a correction its fade takes over.
const CARRIED: f64 = 0.5;

/// Position, and velocity in units per frame.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FadeState {
    place: Vec3,
    speed: Vec3,
}

const AT_REST: FadeState = FadeState {
    place: Vec3::new(0.0, 0.0, 0.0),
    speed: Vec3::new(0.0, 0.0, 0.0),
};

/// Fills in a correction that is known at some frames. `ease_frames` is how long it takes to fade.
pub(crate) fn fill_in(known: &[Option<Vec3>], ease_frames: f64, fps: f64) -> Vec<Vec3> {
    let n_fit = ((FIT_SECS * fps).round() as usize).max(3);
    let mut filled: Vec<Vec3> = known
        .iter()
        .map(|k| k.unwrap_or_else(Vec3::zeros))
        .collect();
    let runs = runs(known);
    let ease = ease_frames.max(1.0);
    let reach = ease.ceil() as usize;
    for (nth, run) in runs.iter().enumerate() {
        let before = nth.checked_sub(1).map(|n| &runs[n]);
        let arriving = state_at(known, run.start, run.end, n_fit, false);
        let gap = before.map_or(usize::MAX, |b| run.start - b.end + 1);
        if gap as f64 <= 2.0 * ease {
            let last = run.start - gap;
            let leaving = before.map_or(AT_REST, |b| state_at(known, b.start, b.end, n_fit, true));
            for i in 1..gap {
                filled[last + i] = between(&leaving, &arriving, i as f64, gap as f64);
            }
        } else {
            for i in 1..=reach.min(run.start) {
                let time = ease - i as f64;
                if time > 0.0 {
                    filled[run.start - i] = between(&AT_REST, &arriving, time, ease);
                }
            }
        }
        let next_is_near = runs
            .get(nth + 1)
            .is_some_and(|n| (n.start - run.end + 1) as f64 <= 2.0 * ease);
        if !next_is_near {
            let leaving = state_at(known, run.start, run.end, n_fit, true);
            for i in 1..=reach.min(known.len() - run.end) {
                if (i as f64) < ease {
                    filled[run.end - 1 + i] = between(&leaving, &AT_REST, i as f64, ease);
                }
            }
        }
    }
    filled
}

/// Stretches of frames without gaps.
fn runs(known: &[Option<Vec3>]) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for (frame, _) in known.iter().enumerate().filter(|(_, k)| k.is_some()) {
        match runs.last_mut() {
            Some(run) if run.end == frame => run.end += 1,
            _ => runs.push(frame..frame + 1),
        }
    }
    runs
}

/// What the correction does at one end of a known run: a parabola through that end, fitted to the frames beside it.
fn state_at(
    known: &[Option<Vec3>],
    start: usize,
    end: usize,
    n_fit: usize,
    at_end: bool,
) -> FadeState {
    let at = if at_end { end - 1 } else { start };
    let place = known[at].unwrap_or_else(Vec3::zeros);
    let n = n_fit.min(end - start - 1);
    // Least squares for y(i) = speed i + acceleration i^2 / 2, with i counted into the run.
    let (mut s2, mut s3, mut s4) = (0.0, 0.0, 0.0);
    let (mut y1, mut y2) = (Vec3::zeros(), Vec3::zeros());
    for i in 1..=n {
        let frame = if at_end { at - i } else { at + i };
        let x = i as f64;
        let y = known[frame].unwrap_or(place) - place;
        s2 += x * x;
        s3 += x * x * x / 2.0;
        s4 += x * x * x * x / 4.0;
        y1 += y * x;
        y2 += y * (x * x / 2.0);
    }
    let speed = match n {
        0 => Vec3::zeros(),
        1 => y1 / s2,
        _ => (y1 * s4 - y2 * s3) / (s2 * s4 - s3 * s3),
    };
    FadeState {
        place,
        speed: speed * if at_end { -CARRIED } else { CARRIED },
    }
}

/// The curve of least jerk from one state to another in `duration` frames, after `time` of them; no acceleration at
/// either end.
fn between(from: &FadeState, to: &FadeState, time: f64, duration: f64) -> Vec3 {
    let s = time / duration;
    let (v0, v1) = (from.speed * duration, to.speed * duration);
    let missing = to.place - from.place - v0;
    let missing_speed = v1 - v0;
    let c3 = missing * 10.0 - missing_speed * 4.0;
    let c4 = missing * -15.0 + missing_speed * 7.0;
    let c5 = missing * 6.0 - missing_speed * 3.0;
    from.place + (v0 + (c3 + (c4 + c5 * s) * s) * (s * s)) * s
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x(known: &[Option<f64>]) -> Vec<Option<Vec3>> {
        known.iter().map(|k| k.map(|k| Vec3::x() * k)).collect()
    }

    #[test]
    fn place_and_half_the_speed_are_taken_over() {
        let known: Vec<Option<f64>> = (0..300)
            .map(|f| (!(100..130).contains(&f)).then_some(0.3 + 0.02 * f64::from(f)))
            .collect();
        let filled = fill_in(&x(&known), 30.0, 120.0);
        let step = |f: usize| filled[f].x - filled[f - 1].x;
        assert!((step(100) - 0.01).abs() < 1e-3, "leaves with {}", step(100));
        assert!(
            (step(130) - 0.01).abs() < 1e-3,
            "arrives with {}",
            step(130)
        );
        let middle = f64::midpoint(filled[99].x, filled[130].x);
        let at_middle = f64::midpoint(filled[114].x, filled[115].x);
        assert!(
            (at_middle - middle).abs() < 1e-9,
            "symmetric: {at_middle} and {middle}"
        );
    }

    #[test]
    fn a_fade_starts_and_ends_without_a_jolt() {
        let mut known = vec![None; 200];
        for (f, k) in known.iter_mut().enumerate().skip(80).take(30) {
            *k = Some(1.0 + 0.01 * (f as f64 - 80.0));
        }
        let filled = fill_in(&x(&known), 40.0, 120.0);
        assert!(
            filled[..40]
                .iter()
                .chain(&filled[150..])
                .all(|v| v.x == 0.0),
            "nothing further away"
        );
        for w in filled.windows(4) {
            let jerk = w[3].x - 3.0 * w[2].x + 3.0 * w[1].x - w[0].x;
            assert!(
                jerk.abs() < 6e-3,
                "jerk {jerk}: a fade by steps would have 0.1 and more"
            );
        }
    }

    #[test]
    fn the_clip_may_end_inside_a_fade_or_hold_a_single_frame() {
        let held = fill_in(&x(&[None, Some(1.0), None]), 30.0, 30.0);
        assert!(held.iter().all(|v| v.x > 0.9 && v.x <= 1.0), "{held:?}");
        assert_eq!(fill_in(&x(&[None, None]), 30.0, 30.0), [Vec3::zeros(); 2]);
        assert_eq!(fill_in(&x(&[Some(2.0)]), 0.0, 30.0), [Vec3::x() * 2.0]);
        assert_eq!(fill_in(&[], 30.0, 30.0), Vec::<Vec3>::new());
    }
}
