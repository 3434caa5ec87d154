//! Actions from key to key: a recipe of keys, and its performance by an actor with traits.
//!
//! A recipe is written for an average take. A performer stretches its time, scales its arms, steps, depth and lifts,
//! shifts every part a little in time, and wanders a little ([`super::drift`]).

use super::arms::{ArmCurve, Hang, Reach};
use super::body::{Arm, Lift, Moment, STANDING_CM, Turn};
use super::curve::{Curve, FLOW, Knot, Knots};
use super::drift::{Drift, Part};
use super::feet::{FootTrack, Footfall};
use super::skeleton::{ANKLE_TO_BALL, Side};
use super::traits::{Trait, Traits};
use crate::motion::{Dim, Quat, Vec3, rotation};
use crate::numerics::random::Stream;

/// What a track of keys controls. Centimetres and degrees; turns are to the left, forward and to the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Control {
    PelvisX,
    PelvisY,
    PelvisZ,
    PelvisYaw,
    PelvisPitch,
    PelvisRoll,
    ChestYaw,
    ChestPitch,
    ChestRoll,
    HeadYaw,
    HeadPitch,
    HeadRoll,
    /// Heel up on a foot that stays.
    Heel(Side),
    /// Turn of a foot on its ball.
    Pivot(Side),
    /// 0 to 1: a leg that is led by the following angles (see [`Lift`]).
    Lifted(Side),
    Swing(Side),
    Out(Side),
    Knee(Side),
    Point(Side),
    TurnOut(Side),
}

/// An arm at a key.
#[derive(Debug, Clone, Copy)]
pub(super) enum ArmKey {
    Hang(Hang),
    Reach(Reach),
}

/// An arm by angles in degrees: forward, out, turned in, elbow.
pub(super) const fn hang(flex: f64, out: f64, turn_in: f64, elbow: f64) -> ArmKey {
    ArmKey::Hang(Hang {
        flex_rad: flex.to_radians(),
        abduct_rad: out.to_radians(),
        turn_in_rad: turn_in.to_radians(),
        elbow_rad: elbow.to_radians(),
        pronation_rad: 0.35,
    })
}

/// An arm by its wrist from the shoulder (out, up, forward), with the elbow pointing this way.
pub(super) const fn reach(wrist_cm: [f64; 3], elbow: [f64; 3], pronation: f64) -> ArmKey {
    ArmKey::Reach(Reach {
        wrist_cm,
        elbow,
        pronation_deg: pronation,
        wrist_deg: 3.0,
    })
}

/// Arms at the sides, as in standing.
pub(super) const RELAXED: ArmKey = hang(1.0, 8.0, 16.0, 13.0);

impl ArmKey {
    fn arm(&self, side: Side) -> Arm {
        match self {
            Self::Hang(hang) => hang.arm(side),
            Self::Reach(reach) => reach.arm(side),
        }
    }
}

/// A foot goes to another place: when the heel rises, the toes leave, the foot touches and is flat again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) side: Side,
    pub(super) secs: [f64; 4],
    /// Ankle, across and ahead, and degrees.
    pub(super) to: (f64, f64, f64),
    pub(super) lift: f64,
    pub(super) off_pitch: f64,
    pub(super) strike_pitch: f64,
}

/// Both feet, or the only one, leave the floor: a free fall of the pelvis from one moment to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leap {
    /// Deepest before, toes off, touch, deepest after, standing again.
    pub(super) secs: [f64; 5],
    /// Pelvis against standing at the first, second, third and fourth of these moments, and the last.
    pub(super) heights: [f64; 5],
}

/// An action for an average take.
#[derive(Debug, Clone)]
pub(super) struct Recipe {
    pub(super) secs: f64,
    /// Ankles of the left and right foot, across and ahead, and degrees.
    pub(super) feet: [(f64, f64, f64); 2],
    pub(super) tracks: Vec<(Control, Vec<(f64, f64)>)>,
    pub(super) arms: [Vec<(f64, ArmKey)>; 2],
    pub(super) steps: Vec<Step>,
    pub(super) leaps: Vec<Leap>,
    /// How much the body wanders; 1 is relaxed standing.
    pub(super) unrest: f64,
}

/// Where the feet are in relaxed standing.
pub(super) const STAND: [(f64, f64, f64); 2] = [(9.5, 0.0, 7.0), (-9.5, 0.0, -7.0)];

impl Recipe {
    /// Relaxed standing for so long.
    pub(super) fn standing(secs: f64) -> Self {
        Self {
            secs,
            feet: STAND,
            tracks: vec![
                (Control::PelvisPitch, vec![(0.0, 4.0)]),
                (Control::ChestPitch, vec![(0.0, 2.0)]),
            ],
            arms: [vec![(0.0, RELAXED)], vec![(0.0, RELAXED)]],
            steps: Vec::new(),
            leaps: Vec::new(),
            unrest: 1.0,
        }
    }

    /// Keys of seconds and value for one control.
    pub(super) fn track(mut self, control: Control, keys: &[(f64, f64)]) -> Self {
        self.tracks.retain(|(other, _)| *other != control);
        self.tracks.push((control, keys.to_vec()));
        self
    }

    /// Keys of one arm.
    pub(super) fn arm(mut self, side: Side, keys: &[(f64, ArmKey)]) -> Self {
        self.arms[side.index()] = keys.to_vec();
        self
    }

    /// Keys of both arms alike.
    pub(super) fn both_arms(self, keys: &[(f64, ArmKey)]) -> Self {
        self.arm(Side::Left, keys).arm(Side::Right, keys)
    }

    /// Adds a step: a foot that moves to another position.
    pub(super) fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }
}

/// Where an action takes place.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) x: f64,
    pub(super) z: f64,
    pub(super) heading_rad: f64,
    /// Feet that stand already, from an action before.
    pub(super) feet: Option<[Footfall; 2]>,
}

impl Place {
    pub(super) const ORIGIN: Self = Self {
        x: 0.0,
        z: 0.0,
        heading_rad: 0.0,
        feet: None,
    };

    /// Between two standing feet.
    pub(super) fn over(feet: [Footfall; 2], heading_rad: f64) -> Self {
        let ankles = feet.each_ref().map(|foot| {
            let back = rotation::about(Dim::Y, foot.yaw_rad) * Vec3::from(ANKLE_TO_BALL);
            (foot.ball_x - back.x, foot.ball_z - back.z)
        });
        Self {
            x: 0.5 * (ankles[0].0 + ankles[1].0),
            z: 0.5 * (ankles[0].1 + ankles[1].1),
            heading_rad,
            feet: Some(feet),
        }
    }
}

/// Someone doing a recipe.
#[derive(Debug, Clone)]
pub(super) struct Performer {
    place: Place,
    tracks: Vec<(Control, Curve)>,
    arms: [ArmCurve; 2],
    feet: [FootTrack; 2],
    height: Option<Knots>,
    lean_rad: f64,
    depth: f64,
    drift: Drift,
    unrest: f64,
}

impl Performer {
    pub(super) fn new(
        recipe: &Recipe,
        traits: &Traits,
        nominal_step_cm: f64,
        place: Place,
        stream: &mut Stream,
    ) -> Self {
        let tempo = traits.get(Trait::Duration) / recipe.secs;
        let lift_size = traits.get(Trait::FootLift);
        let stride = if nominal_step_cm > 0.0 {
            traits.get(Trait::StepLength) / nominal_step_cm
        } else {
            1.0
        };
        let sizes = Sizes {
            tempo,
            lift: lift_size,
            stride,
        };
        let tracks = sizes.tracks(recipe, stream);
        let arms = Side::BOTH.map(|side| sizes.arm(recipe, traits, side, stream));
        let width =
            traits.get(Trait::StepWidth) / (recipe.feet[0].0 - recipe.feet[1].0).abs().max(1.0);
        let feet = Side::BOTH.map(|side| {
            FeetPlan {
                recipe,
                tempo,
                stride,
                width,
                lift_size,
                place: &place,
            }
            .track(side)
        });
        let height = recipe
            .is_leap()
            .then(|| leap_heights(&recipe.leaps, tempo, traits.get(Trait::Depth)));
        Self {
            place,
            tracks,
            arms,
            feet,
            height,
            lean_rad: traits.get(Trait::Lean).to_radians(),
            depth: traits.get(Trait::Depth),
            drift: Drift::new(stream, 0.7),
            unrest: recipe.unrest,
        }
    }

    fn value(&self, control: Control, secs: f64) -> f64 {
        let track = self.tracks.iter().find(|(other, _)| *other == control);
        track.map_or(0.0, |(_, curve)| curve.at(secs))
    }

    fn turn(&self, controls: [Control; 3], parts: [Part; 3], degrees: f64, secs: f64) -> Turn {
        let angle = |i: usize| {
            let wander = self.unrest * degrees * self.drift.at(parts[i], secs);
            (self.value(controls[i], secs) + wander).to_radians()
        };
        Turn {
            yaw_rad: angle(0),
            pitch_rad: angle(1),
            roll_rad: angle(2),
        }
    }

    pub(super) fn at(&self, secs: f64) -> Moment {
        use Control as C;
        let pelvis_turn = self.turn(
            [C::PelvisYaw, C::PelvisPitch, C::PelvisRoll],
            [Part::PelvisYaw, Part::PelvisPitch, Part::PelvisRoll],
            0.5,
            secs,
        );
        let mut chest_turn = self.turn(
            [C::ChestYaw, C::ChestPitch, C::ChestRoll],
            [Part::ChestYaw, Part::ChestPitch, Part::ChestRoll],
            0.8,
            secs,
        );
        chest_turn.pitch_rad += self.lean_rad;
        let head_turn = self.turn(
            [C::HeadYaw, C::HeadPitch, C::HeadRoll],
            [Part::HeadYaw, Part::HeadPitch, Part::HeadRoll],
            1.2,
            secs,
        );
        Moment {
            heading_rad: self.place.heading_rad,
            pelvis: self.pelvis(secs),
            pelvis_turn,
            chest_turn,
            head_turn,
            arms: Side::BOTH.map(|side| self.arm(side, secs)),
            feet: [self.feet[0].at(secs), self.feet[1].at(secs)],
            lifts: Side::BOTH.map(|side| self.lift(side, secs)),
        }
    }

    fn pelvis(&self, secs: f64) -> Vec3 {
        let left = self.value(Control::PelvisX, secs)
            + 0.5 * self.unrest * self.drift.at(Part::PelvisX, secs);
        let ahead = self.value(Control::PelvisZ, secs)
            + 0.4 * self.unrest * self.drift.at(Part::PelvisZ, secs);
        let up = match &self.height {
            Some(knots) => knots.at(secs),
            None => self.depth * self.value(Control::PelvisY, secs),
        };
        let turned = rotation::about(Dim::Y, self.place.heading_rad) * Vec3::new(left, 0.0, ahead);
        Vec3::new(
            self.place.x + turned.x,
            STANDING_CM + up,
            self.place.z + turned.z,
        )
    }

    fn arm(&self, side: Side, secs: f64) -> Arm {
        let i = side.index();
        let wander = |part: Part, degrees: f64| {
            (self.unrest * degrees * self.drift.at_side(part, i, secs)).to_radians()
        };
        let mut arm = self.arms[i].at(secs);
        let sway = Vec3::new(
            wander(Part::ArmTurn, 1.5),
            wander(Part::ArmFlex, 1.0),
            wander(Part::ArmAbduct, 1.0),
        );
        arm.upper *= Quat::from_scaled_axis(sway);
        arm.elbow_rad += wander(Part::Elbow, 0.8);
        arm.wrist_rad += wander(Part::Wrist, 2.0);
        arm
    }

    fn lift(&self, side: Side, secs: f64) -> Lift {
        let weight = self.value(Control::Lifted(side), secs);
        if weight == 0.0 {
            return Lift::default();
        }
        Lift {
            weight,
            swing_rad: self.value(Control::Swing(side), secs).to_radians(),
            out_rad: self.value(Control::Out(side), secs).to_radians(),
            knee_rad: self.value(Control::Knee(side), secs).to_radians(),
            point_rad: self.value(Control::Point(side), secs).to_radians(),
            turn_out_rad: self.value(Control::TurnOut(side), secs).to_radians(),
        }
    }

    /// Where it ends, for an action after it.
    pub(super) fn end(&self) -> Place {
        Place::over(
            [self.feet[0].last(), self.feet[1].last()],
            self.place.heading_rad,
        )
    }
}

impl Recipe {
    /// Whether the pelvis falls freely at some time.
    fn is_leap(&self) -> bool {
        !self.leaps.is_empty()
    }
}

/// How one performer differs from the recipe.
struct Sizes {
    tempo: f64,
    lift: f64,
    stride: f64,
}

impl Sizes {
    /// Every control a little larger or smaller, earlier or later. What carries the body (feet, lifted legs, leaps)
    /// keeps its time, so that it still fits together.
    fn tracks(&self, recipe: &Recipe, stream: &mut Stream) -> Vec<(Control, Curve)> {
        let mut tracks = Vec::with_capacity(recipe.tracks.len());
        for (control, keys) in &recipe.tracks {
            let chance = 0.012 * stream.normal_within(2.0);
            let size = match control {
                Control::Lifted(_) | Control::Heel(_) | Control::Pivot(_) | Control::Knee(_) => 1.0,
                Control::Swing(_) => self.lift,
                Control::PelvisZ if !recipe.steps.is_empty() => self.stride,
                _ => 1.0 + 0.05 * stream.normal_within(2.0),
            };
            let keeps_time = size == 1.0 || recipe.is_leap();
            let late = if keeps_time { 0.0 } else { chance };
            let keys: Vec<_> = keys
                .iter()
                .map(|(t, v)| (t * self.tempo + late, v * size))
                .collect();
            let is_weight = matches!(control, Control::Lifted(_));
            let flow = if is_weight { 0.0 } else { FLOW };
            tracks.push((*control, Curve::through(&keys, flow)));
        }
        tracks
    }

    fn arm(&self, recipe: &Recipe, traits: &Traits, side: Side, stream: &mut Stream) -> ArmCurve {
        let size = traits.get(match side {
            Side::Left => Trait::ArmLeft,
            Side::Right => Trait::ArmRight,
        });
        let late = 0.012 * stream.normal_within(2.0);
        let keys: Vec<_> = recipe.arms[side.index()]
            .iter()
            .map(|(t, key)| (t * self.tempo + late, key.arm(side)))
            .collect();
        let sized_keys: Vec<_> = keys
            .iter()
            .map(|(t, arm)| (*t, sized(&keys[0].1, arm, size)))
            .collect();
        ArmCurve::through(&sized_keys, &keys)
    }
}

/// A key pose made larger or smaller as seen from the first one.
fn sized(first: &Arm, arm: &Arm, size: f64) -> Arm {
    let mix = |a: f64, b: f64| a + size * (b - a);
    Arm {
        upper: rotation::slerp(&first.upper, &arm.upper, size),
        elbow_rad: mix(first.elbow_rad, arm.elbow_rad).clamp(MIN_ELBOW_RAD, MAX_ELBOW_RAD),
        pronation_rad: mix(first.pronation_rad, arm.pronation_rad),
        wrist_rad: mix(first.wrist_rad, arm.wrist_rad),
    }
}

/// Elbows stay between almost straight and 145 degrees.
const MIN_ELBOW_RAD: f64 = 0.10;
const MAX_ELBOW_RAD: f64 = 2.50;

/// Pelvis heights of leaps: crouch, push, free fall, landing. A longer time in the air is a higher leap.
fn leap_heights(leaps: &[Leap], tempo: f64, depth: f64) -> Knots {
    let rest = |secs: f64, value: f64| Knot {
        secs,
        value,
        speed: 0.0,
        acceleration: 0.0,
    };
    let mut knots = Vec::new();
    for leap in leaps {
        let [deep, off, touch, low, up] = leap.secs.map(|t| t * tempo);
        let [before, leave, meet, after, end] = leap.heights;
        // The speed that brings the pelvis from one height to the other in the given time.
        let flight = touch - off;
        let speed = (meet - leave) / flight + 0.5 * GRAVITY_CM_S2 * flight;
        let falling = |secs: f64, value: f64, speed: f64| Knot {
            secs,
            value,
            speed,
            acceleration: -GRAVITY_CM_S2,
        };
        if knots.is_empty() {
            knots.push(rest((deep - 0.42 * tempo).max(0.0), 0.0));
        }
        knots.push(rest(deep, before * depth));
        knots.push(falling(off, leave, speed));
        knots.push(falling(touch, meet, speed - GRAVITY_CM_S2 * flight));
        knots.push(rest(low, after * depth));
        if up > low {
            knots.push(rest(up, end));
        }
    }
    Knots(knots)
}

/// Centimetres per second squared.
pub(super) const GRAVITY_CM_S2: f64 = 981.0;

struct FeetPlan<'a> {
    recipe: &'a Recipe,
    tempo: f64,
    stride: f64,
    width: f64,
    lift_size: f64,
    place: &'a Place,
}

impl FeetPlan<'_> {
    fn track(&self, side: Side) -> FootTrack {
        let first = match &self.place.feet {
            Some(feet) => feet[side.index()].clone(),
            None => self.fall(self.recipe.feet[side.index()]),
        };
        let mut falls = vec![first];
        for step in self.recipe.steps.iter().filter(|step| step.side == side) {
            let [heel_off, off, strike, flat] = step.secs.map(|t| t * self.tempo);
            let (x, z, yaw) = step.to;
            let mut next = self.fall((x, z * self.stride, yaw));
            next.strike_secs = strike;
            next.flat_secs = flat;
            next.strike_pitch_rad = step.strike_pitch.to_radians();
            next.lift_cm = step.lift * self.lift_size;
            if let Some(before) = falls.last_mut() {
                before.heel_off_secs = heel_off;
                before.off_secs = off;
                before.off_pitch_rad = step.off_pitch.to_radians();
                before.trail_secs = 0.05;
            }
            falls.push(next);
        }
        let keys = |control: Control| -> Curve {
            let found = self
                .recipe
                .tracks
                .iter()
                .find(|(other, _)| *other == control);
            let keys: Vec<_> = found.map_or(Vec::new(), |(_, keys)| {
                keys.iter()
                    .map(|(t, v)| (t * self.tempo, v.to_radians()))
                    .collect()
            });
            Curve::through(&keys, 0.0)
        };
        FootTrack::new(falls).pivoting(&keys(Control::Heel(side)), keys(Control::Pivot(side)))
    }

    fn fall(&self, (x, z, yaw): (f64, f64, f64)) -> Footfall {
        let heading = rotation::about(Dim::Y, self.place.heading_rad);
        let yaw_rad = yaw.to_radians();
        let ball = ANKLE_TO_BALL[2];
        let here = Vec3::new(
            x * self.width + ball * yaw_rad.sin(),
            0.0,
            z + ball * yaw_rad.cos(),
        );
        let there = heading * here;
        Footfall::standing(
            self.place.x + there.x,
            self.place.z + there.z,
            self.place.heading_rad + yaw_rad,
        )
    }
}
