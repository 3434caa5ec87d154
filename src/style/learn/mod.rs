//! From clips to a style.

mod spread;
mod training;

use std::sync::Arc;

pub(in crate::style) use training::encode;

use super::error::check_fits;
use super::{FeatureMap, Gaussian, Origin, Style, StyleError, StyleParts};
use crate::jobs::Ticket;
use crate::motion::Clip;
use training::Training;

/// A style says what is likely; from fewer different poses than these nothing is.
pub const MIN_POSES: usize = 3;

/// What is learned beside the Gaussian, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The Gaussian only: instant.
    Gaussian,
}

/// How to learn.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnSettings {
    /// What is learned beside the Gaussian.
    pub method: Method,
    /// How many training poses are kept at most: more are slower to solve with.
    pub n_active: usize,
    /// How many coordinates a latent point has.
    pub n_latent: usize,
    /// Names all random numbers.
    pub seed: u64,
}

impl Default for LearnSettings {
    fn default() -> Self {
        Self {
            method: Method::Gaussian,
            n_active: 100,
            n_latent: 3,
            seed: 1,
        }
    }
}

impl LearnSettings {
    fn check(&self) -> Result<(), StyleError> {
        let wrong = |name, expected, found: usize| StyleError::Setting {
            name,
            expected,
            found: found.to_string(),
        };
        if !(MIN_POSES..=2000).contains(&self.n_active) {
            return Err(wrong("active", "from 3 to 2000", self.n_active));
        }
        if !(1..=10).contains(&self.n_latent) {
            return Err(wrong("latent", "from 1 to 10", self.n_latent));
        }
        Ok(())
    }
}

impl Style {
    /// Learns from clips on one skeleton, with the same up.
    pub fn learn(
        clips: &[&Clip],
        settings: &LearnSettings,
        ticket: &Ticket,
    ) -> Result<Self, StyleError> {
        let map = FeatureMap::learn(clips)?;
        Self::learn_on(map, clips, settings, ticket)
    }

    /// Learns on a map that other styles share, so that they can be blended.
    pub fn learn_on(
        map: FeatureMap,
        clips: &[&Clip],
        settings: &LearnSettings,
        ticket: &Ticket,
    ) -> Result<Self, StyleError> {
        settings.check()?;
        let first = *clips.first().ok_or(StyleError::NoClips)?;
        for clip in clips {
            let up = map.parts().heading.up;
            check_fits(map.skeleton(), &first.info.name, up, clip)?;
        }
        ticket.step(0.0)?;
        let training = Training::of(&map, clips);
        let gaussian = Gaussian::learn(&training.rows, training.n_features)?;
        let picks = spread::spread(
            &training.standardised(),
            training.n_features,
            settings.n_active,
        );
        if picks.len() < MIN_POSES {
            return Err(StyleError::TooFewPoses {
                needed: MIN_POSES,
                found: picks.len(),
            });
        }
        Self::from_parts(StyleParts {
            skeleton: Arc::clone(map.skeleton()),
            map: map.parts().clone(),
            gaussian,
            latent: None,
            active: picks.iter().map(|&frame| training.pose(frame)).collect(),
            origin: Origin {
                clips: clips.iter().map(|clip| clip.info.name.clone()).collect(),
                n_frames: training.n(),
                seed: settings.seed,
            },
        })
    }
}
