//! The latent point of a pose: Eq. (3) at its least over x alone.

use nalgebra::{DMatrix, DVector};

use super::{Gplvm, LatentTerms, Sharpness};

/// Steps that hardly ever run out: most poses need four to eight.
const MAX_STEPS: usize = 30;

/// A latent point and its cost.
#[derive(Debug, Clone, PartialEq)]
pub struct LatentProjection {
    /// The latent point, one number per latent dimension.
    pub x: Vec<f64>,
    /// Half of the sum of squared residuals there.
    pub cost: f64,
}

impl Gplvm {
    /// The likeliest latent point of these features, walking down from `start` (Levenberg and Marquardt).
    pub fn project_from(
        &self,
        y: &[f64],
        start: &[f64],
        terms: &mut LatentTerms,
    ) -> LatentProjection {
        let q = self.n_latent();
        let mut x = start.to_vec();
        self.evaluate(Sharpness::Sharp, &x, y, terms);
        let mut cost = terms.cost();
        // In units where similarity changes: the kernel's length scale bounds a step.
        let unit = self.kernel(Sharpness::Sharp).gamma;
        let mut damping = 1e-2;
        for _ in 0..MAX_STEPS {
            let (hessian, gradient) = normal_equations(terms, q);
            let mut next = None;
            while damping < 1e8 {
                let mut padded = hessian.clone();
                for a in 0..q {
                    padded[(a, a)] += damping * (hessian[(a, a)] + unit);
                }
                let Some(factor) = padded.cholesky() else {
                    damping *= 10.0;
                    continue;
                };
                let step = factor.solve(&gradient);
                let trial: Vec<f64> = x.iter().zip(step.iter()).map(|(x, s)| x - s).collect();
                self.evaluate(Sharpness::Sharp, &trial, y, terms);
                let trial_cost = terms.cost();
                if trial_cost < cost {
                    next = Some((trial, trial_cost));
                    break;
                }
                damping *= 10.0;
            }
            let Some((trial, trial_cost)) = next else {
                break;
            };
            let gain = cost - trial_cost;
            x = trial;
            cost = trial_cost;
            damping = (damping * 0.2).max(1e-6);
            if gain < 1e-6 * (1.0 + cost) {
                break;
            }
        }
        LatentProjection { x, cost }
    }

    /// The likeliest latent point of these features, started from the active poses that are nearest in scaled features.
    pub fn project(&self, y: &[f64], terms: &mut LatentTerms) -> LatentProjection {
        const STARTS: usize = 3;
        let starts = self.nearest_active(y, STARTS);
        let each = starts
            .into_iter()
            .map(|i| self.project_from(y, self.latent(i), terms));
        each.min_by(|a, b| a.cost.total_cmp(&b.cost))
            .expect("a model has active poses")
    }

    /// The active poses with the least distance in scaled features, nearest first.
    pub fn nearest_active(&self, y: &[f64], n: usize) -> Vec<usize> {
        let d = self.n_features();
        let distance = |i: usize| -> f64 {
            let row = &self.parts.features[i * d..][..d];
            let pairs = row.iter().zip(y).zip(&self.parts.scales);
            pairs.map(|((a, b), w)| (w * (a - b)).powi(2)).sum()
        };
        let mut by_distance: Vec<(f64, usize)> =
            (0..self.n_active()).map(|i| (distance(i), i)).collect();
        by_distance.sort_by(|a, b| a.0.total_cmp(&b.0));
        by_distance.iter().take(n).map(|(_, i)| *i).collect()
    }
}

/// J^T J and J^T r over the latent coordinates.
fn normal_equations(terms: &LatentTerms, q: usize) -> (DMatrix<f64>, DVector<f64>) {
    let d = terms.residuals.len();
    let rows = |a: usize| {
        (
            &terms.by_latent[a * d..][..d],
            &terms.latent_by_latent[a * (q + 1)..][..=q],
        )
    };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let hessian = DMatrix::from_fn(q, q, |a, b| {
        dot(rows(a).0, rows(b).0) + dot(rows(a).1, rows(b).1)
    });
    let gradient = DVector::from_fn(q, |a, _| {
        dot(rows(a).0, &terms.residuals) + dot(rows(a).1, &terms.latent_residuals)
    });
    (hessian, gradient)
}
