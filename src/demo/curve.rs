//! Curves over time that never jerk: sums of minimum-jerk strokes.
//!
//! A reach of a human hand follows the fifth-degree polynomial that minimises jerk (Flash and Hogan, 1985), and longer
//! movements look like such strokes laid over each other (Flash and Henis, 1991). So every curve of a recipe is a
//! start value plus strokes; they may overlap, which is how one action flows into the next without a stop. Each stroke
//! is smooth up to its acceleration, hence so is any sum, and any product of rotations made of them.

use crate::motion::{Quat, Vec3};

/// From 0 to 1 with no speed and no acceleration at either end; flat outside.
pub(super) fn ease(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * u * (10.0 + u * (6.0 * u - 15.0))
}

/// Like [`ease`], but the speed in the middle is almost even: how a swinging foot travels.
///
/// The speed is `(1 - x^6)^2` for `x` from -1 to 1: its peak is 1.26 times its mean, where a minimum-jerk stroke has
/// 1.88 and captured walks have 1.2 to 1.5.
pub(super) fn glide(u: f64) -> f64 {
    let x = 2.0 * u.clamp(0.0, 1.0) - 1.0;
    let x6 = x.powi(6);
    let half = 72.0 / 91.0;
    0.5 + 0.5 * x * (1.0 + x6 * (x6 / 13.0 - 2.0 / 7.0)) / half
}

/// From 0 up to 1 in the middle and back, smooth at both ends.
pub(super) fn bump(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    let arch = 4.0 * u * (1.0 - u);
    arch * arch * arch
}

/// A smooth minimum: never above the smallest, and far from ties equal to it. `width` is in the units of the values.
pub(super) fn soft_min(values: &[f64], width: f64) -> f64 {
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let sum: f64 = values.iter().map(|v| ((lowest - v) / width).exp()).sum();
    lowest - width * sum.ln()
}

/// How much a stroke between two keys reaches into its neighbours, as a share of its own length. Peaks get rounder
/// with it, and nothing stands still at a key; found by looking.
pub(super) const FLOW: f64 = 0.18;

#[derive(Debug, Clone, Copy)]
struct Stroke<T> {
    from_secs: f64,
    secs: f64,
    by: T,
}

impl<T> Stroke<T> {
    fn between(from_secs: f64, to_secs: f64, flow: f64, by: T) -> Self {
        let reach = flow * (to_secs - from_secs);
        Self {
            from_secs: from_secs - reach,
            secs: (to_secs - from_secs + 2.0 * reach).max(1e-6),
            by,
        }
    }

    fn share(&self, secs: f64) -> f64 {
        ease((secs - self.from_secs) / self.secs)
    }
}

/// A number over time.
#[derive(Debug, Clone)]
pub(super) struct Curve {
    start: f64,
    strokes: Vec<Stroke<f64>>,
}

impl Curve {
    /// Stays where it is.
    pub(super) fn constant(value: f64) -> Self {
        Self {
            start: value,
            strokes: Vec::new(),
        }
    }

    /// From key to key (seconds, value), in order of time. With `flow` 0 it rests at each key for a moment.
    pub(super) fn through(keys: &[(f64, f64)], flow: f64) -> Self {
        let strokes = keys
            .windows(2)
            .filter(|pair| pair[0].1 != pair[1].1)
            .map(|pair| Stroke::between(pair[0].0, pair[1].0, flow, pair[1].1 - pair[0].1))
            .collect();
        Self {
            start: keys.first().map_or(0.0, |key| key.1),
            strokes,
        }
    }

    /// Another curve on top.
    pub(super) fn join(&mut self, other: &Self) {
        self.start += other.start;
        self.strokes.extend_from_slice(&other.strokes);
    }

    /// One more stroke on top, between two keys.
    pub(super) fn add(&mut self, keys: &[(f64, f64); 2]) {
        let [(from, a), (to, b)] = *keys;
        self.strokes.push(Stroke::between(from, to, 0.0, b - a));
    }

    pub(super) fn at(&self, secs: f64) -> f64 {
        let moved: f64 = self.strokes.iter().map(|s| s.by * s.share(secs)).sum();
        self.start + moved
    }
}

/// A number at one moment, with its speed and acceleration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Knot {
    pub(super) secs: f64,
    pub(super) value: f64,
    pub(super) speed: f64,
    pub(super) acceleration: f64,
}

/// A number over time that meets knots with given speed and acceleration, by fifth-degree polynomials in between.
/// Between two knots of a free fall it is that free fall, which is why leaps use it. Flat before and after.
#[derive(Debug, Clone, Default)]
pub(super) struct Knots(pub(super) Vec<Knot>);

impl Knots {
    pub(super) fn at(&self, secs: f64) -> f64 {
        let next = self.0.partition_point(|knot| knot.secs <= secs);
        match (next.checked_sub(1).map(|i| self.0[i]), self.0.get(next)) {
            (Some(a), Some(b)) => quintic(&a, b, secs),
            (Some(only), None) | (None, Some(&only)) => only.value,
            (None, None) => 0.0,
        }
    }
}

/// Hermite's interpolation with second derivatives.
fn quintic(a: &Knot, b: &Knot, secs: f64) -> f64 {
    let h = b.secs - a.secs;
    let u = (secs - a.secs) / h;
    let (c0, c1, c2) = (a.value, a.speed * h, 0.5 * a.acceleration * h * h);
    // What is left to do for value, speed and acceleration at the end.
    let value = b.value - c0 - c1 - c2;
    let speed = b.speed * h - c1 - 2.0 * c2;
    let acceleration = b.acceleration * h * h - 2.0 * c2;
    let c3 = 10.0 * value - 4.0 * speed + 0.5 * acceleration;
    let c4 = -15.0 * value + 7.0 * speed - acceleration;
    let c5 = 6.0 * value - 3.0 * speed + 0.5 * acceleration;
    c0 + u * (c1 + u * (c2 + u * (c3 + u * (c4 + u * c5))))
}

/// A rotation over time: a product of eased turns, in the manner of Kim, Kim and Shin (1995).
#[derive(Debug, Clone)]
pub(super) struct TurnCurve {
    start: Quat,
    strokes: Vec<Stroke<Vec3>>,
}

impl TurnCurve {
    /// From key to key (seconds, rotation), in order of time, the short way round between the rotations of `like`: an
    /// arm that swings further than half a turn in a large take still swings the way it does in the average one.
    pub(super) fn through(keys: &[(f64, Quat)], like: &[Quat], flow: f64) -> Self {
        let strokes = keys
            .windows(2)
            .zip(like.windows(2))
            .filter(|(pair, _)| pair[0].1 != pair[1].1)
            .map(|(pair, like)| {
                let short = (pair[0].1.inverse() * pair[1].1).scaled_axis();
                let by = same_way(short, &(like[0].inverse() * like[1]).scaled_axis());
                Stroke::between(pair[0].0, pair[1].0, flow, by)
            })
            .collect();
        Self {
            start: keys.first().map_or_else(Quat::identity, |key| key.1),
            strokes,
        }
    }

    pub(super) fn at(&self, secs: f64) -> Quat {
        self.strokes
            .iter()
            .map(|s| (s.by, s.share(secs)))
            .filter(|(_, share)| *share > 0.0)
            .fold(self.start, |q, (by, share)| {
                q * Quat::from_scaled_axis(by * share)
            })
    }
}

/// The rotation vector of the same rotation that lies nearer to another one.
fn same_way(short: Vec3, like: &Vec3) -> Vec3 {
    let Some(axis) = short.try_normalize(0.0) else {
        return short;
    };
    let long = short - axis * std::f64::consts::TAU;
    if (long - like).norm_squared() < (short - like).norm_squared() {
        long
    } else {
        short
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Speed and acceleration by differences.
    fn rates(f: impl Fn(f64) -> f64, at: f64) -> (f64, f64) {
        let h = 1e-4;
        let (before, here, after) = (f(at - h), f(at), f(at + h));
        (
            (after - before) / (2.0 * h),
            (after - 2.0 * here + before) / (h * h),
        )
    }

    #[test]
    fn strokes_begin_and_end_at_rest() {
        let strokes: [fn(f64) -> f64; 3] = [ease, glide, bump];
        for (f, end) in strokes.into_iter().zip([1.0, 1.0, 0.0]) {
            assert!(f(-0.1).abs() < 1e-15, "begins at 0");
            assert!((f(1.1) - end).abs() < 1e-15, "ends at {end}");
            for at in [0.0, 1.0] {
                let (speed, acceleration) = rates(f, at);
                assert!(speed.abs() < 1e-5, "speed {speed} at {at}");
                assert!(acceleration.abs() < 0.05, "{acceleration} at {at}");
            }
        }
        assert!((rates(glide, 0.5).0 - 91.0 / 72.0).abs() < 1e-6, "even");
        assert!((rates(ease, 0.5).0 - 1.875).abs() < 1e-6, "minimum jerk");
    }

    #[test]
    fn keys_are_met_when_strokes_do_not_overlap() {
        let keys = [(0.0, 1.0), (0.5, 3.0), (0.7, 3.0), (1.5, -2.0)];
        let curve = Curve::through(&keys, 0.0);
        for (secs, value) in keys {
            assert!((curve.at(secs) - value).abs() < 1e-12, "at {secs}");
        }
        assert_eq!(curve.at(-5.0), 1.0);
        assert!((curve.at(9.0) + 2.0).abs() < 1e-12, "stays at the last key");
        assert_eq!(Curve::through(&[], FLOW).at(1.0), 0.0);
    }

    #[test]
    fn knots_are_met_and_a_free_fall_is_one() {
        let fall = |secs: f64| 40.0 + 120.0 * secs - 490.5 * secs * secs;
        let knot = |secs: f64| Knot {
            secs,
            value: fall(secs),
            speed: 120.0 - 981.0 * secs,
            acceleration: -981.0,
        };
        let rest = |secs: f64, value: f64| Knot {
            secs,
            value,
            speed: 0.0,
            acceleration: 0.0,
        };
        let knots = Knots(vec![rest(-0.3, 0.0), knot(0.0), knot(0.4), rest(0.9, 5.0)]);
        for step in 0..=40 {
            let secs = 0.01 * f64::from(step);
            assert!((knots.at(secs) - fall(secs)).abs() < 1e-9, "at {secs}");
        }
        assert_eq!((knots.at(-1.0), knots.at(2.0)), (0.0, 5.0));
        for at in [-0.3, 0.0, 0.4, 0.9] {
            let (before, after) = (
                rates(|t| knots.at(t), at - 2e-4),
                rates(|t| knots.at(t), at + 2e-4),
            );
            assert!((before.0 - after.0).abs() < 1.0, "speed at {at}");
            assert!((before.1 - after.1).abs() < 30.0, "acceleration at {at}");
        }
    }

    #[test]
    fn turns_end_at_their_last_key_however_they_overlap() {
        let turn = |x, y, z| Quat::from_scaled_axis(Vec3::new(x, y, z));
        let keys = [
            (0.0, turn(0.3, 0.0, 0.0)),
            (0.4, turn(-1.0, 0.5, 0.2)),
            (0.9, turn(0.0, 2.0, 0.1)),
        ];
        let like = keys.map(|key| key.1);
        for flow in [0.0, FLOW, 0.5] {
            let end = TurnCurve::through(&keys, &like, flow).at(5.0);
            assert!(end.angle_to(&keys[2].1) < 1e-9, "flow {flow}");
        }
    }

    #[test]
    fn a_swing_of_more_than_half_a_turn_goes_the_way_of_the_average_one() {
        let turn = |x| Quat::from_scaled_axis(Vec3::x() * x);
        let keys = [(0.0, turn(-1.0)), (1.0, turn(2.4))];
        let curve = TurnCurve::through(&keys, &[turn(-0.8), turn(2.0)], 0.0);
        let half = curve.at(0.5);
        assert!(half.angle_to(&turn(0.7)) < 1e-9, "not over the back");
    }

    #[test]
    fn the_soft_minimum_is_below_and_near() {
        assert!((soft_min(&[1.0, 50.0], 1.0) - 1.0).abs() < 1e-12, "far");
        let tie = soft_min(&[2.0, 2.0], 0.5);
        assert!((tie - (2.0 - 0.5 * 2.0_f64.ln())).abs() < 1e-12, "{tie}");
    }
}
