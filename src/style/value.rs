//! A style as one value: what is saved, opened and handed to solvers.

use std::sync::Arc;

use super::features::{FeatureMap, FeatureParts};
use super::{CrossValidation, Gaussian, Gplvm, LearnSettings, Prior, PriorKind, StyleError};
use crate::motion::{Pose, Skeleton};

/// What a style was learned from.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// Names of the clips.
    pub clips: Vec<String>,
    /// How many frames they have together.
    pub n_frames: usize,
    /// How many of them the latent model was fitted to, well spread over all.
    pub n_fitted: usize,
    /// How well the model explains those: minus Eq. (2) of the paper, or the Gaussian's log-likelihood of all frames
    /// where there is no latent model.
    pub log_likelihood: f64,
    /// How it was learned.
    pub settings: LearnSettings,
}

/// All that a style knows, for saving and opening.
#[derive(Debug, Clone, PartialEq)]
pub struct StyleParts {
    /// Bones of the first clip.
    pub skeleton: Arc<Skeleton>,
    /// How poses become features.
    pub map: FeatureParts,
    /// The single Gaussian over features, learned with every method.
    pub gaussian: Gaussian,
    /// `None` where only the Gaussian was learned.
    pub latent: Option<Gplvm>,
    /// Training poses that are kept, in the order of the latent model's active points.
    pub active: Vec<Pose>,
    /// The clips and settings it was learned from.
    pub origin: Origin,
    /// How well it does on clips that were left out; `None` if that was not tried.
    pub cross_validation: Option<CrossValidation>,
}

/// A learned style: a distribution of natural poses.
#[derive(Debug, Clone, PartialEq)]
pub struct Style {
    map: FeatureMap,
    gaussian: Gaussian,
    latent: Option<Gplvm>,
    active: Vec<Pose>,
    origin: Origin,
    pub(super) cross_validation: Option<CrossValidation>,
}

impl Style {
    /// A style as it was, after checking that its parts fit together.
    pub fn from_parts(parts: StyleParts) -> Result<Self, StyleError> {
        let map = FeatureMap::from_parts(parts.skeleton, parts.map)?;
        let d = map.n_features();
        if parts.gaussian.n_features() != d {
            return Err(StyleError::parts("the Gaussian has other features"));
        }
        if parts.active.is_empty() {
            return Err(StyleError::parts("no training pose is kept"));
        }
        if let Some(latent) = &parts.latent {
            if latent.n_features() != d {
                return Err(StyleError::parts("the latent model has other features"));
            }
            if latent.n_active() != parts.active.len() {
                return Err(StyleError::parts("latent points and kept poses differ"));
            }
        }
        if let Some(found) = &parts.cross_validation {
            let errors = [found.latent_error, found.gaussian_error];
            if !errors
                .iter()
                .all(|error| error.is_finite() && *error >= 0.0)
            {
                return Err(StyleError::parts(
                    "the errors of left-out clips are no distances",
                ));
            }
        }
        let skeleton = map.skeleton();
        let fits = |pose: &Pose| {
            let translations = pose.translations.iter().flat_map(|t| t.iter());
            let rotations = pose.rotations.iter().map(|q| q.coords.norm());
            pose.rotations.len() == skeleton.n_joints()
                && pose.translations.len() == skeleton.translating().len()
                && translations.into_iter().all(|t| t.is_finite())
                && rotations.into_iter().all(|n| (n - 1.0).abs() < 1e-6)
        };
        if !parts.active.iter().all(fits) {
            return Err(StyleError::parts("a kept pose is not one of the skeleton"));
        }
        Ok(Self {
            map,
            gaussian: parts.gaussian,
            latent: parts.latent,
            active: parts.active,
            origin: parts.origin,
            cross_validation: parts.cross_validation,
        })
    }

    /// How poses become features.
    pub fn map(&self) -> &FeatureMap {
        &self.map
    }

    /// The bones of the first clip that it was learned from.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        self.map.skeleton()
    }

    /// The Gaussian over features.
    pub fn gaussian(&self) -> &Gaussian {
        &self.gaussian
    }

    /// The latent model, if one was learned.
    pub fn latent(&self) -> Option<&Gplvm> {
        self.latent.as_ref()
    }

    /// The latent model, unless the Gaussian alone did better on clips that were left out.
    pub fn trusted_latent(&self) -> Option<&Gplvm> {
        let is_trusted = self
            .cross_validation
            .is_none_or(|found| found.trusts_latent());
        self.latent().filter(|_| is_trusted)
    }

    /// How well it does on clips that were left out, if that was tried.
    pub fn cross_validation(&self) -> Option<&CrossValidation> {
        self.cross_validation.as_ref()
    }

    /// The cost of poses that a solver minimises.
    pub fn prior(&self, kind: PriorKind) -> Prior<'_> {
        Prior::of(self.latent.as_ref(), &self.gaussian, kind)
    }

    /// Training poses that are kept, in the order of the latent model's active points: where a solver may start.
    pub fn active(&self) -> &[Pose] {
        &self.active
    }

    /// The clips and settings it was learned from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }
}
