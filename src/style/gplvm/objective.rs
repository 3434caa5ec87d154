//! Eq. (2): how well latent points and a kernel explain the training poses, with gradients.
//!
//! `L_GP = D/2 ln|K| + 1/2 sum_k w_k^2 Y_k^T K^-1 Y_k - N sum_k ln w_k + 1/2 sum_i |x_i|^2 + ln(alpha beta gamma)`
//!
//! **Scales in closed form.** For given K the best scale is `w_k^2 = N / (Y_k^T K^-1 Y_k)`. Learned without a bound,
//! scales and beta run away on features that hardly move and on few poses. So each pose is taken as known to within a
//! noise of s0 = 0.01 rad, of which the objective takes the expectation: `w_k^2 = N / (Y_k^T K^-1 Y_k + s0^2 tr
//! K^-1)`, and `-1/2 s0^2 sum_k w_k^2 K^-2` more in dL/dK.

use nalgebra::DMatrix;

use super::Kernel;
use crate::numerics::cholesky::{Cholesky, NotPositive, factor, invert_lower, square_lower};

/// The poses to explain: features with the mean taken off, one row per pose.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainingPoses {
    centred: DMatrix<f64>,
}

/// The parts of Eq. (2).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Objective {
    /// D/2 ln|K| + 1/2 sum w^2 Y^T K^-1 Y - N sum ln w: the only part that depends on the poses.
    pub data: f64,
    /// The prior on latent points, 1/2 sum |x|^2.
    pub latent_prior: f64,
    /// The prior on kernel parameters, ln(alpha beta gamma).
    pub kernel_prior: f64,
}

impl Objective {
    /// The whole of Eq. (2): data term and both priors.
    pub fn total(&self) -> f64 {
        self.data + self.latent_prior + self.kernel_prior
    }
}

/// Derivatives of the data term [`Objective::data`].
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectiveGradient {
    /// By every latent coordinate, row by row.
    pub latent: Vec<f64>,
    /// Derivative by ln alpha.
    pub ln_alpha: f64,
    /// Derivative by ln beta.
    pub ln_beta: f64,
    /// Derivative by ln gamma.
    pub ln_gamma: f64,
    /// By each scale; from [`TrainingPoses::profile`], where those derivatives are zero, the scales themselves.
    pub scales: Vec<f64>,
}

/// Memory for one evaluation after another: matrices as large as the poses squared, which would otherwise be asked from
/// the system and given back hundreds of times.
#[derive(Debug, Clone, Default)]
pub struct ObjectiveScratch {
    /// Lower triangle of K.
    kernel: DMatrix<f64>,
    factor: DMatrix<f64>,
    inverse_lower: DMatrix<f64>,
    inverse: DMatrix<f64>,
    /// Lower triangle of dL/dK.
    by_kernel: DMatrix<f64>,
    /// The trace of K^-1.
    trace: f64,
    /// L^-1 Y, features whitened by the Cholesky factor of K.
    whitened: DMatrix<f64>,
    /// K^-1 Y, later K^-1 Y W.
    weights: DMatrix<f64>,
    /// `Y_k^T K^-1 Y_k` of each feature: what its scale is found from.
    misfits: Vec<f64>,
    ln_determinant: f64,
}

impl ObjectiveScratch {
    fn resize(&mut self, n: usize, d: usize) {
        if self.whitened.shape() != (n, d) {
            let square = DMatrix::zeros(n, n);
            self.kernel.clone_from(&square);
            self.factor.clone_from(&square);
            self.inverse_lower.clone_from(&square);
            self.by_kernel.clone_from(&square);
            self.inverse = square;
            self.whitened = DMatrix::zeros(n, d);
            self.weights = DMatrix::zeros(n, d);
        }
    }
}

impl TrainingPoses {
    /// From rows of features, with this mean.
    pub fn new(rows: &[f64], mean: &[f64]) -> Self {
        let d = mean.len();
        let n = rows.len() / d;
        Self {
            centred: DMatrix::from_fn(n, d, |i, k| rows[i * d + k] - mean[k]),
        }
    }

    /// The number of poses.
    pub fn n(&self) -> usize {
        self.centred.nrows()
    }

    /// The number of features of a pose.
    pub fn n_features(&self) -> usize {
        self.centred.ncols()
    }

    /// Eq. (2) at these unknowns.
    pub fn objective(
        &self,
        latent: &[f64],
        kernel: Kernel,
        scales: &[f64],
    ) -> Result<Objective, NotPositive> {
        let mut scratch = ObjectiveScratch::default();
        self.solve(latent, kernel, &mut scratch)?;
        Ok(Objective {
            data: self.data_term(&scratch, scales),
            latent_prior: 0.5 * latent.iter().map(|x| x * x).sum::<f64>(),
            kernel_prior: (kernel.alpha * kernel.beta * kernel.gamma).ln(),
        })
    }

    /// The data term of Eq. (2), expected over a noise of the features (none: the paper's own), and its gradient by
    /// everything.
    pub fn gradient(
        &self,
        latent: &[f64],
        kernel: Kernel,
        scales: &[f64],
        noise_rad: f64,
        scratch: &mut ObjectiveScratch,
    ) -> Result<(f64, ObjectiveGradient), NotPositive> {
        self.solve(latent, kernel, scratch)?;
        let noise = noise_rad * noise_rad * total_square(scales);
        let value = self.data_term(scratch, scales) + 0.5 * noise * scratch.trace;
        let n = self.n() as f64;
        let by_scale = scales.iter().zip(&scratch.misfits);
        let blurred = noise_rad * noise_rad * scratch.trace;
        let by_scale = by_scale.map(|(w, misfit)| w * (misfit + blurred) - n / w);
        let by_scale = by_scale.collect();
        let mut gradient = self.by_unknowns(latent, kernel, scales, noise, scratch);
        gradient.scales = by_scale;
        Ok((value, gradient))
    }

    /// The data term with the best scales for this noise, the gradient with these scales held (which is the gradient of
    /// the whole, as the scales are at their best), and the scales.
    pub fn profile(
        &self,
        latent: &[f64],
        kernel: Kernel,
        noise_rad: f64,
        scratch: &mut ObjectiveScratch,
    ) -> Result<(f64, ObjectiveGradient), NotPositive> {
        self.solve(latent, kernel, scratch)?;
        let n = self.n() as f64;
        let blurred = noise_rad * noise_rad * scratch.trace;
        let scales: Vec<f64> = scratch
            .misfits
            .iter()
            .map(|misfit| (n / (misfit + blurred).max(f64::MIN_POSITIVE)).sqrt())
            .collect();
        let noise = noise_rad * noise_rad * total_square(&scales);
        let value = self.data_term(scratch, &scales) + 0.5 * noise * scratch.trace;
        let mut gradient = self.by_unknowns(latent, kernel, &scales, noise, scratch);
        gradient.scales = scales;
        Ok((value, gradient))
    }

    fn solve(
        &self,
        latent: &[f64],
        kernel: Kernel,
        scratch: &mut ObjectiveScratch,
    ) -> Result<(), NotPositive> {
        scratch.resize(self.n(), self.n_features());
        let n_latent = latent.len() / self.n();
        kernel.fill_lower(latent, n_latent, &mut scratch.kernel);
        scratch.factor.copy_from(&scratch.kernel);
        if factor(&mut scratch.factor).is_err() {
            let padded = Cholesky::with_jitter(&scratch.kernel)?;
            scratch.factor.copy_from(padded.lower());
        }
        let diagonal = scratch.factor.diagonal();
        scratch.ln_determinant = 2.0 * diagonal.iter().map(|d| d.ln()).sum::<f64>();
        invert_lower(&scratch.factor, &mut scratch.inverse_lower);
        let lower = &scratch.inverse_lower;
        scratch.whitened.gemm(1.0, lower, &self.centred, 0.0);
        scratch.trace = lower.norm_squared();
        let columns = scratch.whitened.column_iter();
        scratch.misfits.clear();
        scratch.misfits.extend(columns.map(|c| c.norm_squared()));
        // The factor is not needed any more; its memory holds the transpose.
        lower.transpose_to(&mut scratch.factor);
        let (upper, whitened) = (&scratch.factor, &scratch.whitened);
        scratch.weights.gemm(1.0, upper, whitened, 0.0);
        square_lower(lower, &mut scratch.inverse);
        Ok(())
    }

    fn data_term(&self, scratch: &ObjectiveScratch, scales: &[f64]) -> f64 {
        let (n, d) = (self.n() as f64, self.n_features() as f64);
        let by_feature = scratch.misfits.iter().zip(scales);
        let features: f64 = by_feature
            .map(|(misfit, w)| 0.5 * w * w * misfit - n * w.ln())
            .sum();
        0.5 * d * scratch.ln_determinant + features
    }

    /// Through dL/dK, by latent points and the logarithms of alpha, beta and gamma.
    fn by_unknowns(
        &self,
        latent: &[f64],
        kernel: Kernel,
        scales: &[f64],
        noise: f64,
        scratch: &mut ObjectiveScratch,
    ) -> ObjectiveGradient {
        for (mut column, w) in scratch.weights.column_iter_mut().zip(scales) {
            column *= *w;
        }
        self.by_matrix(noise, scratch);
        let (by_k, matrix) = (&scratch.by_kernel, &scratch.kernel);
        let n = self.n();
        let q = latent.len() / n;
        let mut gradient = ObjectiveGradient {
            latent: vec![0.0; latent.len()],
            ln_alpha: 0.0,
            ln_beta: 0.0,
            ln_gamma: 0.0,
            scales: Vec::new(),
        };
        for j in 0..n {
            let on_diagonal = by_k[(j, j)];
            gradient.ln_alpha += on_diagonal * kernel.alpha;
            // d K_jj / d ln beta = -1/beta; the paper's Eq. (22) is the derivative by 1/beta.
            gradient.ln_beta -= on_diagonal / kernel.beta;
            for i in j + 1..n {
                // Both triangles at once.
                let pull = 2.0 * by_k[(i, j)] * matrix[(i, j)];
                let mut squared = 0.0;
                for a in 0..q {
                    let apart = latent[i * q + a] - latent[j * q + a];
                    squared += apart * apart;
                    // Eq. (20).
                    let force = kernel.gamma * pull * apart;
                    gradient.latent[i * q + a] -= force;
                    gradient.latent[j * q + a] += force;
                }
                gradient.ln_alpha += pull;
                gradient.ln_gamma -= 0.5 * kernel.gamma * pull * squared;
            }
        }
        gradient
    }

    /// dL/dK = 1/2 (D K^-1 - K^-1 Y W^2 Y^T K^-1 - noise K^-2), of which the first two are Eq. (15) with its factor and
    /// sign put right: the lower triangle.
    fn by_matrix(&self, noise: f64, scratch: &mut ObjectiveScratch) {
        const COLUMNS: usize = 64;
        let n = self.n();
        let across = scratch.weights.transpose();
        scratch.inverse.fill_upper_triangle_with_lower_triangle();
        scratch.by_kernel.copy_from(&scratch.inverse);
        for from in (0..n).step_by(COLUMNS) {
            let width = COLUMNS.min(n - from);
            let mut out = scratch.by_kernel.view_mut((from, from), (n - from, width));
            let rows = scratch.weights.rows(from, n - from);
            let half = 0.5 * self.n_features() as f64;
            out.gemm(-0.5, &rows, &across.columns(from, width), half);
            if noise > 0.0 {
                let rows = scratch.inverse.rows(from, n - from);
                let columns = scratch.inverse.columns(from, width);
                out.gemm(-0.5 * noise, &rows, &columns, 1.0);
            }
        }
    }
}

fn total_square(values: &[f64]) -> f64 {
    values.iter().map(|v| v * v).sum()
}
