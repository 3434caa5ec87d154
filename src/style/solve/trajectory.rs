//! Trajectories for keyframing: a few keys with tangents, and an interpolated position for every frame between them.

use super::constraint::{Constraint, ConstraintMode, Goal};
use super::motion_solve::FrameConstraints;
use crate::motion::{Site, Vec3};
use crate::numerics::interpolate::hermite_weights;

/// A key of a trajectory: a position at a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrajectoryKey {
    /// Counted from 0; may lie between two frames.
    pub frame: f64,
    /// Position in world space.
    pub place: Vec3,
    /// Velocity in units per frame; `None` for an automatic tangent from the neighbouring keys.
    pub tangent: Option<Vec3>,
}

/// The keyframed trajectory of one joint or end site.
#[derive(Debug, Clone, PartialEq)]
pub struct Trajectory {
    /// The joint or end site that follows the curve.
    pub site: Site,
    /// How strictly it is followed.
    pub mode: ConstraintMode,
    /// By rising frame, no two at one; at least one.
    keys: Vec<TrajectoryKey>,
}

/// Why keys do not make a trajectory.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TrajectoryError {
    /// There is no key.
    #[error("a trajectory needs at least one key")]
    NoKeys,
    /// A number is infinite or not a number.
    #[error("the key at frame {0} holds a number that is not finite")]
    NotFinite(f64),
    /// Two keys at one moment.
    #[error("there are two keys at frame {0}")]
    Twice(f64),
}

impl Trajectory {
    /// Through these keys, in any order.
    pub fn new(site: Site, mut keys: Vec<TrajectoryKey>) -> Result<Self, TrajectoryError> {
        if keys.is_empty() {
            return Err(TrajectoryError::NoKeys);
        }
        let is_finite = |v: &Vec3| v.iter().all(|x| x.is_finite());
        let broken = keys.iter().find(|k| {
            !(k.frame.is_finite() && is_finite(&k.place) && k.tangent.iter().all(is_finite))
        });
        if let Some(key) = broken {
            return Err(TrajectoryError::NotFinite(key.frame));
        }
        keys.sort_by(|a, b| a.frame.total_cmp(&b.frame));
        if let Some(pair) = keys.windows(2).find(|w| w[0].frame == w[1].frame) {
            return Err(TrajectoryError::Twice(pair[0].frame));
        }
        Ok(Self {
            site,
            mode: ConstraintMode::Hard,
            keys,
        })
    }

    /// All keys by rising frame.
    pub fn keys(&self) -> &[TrajectoryKey] {
        &self.keys
    }

    /// The position at a frame between the first and the last key; outside, the site is free.
    pub fn at(&self, frame: f64) -> Option<Vec3> {
        let after = self.keys.partition_point(|k| k.frame < frame);
        let to = self.keys.get(after)?;
        if to.frame == frame {
            return Some(to.place);
        }
        let from = &self.keys[after.checked_sub(1)?];
        let length = to.frame - from.frame;
        let t = (frame - from.frame) / length;
        // Cubic Hermite: places and velocities at both keys.
        let weights = hermite_weights(t);
        let start = self.tangent(after - 1) * length;
        let end = self.tangent(after) * length;
        Some(
            from.place * weights[0] + start * weights[1] + to.place * weights[2] + end * weights[3],
        )
    }

    /// The velocity at a key: its own, or that of the parabola through it and its neighbours; at the ends, of the line.
    pub fn tangent(&self, key: usize) -> Vec3 {
        let here = &self.keys[key];
        if let Some(tangent) = here.tangent {
            return tangent;
        }
        let slope =
            |a: &TrajectoryKey, b: &TrajectoryKey| (b.place - a.place) / (b.frame - a.frame);
        let before = key.checked_sub(1).map(|k| &self.keys[k]);
        match (before, self.keys.get(key + 1)) {
            (Some(a), Some(b)) => {
                let (left, right) = (here.frame - a.frame, b.frame - here.frame);
                (slope(a, here) * right + slope(here, b) * left) / (left + right)
            }
            (Some(a), None) => slope(a, here),
            (None, Some(b)) => slope(here, b),
            (None, None) => Vec3::zeros(),
        }
    }
}

/// The constraints of the trajectories in frames 0 up to `n_frames`.
pub fn frames_of(curves: &[Trajectory], n_frames: usize) -> Vec<FrameConstraints> {
    let frame = |f: usize| FrameConstraints {
        constraints: curves
            .iter()
            .filter_map(|curve| {
                Some(Constraint {
                    site: curve.site,
                    goal: Goal::Position(curve.at(f as f64)?),
                    mode: curve.mode,
                })
            })
            .collect(),
        weights: Vec::new(),
    };
    (0..n_frames).map(frame).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(frame: f64, x: f64) -> TrajectoryKey {
        TrajectoryKey {
            frame,
            place: Vec3::new(x, 0.0, 1.0),
            tangent: None,
        }
    }

    #[test]
    fn a_parabola_comes_back_from_three_of_its_points() {
        let y = |f: f64| 1.0 + 0.5 * f - 0.1 * f * f;
        let mut keys: Vec<TrajectoryKey> = [0.0, 3.0, 10.0].map(|f| key(f, y(f))).into();
        // Ends have no neighbour on one side: give them the true velocity.
        keys[0].tangent = Some(Vec3::new(0.5, 0.0, 0.0));
        keys[2].tangent = Some(Vec3::new(0.5 - 2.0, 0.0, 0.0));
        let curve = Trajectory::new(Site::Joint(0), keys).unwrap();
        for f in [0.0, 1.0, 2.5, 3.0, 7.25, 10.0] {
            let found = curve.at(f).unwrap();
            assert!((found.x - y(f)).abs() < 1e-12, "{f}: {found:?}");
        }
        assert_eq!(curve.at(-0.1), None);
        assert_eq!(curve.at(10.1), None);
    }

    #[test]
    fn velocity_is_continuous_at_keys() {
        let keys = vec![key(0.0, 0.0), key(4.0, 3.0), key(5.0, -1.0), key(9.0, 2.0)];
        let curve = Trajectory::new(Site::Joint(0), keys).unwrap();
        for at in [4.0, 5.0] {
            let h = 1e-6;
            let left = (curve.at(at).unwrap() - curve.at(at - h).unwrap()) / h;
            let right = (curve.at(at + h).unwrap() - curve.at(at).unwrap()) / h;
            assert!((left - right).norm() < 1e-4, "{at}: {left:?} {right:?}");
        }
    }

    #[test]
    fn every_refusal() {
        let curve = |keys| Trajectory::new(Site::Joint(0), keys);
        assert_eq!(curve(vec![]), Err(TrajectoryError::NoKeys));
        let twice = curve(vec![key(1.0, 0.0), key(1.0, 2.0)]);
        assert_eq!(twice, Err(TrajectoryError::Twice(1.0)));
        let broken = curve(vec![key(1.0, f64::NAN)]);
        assert_eq!(broken, Err(TrajectoryError::NotFinite(1.0)));
    }
}
