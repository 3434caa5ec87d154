//! The simplest style: one Gaussian over all features, with every correlation between joints.
//!
//! Instant to learn and to evaluate, with a single minimum for every solver. It is the fallback for a handful
//! of poses, the yardstick that the latent model has to beat, and a term beside it: far from the training poses, where
//! the latent model only says "unlikely", the Gaussian still says which way the other joints go.
//!
//! With few or similar poses the covariance is singular, so it is shrunk towards its own diagonal by the share that
//! makes the expected squared error least (Ledoit and Wolf 2004, in the form of Schaefer and Strimmer 2005), and never
//! narrower than [`NOISE_RAD`].

use nalgebra::DMatrix;

use super::StyleError;
use crate::numerics::cholesky::Cholesky;

/// Poses of a style are never known better than this: about the noise of motion capture.
pub const NOISE_RAD: f64 = 0.01;

/// A normal distribution over features.
#[derive(Debug, Clone, PartialEq)]
pub struct Gaussian {
    mean: Vec<f64>,
    covariance: DMatrix<f64>,
    /// P with P^T P = covariance^-1, lower triangular, row by row.
    whitening: Vec<f64>,
    precision: DMatrix<f64>,
    ln_determinant: f64,
}

impl Gaussian {
    /// Learns from rows of features, one pose each.
    pub fn learn(rows: &[f64], n_features: usize) -> Result<Self, StyleError> {
        let n = rows.len().checked_div(n_features).unwrap_or(0);
        if n < 2 {
            return Err(StyleError::TooFewPoses {
                needed: 2,
                found: n,
            });
        }
        let mean = column_means(rows, n_features);
        let centred = DMatrix::from_fn(n, n_features, |i, k| rows[i * n_features + k] - mean[k]);
        let mut covariance = centred.tr_mul(&centred) / n as f64;
        let keep = 1.0 - shrinkage(&centred, &covariance);
        for i in 0..n_features {
            for j in 0..n_features {
                covariance[(i, j)] *= if i == j { 1.0 } else { keep };
            }
            covariance[(i, i)] += NOISE_RAD * NOISE_RAD;
        }
        Self::from_parts(mean, covariance)
    }

    /// A distribution as it was.
    pub fn from_parts(mean: Vec<f64>, covariance: DMatrix<f64>) -> Result<Self, StyleError> {
        let n = mean.len();
        if covariance.nrows() != n || covariance.ncols() != n || n == 0 {
            return Err(StyleError::parts("the covariance does not fit the mean"));
        }
        if !mean.iter().all(|m| m.is_finite()) {
            return Err(StyleError::parts("the mean is not finite"));
        }
        let factor = Cholesky::new(covariance.clone())
            .map_err(|_singular| StyleError::Numbers("their covariance is not positive"))?;
        let inverse_lower = factor.inverse_lower();
        Ok(Self {
            // nalgebra keeps columns, and the transpose of columns are rows.
            whitening: inverse_lower.transpose().as_slice().to_vec(),
            precision: factor.inverse(),
            ln_determinant: factor.ln_determinant(),
            mean,
            covariance,
        })
    }

    /// The number of features, the length of the mean.
    pub fn n_features(&self) -> usize {
        self.mean.len()
    }

    /// Mean features, where the density is highest.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// The covariance after shrinkage, as it is used for likelihoods.
    pub fn covariance(&self) -> &DMatrix<f64> {
        &self.covariance
    }

    /// The inverse of the covariance: the constant second derivative of the cost.
    pub fn precision(&self) -> &DMatrix<f64> {
        &self.precision
    }

    /// P with P^T P = precision, lower triangular, row by row: the constant Jacobian of the residuals.
    pub fn whitening(&self) -> &[f64] {
        &self.whitening
    }

    /// P (y - mean), whose squares sum to twice the cost.
    pub fn residuals(&self, features: &[f64], out: &mut [f64]) {
        let n = self.mean.len();
        for (i, r) in out.iter_mut().enumerate() {
            let row = &self.whitening[i * n..][..=i];
            let pairs = row.iter().zip(features.iter().zip(&self.mean));
            *r = pairs.map(|(p, (y, m))| p * (y - m)).sum();
        }
    }

    /// ln p(y), with the normalising constant.
    pub fn log_likelihood(&self, features: &[f64]) -> f64 {
        let mut residuals = vec![0.0; self.mean.len()];
        self.residuals(features, &mut residuals);
        let squares: f64 = residuals.iter().map(|r| r * r).sum();
        let ln_turns = self.mean.len() as f64 * std::f64::consts::TAU.ln();
        -0.5 * (squares + self.ln_determinant + ln_turns)
    }
}

/// The mean of every column; divided first, so that large numbers do not overflow.
pub(super) fn column_means(rows: &[f64], n_features: usize) -> Vec<f64> {
    let n = (rows.len() / n_features) as f64;
    let mut means = vec![0.0; n_features];
    for row in rows.chunks_exact(n_features) {
        for (m, y) in means.iter_mut().zip(row) {
            *m += y / n;
        }
    }
    means
}

/// The share of the off-diagonal to take away: the summed variance of its estimates over its summed squares.
fn shrinkage(centred: &DMatrix<f64>, covariance: &DMatrix<f64>) -> f64 {
    let n = centred.nrows() as f64;
    let squares = centred.map(|y| y * y);
    let fourth = squares.tr_mul(&squares) / n;
    let mut uncertain = 0.0;
    let mut found = 0.0;
    for i in 0..covariance.nrows() {
        for j in 0..i {
            // Correlations are compared, so that no joint counts more for moving more.
            let scale = covariance[(i, i)] * covariance[(j, j)];
            if scale > 0.0 {
                let square = covariance[(i, j)] * covariance[(i, j)];
                uncertain += (fourth[(i, j)] - square).max(0.0) / (n * scale);
                found += square / scale;
            }
        }
    }
    if found > 0.0 {
        (uncertain / found).min(1.0)
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::random::Stream;

    /// Two features of correlation 0.8, and a third on its own.
    fn planted(n: usize) -> Vec<f64> {
        let mut stream = Stream::named(11, &[]);
        let mut rows = Vec::new();
        for _ in 0..n {
            let (a, b, c) = (stream.normal(), stream.normal(), stream.normal());
            rows.extend([1.0 + 0.5 * a, 0.5 * (0.8 * a + 0.6 * b), 0.2 * c]);
        }
        rows
    }

    #[test]
    fn a_planted_covariance_is_found_again() {
        let gaussian = Gaussian::learn(&planted(20_000), 3).unwrap();
        let c = gaussian.covariance();
        // Four standard errors of the estimates are 0.01; the noise adds 0.0001 to the diagonal.
        for ((i, j), truth) in [
            ((0, 0), 0.25),
            ((0, 1), 0.2),
            ((1, 1), 0.25),
            ((2, 2), 0.04),
            ((0, 2), 0.0),
        ] {
            assert!((c[(i, j)] - truth).abs() < 0.01, "{i} {j}: {}", c[(i, j)]);
        }
        assert!((gaussian.mean()[0] - 1.0).abs() < 0.015, "mean");
    }

    #[test]
    fn three_poses_of_many_features_are_shrunk_not_singular() {
        let mut stream = Stream::named(12, &[]);
        let rows: Vec<f64> = (0..3 * 40).map(|_| stream.normal()).collect();
        let gaussian = Gaussian::learn(&rows, 40).unwrap();
        let far: Vec<f64> = gaussian.mean().iter().map(|m| m + 1.0).collect();
        let value = gaussian.log_likelihood(&far);
        // A singular direction of the noise alone would cost (1 / 0.01)^2 / 2 for each of 38 features.
        assert!(value.is_finite() && value > -5_000.0, "{value}");
        Gaussian::learn(&rows[..40], 40).unwrap_err();
    }

    #[test]
    fn residuals_precision_and_likelihood_agree() {
        let gaussian = Gaussian::learn(&planted(200), 3).unwrap();
        let y = [0.3, -0.9, 0.5];
        let mut r = [0.0; 3];
        gaussian.residuals(&y, &mut r);
        let off = nalgebra::DVector::from_fn(3, |k, _| y[k] - gaussian.mean()[k]);
        let cost = (off.transpose() * gaussian.precision() * &off)[(0, 0)];
        let squares: f64 = r.iter().map(|x| x * x).sum();
        assert!((squares - cost).abs() < 1e-9 * cost, "{squares} {cost}");
        let drop = gaussian.log_likelihood(gaussian.mean()) - gaussian.log_likelihood(&y);
        assert!((drop - 0.5 * cost).abs() < 1e-9 * cost, "{drop}");
    }
}
