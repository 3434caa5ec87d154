//! Walking, jogging, sneaking and limping: one planner, several styles.
//!
//! First comes the way of the pelvis over the floor, then the moments at which feet strike, then the places where they
//! strike; the legs follow by inverse kinematics. Phase 0 is the left heel strike, 0.5 the right one. What the pelvis,
//! trunk and arms do over the cycle are the first harmonics of what gait laboratories measure (Perry, *Gait Analysis*;
//! Murray, Drought and Kory 1964): the pelvis turns with the leading leg and sinks on the side of the swinging one, it
//! is lowest while both feet stand and highest over the standing leg, shoulders and arms go against it.

use std::f64::consts::{PI, TAU};

use super::act::Place;
use super::arms::Hang;
use super::body::{Lift, Moment, STANDING_CM, Turn};
use super::curve::Curve;
use super::drift::{Drift, Part};
use super::feet::{FootTrack, Footfall};
use super::path::Path;
use super::skeleton::{ANKLE_TO_BALL, Side};
use super::style::Style;
use super::traits::{Trait, Traits};
use crate::motion::{Dim, Vec3, rotation};
use crate::numerics::random::Stream;

/// Where a gait goes.
#[derive(Debug, Clone)]
pub(super) enum Route {
    /// Underway already and going on, for this long; turning left by so many radians a second.
    Steady { secs: f64, turning_rad_s: f64 },
    /// From standing to standing: the share of the full speed and the heading, by keys of seconds.
    Errand {
        secs: f64,
        speed: Vec<(f64, f64)>,
        heading_rad: Vec<(f64, f64)>,
    },
}

impl Route {
    /// The way of the pelvis, and how much of the gait there is at each time.
    fn way(&self, cycle_secs: f64, speed_cm_s: f64) -> (Path, Curve) {
        match self {
            Self::Steady {
                secs,
                turning_rad_s,
            } => {
                let margin = 3.0 * cycle_secs;
                let path = Path::new(
                    (-margin, secs + margin),
                    Curve::constant(speed_cm_s),
                    Curve::constant(0.0),
                    *turning_rad_s,
                );
                (path, Curve::constant(1.0))
            }
            Self::Errand {
                secs,
                speed,
                heading_rad,
            } => {
                let scaled: Vec<_> = speed.iter().map(|(t, v)| (*t, v * speed_cm_s)).collect();
                let path = Path::new(
                    (0.0, *secs),
                    Curve::through(&scaled, 0.0),
                    Curve::through(heading_rad, 0.0),
                    0.0,
                );
                (path, Curve::through(speed, 0.0))
            }
        }
    }

    /// From when to when feet strike.
    fn stepping(&self, cycle_secs: f64) -> (f64, f64) {
        match self {
            Self::Steady { secs, .. } => (-2.0 * cycle_secs, secs + 2.5 * cycle_secs),
            Self::Errand {
                speed, heading_rad, ..
            } => {
                let (begins, ends) = moving(speed, heading_rad);
                (begins + 0.3 * cycle_secs, ends + 0.35 * cycle_secs)
            }
        }
    }

    fn secs(&self) -> f64 {
        match self {
            Self::Steady { secs, .. } | Self::Errand { secs, .. } => *secs,
        }
    }
}

/// A walking or running character along a path.
#[derive(Debug, Clone)]
pub(super) struct Walker {
    style: Style,
    traits: Traits,
    drift: Drift,
    clock: Clock,
    path: Path,
    feet: [FootTrack; 2],
    /// How much of the gait there is: 0 standing, 1 underway.
    underway: Curve,
    start: Place,
    secs: f64,
}

/// From phase to time and back: cycles are never quite even.
#[derive(Debug, Clone, Copy)]
struct Clock {
    cycle_secs: f64,
    first: [f64; 2],
    second: f64,
    slow: (f64, f64),
}

impl Clock {
    fn new(stream: &mut Stream, cycle_secs: f64, is_long: bool) -> Self {
        Self {
            cycle_secs,
            first: [
                0.006 * stream.normal_within(2.0),
                0.006 * stream.normal_within(2.0),
            ],
            second: 0.004 * stream.normal_within(2.0),
            slow: (if is_long { 0.02 } else { 0.0 }, stream.between(0.0, TAU)),
        }
    }

    /// The warp is 0 at whole phases, so a cycle lasts as long as its trait says.
    fn secs(&self, phase: f64) -> f64 {
        let a = TAU * phase;
        let warp = self.first[0] * a.sin()
            + self.first[1] * (1.0 - a.cos())
            + self.second * (2.0 * a).sin()
            + self.slow.0 * ((0.31 * a + self.slow.1).sin() - self.slow.1.sin());
        self.cycle_secs * (phase + warp)
    }

    /// Seconds of time for each unit of phase.
    fn pace_secs(&self, phase: f64) -> f64 {
        let a = TAU * phase;
        let warp = self.first[0] * a.cos()
            + self.first[1] * a.sin()
            + 2.0 * self.second * (2.0 * a).cos()
            + 0.31 * self.slow.0 * (0.31 * a + self.slow.1).cos();
        self.cycle_secs * (1.0 + TAU * warp)
    }

    fn phase(&self, secs: f64) -> f64 {
        // Newton's method; the warp is so smooth that three rounds reach the last digits.
        let mut phase = secs / self.cycle_secs;
        for _ in 0..3 {
            phase -= (self.secs(phase) - secs) / self.pace_secs(phase);
        }
        phase
    }
}

impl Walker {
    pub(super) fn new(style: Style, traits: Traits, route: &Route, stream: &mut Stream) -> Self {
        let cycle_secs = traits.get(Trait::Duration);
        let speed_cm_s = 2.0 * traits.get(Trait::StepLength) / cycle_secs;
        let is_long = matches!(route, Route::Errand { .. });
        let clock = Clock::new(stream, cycle_secs, is_long);
        let (path, underway) = route.way(cycle_secs, speed_cm_s);
        let planner = Planner {
            style: &style,
            traits: &traits,
            clock: &clock,
            path: &path,
            span: route.stepping(cycle_secs),
            is_errand: is_long,
        };
        let feet = Side::BOTH.map(|side| planner.track(side, stream));
        Self {
            drift: Drift::new(stream, 0.9 / cycle_secs),
            style,
            traits,
            clock,
            path,
            feet,
            underway,
            start: Place::ORIGIN,
            secs: route.secs(),
        }
    }

    /// The same errand from another place, whose feet it takes over.
    pub(super) fn starting(mut self, place: &Place) -> Self {
        self.start = place.clone();
        let turned = rotation::about(Dim::Y, place.heading_rad);
        for track in &mut self.feet {
            track.carry(
                |ball| turned * ball + Vec3::new(place.x, 0.0, place.z),
                place.heading_rad,
            );
        }
        if let Some(feet) = &place.feet {
            for (track, foot) in self.feet.iter_mut().zip(feet) {
                track.begin_at(foot);
            }
        }
        self
    }

    /// Where it ends, for an action after it.
    pub(super) fn end(&self) -> Place {
        let heading_rad = self.start.heading_rad + self.path.heading_rad(self.secs);
        Place::over([self.feet[0].last(), self.feet[1].last()], heading_rad)
    }

    /// When the phase is reached.
    pub(super) fn secs(&self, phase: f64) -> f64 {
        self.clock.secs(phase)
    }

    pub(super) fn at(&self, secs: f64) -> Moment {
        let s = &self.style;
        let phase = self.clock.phase(secs);
        let amount = self.underway.at(secs).clamp(0.0, 1.2);
        let once = |at: f64| amount * (TAU * (phase - at)).cos();
        let twice = |at: f64| amount * (2.0 * TAU * (phase - at)).cos();
        let wander = |part: Part, degrees: f64| {
            (s.unrest * degrees * self.drift.at(part, secs)).to_radians()
        };
        let heading_rad = self.start.heading_rad + self.path.heading_rad(secs);
        let right_stands = 0.5 * (1.0 - (TAU * (phase - 0.30)).cos()) * amount;

        let lean = s.chest_pitch + self.traits.get(Trait::Lean);
        let pelvis_turn = Turn {
            yaw_rad: -s.pelvis_yaw.to_radians() * once(-0.02) + wander(Part::PelvisYaw, 0.5),
            pitch_rad: (s.pelvis_pitch + 0.3 * self.traits.get(Trait::Lean) + 1.2 * twice(0.08))
                .to_radians()
                + wander(Part::PelvisPitch, 0.5),
            roll_rad: s.pelvis_roll.to_radians() * once(0.17) + wander(Part::PelvisRoll, 0.4),
        };
        let chest_turn = Turn {
            yaw_rad: s.chest_yaw.to_radians() * once(0.03) + wander(Part::ChestYaw, 0.7),
            pitch_rad: (lean * (0.4 + 0.6 * amount) + 1.2 * twice(0.16)).to_radians()
                + wander(Part::ChestPitch, 0.6),
            roll_rad: (-0.35 * s.pelvis_roll * once(0.2) + s.favour * right_stands).to_radians()
                + wander(Part::ChestRoll, 0.5),
        };
        let head_turn = Turn {
            yaw_rad: 0.15 * chest_turn.yaw_rad + wander(Part::HeadYaw, 1.2),
            pitch_rad: (s.head_pitch + 0.8 * twice(0.30)).to_radians()
                + wander(Part::HeadPitch, 0.8),
            roll_rad: 0.2 * chest_turn.roll_rad + wander(Part::HeadRoll, 0.5),
        };
        Moment {
            heading_rad,
            pelvis: self.pelvis(
                secs,
                heading_rad,
                amount,
                [once(0.29), twice(s.low_phase), twice(0.19)],
            ),
            pelvis_turn,
            chest_turn,
            head_turn,
            arms: Side::BOTH.map(|side| self.arm(side, secs, phase, amount).arm(side)),
            feet: [self.feet[0].at(secs), self.feet[1].at(secs)],
            lifts: [Lift::default(); 2],
        }
    }

    /// `waves`: over the left foot, low, and ahead, each from -1 to 1.
    fn pelvis(&self, secs: f64, heading_rad: f64, amount: f64, waves: [f64; 3]) -> Vec3 {
        let [over_left, low, surge] = waves;
        let s = &self.style;
        let [x, z] = self.path.at(secs);
        let way = rotation::about(Dim::Y, self.start.heading_rad) * Vec3::new(x, 0.0, z);
        let (x, z) = (self.start.x + way.x, self.start.z + way.z);
        let (sin, cos) = heading_rad.sin_cos();
        // Falling forward off the standing leg, the body is fastest while both feet stand.
        let ahead = s.surge * surge + 0.4 * self.drift.at(Part::PelvisZ, secs);
        let left = s.sway * over_left + 0.4 * self.drift.at(Part::PelvisX, secs);
        let depth = self.traits.get(Trait::Depth);
        let standing = 1.0 - amount.min(1.0);
        let y = STANDING_CM - (1.0 - standing) * s.drop - s.bob * depth * low;
        Vec3::new(
            x + left * cos + ahead * sin,
            y,
            z - left * sin + ahead * cos,
        )
    }

    fn arm(&self, side: Side, secs: f64, phase: f64, amount: f64) -> Hang {
        let s = &self.style;
        let i = side.index();
        let size = self.traits.get(if side == Side::Left {
            Trait::ArmLeft
        } else {
            Trait::ArmRight
        });
        // The arm goes with the other leg, a little late; the forearm later still.
        let forward = |late: f64| -side.sign() * amount * size * (TAU * (phase - late)).cos();
        let wander =
            |part: Part, degrees: f64| s.unrest * degrees * self.drift.at_side(part, i, secs);
        let rest = 0.4 + 0.6 * amount.min(1.0);
        Hang {
            flex_rad: (s.arm_flex + s.arm_swing * forward(0.02) + wander(Part::ArmFlex, 0.8))
                .to_radians(),
            abduct_rad: (s.arm_out + wander(Part::ArmAbduct, 0.8)).to_radians(),
            turn_in_rad: (s.arm_in
                + 0.25 * s.arm_swing * forward(0.06)
                + wander(Part::ArmTurn, 1.2))
            .to_radians(),
            elbow_rad: (s.elbow * rest + s.elbow_swing * forward(0.07) + wander(Part::Elbow, 1.2))
                .to_radians(),
            pronation_rad: (20.0 + wander(Part::Wrist, 2.0)).to_radians(),
        }
    }
}

/// Puts the feet down.
struct Planner<'a> {
    style: &'a Style,
    traits: &'a Traits,
    clock: &'a Clock,
    path: &'a Path,
    span: (f64, f64),
    is_errand: bool,
}

impl Planner<'_> {
    fn track(&self, side: Side, stream: &mut Stream) -> FootTrack {
        let offset = match side {
            Side::Left => 0.0,
            Side::Right => self.style.right_phase,
        };
        let first = (self.clock.phase(self.span.0) - offset).ceil();
        let last = (self.clock.phase(self.span.1) - offset).floor();
        let strikes: Vec<f64> = (0..=(last - first).max(0.0) as usize)
            .map(|k| first + k as f64 + offset)
            .collect();
        let mut falls = Vec::with_capacity(strikes.len() + 1);
        if self.is_errand {
            falls.push(self.fall(side, strikes[0] - 1.0, 0.0, stream));
        }
        for phase in &strikes {
            falls.push(self.fall(side, *phase, self.clock.secs(*phase), stream));
        }
        if let Some(begin) = falls.first_mut() {
            begin.strike_secs = f64::NEG_INFINITY;
            begin.flat_secs = f64::NEG_INFINITY;
        }
        if let Some(end) = falls.last_mut() {
            end.heel_off_secs = f64::INFINITY;
            end.off_secs = f64::INFINITY;
        }
        FootTrack::new(falls)
    }

    /// Slow steps at the beginning and end of an errand are flatter: the share of a full step's lift and roll.
    fn pace(&self, secs: f64) -> f64 {
        let full = 2.0 * self.traits.get(Trait::StepLength) / self.clock.cycle_secs;
        if full <= 0.0 {
            return 1.0;
        }
        0.35 + 0.65 * (self.path.speed_cm_s(secs) / full).clamp(0.0, 1.0)
    }

    /// A fall at this phase; `from_secs` is where the way is looked up from, which for a standing start is the start.
    fn fall(&self, side: Side, phase: f64, from_secs: f64, stream: &mut Stream) -> Footfall {
        let s = self.style;
        let i = side.index();
        let strike_secs = self.clock.secs(phase);
        let off_secs = self.clock.secs(phase + s.stance[i]);
        let stance = off_secs - strike_secs;
        let over = from_secs + s.passes[i] * stance;
        let over = if from_secs > 0.0 || !self.is_errand {
            over
        } else {
            0.0
        };
        let [x, z] = self.path.at(over);
        let heading = self.path.heading_rad(over);
        let yaw_rad =
            heading + side.sign() * s.toe_out.to_radians() + 0.02 * stream.normal_within(2.0);
        let out =
            side.sign() * 0.5 * self.traits.get(Trait::StepWidth) + 0.5 * stream.normal_within(2.0);
        let ahead = 0.6 * stream.normal_within(2.0);
        let (sin, cos) = heading.sin_cos();
        let ball = ANKLE_TO_BALL[2];
        Footfall {
            ball_x: x + out * cos + ahead * sin + ball * yaw_rad.sin(),
            ball_z: z - out * sin + ahead * cos + ball * yaw_rad.cos(),
            yaw_rad,
            strike_secs,
            flat_secs: strike_secs + s.flat * stance,
            heel_off_secs: strike_secs + s.heel_off * stance,
            off_secs,
            strike_pitch_rad: s.strike_pitch.to_radians() * self.pace(strike_secs),
            off_pitch_rad: s.off_pitch.to_radians() * self.pace(off_secs),
            late_rise: s.late_rise,
            trail_secs: s.trail * (1.0 - s.stance[i]) * self.clock.cycle_secs,
            lift_cm: s.lift * self.traits.get(Trait::FootLift) * self.pace(strike_secs),
        }
    }
}

/// When an errand first and last changes its speed or heading. Feet step only in between: nobody marches on the spot.
fn moving(speed: &[(f64, f64)], heading_rad: &[(f64, f64)]) -> (f64, f64) {
    let changing = |keys: &[(f64, f64)]| -> Vec<f64> {
        let pairs = keys.windows(2).filter(|pair| pair[0].1 != pair[1].1);
        pairs.flat_map(|pair| [pair[0].0, pair[1].0]).collect()
    };
    let mut times = changing(speed);
    times.extend(changing(heading_rad));
    let begins = times.iter().copied().fold(f64::INFINITY, f64::min);
    let ends = times.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if begins < ends {
        (begins, ends)
    } else {
        (0.0, 0.0)
    }
}

/// Radians a second that turn a walk by this many degrees each cycle.
pub(super) fn turning(degrees_each_cycle: f64, cycle_secs: f64) -> f64 {
    degrees_each_cycle * PI / 180.0 / cycle_secs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phase_and_time_belong_to_each_other() {
        for seed in 0..50 {
            let clock = Clock::new(&mut Stream::named(seed, &[]), 1.1, true);
            for step in -40..400 {
                let phase = 0.05 * f64::from(step);
                let back = clock.phase(clock.secs(phase));
                assert!(
                    (back - phase).abs() < 1e-9,
                    "{seed}: {phase} came back as {back}"
                );
            }
        }
    }

    #[test]
    fn a_cycle_lasts_as_long_as_it_should() {
        let clock = Clock::new(&mut Stream::named(3, &[]), 1.1, false);
        for n in -2..3 {
            let n = f64::from(n);
            assert!(
                (clock.secs(n + 1.0) - clock.secs(n) - 1.1).abs() < 1e-12,
                "cycle {n}"
            );
        }
    }
}
