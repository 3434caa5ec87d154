//! The rotations of one joint as three numbers: rotation vectors from its mean rotation, in its principal axes.
//!
//! A knee has one degree of freedom, but in most files not along one axis of the file; in principal axes it is one
//! coordinate, and the two others are still. Which rotation vector is meant past half a turn, where coordinates count
//! from, and what becomes of joints that are still or flip is up to the model: [`chart`](super::chart) keeps curves
//! continuous and holds still ones at their mean, a style of poses counts from the mean vector and takes joints that
//! were never captured out.

use nalgebra::Matrix3;

use super::rotation::mean;
use super::{Quat, Vec3};

/// Mean rotation and axes of one joint.
#[derive(Debug, Clone, PartialEq)]
pub struct JointChart {
    /// Mean rotation over the inputs.
    pub mean: Quat,
    /// Orthonormal columns, in the joint's space at its mean.
    pub axes: Matrix3<f64>,
}

/// In which directions rotation vectors spread, and how far.
#[derive(Debug, Clone, PartialEq)]
pub struct PrincipalAxes {
    /// Orthonormal columns by falling variance. Each points where its largest coordinate is positive, so that the same
    /// poses give the same axes whatever the solver makes of signs.
    pub axes: Matrix3<f64>,
    /// Variance along each axis.
    pub variances: [f64; 3],
}

impl JointChart {
    /// The mean of these rotations, with the joint's own axes.
    pub fn about_mean<'a>(rotations: impl IntoIterator<Item = &'a Quat>) -> Self {
        Self {
            mean: mean(rotations),
            axes: Matrix3::identity(),
        }
    }

    /// The shortest rotation vector from the mean: v = log(mean^T R).
    pub fn vector(&self, rotation: &Quat) -> Vec3 {
        (self.mean.inverse() * rotation).scaled_axis()
    }

    /// The rotation that a vector from the mean stands for.
    pub fn rotation(&self, vector: Vec3) -> Quat {
        self.mean * Quat::from_scaled_axis(vector)
    }

    /// A vector in the principal axes.
    pub fn coordinates(&self, vector: &Vec3) -> Vec3 {
        self.axes.tr_mul(vector)
    }

    /// The vector that has these coordinates.
    pub fn vector_of(&self, coordinates: &Vec3) -> Vec3 {
        self.axes * coordinates
    }

    /// Change of the coordinates at a vector per small rotation w, R <- R exp(w).
    pub fn jacobian(&self, vector: &Vec3) -> Matrix3<f64> {
        self.axes.tr_mul(&logarithm_jacobian(vector))
    }

    /// Whether rotation and axes are what they should be, after reading them from a file.
    pub fn is_valid(&self) -> bool {
        (self.mean.coords.norm() - 1.0).abs() < 1e-6
            && (self.axes.transpose() * self.axes).is_identity(1e-6)
    }
}

/// Mean and covariance of vectors that can be gone through twice.
pub fn covariance(vectors: impl Iterator<Item = Vec3> + Clone) -> (Vec3, Matrix3<f64>) {
    let n = vectors.clone().count().max(1) as f64;
    let centre = vectors.clone().sum::<Vec3>() / n;
    let mut sum = Matrix3::zeros();
    for v in vectors {
        let from_centre = v - centre;
        sum += from_centre * from_centre.transpose();
    }
    (centre, sum / n)
}

impl PrincipalAxes {
    /// Of vectors with this covariance. Those that do not move keep the axes they are in.
    pub fn of(covariance: &Matrix3<f64>) -> Self {
        // Below rounding there are no directions, only noise.
        if covariance.trace() < 1e-20 {
            return Self {
                axes: Matrix3::identity(),
                variances: [0.0; 3],
            };
        }
        let eigen = covariance.symmetric_eigen();
        let mut order = [0, 1, 2];
        order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
        let columns = order.map(|i| {
            let axis = eigen.eigenvectors.column(i).into_owned();
            if axis[axis.iamax()] < 0.0 {
                -axis
            } else {
                axis
            }
        });
        Self {
            axes: Matrix3::from_columns(&columns),
            variances: order.map(|i| eigen.eigenvalues[i].max(0.0)),
        }
    }
}

/// Change of log(R) per small rotation w, R <- R exp(w): the inverse right Jacobian of the rotation group,
/// I + [v]/2 + (1/a^2 - cot(a/2) / 2a) [v]^2 with a = |v|. It stays finite up to half a turn.
fn logarithm_jacobian(v: &Vec3) -> Matrix3<f64> {
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
    fn the_jacobian_is_the_derivative_of_the_logarithm() {
        let step = 1e-6;
        for v in [
            Vec3::new(1e-5, 2e-5, 0.0),
            Vec3::new(0.005, -0.006, 0.003),
            Vec3::new(0.4, -0.2, 0.7),
            Vec3::new(-1.5, 1.2, 2.0),
        ] {
            let analytic = logarithm_jacobian(&v);
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
