//! From one pose and velocity to a motion that is already under way: the three ways of blending.
//!
//! Everything happens at the origin, facing forward; where the body is in the world is settled by [`super::root`].
//! Rotations are blended joint by joint in the tangent space of the source or target, translations axis by axis.
//!
//! Pose, velocity and acceleration go on at the cut: a kick that is stopped while it speeds up would else jerk there
//! more than anywhere in a clip. Acceleration is soon gone, since three frames of a capture tell little of what comes
//! next.

use super::{Ease, JoinKind};
use crate::motion::rotation::slerp;
use crate::motion::{Pose, Quat, Vec3};

/// Half-lives of the source's velocity, in seconds: as fitted, but within these.
const HALF_LIFE_SECS: (f64, f64) = (0.05, 1.0);

/// That of its acceleration.
const QUICK_SECS: f64 = 0.03;

/// How much of the source's acceleration goes on, where it speeds up and where it slows down. All of it jerks least at
/// the cut, but a limb that still speeds up goes further than limbs do.
const CARRIED: (f64, f64) = (0.3, 0.7);

/// A pose with what comes before it.
#[derive(Debug, Clone)]
pub(super) struct Moving {
    pub(super) pose: Pose,
    /// The pose one frame earlier.
    pub(super) before: Pose,
    /// The pose two frames earlier.
    pub(super) earlier: Pose,
}

/// How acceleration decays by frame.
pub(super) fn quick_decay(fps: f64) -> f64 {
    2.0 * std::f64::consts::LN_2 / (QUICK_SECS * fps)
}

/// Blends from a source to a target over some frames.
#[derive(Debug)]
pub(super) struct Blend {
    kind: JoinKind,
    ease: Ease,
    frames: f64,
    /// How acceleration decays by frame.
    quick: f64,
    source: Pose,
    rotations: Vec<Curve>,
    translations: Vec<Curve>,
}

/// What each kind of join keeps of one joint: a vector that depends on time.
#[derive(Debug, Clone, Copy)]
struct Curve {
    /// Dead: velocity by frame. Quintic: the offset at the cut.
    first: Vec3,
    /// Dead: decay by frame. Quintic: the offset's velocity by frame.
    second: Vec3,
    /// Acceleration by frame, of the source or the offset.
    third: Vec3,
}

impl Blend {
    /// Both sides at the moment of the cut.
    pub(super) fn new(
        kind: JoinKind,
        ease: Ease,
        frames: usize,
        fps: f64,
        source: &Moving,
        target: &Moving,
    ) -> Self {
        let rotation = |j: usize| {
            let [from, from_before, from_earlier] = source.each().map(|p| &p.rotations[j]);
            let [to, to_before, to_earlier] = target.each().map(|p| &p.rotations[j]);
            if kind == JoinKind::Dead {
                let steps = [log(from_earlier, from_before), log(from_before, from)];
                return dead(steps, log(from, to), fps);
            }
            let offset = log(to, from);
            let before = near(log(to_before, from_before), offset);
            quintic(offset, before, near(log(to_earlier, from_earlier), before))
        };
        let translation = |s: usize| {
            let [from, from_before, from_earlier] = source.each().map(|p| p.translations[s]);
            let [to, to_before, to_earlier] = target.each().map(|p| p.translations[s]);
            if kind == JoinKind::Dead {
                let steps = [from_before - from_earlier, from - from_before];
                return dead(steps, to - from, fps);
            }
            quintic(
                from - to,
                from_before - to_before,
                from_earlier - to_earlier,
            )
        };
        Self {
            kind,
            ease,
            frames: frames as f64,
            quick: quick_decay(fps),
            rotations: (0..source.pose.rotations.len()).map(rotation).collect(),
            translations: (0..source.pose.translations.len())
                .map(translation)
                .collect(),
            source: source.pose.clone(),
        }
    }

    /// How much of the target is seen `step` frames after the cut.
    pub(super) fn share(&self, step: usize) -> f64 {
        if self.frames > 0.0 {
            self.ease.share(step as f64 / self.frames)
        } else {
            1.0
        }
    }

    /// The pose `step` frames after the cut. `source` is what the source itself would have shown, if it went on.
    pub(super) fn pose(&self, step: usize, source: Option<&Pose>, target: &Pose) -> Pose {
        let share = self.share(step);
        let t = step as f64;
        let mut pose = target.clone();
        match self.kind {
            JoinKind::Fade => {
                let source = source.unwrap_or(&self.source);
                return Pose::between(source.as_ref(), target.as_ref(), share);
            }
            JoinKind::Dead => {
                for (j, q) in pose.rotations.iter_mut().enumerate() {
                    let on = self.source.rotations[j]
                        * Quat::from_scaled_axis(self.rotations[j].extrapolated(t, self.quick));
                    *q = slerp(&on, q, share);
                }
                for (s, place) in pose.translations.iter_mut().enumerate() {
                    let on = self.source.translations[s]
                        + self.translations[s].extrapolated(t, self.quick);
                    *place = on.lerp(place, share);
                }
            }
            JoinKind::Quintic => {
                for (q, curve) in pose.rotations.iter_mut().zip(&self.rotations) {
                    *q *= Quat::from_scaled_axis(curve.decayed(t, self.frames, self.ease));
                }
                for (place, curve) in pose.translations.iter_mut().zip(&self.translations) {
                    *place += curve.decayed(t, self.frames, self.ease);
                }
            }
        }
        pose
    }
}

impl Moving {
    /// A pose that does not move.
    pub(super) fn still(pose: Pose) -> Self {
        Self {
            before: pose.clone(),
            earlier: pose.clone(),
            pose,
        }
    }

    pub(super) fn each_mut(&mut self, change: impl Fn(&mut Pose)) {
        change(&mut self.pose);
        change(&mut self.before);
        change(&mut self.earlier);
    }

    /// The last one first.
    fn each(&self) -> [&Pose; 3] {
        [&self.pose, &self.before, &self.earlier]
    }
}

impl Curve {
    /// How far a velocity has come that decays after `(1 + y t) exp(-y t)`, and an acceleration after `(1 - z t)
    /// exp(-z t)`: at the cut only acceleration changes the velocity.
    fn extrapolated(&self, t: f64, quick: f64) -> Vec3 {
        let zt = quick * t;
        let by_acceleration = (1.0 - (-zt).exp() * (1.0 + zt)) / (quick * quick);
        let by_velocity = self
            .second
            .map(|y| (2.0 - (-y * t).exp() * (2.0 + y * t)) / y);
        self.first.component_mul(&by_velocity) + self.third * by_acceleration
    }

    /// What is left of an offset: a quintic that begins with its velocity and acceleration and ends with nothing.
    fn decayed(&self, t: f64, frames: f64, ease: Ease) -> Vec3 {
        let s = if frames > 0.0 {
            (t / frames).min(1.0)
        } else {
            1.0
        };
        let offset = 1.0 - ease.share(s);
        let velocity = s * (1.0 - s * s * (6.0 - s * (8.0 - 3.0 * s)));
        let acceleration = 0.5 * s * s * (1.0 - s).powi(3);
        self.first * offset
            + self.second * (velocity * frames)
            + self.third * (acceleration * frames * frames)
    }
}

/// The velocity decays the faster the sooner it would pass the target; away from the target, as fast as it may.
/// `steps` are the last two from frame to frame, the earlier one first.
fn dead(steps: [Vec3; 2], difference: Vec3, fps: f64) -> Curve {
    let (least, most) = HALF_LIFE_SECS;
    let carried = |a: f64, v: f64| a * if a * v > 0.0 { CARRIED.0 } else { CARRIED.1 };
    let acceleration = (steps[1] - steps[0]).zip_map(&steps[1], carried);
    // Between two frames the velocity is their step; half a frame later, at the last one:
    let velocity = steps[1] + acceleration * 0.5;
    let decay = velocity.zip_map(&difference, |v, d| {
        let secs = if v == 0.0 { most } else { d / (v * fps) };
        // Twice as fast as a plain exponential comes as far.
        2.0 * std::f64::consts::LN_2 / (secs.clamp(least, most) * fps)
    });
    Curve {
        first: velocity,
        second: decay,
        third: acceleration,
    }
}

fn quintic(offset: Vec3, before: Vec3, earlier: Vec3) -> Curve {
    let acceleration = offset - before * 2.0 + earlier;
    Curve {
        first: offset,
        second: offset - before + acceleration * 0.5,
        third: acceleration,
    }
}

/// The turn from one rotation to another, in the first one's axes.
fn log(from: &Quat, to: &Quat) -> Vec3 {
    (from.inverse() * to).scaled_axis()
}

/// The same rotation as a vector next to another: half-turns away, the axis may point the other way.
fn near(turn: Vec3, to: Vec3) -> Vec3 {
    let angle = turn.norm();
    if angle > std::f64::consts::FRAC_PI_2 && turn.dot(&to) < 0.0 {
        turn * (1.0 - std::f64::consts::TAU / angle)
    } else {
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose(angle: f64, x: f64) -> Pose {
        Pose {
            translations: vec![Vec3::new(x, 0.0, 0.0)],
            rotations: vec![Quat::from_scaled_axis(Vec3::y() * angle)],
        }
    }

    /// The angle of the one joint, frame by frame: source up to the cut, then blended to a target that turns steadily.
    fn angles(kind: JoinKind, frames: usize) -> Vec<f64> {
        let source = Moving {
            earlier: pose(-0.1, -0.1),
            before: pose(0.0, 0.0),
            pose: pose(0.1, 0.1),
        };
        let target = |step: f64| pose(1.0 + 0.02 * step, 1.0 + 0.02 * step);
        let entering = Moving {
            earlier: target(-2.0),
            before: target(-1.0),
            pose: target(0.0),
        };
        let ease = Ease::default();
        let blend = Blend::new(kind, ease, frames, 30.0, &source, &entering);
        let future = |step: usize| pose(0.1 + 0.1 * step as f64, 0.1 + 0.1 * step as f64);
        let mut all = vec![source.before, source.pose];
        all.extend((1..=frames + 4).map(|step| {
            let target = target(step as f64);
            if step > frames {
                target
            } else {
                blend.pose(step, Some(&future(step)), &target)
            }
        }));
        for pose in &all {
            let angle = pose.rotations[0].scaled_axis().y;
            assert!(
                (angle - pose.translations[0].x).abs() < 1e-9,
                "both are blended alike"
            );
        }
        all.iter().map(|p| p.rotations[0].scaled_axis().y).collect()
    }

    #[test]
    fn every_kind_starts_with_the_source_and_ends_with_the_target() {
        for kind in [JoinKind::Dead, JoinKind::Quintic, JoinKind::Fade] {
            let frames = 20;
            let angles = angles(kind, frames);
            assert!(
                (angles[frames + 1] - 1.4).abs() < 1e-9,
                "{kind:?}: the target's pose"
            );
            let velocity = |at: usize| angles[at + 1] - angles[at];
            // Dead blending and inertialisation go on with the source's velocity, a tenth of a radian by frame.
            assert!(
                (velocity(1) - 0.1).abs() < 0.03,
                "{kind:?}: {}",
                velocity(1)
            );
            assert!(
                (velocity(frames) - 0.02).abs() < 0.02,
                "{kind:?}: {}",
                velocity(frames)
            );
            let bend = (1..angles.len() - 1).map(|i| (velocity(i) - velocity(i - 1)).abs());
            assert!(bend.fold(0.0, f64::max) < 0.04, "{kind:?}: no corner");
        }
    }

    #[test]
    fn a_dead_source_does_not_run_past_its_target() {
        let angles = angles(JoinKind::Dead, 20);
        assert!(angles.iter().all(|a| *a < 1.5), "{angles:?}");
    }

    #[test]
    fn a_source_that_slows_down_does_not_speed_up_at_the_cut() {
        // Steps of 0.1 and 0.05: of a steady slowing the next would be none.
        let source = Moving {
            earlier: pose(0.0, 0.0),
            before: pose(0.1, 0.1),
            pose: pose(0.15, 0.15),
        };
        let still = Moving {
            earlier: pose(0.8, 0.8),
            before: pose(0.8, 0.8),
            pose: pose(0.8, 0.8),
        };
        for kind in [JoinKind::Dead, JoinKind::Quintic] {
            let blend = Blend::new(kind, Ease::default(), 30, 30.0, &source, &still);
            let next = blend.pose(1, None, &still.pose).rotations[0];
            let step = next.scaled_axis().y - 0.15;
            // By its velocity alone it would be 0.05.
            assert!((-0.01..0.035).contains(&step), "{kind:?}: {step}");
        }
    }

    #[test]
    fn without_frames_it_is_a_cut() {
        for kind in [JoinKind::Dead, JoinKind::Quintic, JoinKind::Fade] {
            assert!((angles(kind, 0)[2] - 1.02).abs() < 1e-9, "{kind:?}");
        }
    }
}
