//! What variation is not, for tables: noise, clips played again and plain blending, as many as there are variants.
//!
//! The kinds of [`crate::variation::baseline`] and of [`super::blending`] under one name, so that window and command
//! line compare variants with the same sets.

use super::blending::{BlendError, blends};
use crate::jobs::{Cancelled, Ticket};
use crate::motion::Clip;
use crate::variation::LearnError;
use crate::variation::baseline::{self, Baseline, Octaves};

/// A way to get many clips from few without a model of how they vary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BaselineSet {
    /// Smoothed noise on every degree of freedom.
    SmoothedNoise,
    /// Noise of several bands.
    PerlinNoise,
    /// The inputs again, in random order.
    CycleAnimation,
    /// The inputs in step, mixed with random weights; needs two inputs.
    RandomBlending,
}

impl BaselineSet {
    /// In the order of tables.
    pub const ALL: [Self; 4] = [
        Self::SmoothedNoise,
        Self::PerlinNoise,
        Self::CycleAnimation,
        Self::RandomBlending,
    ];

    /// As tables call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SmoothedNoise => Baseline::SmoothedNoise.name(),
            Self::PerlinNoise => "Perlin noise",
            Self::CycleAnimation => Baseline::CycleAnimation.name(),
            Self::RandomBlending => "random blending",
        }
    }

    /// Whether it can be made from so many inputs.
    pub const fn is_possible(self, n_inputs: usize) -> bool {
        match self {
            Self::RandomBlending => n_inputs > 1,
            _ => n_inputs > 0,
        }
    }
}

/// A baseline cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BaselineError {
    /// Noise and cycle animation of these clips.
    #[error(transparent)]
    Noise(#[from] LearnError),
    /// Blends of these clips.
    #[error(transparent)]
    Blend(#[from] BlendError),
    /// The work was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// As many clips of one kind as there are variants; noise is as strong as variants are changed.
pub fn make(
    kind: BaselineSet,
    inputs: &[&Clip],
    variants: &[&Clip],
    seed: u64,
    ticket: &Ticket,
) -> Result<Vec<Clip>, BaselineError> {
    ticket.check()?;
    let count = variants.len();
    let noise = |kind| baseline::make(kind, inputs, variants, count, seed);
    Ok(match kind {
        BaselineSet::SmoothedNoise => noise(Baseline::SmoothedNoise)?,
        BaselineSet::PerlinNoise => noise(Baseline::Perlin(Octaves::default()))?,
        BaselineSet::CycleAnimation => noise(Baseline::CycleAnimation)?,
        BaselineSet::RandomBlending => blends(inputs, count, seed)?,
    })
}
