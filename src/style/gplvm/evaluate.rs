//! Eqs. (3) to (6): how likely a pose at a latent point is, as least squares with derivatives.

use nalgebra::DMatrix;

use super::{Gplvm, LN_SIGMA_WEIGHT, PreparedKernel, Sharpness};

/// Added under the root of the sigma residual. At a training pose beta sigma^2 comes near to 1, and the root of its
/// logarithm would have no slope there; this only adds a constant to the cost.
const LN_FLOOR: f64 = 1e-2;

/// The model's residuals at one latent point and pose, with derivatives. Half of the sum of all squares is the cost.
///
/// Keep one and evaluate into it again: no memory is taken after the first time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LatentTerms {
    /// One per feature: w (y - f(x)) / sigma(x).
    pub residuals: Vec<f64>,
    /// One per feature: the change of its residual per change of that feature. No other feature changes it.
    pub by_feature: Vec<f64>,
    /// One row per latent coordinate: the changes of all residuals per change of it.
    pub by_latent: Vec<f64>,
    /// The root of the term in ln sigma, then x itself.
    pub latent_residuals: Vec<f64>,
    /// One row per latent coordinate: the changes of the latent residuals per change of it.
    pub latent_by_latent: Vec<f64>,
    /// f(x): the features that the model expects here.
    pub expected: Vec<f64>,
    /// sigma(x)^2 of Eqs. (5, 6): the predictive variance.
    pub variance: f64,
    /// k(x, .) of every active pose.
    similarity: Vec<f64>,
    /// K^-1 k(x), the kernel weights of Eq. (4).
    solved: Vec<f64>,
}

impl LatentTerms {
    /// Half of the sum of all squares.
    pub fn cost(&self) -> f64 {
        let all = self.residuals.iter().chain(&self.latent_residuals);
        0.5 * all.map(|r| r * r).sum::<f64>()
    }

    fn resize(&mut self, n_active: usize, n_features: usize, n_latent: usize) {
        self.residuals.resize(n_features, 0.0);
        self.by_feature.resize(n_features, 0.0);
        self.by_latent.resize(n_features * n_latent, 0.0);
        self.latent_residuals.resize(n_latent + 1, 0.0);
        self.latent_by_latent.resize((n_latent + 1) * n_latent, 0.0);
        self.expected.resize(n_features, 0.0);
        self.similarity.resize(n_active, 0.0);
        self.solved.resize(n_active, 0.0);
    }
}

impl Gplvm {
    /// Residuals and derivatives at a latent point and a pose's features.
    ///
    /// # Panics
    /// If the slices are not as long as the model's latent points and features.
    pub fn evaluate(&self, sharpness: Sharpness, x: &[f64], y: &[f64], out: &mut LatentTerms) {
        assert_eq!(x.len(), self.n_latent(), "one number per latent coordinate");
        assert_eq!(y.len(), self.n_features(), "one number per feature");
        out.resize(self.n_active(), self.n_features(), self.n_latent());
        let level = self.level(sharpness);
        self.predict_into(level, x, out);
        self.slopes_into(level, x, out);
        self.residuals_into(level, x, y, out);
    }

    /// f(x) of Eq. (4) and sigma(x)^2 of Eqs. (5, 6): the features that the model expects at a latent point, and how
    /// uncertain they are.
    pub fn predict(&self, sharpness: Sharpness, x: &[f64], out: &mut LatentTerms) {
        assert_eq!(x.len(), self.n_latent(), "one number per latent coordinate");
        out.resize(self.n_active(), self.n_features(), self.n_latent());
        self.predict_into(self.level(sharpness), x, out);
    }

    /// The same, with slopes: one row of df/dx (Eq. 18) per latent coordinate in `by_latent`, and d sigma^2/dx (Eq.
    /// 19) at the beginning of each row of `latent_by_latent`. For solvers that mix several models.
    pub fn predict_with_slopes(&self, sharpness: Sharpness, x: &[f64], out: &mut LatentTerms) {
        self.predict(sharpness, x, out);
        self.slopes_into(self.level(sharpness), x, out);
    }

    /// Minus Eq. (3), with the weights of the paper.
    pub fn log_likelihood(&self, sharpness: Sharpness, x: &[f64], y: &[f64]) -> f64 {
        let mut terms = LatentTerms::default();
        self.predict(sharpness, x, &mut terms);
        let misses = y.iter().zip(&terms.expected).zip(&self.parts.scales);
        let miss: f64 = misses.map(|((y, f), w)| (w * (y - f)).powi(2)).sum();
        let size: f64 = x.iter().map(|x| x * x).sum();
        let d = self.n_features() as f64;
        -0.5 * (miss / terms.variance + d * terms.variance.ln() + size)
    }

    /// sigma(x)^2 of many latent points, row by row, as products of matrices.
    pub fn variances(&self, sharpness: Sharpness, points: &[f64]) -> Vec<f64> {
        let level = self.level(sharpness);
        let (n, q) = (self.n_active(), self.n_latent());
        let kernel = level.kernel;
        let columns = points.chunks_exact(q).flat_map(|x| {
            (0..n).map(move |i| {
                let squared = super::squared(x, self.latent(i));
                kernel.alpha * (-0.5 * kernel.gamma * squared).exp()
            })
        });
        let similar = DMatrix::from_iterator(n, points.len() / q, columns);
        let solved = DMatrix::from_column_slice(n, n, &level.inverse) * &similar;
        let noise = 1.0 / kernel.beta;
        let pairs = similar.column_iter().zip(solved.column_iter());
        pairs
            .map(|(k, s)| (kernel.alpha + noise - k.dot(&s)).max(noise))
            .collect()
    }

    fn predict_into(&self, level: &PreparedKernel, x: &[f64], out: &mut LatentTerms) {
        let n_features = self.n_features();
        let kernel = level.kernel;
        for (i, k) in out.similarity.iter_mut().enumerate() {
            let squared = super::squared(x, self.latent(i));
            *k = kernel.alpha * (-0.5 * kernel.gamma * squared).exp();
        }
        let n = out.similarity.len();
        let mut explained = 0.0;
        for i in 0..n {
            let row = &level.inverse[i * n..][..n];
            out.solved[i] = dot(row, &out.similarity);
            explained += out.similarity[i] * out.solved[i];
        }
        // Never less than the noise, in spite of rounding.
        let noise = 1.0 / kernel.beta;
        out.variance = (kernel.alpha + noise - explained).max(noise);
        out.expected.copy_from_slice(&self.parts.mean);
        for (i, &k) in out.similarity.iter().enumerate() {
            add_scaled(
                &mut out.expected,
                k,
                &level.weights[i * n_features..][..n_features],
            );
        }
    }

    /// df/dx (Eq. 18) into `by_latent` and d sigma^2/dx (Eq. 19) into the first column of `latent_by_latent`.
    fn slopes_into(&self, level: &PreparedKernel, x: &[f64], out: &mut LatentTerms) {
        let n_features = self.n_features();
        let width = self.n_latent() + 1;
        out.by_latent.fill(0.0);
        out.latent_by_latent.fill(0.0);
        for (i, &k) in out.similarity.iter().enumerate() {
            let weights = &level.weights[i * n_features..][..n_features];
            for (a, (x, at)) in x.iter().zip(self.latent(i)).enumerate() {
                // Eq. (20).
                let slope = -level.kernel.gamma * (x - at) * k;
                let row = &mut out.by_latent[a * n_features..][..n_features];
                add_scaled(row, slope, weights);
                out.latent_by_latent[a * width] -= 2.0 * out.solved[i] * slope;
            }
        }
    }

    fn residuals_into(&self, level: &PreparedKernel, x: &[f64], y: &[f64], out: &mut LatentTerms) {
        let n_features = self.n_features();
        let width = self.n_latent() + 1;
        let variance = out.variance;
        let per_sigma = 1.0 / variance.sqrt();
        for k in 0..n_features {
            out.by_feature[k] = self.parts.scales[k] * per_sigma;
            out.residuals[k] = out.by_feature[k] * (y[k] - out.expected[k]);
        }
        // beta sigma^2 is at least 1, so that the logarithm is not negative.
        let weight = LN_SIGMA_WEIGHT * n_features as f64;
        let root = (weight * ((level.kernel.beta * variance).ln().max(0.0) + LN_FLOOR)).sqrt();
        out.latent_residuals[0] = root;
        out.latent_residuals[1..].copy_from_slice(x);
        for a in 0..x.len() {
            let slope = out.latent_by_latent[a * width];
            let row = &mut out.by_latent[a * n_features..][..n_features];
            let relative = -0.5 * slope / variance;
            for k in 0..n_features {
                row[k] = relative * out.residuals[k] - out.by_feature[k] * row[k];
            }
            out.latent_by_latent[a * width] = 0.5 * weight * slope / (variance * root);
            out.latent_by_latent[a * width + 1 + a] = 1.0;
        }
    }
}

/// Four sums side by side, so that the machine need not wait for each addition.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a4, a_rest) = a.as_chunks::<4>();
    let (b4, b_rest) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in a4.iter().zip(b4) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

fn add_scaled(to: &mut [f64], scale: f64, from: &[f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += scale * from;
    }
}
