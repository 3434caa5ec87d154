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
            out.coordinates[joint] = block.chart.coordinates(&(raw - block.centre));
            out.jacobians[joint] = match block.kind {
                BlockKind::Turn => block.chart.jacobian(&raw),
                // Up in the root's frame is R^T u; R exp(w) sees exp(-w) R^T u, which is R^T u + (R^T u) x w.
                BlockKind::Up => block.chart.axes.tr_mul(&raw.cross_matrix()),
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
                    out[feature] = block.chart.axes.column(axis).dot(&from_centre);
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
            let raw = block.centre + block.chart.vector_of(&coordinates);
            match block.kind {
                BlockKind::Fixed => block.chart.mean,
                BlockKind::Turn => block.chart.rotation(raw),
                // The least turn of the usual hold that brings up to where the features say it is.
                BlockKind::Up => {
                    let usual_up = self.parts.heading.upright.inverse() * self.up();
                    block.chart.mean * align(&raw, &usual_up)
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
            BlockKind::Turn => block.chart.vector(&pose.rotations[joint]),
            BlockKind::Up => self.world_from_root(pose).inverse() * self.up(),
            BlockKind::Fixed => Vec3::zeros(),
        }
    }
}
