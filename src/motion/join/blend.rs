//! From one pose and velocity to a motion that is already under way: the three ways of blending.
//!
//! Everything happens at the origin, facing forward; where the body is in the world is settled by [`super::root`].
//! Rotations are blended joint by joint in the tangent space of the source or target, translations axis by axis.

use super::JoinKind;
use crate::motion::rotation::slerp;
use crate::motion::{Pose, Quat, Vec3};

/// Half-lives of the source's velocity, in seconds: as fitted, but within these.
const HALF_LIFE_SECS: (f64, f64) = (0.05, 1.0);

/// A pose with what comes before it.
#[derive(Debug, Clone)]
pub(super) struct Moving {
    pub(super) pose: Pose,
    /// One frame earlier.
    pub(super) before: Pose,
}

/// Blends from a source to a target over some frames.
#[derive(Debug)]
pub(super) struct Blend {
    kind: JoinKind,
    frames: f64,
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
}

/// Zero with its first two derivatives at 0, one with them at 1: the curve of least jerk.
pub(super) fn smootherstep(share: f64) -> f64 {
    let s = share.clamp(0.0, 1.0);
    s * s * s * (s * (6.0 * s - 15.0) + 10.0)
}

impl Blend {
    /// Both sides at the moment of the cut.
    pub(super) fn new(
        kind: JoinKind,
        frames: usize,
        fps: f64,
        source: &Moving,
        target: &Moving,
    ) -> Self {
        let rotation = |j: usize| {
            let (from, to) = (&source.pose.rotations[j], &target.pose.rotations[j]);
            let (from_before, to_before) =
                (&source.before.rotations[j], &target.before.rotations[j]);
            if kind == JoinKind::Dead {
                return dead(log(from_before, from), log(from, to), fps);
            }
            let offset = log(to, from);
            quintic(offset, near(log(to_before, from_before), offset))
        };
        let translation = |s: usize| {
            let (from, to) = (source.pose.translations[s], target.pose.translations[s]);
            let (from_before, to_before) =
                (source.before.translations[s], target.before.translations[s]);
            match kind {
                JoinKind::Dead => dead(from - from_before, to - from, fps),
                _ => quintic(from - to, from_before - to_before),
            }
        };
        Self {
            kind,
            frames: frames as f64,
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
            smootherstep(step as f64 / self.frames)
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
                        * Quat::from_scaled_axis(self.rotations[j].extrapolated(t));
                    *q = slerp(&on, q, share);
                }
                for (s, place) in pose.translations.iter_mut().enumerate() {
                    let on = self.source.translations[s] + self.translations[s].extrapolated(t);
                    *place = on.lerp(place, share);
                }
            }
            JoinKind::Quintic => {
                for (q, curve) in pose.rotations.iter_mut().zip(&self.rotations) {
                    *q *= Quat::from_scaled_axis(curve.decayed(t, self.frames));
                }
                for (place, curve) in pose.translations.iter_mut().zip(&self.translations) {
                    *place += curve.decayed(t, self.frames);
                }
            }
        }
        pose
    }
}

impl Curve {
    /// How far a velocity that decays has come.
    fn extrapolated(&self, t: f64) -> Vec3 {
        self.first
            .zip_map(&self.second, |v, y| v / y * (1.0 - (-y * t).exp()))
    }

    /// What is left of an offset: a quintic that begins with its velocity and ends with neither.
    fn decayed(&self, t: f64, frames: f64) -> Vec3 {
        let s = if frames > 0.0 {
            (t / frames).min(1.0)
        } else {
            1.0
        };
        let offset = 1.0 - smootherstep(s);
        let velocity = s * (1.0 - s * s * (6.0 - s * (8.0 - 3.0 * s)));
        self.first * offset + self.second * (velocity * frames)
    }
}

/// The velocity decays the faster the sooner it would pass the target; away from the target, as fast as it may.
fn dead(velocity: Vec3, difference: Vec3, fps: f64) -> Curve {
    let (least, most) = HALF_LIFE_SECS;
    let decay = velocity.zip_map(&difference, |v, d| {
        let secs = if v == 0.0 { most } else { d / (v * fps) };
        std::f64::consts::LN_2 / (secs.clamp(least, most) * fps)
    });
    Curve {
        first: velocity,
        second: decay,
    }
}

fn quintic(offset: Vec3, offset_before: Vec3) -> Curve {
    Curve {
        first: offset,
        second: offset - offset_before,
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
            before: pose(0.0, 0.0),
            pose: pose(0.1, 0.1),
        };
        let target = |step: f64| pose(1.0 + 0.02 * step, 1.0 + 0.02 * step);
        let entering = Moving {
            before: target(-1.0),
            pose: target(0.0),
        };
        let blend = Blend::new(kind, frames, 30.0, &source, &entering);
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
    fn without_frames_it_is_a_cut() {
        for kind in [JoinKind::Dead, JoinKind::Quintic, JoinKind::Fade] {
            assert!((angles(kind, 0)[2] - 1.02).abs() < 1e-9, "{kind:?}");
        }
    }
}
