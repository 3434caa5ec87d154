//! Curves for trajectory keyframing: a few keys with tangents, and a place for every frame between them.

use super::constraint::{Constraint, Goal, Hold};
use super::take::TakeFrame;
use crate::motion::{Site, Vec3};

/// A place at a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key {
    /// Counted from 0; may lie between two frames.
    pub frame: f64,
    /// Position in world space.
    pub place: Vec3,
    /// Velocity in units per frame; `None` lets the neighbours say.
    pub tangent: Option<Vec3>,
}

/// The way of one site.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The joint or end site that follows the curve.
    pub site: Site,
    /// How firmly it is followed.
    pub hold: Hold,
    /// By rising frame, no two at one; at least one.
    keys: Vec<Key>,
}

/// Keys that make no curve.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CurveError {
    /// There is no key.
    #[error("a curve needs at least one key")]
    NoKeys,
    /// A number is infinite or not a number.
    #[error("the key at frame {0} holds a number that is not finite")]
    NotFinite(f64),
    /// Two keys at one moment.
    #[error("there are two keys at frame {0}")]
    Twice(f64),
}

impl Curve {
    /// Through these keys, in any order.
    pub fn new(site: Site, mut keys: Vec<Key>) -> Result<Self, CurveError> {
        if keys.is_empty() {
            return Err(CurveError::NoKeys);
        }
        let is_finite = |v: &Vec3| v.iter().all(|x| x.is_finite());
        let broken = keys.iter().find(|k| {
            !(k.frame.is_finite() && is_finite(&k.place) && k.tangent.iter().all(is_finite))
        });
        if let Some(key) = broken {
            return Err(CurveError::NotFinite(key.frame));
        }
        keys.sort_by(|a, b| a.frame.total_cmp(&b.frame));
        if let Some(pair) = keys.windows(2).find(|w| w[0].frame == w[1].frame) {
            return Err(CurveError::Twice(pair[0].frame));
        }
        Ok(Self {
            site,
            hold: Hold::Hard,
            keys,
        })
    }

    /// All keys by rising frame.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The place at a moment between the first and the last key; outside, the site is free.
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
        let (t2, t3) = (t * t, t * t * t);
        let start = self.tangent(after - 1) * length;
        let end = self.tangent(after) * length;
        Some(
            from.place * (2.0 * t3 - 3.0 * t2 + 1.0)
                + start * (t3 - 2.0 * t2 + t)
                + to.place * (3.0 * t2 - 2.0 * t3)
                + end * (t3 - t2),
        )
    }

    /// The velocity at a key: its own, or that of the parabola through it and its neighbours; at the ends, of the line.
    pub fn tangent(&self, key: usize) -> Vec3 {
        let here = &self.keys[key];
        if let Some(tangent) = here.tangent {
            return tangent;
        }
        let slope = |a: &Key, b: &Key| (b.place - a.place) / (b.frame - a.frame);
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

/// What the curves ask of frames 0 up to `n_frames`.
pub fn frames_of(curves: &[Curve], n_frames: usize) -> Vec<TakeFrame> {
    let frame = |f: usize| TakeFrame {
        constraints: curves
            .iter()
            .filter_map(|curve| {
                Some(Constraint {
                    site: curve.site,
                    goal: Goal::Position(curve.at(f as f64)?),
                    hold: curve.hold,
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

    fn key(frame: f64, x: f64) -> Key {
        Key {
            frame,
            place: Vec3::new(x, 0.0, 1.0),
            tangent: None,
        }
    }

    #[test]
    fn a_parabola_comes_back_from_three_of_its_points() {
        let y = |f: f64| 1.0 + 0.5 * f - 0.1 * f * f;
        let mut keys: Vec<Key> = [0.0, 3.0, 10.0].map(|f| key(f, y(f))).into();
        // Ends have no neighbour on one side: give them the true velocity.
        keys[0].tangent = Some(Vec3::new(0.5, 0.0, 0.0));
        keys[2].tangent = Some(Vec3::new(0.5 - 2.0, 0.0, 0.0));
        let curve = Curve::new(Site::Joint(0), keys).unwrap();
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
        let curve = Curve::new(Site::Joint(0), keys).unwrap();
        for at in [4.0, 5.0] {
            let h = 1e-6;
            let left = (curve.at(at).unwrap() - curve.at(at - h).unwrap()) / h;
            let right = (curve.at(at + h).unwrap() - curve.at(at).unwrap()) / h;
            assert!((left - right).norm() < 1e-4, "{at}: {left:?} {right:?}");
        }
    }

    #[test]
    fn every_refusal() {
        let curve = |keys| Curve::new(Site::Joint(0), keys);
        assert_eq!(curve(vec![]), Err(CurveError::NoKeys));
        let twice = curve(vec![key(1.0, 0.0), key(1.0, 2.0)]);
        assert_eq!(twice, Err(CurveError::Twice(1.0)));
        let broken = curve(vec![key(1.0, f64::NAN)]);
        assert_eq!(broken, Err(CurveError::NotFinite(1.0)));
    }
}
