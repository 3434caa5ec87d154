//! The smoothed version of a model (section 6.1.1): alpha, beta and gamma learned again on features with noise.
//!
//! The paper adds noise of variance 0.05 (small sets) or 0.1 to all features alike. Features differ in spread a
//! hundredfold, and such noise would drown a wrist in itself; here it is that share of each feature's own variance.

use super::fit::{LatentFit, beta_from, ln_beta_slope, unknown_of};
use crate::numerics::lbfgs::{self, Stop};
use crate::numerics::random::Stream;
use crate::style::StyleError;
use crate::style::gaussian::NOISE_RAD;
use crate::style::gplvm::Kernel;
use crate::style::gplvm::objective::{ObjectiveScratch, TrainingPoses};

/// Sets of at least this many active poses are large.
const LARGE: usize = 75;

/// The smoothed kernel of a fit of active poses; latent points and scales are held.
pub(super) fn smooth_kernel(fit: &LatentFit, seed: u64) -> Result<Kernel, StyleError> {
    let d = fit.n_features();
    let share: f64 = if fit.n() >= LARGE { 0.1 } else { 0.05 };
    let n = fit.n() as f64;
    let mut deviations = vec![0.0; d];
    for row in fit.rows.chunks_exact(d) {
        for ((v, y), m) in deviations.iter_mut().zip(row).zip(&fit.mean) {
            *v += (y - m) * (y - m) / n;
        }
    }
    for v in &mut deviations {
        *v = v.sqrt();
    }
    let mut stream = Stream::named(seed, &[6, 1, 1]);
    let mut noisy = fit.rows.clone();
    for row in noisy.chunks_exact_mut(d) {
        for (y, deviation) in row.iter_mut().zip(&deviations) {
            *y += share.sqrt() * deviation * stream.normal();
        }
    }
    learned_again(&TrainingPoses::new(&noisy, &fit.mean), fit)
}

fn learned_again(poses: &TrainingPoses, fit: &LatentFit) -> Result<Kernel, StyleError> {
    let kernel_of = |u: &[f64]| Kernel {
        alpha: u[0].exp(),
        beta: beta_from(u[1]),
        gamma: u[2].exp(),
    };
    let start = fit.kernel;
    let mut unknowns = [start.alpha.ln(), unknown_of(start.beta), start.gamma.ln()];
    let within = |u: &[f64]| u.iter().all(|u| u.abs() < 23.0);
    let mut scratch = ObjectiveScratch::default();
    let value = |u: &[f64], g: &mut [f64]| {
        if !within(u) {
            return f64::INFINITY;
        }
        let kernel = kernel_of(u);
        match poses.gradient(&fit.latent, kernel, &fit.scales, NOISE_RAD, &mut scratch) {
            Ok((value, gradient)) => {
                g.copy_from_slice(&[
                    gradient.ln_alpha,
                    gradient.ln_beta * ln_beta_slope(kernel.beta),
                    gradient.ln_gamma,
                ]);
                value
            }
            Err(_) => f64::INFINITY,
        }
    };
    let stop = Stop {
        max_steps: 60,
        least_gain: 1e-7,
    };
    lbfgs::minimise(&mut unknowns, stop, value, |_| Ok::<(), StyleError>(()))?;
    Ok(kernel_of(&unknowns))
}
