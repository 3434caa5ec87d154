//! ln(weight x density) of all components at once, as one matrix product.
//!
//! The logarithm of Eq. (1) is linear in the numbers of a row and their products. With these products as features of a
//! row, the scores of a block of rows are coefficients x features; the same features, weighted by memberships, are all
//! that the M-step needs. Rows are taken relative to the mean of all rows, so that little cancels.

use nalgebra::{DMatrix, DVector};

use super::{Covariance, Covariances};

/// The densities in the form in which they are evaluated.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scores {
    covariance: Covariance,
    /// Mean of all rows.
    center: Vec<f64>,
    /// One row per component, one column per feature.
    coefficients: DMatrix<f64>,
    constants: DVector<f64>,
    /// Tied covariances: one over the variances. The term that is quadratic in the row is then the same for all
    /// components and is kept out of the product.
    shared: Option<Vec<f64>>,
}

/// Features of a row of this width: the numbers, then the products that the kind of covariance needs.
pub(super) fn n_features(covariance: Covariance, width: usize) -> usize {
    match covariance {
        Covariance::TiedDiagonal => width,
        Covariance::Diagonal => 2 * width,
        Covariance::Full => width + width * (width + 1) / 2,
    }
}

/// Writes the features of a row. Those of tied covariances come first in all kinds.
pub(super) fn write_features(covariance: Covariance, row: &[f64], center: &[f64], out: &mut [f64]) {
    let (numbers, products) = out.split_at_mut(row.len());
    for ((x, value), middle) in numbers.iter_mut().zip(row).zip(center) {
        *x = value - middle;
    }
    match covariance {
        Covariance::TiedDiagonal => {}
        Covariance::Diagonal => {
            for (product, x) in products.iter_mut().zip(numbers) {
                *product = *x * *x;
            }
        }
        Covariance::Full => {
            let mut at = 0;
            for i in 0..numbers.len() {
                for j in i..numbers.len() {
                    products[at] = numbers[i] * numbers[j];
                    at += 1;
                }
            }
        }
    }
}

impl Scores {
    pub(super) fn new(
        weights: &[f64],
        means: &[f64],
        spread: &Covariances,
        center: &[f64],
    ) -> Self {
        let width = center.len();
        let covariance = spread.covariance();
        let n = weights.len();
        let mut coefficients = DMatrix::zeros(n, n_features(covariance, width));
        let mut constants = DVector::zeros(n);
        for component in 0..n {
            let mean = &means[component * width..][..width];
            let mean: Vec<f64> = mean.iter().zip(center).map(|(m, c)| m - c).collect();
            let mut row = vec![0.0; coefficients.ncols()];
            let ln_peak = spread.write_coefficients(component, &mean, &mut row);
            for (feature, value) in row.iter().enumerate() {
                coefficients[(component, feature)] = *value;
            }
            // -1/2 m^T P m, with P m in the first coefficients.
            let quadratic: f64 = mean.iter().zip(&row).map(|(m, pm)| m * pm).sum();
            constants[component] = weights[component].ln() + ln_peak - 0.5 * quadratic;
        }
        let shared = match spread {
            Covariances::Tied(variances) => Some(variances.iter().map(|v| 1.0 / v).collect()),
            _ => None,
        };
        Self {
            covariance,
            center: center.to_vec(),
            coefficients,
            constants,
            shared,
        }
    }

    /// Scores whose highest is that of the nearest mean: equal weights, unit variances.
    pub(super) fn nearest(means: &[f64], center: &[f64]) -> Self {
        let width = center.len();
        let n = means.len() / width;
        // Weight 1 each and no peak: the score is minus half of the squared distance.
        let mut scores = Self::new(
            &vec![1.0; n],
            means,
            &Covariances::Tied(vec![1.0; width]),
            center,
        );
        scores
            .constants
            .add_scalar_mut(0.5 * width as f64 * std::f64::consts::TAU.ln());
        scores
    }

    pub(super) fn center(&self) -> &[f64] {
        &self.center
    }

    pub(super) fn n_components(&self) -> usize {
        self.constants.len()
    }

    /// Scores of a block, component by row, without what all components have in common. The block holds the features of
    /// a row in each column, these and perhaps more below.
    pub(super) fn of_block(&self, features: &DMatrix<f64>) -> DMatrix<f64> {
        let mut scores = DMatrix::zeros(self.n_components(), features.ncols());
        for mut column in scores.column_iter_mut() {
            column.copy_from(&self.constants);
        }
        let features = features.rows(0, self.coefficients.ncols());
        scores.gemm(1.0, &self.coefficients, &features, 1.0);
        scores
    }

    /// What all components have in common at a row, given its features.
    pub(super) fn common(&self, features: &[f64]) -> f64 {
        self.shared.as_ref().map_or(0.0, |precisions| {
            let squares = precisions.iter().zip(features).map(|(p, x)| p * x * x);
            -0.5 * squares.sum::<f64>()
        })
    }

    /// The form of the covariances that the scores are for.
    pub(super) fn covariance(&self) -> Covariance {
        self.covariance
    }

    /// Scores of one row, and what they have in common.
    pub(super) fn of_row(&self, row: &[f64]) -> (Vec<f64>, f64) {
        let mut features = DMatrix::zeros(self.coefficients.ncols(), 1);
        let out = features.as_mut_slice();
        write_features(self.covariance, row, &self.center, out);
        let scores = self.of_block(&features);
        let common = self.common(features.as_slice());
        (scores.as_slice().to_vec(), common)
    }
}

impl Covariances {
    pub(super) fn covariance(&self) -> Covariance {
        match self {
            Self::Tied(_) => Covariance::TiedDiagonal,
            Self::Diagonal(_) => Covariance::Diagonal,
            Self::Full(_) => Covariance::Full,
        }
    }

    /// Writes what each feature is multiplied by, P m first, for P the inverse covariance and m the mean relative to
    /// the centre. Returns the logarithm of the density at the mean.
    fn write_coefficients(&self, component: usize, mean: &[f64], out: &mut [f64]) -> f64 {
        let width = mean.len();
        let (linear, products) = out.split_at_mut(width);
        match self {
            Self::Tied(_) | Self::Diagonal(_) => {
                let variances = self.diagonal_of(component, width);
                for (i, variance) in variances.iter().enumerate() {
                    linear[i] = mean[i] / variance;
                }
                for (product, variance) in products.iter_mut().zip(variances) {
                    *product = -0.5 / variance;
                }
            }
            Self::Full(all) => {
                let inverse = all[component].inverse();
                let mut at = 0;
                for i in 0..width {
                    linear[i] = (0..width).map(|j| inverse[(i, j)] * mean[j]).sum();
                    for j in i..width {
                        let twice = if i == j { 0.5 } else { 1.0 };
                        products[at] = -twice * inverse[(i, j)];
                        at += 1;
                    }
                }
            }
        }
        -0.5 * (width as f64 * std::f64::consts::TAU.ln() + self.ln_determinant(component, width))
    }

    fn diagonal_of(&self, component: usize, width: usize) -> &[f64] {
        match self {
            Self::Tied(all) => all,
            Self::Diagonal(all) => &all[component * width..][..width],
            Self::Full(_) => &[],
        }
    }

    fn ln_determinant(&self, component: usize, width: usize) -> f64 {
        match self {
            Self::Full(all) => all[component].ln_determinant(),
            _ => self
                .diagonal_of(component, width)
                .iter()
                .map(|v| v.ln())
                .sum(),
        }
    }
}
