//! An expert on features, made of one or several styles, in the least-squares form of Eqs. 3 to 6 and 9.
//!
//! A style predicts the features at a latent point, `f(x)`, with a variance `v(x) / w_k^2` for each feature. The cost
//! of features `y` is
//!
//! ```text
//! sum_k w_k^2 (y_k - f_k)^2 / (2 v)  +  lnw D/2 ln(beta v)  +  |x|^2 / 2          (Eq. 3, with lnw = 0.3)
//! ```
//!
//! which is a sum of squares, as `beta v >= 1`. The weight `lnw` is ours: with 1 the pull towards the training poses
//! outweighs the handles.
//!
//! **Blends.** Eq. 9 adds the costs of styles, weighted. On real styles that is monotone but not smooth: the sharper
//! style wins at once, and one step of a twenty-step blend carries 60 % of the change. Here a blend is one expert whose
//! prediction and variance are the weighted means of the styles' own, `f = sum s_i f_i(x_i)` and
//! `v_k = sum s_i v_i / w_ik^2`, while each latent point keeps its own terms, weighted. The ends are the single styles
//! exactly. Eq. 9 itself is several experts with weights.

use super::linear::refill;
use super::model::{LatentModel, Prediction};
use crate::style::Sharpness;
use crate::style::gplvm::LN_SIGMA_WEIGHT;

/// Close to a training pose `ln(beta v)` nears zero, and with it the root whose derivative is taken.
const LEAST_UNCERTAINTY: f64 = 1e-2;

/// A style in an expert, with its weight.
#[derive(Debug, Clone)]
pub(super) struct WeightedModel {
    pub(super) model: LatentModel,
    /// Where its latent coordinates begin.
    pub(super) first: usize,
    /// Its share; all shares of an expert sum to one.
    pub(super) share: f64,
    prediction: Prediction,
}

/// A prediction of features with its variance, from one or several styles.
#[derive(Debug, Clone)]
pub(super) struct Expert {
    pub(super) members: Vec<WeightedModel>,
    /// How much it counts beside others.
    pub(super) weight: f64,
    /// How smooth a version of the styles it looks at (section 6.1.1).
    pub(super) sharpness: Sharpness,
    errors: Vec<f64>,
    precisions: Vec<f64>,
}

/// The local quadratic model of all experts, by features and latent coordinates.
#[derive(Debug, Clone, Default)]
pub(super) struct FeatureModel {
    pub(super) cost: f64,
    pub(super) grad: Vec<f64>,
    pub(super) diagonal: Vec<f64>,
    pub(super) n_latent: usize,
    pub(super) grad_latent: Vec<f64>,
    /// Second derivatives by latent coordinates, row by row.
    pub(super) latent: Vec<f64>,
    /// For each latent coordinate one row over the features.
    pub(super) mixed: Vec<f64>,
}

impl FeatureModel {
    pub(super) fn clear(&mut self, n_features: usize, n_latent: usize) {
        self.cost = 0.0;
        self.n_latent = n_latent;
        refill(&mut self.grad, n_features, 0.0);
        refill(&mut self.diagonal, n_features, 0.0);
        refill(&mut self.grad_latent, n_latent, 0.0);
        refill(&mut self.latent, n_latent * n_latent, 0.0);
        refill(&mut self.mixed, n_latent * n_features, 0.0);
    }
}

impl Expert {
    /// Models with shares; the first one's latent coordinates begin at `first`.
    pub(super) fn new(models: Vec<(LatentModel, f64)>, mut first: usize, weight: f64) -> Self {
        let members = models.into_iter().map(|(model, share)| {
            let at = first;
            first += model.n_latent();
            WeightedModel {
                prediction: Prediction::default(),
                model,
                first: at,
                share,
            }
        });
        Self {
            members: members.collect(),
            weight,
            sharpness: Sharpness::Sharp,
            errors: Vec::new(),
            precisions: Vec::new(),
        }
    }

    /// One past its last latent coordinate.
    pub(super) fn end(&self) -> usize {
        self.members
            .last()
            .map_or(0, |m| m.first + m.model.n_latent())
    }

    /// Adds its cost and derivatives.
    pub(super) fn add(&mut self, features: &[f64], latent: &[f64], out: &mut FeatureModel) {
        let n = features.len();
        self.predict(features, latent);
        let mut squares = 0.0;
        for k in 0..n {
            let pull = self.precisions[k] * self.errors[k];
            squares += pull * self.errors[k];
            out.grad[k] += pull;
            out.diagonal[k] += self.precisions[k];
        }
        out.cost += 0.5 * squares;
        self.add_slopes(out);
        self.add_latent_terms(n, latent, out);
    }

    /// Errors and precisions of all features at these latent points.
    fn predict(&mut self, features: &[f64], latent: &[f64]) {
        refill(&mut self.precisions, features.len(), 0.0);
        self.errors.clear();
        self.errors.extend_from_slice(features);
        for member in &mut self.members {
            let x = &latent[member.first..][..member.model.n_latent()];
            member
                .model
                .predict(x, self.sharpness, &mut member.prediction);
            let variance = member.share * member.prediction.variance;
            let unscaled = member.model.inverse_square_scales();
            for (k, v) in self.precisions.iter_mut().enumerate() {
                *v += variance * unscaled[k];
                self.errors[k] -= member.share * member.prediction.mean[k];
            }
        }
        for v in &mut self.precisions {
            *v = self.weight / *v;
        }
    }

    /// How errors over their deviation answer to the latent coordinates: through the prediction, and through how sure
    /// it is. d(e / sqrt(v)) = -(df + e dv / 2v) / sqrt(v).
    fn add_slopes(&mut self, out: &mut FeatureModel) {
        let n = self.errors.len();
        let m = out.n_latent;
        for member in &self.members {
            let unscaled = member.model.inverse_square_scales();
            for a in 0..member.model.n_latent() {
                let slopes = &member.prediction.slopes[a * n..][..n];
                let of_variance = 0.5 * member.share * member.prediction.variance_slopes[a];
                let row = &mut out.mixed[(member.first + a) * n..][..n];
                for k in 0..n {
                    let precision = self.precisions[k];
                    let certainty = of_variance * unscaled[k] * precision / self.weight;
                    row[k] = -precision * (member.share * slopes[k] + self.errors[k] * certainty);
                }
                let along = row.iter().zip(&self.errors).map(|(r, e)| r * e);
                out.grad_latent[member.first + a] += along.sum::<f64>();
            }
        }
        let range = self.members.first().map_or(0, |m| m.first)..self.end();
        for a in range.clone() {
            for b in range.start..=a {
                let (low, high) = out.mixed.split_at(a * n);
                let other = if b == a { high } else { &low[b * n..] };
                let value: f64 = (0..n)
                    .map(|k| high[k] * other[k] / self.precisions[k])
                    .sum();
                out.latent[a * m + b] += value;
                if a != b {
                    out.latent[b * m + a] += value;
                }
            }
        }
    }

    /// lnw D/2 ln(beta v) + |x|^2 / 2 of each style.
    fn add_latent_terms(&self, n_features: usize, latent: &[f64], out: &mut FeatureModel) {
        let m = out.n_latent;
        for member in &self.members {
            let weight = self.weight * member.share;
            let d = member.model.n_latent();
            let x = &latent[member.first..][..d];
            let certainty = 0.5 * LN_SIGMA_WEIGHT * n_features as f64 * weight;
            let prediction = &member.prediction;
            let uncertainty = (prediction.variance / prediction.least_variance)
                .ln()
                .max(0.0);
            out.cost +=
                certainty * uncertainty + 0.5 * weight * x.iter().map(|v| v * v).sum::<f64>();
            let curvature = 0.5 * certainty / uncertainty.max(LEAST_UNCERTAINTY);
            for a in 0..d {
                let slope = prediction.variance_slopes[a] / prediction.variance;
                out.grad_latent[member.first + a] += certainty * slope + weight * x[a];
                let row = (member.first + a) * m + member.first;
                for b in 0..d {
                    let other = prediction.variance_slopes[b] / prediction.variance;
                    out.latent[row + b] += curvature * slope * other;
                }
                out.latent[row + a] += weight;
            }
        }
    }
}
