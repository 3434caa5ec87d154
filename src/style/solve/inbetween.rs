//! Inbetweening: keyed poses, with a style for the frames between them.
//!
//! Between keys a motion is solved from its constraints alone, usually the trajectories of a few handles. Keyed poses
//! hold more than that: the rotation of every joint. So the difference between the keyed and the solved pose is found
//! at each key and interpolated smoothly from key to key, and then the constraints are met again by the least change.
//! At its keys the motion is exactly what was keyed.

use super::motion_solve::{FrameConstraints, MotionSolveError, MotionSolveSettings};
use super::solver::Solver;
use crate::jobs::Ticket;
use crate::motion::{Pose, Quat, Vec3, rotation};
use crate::numerics::interpolate::hermite_weights;

/// A spline through poses, without a style: cubic Hermite in positions and quaternions.
#[derive(Debug, Clone, PartialEq)]
pub struct PoseSpline {
    /// By rising frame, no two at one; at least one. Quaternions of a joint are on one side of the sphere.
    keys: Vec<(f64, Pose)>,
}

impl PoseSpline {
    /// Through poses of one skeleton, in any order; of two at one frame the last counts. None without any.
    pub fn new(mut keys: Vec<(f64, Pose)>) -> Option<Self> {
        keys.retain(|key| key.0.is_finite());
        keys.sort_by(|a, b| a.0.total_cmp(&b.0));
        keys.reverse();
        keys.dedup_by(|a, b| a.0 == b.0);
        keys.reverse();
        let n_joints = keys.first()?.1.rotations.len();
        for at in 1..keys.len() {
            for joint in 0..n_joints {
                let before = keys[at - 1].1.rotations[joint];
                let here = &mut keys[at].1.rotations[joint];
                if here.coords.dot(&before.coords) < 0.0 {
                    *here = Quat::new_unchecked(-here.into_inner());
                }
            }
        }
        Some(Self { keys })
    }

    /// The pose at a moment; before the first key and after the last it stands still.
    pub fn at(&self, frame: f64) -> Pose {
        let after = self.keys.partition_point(|key| key.0 < frame);
        let Some(to) = self.keys.get(after) else {
            return self.keys[self.keys.len() - 1].1.clone();
        };
        let Some(before) = after.checked_sub(1).filter(|_| to.0 > frame) else {
            return to.1.clone();
        };
        let from = &self.keys[before];
        let length = to.0 - from.0;
        let t = (frame - from.0) / length;
        // Cubic Hermite: values and velocities at both keys.
        let [first, start, second, end] = hermite_weights(t);
        let weights = [first, start * length, second, end * length];
        let place = |slot: usize| {
            let value = |key: usize| self.keys[key].1.translations[slot];
            let speed = |key: usize| self.slope(key, &value);
            value(before) * weights[0]
                + speed(before) * weights[1]
                + value(after) * weights[2]
                + speed(after) * weights[3]
        };
        let turn = |joint: usize| {
            let value = |key: usize| self.keys[key].1.rotations[joint].coords;
            let speed = |key: usize| self.slope(key, &value);
            let coords = value(before) * weights[0]
                + speed(before) * weights[1]
                + value(after) * weights[2]
                + speed(after) * weights[3];
            let turn = nalgebra::Quaternion::from(coords);
            // Half a turn between two keys has no way that is shorter than another.
            let straight = || {
                let (a, b) = (&from.1.rotations[joint], &to.1.rotations[joint]);
                rotation::slerp(a, b, t)
            };
            Quat::try_new(turn, 1e-3).unwrap_or_else(straight)
        };
        Pose {
            translations: (0..from.1.translations.len()).map(place).collect(),
            rotations: (0..from.1.rotations.len()).map(turn).collect(),
        }
    }

    /// Velocity at a key: of the parabola through it and its neighbours; at the ends it is at rest.
    fn slope<V>(&self, key: usize, value: &impl Fn(usize) -> V) -> V
    where
        V: std::ops::Sub<Output = V>
            + std::ops::Add<Output = V>
            + std::ops::Mul<f64, Output = V>
            + std::ops::Div<f64, Output = V>,
    {
        if key == 0 || key + 1 == self.keys.len() {
            return value(key) * 0.0;
        }
        let frame = |key: usize| self.keys[key].0;
        let (left, right) = (frame(key) - frame(key - 1), frame(key + 1) - frame(key));
        let before = (value(key) - value(key - 1)) / left;
        let after = (value(key + 1) - value(key)) / right;
        (before * right + after * left) / (left + right)
    }
}

impl Solver {
    /// Solves all frames as one motion that passes through these poses at these frames.
    ///
    /// Keys beyond the frames and poses of another skeleton are passed over.
    pub fn inbetween(
        &self,
        keys: &[(usize, Pose)],
        frames: &[FrameConstraints],
        settings: &MotionSolveSettings,
        ticket: &Ticket,
    ) -> Result<Vec<Pose>, MotionSolveError> {
        let solved = self.solve_motion(frames, settings, ticket)?;
        let fits =
            |(frame, pose): &&(usize, Pose)| *frame < frames.len() && self.fits(pose.as_ref());
        let keys: Vec<&(usize, Pose)> = keys.iter().filter(fits).collect();
        let off = keys.iter().map(|(frame, pose)| {
            let off = difference(&solved[*frame].pose, pose);
            (*frame as f64, off)
        });
        let Some(off) = PoseSpline::new(off.collect()) else {
            return Ok(solved.into_iter().map(|s| s.pose).collect());
        };
        let mut solver = self.clone();
        let each = solved.iter().zip(frames).enumerate();
        let poses: Result<Vec<Pose>, MotionSolveError> = each
            .map(|(at, (near, frame))| {
                ticket.check()?;
                let keyed = keys.iter().find(|key| key.0 == at);
                if let Some((_, pose)) = keyed {
                    return Ok(pose.clone());
                }
                let failed = |why| MotionSolveError::Frame { frame: at, why };
                if !frame.weights.is_empty() {
                    solver.set_weights(&frame.weights).map_err(failed)?;
                }
                let pose = changed(&near.pose, &off.at(at as f64));
                let met = solver.met_from(&pose, near, &frame.constraints);
                Ok(met.map_err(failed)?.pose)
            })
            .collect();
        poses
    }
}

/// What has to be done to a pose to make it another.
fn difference(from: &Pose, to: &Pose) -> Pose {
    let turns = from.rotations.iter().zip(&to.rotations);
    let places = from.translations.iter().zip(&to.translations);
    Pose {
        translations: places.map(|(a, b)| b - a).collect::<Vec<Vec3>>(),
        rotations: turns
            .map(|(a, b)| {
                let turn = a.inverse() * b;
                // The shorter way round.
                if turn.w < 0.0 {
                    Quat::new_unchecked(-turn.into_inner())
                } else {
                    turn
                }
            })
            .collect(),
    }
}

fn changed(pose: &Pose, by: &Pose) -> Pose {
    let turns = pose.rotations.iter().zip(&by.rotations);
    let places = pose.translations.iter().zip(&by.translations);
    Pose {
        translations: places.map(|(a, b)| a + b).collect(),
        rotations: turns.map(|(a, b)| a * b).collect(),
    }
}
