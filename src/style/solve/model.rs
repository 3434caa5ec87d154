//! The two kinds of styles behind one interface: a latent point gives features and their variance.

use std::sync::Arc;

use nalgebra::DMatrix;

use super::linear::refill;
use crate::style::gaussian::NOISE_RAD;
use crate::style::gplvm::LatentTerms;
use crate::style::{Gaussian, Gplvm, Sharpness};

/// Features and their variance at a latent point.
#[derive(Debug, Clone, Default)]
pub(super) struct Prediction {
    pub(super) mean: Vec<f64>,
    /// For each latent coordinate one row over the features.
    pub(super) slopes: Vec<f64>,
    /// To be divided by the square of each feature's scale.
    pub(super) variance: f64,
    pub(super) variance_slopes: Vec<f64>,
    /// The variance at its smallest, 1 / beta.
    pub(super) least_variance: f64,
    terms: LatentTerms,
}

/// A style's map from latent points to features.
#[derive(Debug, Clone)]
pub(super) enum LatentModel {
    /// One Gaussian, as a linear map of latent coordinates.
    Linear(Arc<LinearModel>),
    /// The latent model, and one over the squared scale of each feature.
    Latent(Arc<Gplvm>, Arc<[f64]>),
}

impl LatentModel {
    pub(super) fn linear(gaussian: &Gaussian, max_rank: usize) -> Self {
        Self::Linear(Arc::new(LinearModel::of(gaussian, max_rank)))
    }

    pub(super) fn latent(gplvm: &Gplvm) -> Self {
        let scales = gplvm.parts().scales.iter();
        let unscaled = scales.map(|w| 1.0 / (w * w)).collect();
        Self::Latent(Arc::new(gplvm.clone()), unscaled)
    }

    pub(super) fn n_latent(&self) -> usize {
        match self {
            Self::Linear(model) => model.n_latent,
            Self::Latent(model, _) => model.n_latent(),
        }
    }

    /// One over the squared scale of each feature.
    pub(super) fn inverse_square_scales(&self) -> &[f64] {
        match self {
            Self::Linear(model) => &model.noise,
            Self::Latent(_, unscaled) => unscaled,
        }
    }

    /// Prediction and slopes at a latent point.
    pub(super) fn predict(&self, x: &[f64], sharpness: Sharpness, out: &mut Prediction) {
        match self {
            Self::Linear(model) => model.predict(x, out),
            Self::Latent(model, _) => {
                model.predict_with_slopes(sharpness, x, &mut out.terms);
                let terms = &mut out.terms;
                std::mem::swap(&mut out.mean, &mut terms.expected);
                std::mem::swap(&mut out.slopes, &mut terms.by_latent);
                out.variance = terms.variance;
                out.least_variance = 1.0 / model.kernel(sharpness).beta;
                out.variance_slopes.clear();
                let width = x.len() + 1;
                let first = terms.latent_by_latent.iter().step_by(width);
                out.variance_slopes.extend(first);
            }
        }
    }

    /// A latent point for features that are known: the likeliest one, or that of the nearest training pose.
    pub(super) fn latent_of(&self, features: &[f64], out: &mut [f64]) {
        match self {
            Self::Linear(model) => model.latent_of(features, out),
            Self::Latent(model, unscaled) => {
                let rows = model.parts().features.chunks_exact(features.len());
                let distances = rows.map(|row| -> f64 {
                    let pairs = row.iter().zip(features).zip(unscaled.iter());
                    pairs.map(|((a, b), v)| (a - b) * (a - b) / v).sum()
                });
                let nearest = distances
                    .enumerate()
                    .min_by(|a, b| a.1.total_cmp(&b.1))
                    .map_or(0, |(i, _)| i);
                out.copy_from_slice(model.latent(nearest));
            }
        }
    }
}

/// Directions whose variance is below this share of the noise are noise.
const LEAST_SHARE: f64 = 1e-3;

/// A Gaussian style as latent coordinates plus noise.
///
/// A covariance `U U' + N` with diagonal `N` is the same as `y = mean + U z + noise` with `z` from a standard normal.
/// Minimising over `z` gives back the Gaussian exactly, so nothing is lost; what is won is that the pose's own matrix
/// stays in three by three blocks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LinearModel {
    mean: Vec<f64>,
    /// For each latent coordinate one row over the features.
    loadings: Vec<f64>,
    n_latent: usize,
    /// Variance that latent coordinates do not explain, for each feature.
    noise: Vec<f64>,
    /// The likeliest latent point of given features is this times their distance from the mean: one row each.
    regression: Vec<f64>,
}

impl LinearModel {
    /// At most `max_rank` latent coordinates, the widest; what they leave is noise of each feature on its own.
    pub(super) fn of(gaussian: &Gaussian, max_rank: usize) -> Self {
        let n = gaussian.n_features();
        let eigen = gaussian.covariance().clone().symmetric_eigen();
        let floor = NOISE_RAD * NOISE_RAD;
        let mut order: Vec<usize> = (0..n)
            .filter(|&k| eigen.eigenvalues[k] - floor > LEAST_SHARE * floor)
            .collect();
        order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
        order.truncate(max_rank);
        let loadings = DMatrix::from_fn(n, order.len(), |i, k| {
            let axis = eigen.eigenvectors.column(order[k]);
            axis[i] * (eigen.eigenvalues[order[k]] - floor).sqrt()
        });
        let explained = |i: usize| loadings.row(i).norm_squared();
        let noise: Vec<f64> = (0..n)
            .map(|i| (gaussian.covariance()[(i, i)] - explained(i)).max(floor))
            .collect();
        let scaled = DMatrix::from_fn(order.len(), n, |k, i| loadings[(i, k)] / noise[i]);
        let information = &scaled * &loadings + DMatrix::identity(order.len(), order.len());
        let regression = information
            .cholesky()
            .map_or_else(|| scaled.clone(), |factor| factor.solve(&scaled));
        Self {
            mean: gaussian.mean().to_vec(),
            n_latent: order.len(),
            // nalgebra keeps columns: those of the loadings and of the transposed regression are the rows wanted here.
            loadings: loadings.as_slice().to_vec(),
            regression: regression.transpose().as_slice().to_vec(),
            noise,
        }
    }

    fn predict(&self, z: &[f64], out: &mut Prediction) {
        out.mean.clear();
        out.mean.extend_from_slice(&self.mean);
        let n = self.mean.len();
        for (z, axis) in z.iter().zip(self.loadings.chunks_exact(n)) {
            for (m, u) in out.mean.iter_mut().zip(axis) {
                *m += z * u;
            }
        }
        out.slopes.clear();
        out.slopes.extend_from_slice(&self.loadings);
        out.variance = 1.0;
        out.least_variance = 1.0;
        refill(&mut out.variance_slopes, self.n_latent, 0.0);
    }

    fn latent_of(&self, features: &[f64], out: &mut [f64]) {
        let rows = self.regression.chunks_exact(self.mean.len());
        for (z, row) in out.iter_mut().zip(rows) {
            let pairs = row.iter().zip(features.iter().zip(&self.mean));
            *z = pairs.map(|(r, (y, m))| r * (y - m)).sum();
        }
    }
}
