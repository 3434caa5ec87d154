//! What a solver minimises beside its handles: how unlikely a pose is, as a sum of squares with derivatives.
//!
//! A prior is the latent model, the Gaussian, or both. Half of the sum of all squared residuals is its cost. The pieces
//! keep their structure, so that a solver need not treat them as one dense matrix:
//!
//! | Residuals | Change with features | Change with the latent point |
//! |---|---|---|
//! | [`LatentTerms::residuals`], one per feature | diagonal, [`LatentTerms::by_feature`] | dense, [`LatentTerms::by_latent`] |
//! | [`LatentTerms::latent_residuals`] | not at all | [`LatentTerms::latent_by_latent`] |
//! | [`Terms::gaussian`], one per feature | dense and constant, `gaussian_scale` times [`Gaussian::whitening`] | not at all |

use super::gaussian::Gaussian;
use super::gplvm::{Gplvm, LatentTerms, Sharpness};

/// Which parts of a style judge a pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PriorKind {
    /// The Gaussian alone: one minimum, no latent point.
    Gaussian,
    /// The latent model alone, as in the paper.
    Latent,
    /// Both; the cost of the Gaussian counts with this weight. Of a style whose Gaussian did better on clips that were
    /// left out, a solver takes the Gaussian alone.
    Both {
        /// 1 counts it in full.
        gaussian_weight: f64,
    },
}

/// A style's judgement of poses, ready to be evaluated many times.
#[derive(Debug, Clone, Copy)]
pub struct Prior<'a> {
    latent: Option<&'a Gplvm>,
    gaussian: Option<&'a Gaussian>,
    gaussian_scale: f64,
}

/// Residuals of a prior at one pose. Keep one and evaluate into it again.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Terms {
    /// Of the latent model; empty if it takes no part.
    pub latent: LatentTerms,
    /// Of the Gaussian, already weighted; empty if it takes no part.
    pub gaussian: Vec<f64>,
    /// Half of the sum of all squares.
    pub cost: f64,
}

impl<'a> Prior<'a> {
    /// The parts that this kind asks for and the style has; without a latent model the Gaussian takes its place.
    pub(super) fn of(latent: Option<&'a Gplvm>, gaussian: &'a Gaussian, kind: PriorKind) -> Self {
        let (latent, gaussian, weight) = match (kind, latent) {
            (PriorKind::Gaussian, _) | (_, None) => (None, Some(gaussian), 1.0),
            (PriorKind::Latent, latent) => (latent, None, 0.0),
            (PriorKind::Both { gaussian_weight }, latent) => {
                (latent, Some(gaussian), gaussian_weight)
            }
        };
        Self {
            latent,
            gaussian,
            gaussian_scale: weight.max(0.0).sqrt(),
        }
    }

    /// How many coordinates a latent point has; none for the Gaussian alone.
    pub fn n_latent(&self) -> usize {
        self.latent.map_or(0, Gplvm::n_latent)
    }

    /// The latent model, if it takes part.
    pub fn latent(&self) -> Option<&'a Gplvm> {
        self.latent
    }

    /// The Gaussian, if it takes part.
    pub fn gaussian(&self) -> Option<&'a Gaussian> {
        self.gaussian
    }

    /// The root of the Gaussian's weight: its residuals and their Jacobian carry it.
    pub fn gaussian_scale(&self) -> f64 {
        self.gaussian_scale
    }

    /// Residuals and derivatives at a latent point (empty for the Gaussian alone) and a pose's features. Sharpness
    /// matters to the latent model only.
    pub fn evaluate(&self, sharpness: Sharpness, x: &[f64], y: &[f64], out: &mut Terms) {
        out.cost = 0.0;
        if let Some(latent) = self.latent {
            latent.evaluate(sharpness, x, y, &mut out.latent);
            out.cost += out.latent.cost();
        }
        if let Some(gaussian) = self.gaussian {
            out.gaussian.resize(y.len(), 0.0);
            gaussian.residuals(y, &mut out.gaussian);
            for r in &mut out.gaussian {
                *r *= self.gaussian_scale;
            }
            out.cost += 0.5 * out.gaussian.iter().map(|r| r * r).sum::<f64>();
        }
    }
}
