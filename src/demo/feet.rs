//! Where the feet are: planned first, so that a foot on the floor cannot slide.
//!
//! A foot is placed by its ball. While it stands it may land on the heel (which stays in place while the toes come
//! down), stand flat, and roll over the ball (which stays in place while the heel comes up). In between it swings to
//! its next place. The pivot moves from ball to heel during the swing, so the whole path is smooth.

use super::curve::{Curve, bump, ease, glide, soft_min};
use super::skeleton::{ANKLE_TO_BALL, ANKLE_TO_HEEL, BALL_CM};
use crate::motion::{Dim, Quat, Vec3, rotation};

/// One stay of a foot on the floor.
#[derive(Debug, Clone)]
pub(super) struct Footfall {
    /// The ball of the foot on the floor.
    pub(super) ball_x: f64,
    pub(super) ball_z: f64,
    pub(super) yaw_rad: f64,
    /// First touch, and the moment from which the sole is flat.
    pub(super) strike_secs: f64,
    pub(super) flat_secs: f64,
    /// The heel comes up, and the toes leave.
    pub(super) heel_off_secs: f64,
    pub(super) off_secs: f64,
    /// At the first touch; positive is heel up, and then the foot lands on its ball.
    pub(super) strike_pitch_rad: f64,
    /// The largest heel rise, and how long after the toes have left it is reached.
    pub(super) off_pitch_rad: f64,
    pub(super) trail_secs: f64,
    /// The share of the heel's rise that comes in the second half of its time.
    pub(super) late_rise: f64,
    /// How high the foot was lifted on its way here.
    pub(super) lift_cm: f64,
}

impl Footfall {
    /// In contact for the whole time.
    pub(super) fn standing(ball_x: f64, ball_z: f64, yaw_rad: f64) -> Self {
        Self {
            ball_x,
            ball_z,
            yaw_rad,
            strike_secs: f64::NEG_INFINITY,
            flat_secs: f64::NEG_INFINITY,
            heel_off_secs: f64::INFINITY,
            off_secs: f64::INFINITY,
            strike_pitch_rad: 0.0,
            off_pitch_rad: 0.0,
            trail_secs: 0.04,
            late_rise: 0.5,
            lift_cm: 0.0,
        }
    }

    fn lands_on_ball(&self) -> bool {
        self.strike_pitch_rad > 0.0
    }
}

/// A foot at one moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Foot {
    pub(super) ankle: Vec3,
    pub(super) yaw_rad: f64,
    /// Rotation of the foot in world space.
    pub(super) turn: Quat,
    /// How far the toes bend up against the foot.
    pub(super) toe_rad: f64,
    /// 0 on the floor, 1 well away from it.
    pub(super) air: f64,
    /// 1 where the foot may be drawn in by a leg that is too short: all the time in the air, but for its very ends.
    pub(super) loose: f64,
    /// The ball does not move.
    pub(super) ball_planted: bool,
    /// The whole sole is down.
    pub(super) sole_planted: bool,
}

/// All stays of one foot, in order.
#[derive(Debug, Clone)]
pub(super) struct FootTrack {
    falls: Vec<Footfall>,
    pitch_rad: Curve,
    /// Added to the planned yaw: a foot turning on its ball.
    pivot_rad: Curve,
}

/// The toes are up this long before the heel strikes.
const TOES_UP_SECS: f64 = 0.04;
/// A foot is well away from the floor this long after it left, or before it comes down.
const AIR_SECS: f64 = 0.15;
/// It is loose this long after it left, or before it comes down.
const LOOSE_SECS: f64 = 0.06;
/// The toes are straight again at this share of the swing.
const TOES_STRAIGHT: f64 = 0.75;
/// Feet are lifted faster than they are put down; 1 would be even.
const LIFT_EARLY: f64 = 0.72;
/// They travel later: a foot that arrived early would have to wait, out of reach, for the body to come.
const TRAVEL_LATE: f64 = 1.05;
/// Toes bend up no further than this.
const TOE_LIMIT_RAD: f64 = 1.15;

impl FootTrack {
    /// The falls follow each other in time; at least one.
    pub(super) fn new(falls: Vec<Footfall>) -> Self {
        let mut keys = Vec::new();
        let mut late_rises = Vec::new();
        for (idx, fall) in falls.iter().enumerate() {
            if idx > 0 {
                let lag = TOES_UP_SECS.min(0.2 * (fall.strike_secs - falls[idx - 1].off_secs));
                keys.push((fall.strike_secs - lag, fall.strike_pitch_rad));
                keys.push((fall.flat_secs, 0.0));
            }
            if let Some(next) = falls.get(idx + 1) {
                let lag = fall
                    .trail_secs
                    .min(0.4 * (next.strike_secs - fall.off_secs));
                let peak_secs = fall.off_secs + lag;
                keys.push((fall.heel_off_secs, 0.0));
                keys.push((peak_secs, fall.off_pitch_rad));
                // The heel peels off slowly and leaves fast: the last push comes when half of the time is over.
                let late = fall.off_pitch_rad * fall.late_rise;
                let pushes = 0.5 * (fall.heel_off_secs + peak_secs);
                late_rises.push([(fall.heel_off_secs, 0.0), (peak_secs, -late)]);
                late_rises.push([(pushes, 0.0), (peak_secs, late)]);
            }
        }
        let mut pitch_rad = Curve::through(&keys, 0.0);
        for rise in late_rises {
            pitch_rad.add(&rise);
        }
        Self {
            falls,
            pitch_rad,
            pivot_rad: Curve::constant(0.0),
        }
    }

    /// Adds heel rises and turns about the ball of a foot that stays in place.
    pub(super) fn pivoting(mut self, heel_rad: &Curve, pivot_rad: Curve) -> Self {
        self.pitch_rad.join(heel_rad);
        self.pivot_rad = pivot_rad;
        self
    }

    /// Moves the whole track to another place.
    pub(super) fn carry(&mut self, place: impl Fn(Vec3) -> Vec3, turn_rad: f64) {
        for fall in &mut self.falls {
            let moved = place(Vec3::new(fall.ball_x, 0.0, fall.ball_z));
            fall.ball_x = moved.x;
            fall.ball_z = moved.z;
            fall.yaw_rad += turn_rad;
        }
    }

    /// Begins where a foot stands already.
    pub(super) fn begin_at(&mut self, foot: &Footfall) {
        let first = &mut self.falls[0];
        first.ball_x = foot.ball_x;
        first.ball_z = foot.ball_z;
        // The short way round to the next stay.
        first.yaw_rad += rotation::wrap(foot.yaw_rad - first.yaw_rad);
    }

    /// The last stay, from now on.
    pub(super) fn last(&self) -> Footfall {
        let last = &self.falls[self.falls.len() - 1];
        Footfall::standing(last.ball_x, last.ball_z, last.yaw_rad)
    }

    pub(super) fn at(&self, secs: f64) -> Foot {
        let idx = self.falls.partition_point(|fall| fall.strike_secs <= secs);
        let here = &self.falls[idx.saturating_sub(1)];
        let swing = self
            .falls
            .get(idx.max(1))
            .filter(|_| secs > here.off_secs)
            .map(|next| {
                let u = (secs - here.off_secs) / (next.strike_secs - here.off_secs);
                (next, u)
            });
        match swing {
            Some((next, u)) => self.swinging(here, next, u, secs),
            None => self.standing(here, secs),
        }
    }

    fn standing(&self, fall: &Footfall, secs: f64) -> Foot {
        let pitch_rad = self.pitch_rad.at(secs);
        let landing = secs < fall.flat_secs && !fall.lands_on_ball();
        let pivot = if landing { 0.0 } else { 1.0 };
        let ball = Vec3::new(fall.ball_x, BALL_CM, fall.ball_z);
        let yaw_rad = fall.yaw_rad + self.pivot_rad.at(secs);
        let mut foot = placed(ball, yaw_rad, pitch_rad, pivot);
        foot.toe_rad = toe_bend(pitch_rad);
        foot.ball_planted = !landing || pitch_rad.abs() < FLAT_RAD;
        foot.sole_planted = pitch_rad.abs() < FLAT_RAD;
        foot
    }

    fn swinging(&self, from: &Footfall, to: &Footfall, u: f64, secs: f64) -> Foot {
        let share = glide(u.powf(TRAVEL_LATE));
        let mix = |a: f64, b: f64| a + (b - a) * share;
        let ball = Vec3::new(
            mix(from.ball_x, to.ball_x),
            BALL_CM + to.lift_cm * bump(u.powf(LIFT_EARLY)),
            mix(from.ball_z, to.ball_z),
        );
        let pitch_rad = self.pitch_rad.at(secs);
        let pivot = if to.lands_on_ball() {
            1.0
        } else {
            // The pivot moves while the foot is about level, which is later where the heel trails longer.
            let swing_secs = to.strike_secs - from.off_secs;
            let level = 0.3 + 0.8 * (from.trail_secs / swing_secs).min(0.4);
            1.0 - ease((u - level) / (0.97 - level))
        };
        let yaw_rad = mix(from.yaw_rad, to.yaw_rad) + self.pivot_rad.at(secs);
        let mut foot = placed(ball, yaw_rad, pitch_rad, pivot);
        // Toes stay bent until they are clear of the floor; a foot that lands on its ball bends them again.
        let bent = 1.0 - ease(u / TOES_STRAIGHT);
        let bent = if to.lands_on_ball() {
            bent + ease((u - 0.6) / 0.4)
        } else {
            bent
        };
        foot.toe_rad = bent * toe_bend(pitch_rad);
        let after = secs - from.off_secs;
        let before = to.strike_secs - secs;
        foot.air = ease(after / AIR_SECS) * ease(before / AIR_SECS);
        foot.loose = ease(after / LOOSE_SECS) * ease(before / LOOSE_SECS);
        foot
    }
}

/// How far toes on the floor bend under a heel that is up: as far as the heel, to their limit, without a corner at
/// either end.
fn toe_bend(pitch_rad: f64) -> f64 {
    if pitch_rad <= 0.0 {
        return 0.0;
    }
    let square = pitch_rad * pitch_rad;
    soft_min(
        &[pitch_rad * square / (square + 0.005), TOE_LIMIT_RAD],
        0.06,
    )
    .max(0.0)
}

/// Below this the sole counts as flat.
const FLAT_RAD: f64 = 0.004;

/// `pivot` 0 turns about the heel, 1 about the ball; in between, about a point between them.
fn placed(ball: Vec3, yaw_rad: f64, pitch_rad: f64, pivot: f64) -> Foot {
    let to_ball = Vec3::from(ANKLE_TO_BALL);
    let to_pivot = Vec3::from(ANKLE_TO_HEEL).lerp(&to_ball, pivot);
    let yaw = rotation::about(Dim::Y, yaw_rad);
    let pitch = rotation::about(Dim::X, pitch_rad);
    Foot {
        ankle: ball - yaw * (to_ball - to_pivot + pitch * to_pivot),
        yaw_rad,
        turn: yaw * pitch,
        toe_rad: 0.0,
        air: 0.0,
        loose: 0.0,
        ball_planted: false,
        sole_planted: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_steps() -> FootTrack {
        let mut a = Footfall::standing(5.0, 0.0, 0.1);
        a.heel_off_secs = 0.4;
        a.off_secs = 0.6;
        a.off_pitch_rad = 1.0;
        let mut b = Footfall::standing(6.0, 130.0, -0.1);
        b.strike_secs = 1.0;
        b.flat_secs = 1.1;
        b.strike_pitch_rad = -0.35;
        b.lift_cm = 3.0;
        FootTrack::new(vec![a, b])
    }

    fn point(foot: &Foot, offset: [f64; 3]) -> Vec3 {
        foot.ankle + foot.turn * Vec3::from(offset)
    }

    #[test]
    fn ball_and_heel_stay_while_they_carry() {
        let track = two_steps();
        let ball = point(&track.at(0.0), ANKLE_TO_BALL);
        for step in 0..60 {
            let foot = track.at(0.01 * f64::from(step));
            assert!((point(&foot, ANKLE_TO_BALL) - ball).norm() < 1e-9, "{step}");
            assert!(foot.ball_planted, "planted at {step}");
        }
        let heel = point(&track.at(2.0), ANKLE_TO_HEEL);
        assert!(heel.y.abs() < 1e-9, "on the floor");
        for step in 0..50 {
            let foot = track.at(1.0 + 0.01 * f64::from(step));
            assert!((point(&foot, ANKLE_TO_HEEL) - heel).norm() < 1e-9, "{step}");
        }
        assert!(!track.at(1.02).ball_planted, "toes still come down");
        assert!(track.at(0.5).toe_rad > 0.1, "toes bend under a rising heel");
    }

    #[test]
    fn the_path_is_smooth_up_to_its_acceleration() {
        let track = two_steps();
        let h = 1e-3;
        let acceleration = |secs: f64| {
            let at = |s: f64| track.at(s).ankle;
            (at(secs + h) - 2.0 * at(secs) + at(secs - h)) / (h * h)
        };
        for step in 0..1400 {
            let secs = f64::from(step) * h;
            let jump = (acceleration(secs + h) - acceleration(secs)).norm();
            assert!(jump < 1200.0, "{jump} cm/s2 within a millisecond at {secs}");
        }
    }
}
