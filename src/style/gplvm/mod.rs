//! The latent model of poses: a low-dimensional map in which every point is a pose, and near the training poses a
//! likely one.
//!
//! The scaled Gaussian process latent variable model of Grochow et al. 2004. Names beside the paper's: latent points
//! `latent` (X), active features `features` (Y before the mean mu is taken off), scales `scales` (w), kernel `alpha`,
//! `beta`, `gamma` (Eq. 1).
//!
//! Where this departs from the paper, and why (tried on real clips):
//!
//! - Scales have a noise floor in closed form, and beta stays between 1 and 1000, so that both are sane on ten poses
//!   and on features that hardly move ([`objective`]).
//! - The prior on x and the kernel's gamma trade against each other exactly (shrink X, raise gamma: the prior falls
//!   and nothing else changes), so the paper's objective has no minimum but X = 0. Here gamma is what makes the
//!   training points vary by one, which is what the prior says they do. Alpha trades against w and beta in the same
//!   way and is 1.
//! - In Eq. (3) the term ln sigma weighs [`LN_SIGMA_WEIGHT`] instead of 1: with as many features as poses have, it
//!   otherwise pulls solutions onto single training poses.
//! - Eq. 15 of the paper lacks a factor 1/2 and has the other sign, and its Eq. 22 is the derivative by 1/beta.

mod evaluate;
pub mod objective;
mod project;

use nalgebra::DMatrix;

pub use evaluate::LatentTerms;
pub use project::LatentProjection;

use super::StyleError;
use crate::numerics::cholesky::Cholesky;

/// How much the term D/2 ln sigma^2 of Eq. (3) weighs when poses are solved for.
pub const LN_SIGMA_WEIGHT: f64 = 0.3;

/// The parameters of Eq. (1): k(x, x') = alpha exp(-gamma/2 |x - x'|^2), and 1/beta more for the same point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kernel {
    /// Variance that latent points explain.
    pub alpha: f64,
    /// One over the variance of what they do not.
    pub beta: f64,
    /// One over the square of the distance at which poses stop being alike.
    pub gamma: f64,
}

/// No model keeps more poses: an evaluation costs their square, and memory, too.
pub const MAX_ACTIVE: usize = 2000;

/// No latent space has more dimensions.
pub const MAX_LATENT: usize = 10;

/// How smooth a version of the model to use (section 6.1.1): the smooth one has fewer local minima.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sharpness {
    /// Learned on features with noise.
    Smooth,
    /// In between, as the paper mixes them.
    Middle,
    /// The model as learned, without smoothing.
    Sharp,
}

impl Sharpness {
    /// The order in which a solver walks through them.
    pub const ALL: [Self; 3] = [Self::Smooth, Self::Middle, Self::Sharp];
}

/// All that a model knows, for saving and opening.
#[derive(Debug, Clone, PartialEq)]
pub struct GplvmParts {
    /// How many coordinates a latent point has.
    pub n_latent: usize,
    /// Latent points of the active poses, row by row.
    pub latent: Vec<f64>,
    /// Features of the active poses, row by row.
    pub features: Vec<f64>,
    /// Mean features (mu), one per feature.
    pub mean: Vec<f64>,
    /// One per feature (w).
    pub scales: Vec<f64>,
    /// Kernel of the model as learned.
    pub sharp: Kernel,
    /// Kernel of the version that was learned on noisy features.
    pub smooth: Kernel,
}

/// A learned model with everything ready for quick evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct Gplvm {
    parts: GplvmParts,
    /// One per [`Sharpness`], in the order of [`Sharpness::ALL`].
    levels: [PreparedKernel; 3],
}

/// What does not change between evaluations.
#[derive(Debug, Clone, PartialEq)]
struct PreparedKernel {
    kernel: Kernel,
    /// K^-1 of the active poses, row by row.
    inverse: Vec<f64>,
    /// K^-1 Y, row by row: one row of features for each active pose.
    weights: Vec<f64>,
}

impl Gplvm {
    /// A model as it was, after checking that its parts fit together.
    pub fn from_parts(parts: GplvmParts) -> Result<Self, StyleError> {
        check_parts(&parts)?;
        // Section 6.2: the middle model takes 1/sqrt(2) of the smooth parameters and the rest of the sharp ones.
        let share = std::f64::consts::FRAC_1_SQRT_2;
        let mix = |smooth: f64, sharp: f64| share * smooth + (1.0 - share) * sharp;
        let (smooth, sharp) = (parts.smooth, parts.sharp);
        let middle = Kernel {
            alpha: mix(smooth.alpha, sharp.alpha),
            beta: mix(smooth.beta, sharp.beta),
            gamma: mix(smooth.gamma, sharp.gamma),
        };
        let levels = [
            PreparedKernel::new(&parts, smooth)?,
            PreparedKernel::new(&parts, middle)?,
            PreparedKernel::new(&parts, sharp)?,
        ];
        Ok(Self { parts, levels })
    }

    /// All parts of the model, for saving.
    pub fn parts(&self) -> &GplvmParts {
        &self.parts
    }

    /// How many coordinates a latent point has.
    pub fn n_latent(&self) -> usize {
        self.parts.n_latent
    }

    /// The number of features of a pose.
    pub fn n_features(&self) -> usize {
        self.parts.mean.len()
    }

    /// The number of active poses.
    pub fn n_active(&self) -> usize {
        self.parts.latent.len() / self.parts.n_latent
    }

    /// The latent point of an active pose.
    pub fn latent(&self, active: usize) -> &[f64] {
        let q = self.n_latent();
        &self.parts.latent[active * q..][..q]
    }

    /// The kernel of one version of the model.
    pub fn kernel(&self, sharpness: Sharpness) -> Kernel {
        self.level(sharpness).kernel
    }

    fn level(&self, sharpness: Sharpness) -> &PreparedKernel {
        &self.levels[sharpness as usize]
    }
}

impl PreparedKernel {
    fn new(parts: &GplvmParts, kernel: Kernel) -> Result<Self, StyleError> {
        let n = parts.latent.len() / parts.n_latent;
        let covariance = kernel.lower_matrix(&parts.latent, parts.n_latent);
        let factor = Cholesky::with_jitter(&covariance)
            .map_err(|_singular| StyleError::Numbers("the kernel has no inverse"))?;
        let inverse = factor.inverse();
        let d = parts.mean.len();
        let centred = DMatrix::from_fn(n, d, |i, k| parts.features[i * d + k] - parts.mean[k]);
        let weights = (&inverse * centred).transpose();
        Ok(Self {
            kernel,
            inverse: inverse.as_slice().to_vec(),
            weights: weights.as_slice().to_vec(),
        })
    }
}

impl Kernel {
    /// Eq. (1) for every pair of rows, into the lower triangle.
    pub(super) fn fill_lower(&self, latent: &[f64], n_latent: usize, matrix: &mut DMatrix<f64>) {
        let n = latent.len() / n_latent;
        let row = |i: usize| &latent[i * n_latent..][..n_latent];
        for (j, mut column) in matrix.column_iter_mut().enumerate() {
            let at = row(j);
            column[j] = self.alpha + 1.0 / self.beta;
            for i in j + 1..n {
                column[i] = self.alpha * (-0.5 * self.gamma * squared(row(i), at)).exp();
            }
        }
    }

    /// Eq. (1) for every pair of rows; only the lower triangle is filled.
    pub(super) fn lower_matrix(&self, latent: &[f64], n_latent: usize) -> DMatrix<f64> {
        let n = latent.len() / n_latent;
        let mut matrix = DMatrix::zeros(n, n);
        self.fill_lower(latent, n_latent, &mut matrix);
        matrix
    }

    fn is_sane(&self) -> bool {
        let all = [self.alpha, self.beta, self.gamma];
        all.iter().all(|v| v.is_finite() && *v > 0.0)
    }
}

/// Squared Euclidean distance |a - b|^2.
fn squared(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

fn check_parts(parts: &GplvmParts) -> Result<(), StyleError> {
    let d = parts.mean.len();
    let q = parts.n_latent;
    if d == 0 || q == 0 || parts.latent.is_empty() || !parts.latent.len().is_multiple_of(q) {
        return Err(StyleError::parts("there are no whole latent points"));
    }
    let n = parts.latent.len() / q;
    if n > MAX_ACTIVE || q > MAX_LATENT {
        let why = format!("{n} poses in {q} dimensions are more than a model keeps");
        return Err(StyleError::parts(why));
    }
    if parts.features.len() != n * d || parts.scales.len() != d {
        return Err(StyleError::parts("features do not fit the latent points"));
    }
    let lists = [&parts.latent, &parts.features, &parts.mean];
    if !lists.iter().all(|l| l.iter().all(|v| v.is_finite())) {
        return Err(StyleError::parts("a number of the model is not finite"));
    }
    if !parts.scales.iter().all(|w| w.is_finite() && *w > 0.0) {
        return Err(StyleError::parts("scales must be positive numbers"));
    }
    if !parts.sharp.is_sane() || !parts.smooth.is_sane() {
        return Err(StyleError::parts("alpha, beta and gamma must be positive"));
    }
    Ok(())
}
