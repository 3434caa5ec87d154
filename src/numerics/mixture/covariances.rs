//! Covariances of the parts of a mixture.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// Which covariances the components may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Covariance {
    /// One variance per column, the same in all components.
    TiedDiagonal,
    /// One variance per column and component.
    Diagonal,
    /// One matrix per component.
    Full,
}

/// Covariances in the form of their kind.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Covariances {
    /// One variance per column.
    Tied(Vec<f64>),
    /// The same for each component, row by row.
    Diagonal(Vec<f64>),
    /// One full matrix per component.
    Full(Vec<FullCovariance>),
}

/// A covariance by its axes: its inverse and determinant always exist, however flat it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FullCovariance {
    axes: DMatrix<f64>,
    /// Variances along the axes; none below the floor.
    along: DVector<f64>,
}

impl FullCovariance {
    /// The covariance above the floor at which the likelihood is highest, given the sample covariance: variances along
    /// its axes are raised to the floor.
    pub(super) fn new(sample: DMatrix<f64>, floor: f64) -> Self {
        let eigen = SymmetricEigen::new(sample);
        Self {
            axes: eigen.eigenvectors,
            along: eigen.eigenvalues.map(|v| v.max(floor)),
        }
    }

    pub(super) fn diagonal(variances: &[f64]) -> Self {
        Self {
            axes: DMatrix::identity(variances.len(), variances.len()),
            along: DVector::from_column_slice(variances),
        }
    }

    pub(super) fn variances(&self) -> Vec<f64> {
        let width = self.along.len();
        let of = |row| (0..width).map(move |i| self.axes[(row, i)].powi(2) * self.along[i]);
        (0..width).map(|row| of(row).sum()).collect()
    }

    pub(super) fn inverse(&self) -> DMatrix<f64> {
        let mut scaled = self.axes.clone();
        for (mut column, variance) in scaled.column_iter_mut().zip(&self.along) {
            column /= *variance;
        }
        scaled * self.axes.transpose()
    }

    pub(super) fn ln_determinant(&self) -> f64 {
        self.along.iter().map(|v| v.ln()).sum()
    }
}
