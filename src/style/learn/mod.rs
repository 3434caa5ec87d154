//! From clips to a style.
//!
//! 1. Every frame becomes a row of features, and the Gaussian is learned from all of them.
//! 2. Poses that stand for all are chosen, spread as far apart as possible ([`spread`]): ten thousand frames
//!    at 120 a second hold a few hundred different poses, and the latent model costs the cube of their number.
//! 3. The latent model is fitted to these ([`fit`], or [`heuristic`]), starting from principal components ([`start`]);
//!    a flat map is kept in one piece ([`links`]).
//! 4. The poses at which it would be most uncertain without them are kept ([`active`]); a smoothed kernel is learned
//!    for them ([`smooth`]).
//!
//! Nothing depends on the number of threads, and the seed names the only random numbers, the noise of step 4.

mod active;
mod fit;
mod heuristic;
mod links;
mod settings;
mod smooth;
mod spread;
mod start;
mod training;

use std::sync::Arc;

use super::error::check_fits;
use super::gplvm::Gplvm;
use super::{FeatureMap, Gaussian, Origin, Style, StyleError, StyleParts};
use crate::jobs::Ticket;
use crate::motion::Clip;
use fit::LatentFit;
use training::Training;

pub use settings::{LearnSettings, MIN_POSES, Method};
pub use training::encode;

impl Style {
    /// Learns from clips on one skeleton, with the same up.
    pub fn learn(
        clips: &[&Clip],
        settings: &LearnSettings,
        ticket: &Ticket,
    ) -> Result<Self, StyleError> {
        let map = FeatureMap::learn(clips)?;
        Self::learn_on(&map, clips, settings, ticket)
    }

    /// Learns on a map that other styles share, so that they can be blended.
    pub fn learn_on(
        map: &FeatureMap,
        clips: &[&Clip],
        settings: &LearnSettings,
        ticket: &Ticket,
    ) -> Result<Self, StyleError> {
        settings.check()?;
        if clips.is_empty() {
            return Err(StyleError::NoClips);
        }
        for clip in clips {
            check_fits(map.skeleton(), "the map", map.parts().heading.up, clip)?;
        }
        ticket.step(0.0)?;
        let training = Training::of(map, clips);
        let gaussian = Gaussian::learn(&training.rows, training.n_features)?;
        let n_picks = match settings.method {
            Method::Gaussian => settings.n_active,
            Method::Full | Method::ActiveSet => settings.n_fitted.max(settings.n_active),
        };
        let standardised = training.standardised();
        let picks = spread::spread(&standardised, training.n_features, n_picks);
        drop(standardised);
        if picks.len() < MIN_POSES {
            return Err(StyleError::TooFewPoses {
                needed: MIN_POSES,
                found: picks.len(),
            });
        }
        let fitted = match settings.method {
            Method::Gaussian => None,
            Method::Full | Method::ActiveSet => {
                let rows = training.select(&picks);
                Some(fit_latent(rows, training.n_features, settings, ticket)?)
            }
        };
        let (latent, active, log_likelihood) = if let Some(fitted) = fitted {
            let active = fitted.active.iter().map(|&i| picks[i]).collect();
            (Some(fitted.model), active, fitted.log_likelihood)
        } else {
            let rows = training.rows.chunks_exact(training.n_features);
            let total = rows.map(|row| gaussian.log_likelihood(row)).sum();
            (None, picks.clone(), total)
        };
        Self::from_parts(StyleParts {
            skeleton: Arc::clone(map.skeleton()),
            map: map.parts().clone(),
            gaussian,
            latent,
            active: active.iter().map(|&frame| training.pose(frame)).collect(),
            origin: Origin {
                clips: clips.iter().map(|clip| clip.info.name.clone()).collect(),
                n_frames: training.n(),
                n_fitted: picks.len(),
                log_likelihood,
                settings: settings.clone(),
            },
            cross_validation: None,
        })
    }
}

/// A latent model and how it came out.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedModel {
    /// The model of the active poses.
    pub model: Gplvm,
    /// Which rows are active, in the order of the model.
    pub active: Vec<usize>,
    /// Latent points of all rows that were fitted.
    pub latent: Vec<f64>,
    /// Minus Eq. (2) over all of them.
    pub log_likelihood: f64,
    /// The data term of Eq. (2), without the priors.
    pub data_term: f64,
}

/// Fits the latent model to rows of features, all of them: choose a few hundred that stand for the rest first.
pub fn fit_latent(
    rows: Vec<f64>,
    n_features: usize,
    settings: &LearnSettings,
    ticket: &Ticket,
) -> Result<FittedModel, StyleError> {
    settings.check()?;
    let n = rows.len().checked_div(n_features).unwrap_or(0);
    if n < MIN_POSES {
        return Err(StyleError::TooFewPoses {
            needed: MIN_POSES,
            found: n,
        });
    }
    let mut fit = LatentFit::start(rows, n_features, settings.n_latent);
    match settings.method {
        Method::ActiveSet => fit.take_turns(settings.n_active, ticket)?,
        Method::Full | Method::Gaussian => fit.optimise(settings.n_steps, ticket)?,
    }
    let objective = fit
        .poses()
        .objective(&fit.latent, fit.kernel, &fit.scales)
        .map_err(|_singular| StyleError::Numbers("the kernel has no inverse"))?;
    let active = active::most_uncertain(&fit, settings.n_active);
    let kept = fit.only(&active);
    let smooth = smooth::smooth_kernel(&kept, settings.seed)?;
    ticket.step(1.0)?;
    Ok(FittedModel {
        model: kept.model(smooth)?,
        active,
        latent: fit.latent,
        log_likelihood: -objective.total(),
        data_term: objective.data,
    })
}
