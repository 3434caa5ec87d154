//! A model of some poses while it is being learned, and the full optimisation (appendix B, first algorithm).

use nalgebra::DMatrix;

use super::links::links;
use super::start::principal;
use super::training::standardised;
use crate::jobs::Ticket;
use crate::numerics::lbfgs::{self, Stop};
use crate::style::StyleError;
use crate::style::gaussian::{NOISE_RAD, column_means};
use crate::style::gplvm::Kernel;
use crate::style::gplvm::objective::{ObjectiveScratch, TrainingPoses};

/// Latent points of some poses, and the kernel and scales that go with them.
#[derive(Debug, Clone)]
pub(super) struct LatentFit {
    /// Features, row by row.
    pub(super) rows: Vec<f64>,
    pub(super) mean: Vec<f64>,
    /// Latent points, row by row.
    pub(super) latent: Vec<f64>,
    pub(super) n_latent: usize,
    pub(super) kernel: Kernel,
    pub(super) scales: Vec<f64>,
}

/// Where every kernel starts: one unit of the latent space apart, poses are alike by exp(-1/2), and a thirtieth of
/// their variance is noise. Learning moves these within a few steps.
const START: Kernel = Kernel {
    alpha: 1.0,
    beta: 30.0,
    gamma: 1.0,
};

/// Noise explains between a thousandth and a half of what varies. Without these a few poses end as noise alone, with
/// beta at zero and scales beyond all bounds, or as spikes that nothing between them belongs to.
const BETA: std::ops::RangeInclusive<f64> = 1.0..=1000.0;

/// The logarithms of beta and gamma stay within these, so that nothing overflows on the way.
const LN_REACH: f64 = 23.0;

/// Maps of so many dimensions are kept together by links; with more, points find ways past each other.
const LINKED_DIMENSIONS: usize = 2;

/// Linked poses at the distance at which poses stop being alike cost half of this, in nats. Of 0, 2 and 10 this drew
/// the paths of walks, kicks and jumps in the fewest pieces, for at most 3 per cent of the likelihood.
const LINK_WEIGHT: f64 = 10.0;

impl LatentFit {
    /// Principal components and a kernel that is not learned yet.
    pub(super) fn start(rows: Vec<f64>, n_features: usize, n_latent: usize) -> Self {
        let (latent, n_latent) = principal(&rows, n_features, n_latent);
        Self {
            mean: column_means(&rows, n_features),
            scales: vec![1.0; n_features],
            kernel: START,
            rows,
            latent,
            n_latent,
        }
    }

    pub(super) fn n(&self) -> usize {
        self.latent.len() / self.n_latent
    }

    pub(super) fn n_features(&self) -> usize {
        self.mean.len()
    }

    pub(super) fn poses(&self) -> TrainingPoses {
        TrainingPoses::new(&self.rows, &self.mean)
    }

    /// Poses that are alike, where the map has to be kept together.
    fn links(&self) -> Vec<(usize, usize)> {
        if self.n_latent > LINKED_DIMENSIONS {
            return Vec::new();
        }
        let d = self.n_features();
        links(&standardised(&self.rows, d), d)
    }

    /// All latent points, beta and gamma together, with the scales at their best for each.
    pub(super) fn optimise(&mut self, max_steps: usize, ticket: &Ticket) -> Result<(), StyleError> {
        let poses = self.poses();
        let n = self.latent.len();
        let q = self.n_latent;
        let links = self.links();
        let mut unknowns = self.latent.clone();
        unknowns.extend([unknown_of(self.kernel.beta), self.kernel.gamma.ln()]);
        let mut scratch = ObjectiveScratch::default();
        let value = |u: &[f64], g: &mut [f64]| {
            let Some(kernel) = kernel_of(u[n], u[n + 1]) else {
                return f64::INFINITY;
            };
            match poses.profile(&u[..n], kernel, NOISE_RAD, &mut scratch) {
                Ok((value, gradient)) => {
                    g[..n].copy_from_slice(&gradient.latent);
                    g[n] = gradient.ln_beta * ln_beta_slope(kernel.beta);
                    g[n + 1] = gradient.ln_gamma;
                    let pulled = pull(&links, LINK_WEIGHT * kernel.gamma, &u[..n], q, g);
                    // It grows with gamma as it is.
                    g[n + 1] += pulled;
                    value + pulled
                }
                Err(_) => f64::INFINITY,
            }
        };
        let stop = Stop {
            max_steps,
            least_gain: 1e-7,
        };
        lbfgs::minimise(&mut unknowns, stop, value, |evaluations| {
            ticket.step((evaluations as f64 / max_steps as f64).min(1.0))
        })?;
        self.kernel = kernel_of(unknowns[n], unknowns[n + 1])
            .ok_or(StyleError::Numbers("the kernel ran away"))?;
        unknowns.truncate(n);
        self.latent = unknowns;
        self.settle_scales()?;
        self.normalise();
        Ok(())
    }

    /// Beta and gamma alone.
    pub(super) fn optimise_kernel(&mut self, max_steps: usize) -> Result<(), StyleError> {
        let poses = self.poses();
        let mut unknowns = [unknown_of(self.kernel.beta), self.kernel.gamma.ln()];
        let mut scratch = ObjectiveScratch::default();
        let value = |u: &[f64], g: &mut [f64]| {
            let Some(kernel) = kernel_of(u[0], u[1]) else {
                return f64::INFINITY;
            };
            match poses.profile(&self.latent, kernel, NOISE_RAD, &mut scratch) {
                Ok((value, gradient)) => {
                    g.copy_from_slice(&[
                        gradient.ln_beta * ln_beta_slope(kernel.beta),
                        gradient.ln_gamma,
                    ]);
                    value
                }
                Err(_) => f64::INFINITY,
            }
        };
        let stop = Stop {
            max_steps,
            least_gain: 1e-6,
        };
        lbfgs::minimise(&mut unknowns, stop, value, |_| Ok::<(), StyleError>(()))?;
        self.kernel = kernel_of(unknowns[0], unknowns[1])
            .ok_or(StyleError::Numbers("the kernel ran away"))?;
        self.settle_scales()
    }

    /// The best scales for these latent points and this kernel, in closed form.
    fn settle_scales(&mut self) -> Result<(), StyleError> {
        let mut scratch = ObjectiveScratch::default();
        let poses = self.poses();
        let profile = poses.profile(&self.latent, self.kernel, NOISE_RAD, &mut scratch);
        let (_, best) = profile.map_err(|_singular| StyleError::Numbers("singular kernel"))?;
        self.scales = best.scales;
        Ok(())
    }

    /// Puts the latent points into their principal axes, the widest first, centred and varying by one on average over
    /// the axes; gamma takes the scale up. Distances in units of the kernel stay as they are, and so does the data
    /// term.
    pub(super) fn normalise(&mut self) {
        let (n, q) = (self.n(), self.n_latent);
        let mut points = DMatrix::from_row_slice(n, q, &self.latent);
        let mean = points.row_mean();
        points.row_iter_mut().for_each(|mut row| row -= &mean);
        let eigen = (points.tr_mul(&points) / n as f64).symmetric_eigen();
        let mut order: Vec<usize> = (0..q).collect();
        order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
        let axes = DMatrix::from_fn(q, q, |i, a| {
            let axis = eigen.eigenvectors.column(order[a]);
            axis[i] * axis[axis.iamax()].signum()
        });
        let variance = eigen.eigenvalues.sum() / q as f64;
        if variance.is_nan() || variance <= 0.0 {
            return;
        }
        points *= axes / variance.sqrt();
        self.kernel.gamma *= variance;
        self.latent = points.transpose().as_slice().to_vec();
    }

    /// The fit of a subset: only these poses, in this order.
    pub(super) fn only(&self, picks: &[usize]) -> Self {
        let take = |all: &[f64], width: usize| -> Vec<f64> {
            let rows = picks.iter().map(|&i| &all[i * width..][..width]);
            rows.flatten().copied().collect()
        };
        Self {
            rows: take(&self.rows, self.n_features()),
            latent: take(&self.latent, self.n_latent),
            ..self.clone()
        }
    }
}

/// Half of the weighted squares of all links; their slopes are added.
fn pull(links: &[(usize, usize)], weight: f64, latent: &[f64], q: usize, g: &mut [f64]) -> f64 {
    let mut squares = 0.0;
    for &(i, j) in links {
        for a in 0..q {
            let apart = latent[i * q + a] - latent[j * q + a];
            squares += apart * apart;
            g[i * q + a] += weight * apart;
            g[j * q + a] -= weight * apart;
        }
    }
    0.5 * weight * squares
}

/// The unknown that stands for beta: a logistic curve between its bounds, so that no step can pass them.
pub(super) fn beta_from(unknown: f64) -> f64 {
    BETA.start() + (BETA.end() - BETA.start()) / (1.0 + (-unknown).exp())
}

/// The unknown of the optimiser that stands for this beta, the inverse of [`beta_from`].
pub(super) fn unknown_of(beta: f64) -> f64 {
    let over = (beta - BETA.start()).max(1e-6);
    let under = (BETA.end() - beta).max(1e-6);
    (over / under).ln()
}

/// Change of ln beta per change of its unknown.
pub(super) fn ln_beta_slope(beta: f64) -> f64 {
    (beta - BETA.start()) * (BETA.end() - beta) / ((BETA.end() - BETA.start()) * beta)
}

fn kernel_of(unknown_beta: f64, ln_gamma: f64) -> Option<Kernel> {
    let is_sane = |unknown: f64| unknown.abs() <= LN_REACH;
    (is_sane(unknown_beta) && is_sane(ln_gamma)).then(|| Kernel {
        alpha: 1.0,
        beta: beta_from(unknown_beta),
        gamma: ln_gamma.exp(),
    })
}
