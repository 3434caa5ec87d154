//! From a pose to its coordinates, how they answer to small turns, and back.

use nalgebra::Matrix3;

use super::chain;
use super::{BlockKind, FeatureMap};
use crate::motion::rotation::align;
use crate::motion::{Pose, PoseRef, Quat, Vec3};

/// The coordinates of one pose and their derivatives. Keep one and call [`FeatureMap::measure`] for each pose: it
/// allocates nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// One per joint: its three coordinates, moving or still. Zero for fixed joints.
    pub coordinates: Vec<Vec3>,
    /// One per joint: change of its coordinates per small turn `w` of that joint, `R <- R exp(w)`. No other joint
    /// changes them. Zero for fixed joints.
    pub jacobians: Vec<Matrix3<f64>>,
}

impl FeatureMap {
    /// Room for the coordinates of one pose.
    pub fn measured(&self) -> Measured {
        let n = self.blocks().len();
        Measured {
            coordinates: vec![Vec3::zeros(); n],
            jacobians: vec![Matrix3::zeros(); n],
        }
    }

    /// All coordinates of a pose, with derivatives.
    pub fn measure(&self, pose: PoseRef<'_>, out: &mut Measured) {
        for joint in 0..self.blocks().len() {
            let raw = self.raw(joint, pose);
            let block = &self.blocks()[joint];
            out.coordinates[joint] = block.axes.tr_mul(&(raw - block.centre));
            out.jacobians[joint] = match block.kind {
                BlockKind::Turn => block.axes.tr_mul(&turn_jacobian(&raw)),
                // Up in the root's frame is R^T u; R exp(w) sees exp(-w) R^T u, which is R^T u + (R^T u) x w.
                BlockKind::Up => block.axes.tr_mul(&raw.cross_matrix()),
                BlockKind::Fixed => Matrix3::zeros(),
            };
        }
    }

    /// The features of a pose.
    ///
    /// # Panics
    /// If `out` does not hold [`FeatureMap::n_features`] numbers.
    pub fn encode(&self, pose: PoseRef<'_>, out: &mut [f64]) {
        assert_eq!(out.len(), self.n_features, "one number per feature");
        for joint in 0..self.blocks().len() {
            let block = &self.blocks()[joint];
            if block.is_live == [false; 3] {
                continue;
            }
            let from_centre = self.raw(joint, pose) - block.centre;
            for (axis, feature) in self.feature_of(joint).into_iter().enumerate() {
                if let Some(feature) = feature {
                    out[feature] = block.axes.column(axis).dot(&from_centre);
                }
            }
        }
    }

    /// The features among all coordinates.
    pub fn gather(&self, measured: &Measured, out: &mut [f64]) {
        for (joint, coordinates) in measured.coordinates.iter().enumerate() {
            for (axis, feature) in self.feature_of(joint).into_iter().enumerate() {
                if let Some(feature) = feature {
                    out[feature] = coordinates[axis];
                }
            }
        }
    }

    /// The pose that has these features, with everything that features do not say at its mean: over the origin, heading
    /// zero, still coordinates where they always are.
    ///
    /// # Panics
    /// If there are not [`FeatureMap::n_features`] numbers.
    pub fn decode(&self, features: &[f64]) -> Pose {
        assert_eq!(features.len(), self.n_features, "one number per feature");
        let rotations = (0..self.blocks().len()).map(|joint| {
            let block = &self.blocks()[joint];
            let places = self.feature_of(joint);
            let coordinates = Vec3::from(places.map(|at| at.map_or(0.0, |f| features[f])));
            let raw = block.centre + block.axes * coordinates;
            match block.kind {
                BlockKind::Fixed => block.mean,
                BlockKind::Turn => block.mean * Quat::from_scaled_axis(raw),
                // The least turn of the usual hold that brings up to where the features say it is.
                BlockKind::Up => {
                    let usual_up = self.parts.heading.upright.inverse() * self.up();
                    block.mean * align(&raw, &usual_up)
                }
            }
        });
        Pose {
            rotations: rotations.collect(),
            translations: self.parts.translations.clone(),
        }
    }

    /// World from the body's root.
    pub fn world_from_root(&self, pose: PoseRef<'_>) -> Quat {
        chain::world_from(&self.chain, pose.rotations)
    }

    fn up(&self) -> Vec3 {
        self.parts.heading.up.vector()
    }

    fn raw(&self, joint: usize, pose: PoseRef<'_>) -> Vec3 {
        let block = &self.blocks()[joint];
        match block.kind {
            BlockKind::Turn => raw_vector(&block.mean, &pose.rotations[joint]),
            BlockKind::Up => self.world_from_root(pose).inverse() * self.up(),
            BlockKind::Fixed => Vec3::zeros(),
        }
    }
}

/// The rotation vector from the mean, the short way.
pub(super) fn raw_vector(mean: &Quat, rotation: &Quat) -> Vec3 {
    (mean.inverse() * rotation).scaled_axis()
}

/// Change of log(R) per small turn w, R <- R exp(w): the inverse right Jacobian of the rotation group,
/// I + [v]/2 + (1/a^2 - cot(a/2) / 2a) [v]^2 with a = |v|. It stays finite up to half a turn.
fn turn_jacobian(v: &Vec3) -> Matrix3<f64> {
    let angle = v.norm();
    let cross = v.cross_matrix();
    // The series serves where the difference of two large numbers would lose all digits.
    let square = if angle < 1e-2 {
        1.0 / 12.0 + angle * angle / 720.0
    } else {
        (1.0 - 0.5 * angle / (0.5 * angle).tan()) / (angle * angle)
    };
    Matrix3::identity() + cross * 0.5 + cross * cross * square
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_turn_jacobian_is_the_derivative_of_the_logarithm() {
        let step = 1e-6;
        for v in [
            Vec3::new(1e-5, 2e-5, 0.0),
            Vec3::new(0.005, -0.006, 0.003),
            Vec3::new(0.4, -0.2, 0.7),
            Vec3::new(-1.5, 1.2, 2.0),
        ] {
            let analytic = turn_jacobian(&v);
            for axis in 0..3 {
                let mut w = Vec3::zeros();
                w[axis] = step;
                let q = Quat::from_scaled_axis(v);
                let plus = (q * Quat::from_scaled_axis(w)).scaled_axis();
                let minus = (q * Quat::from_scaled_axis(-w)).scaled_axis();
                let numeric = (plus - minus) / (2.0 * step);
                let error = (numeric - analytic.column(axis)).norm();
                assert!(error < 1e-8, "{v:?}, axis {axis}: off by {error:e}");
            }
        }
    }
}
