//! How a style is learned.

use crate::style::StyleError;
use crate::style::gplvm::{MAX_ACTIVE, MAX_LATENT};

/// What is learned beside the Gaussian, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The Gaussian only: instant.
    Gaussian,
    /// The latent model by optimising all latent points together (appendix B, first algorithm).
    Full,
    /// The latent model by taking turns between active poses and the rest (appendix B, second algorithm). Quicker for
    /// many poses, but it stays near the principal components that it starts from, and explains poses less well.
    ActiveSet,
}

/// Training settings of a style; kept with the result.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnSettings {
    /// What is learned beside the Gaussian.
    pub method: Method,
    /// How many training poses are kept at most: more are slower to solve with.
    pub n_active: usize,
    /// How many coordinates a latent point has; fewer are used where poses vary in fewer ways.
    pub n_latent: usize,
    /// How many poses the latent model is fitted to at most. They are spread as far as possible over all frames, since
    /// the cost grows with the cube of their number.
    pub n_fitted: usize,
    /// How many steps the full optimisation takes at most.
    pub n_steps: usize,
    /// Names all random numbers.
    pub seed: u64,
}

impl Default for LearnSettings {
    fn default() -> Self {
        Self {
            method: Method::Full,
            n_active: 100,
            n_latent: 3,
            n_fitted: 400,
            n_steps: 100,
            seed: 1,
        }
    }
}

impl LearnSettings {
    /// Takes its time: twice as many poses, three times as many steps.
    pub fn thorough() -> Self {
        Self {
            n_fitted: 1000,
            n_steps: 300,
            ..Self::default()
        }
    }

    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<(), StyleError> {
        let wrong = |name, expected, found: usize| StyleError::Setting {
            name,
            expected,
            found: found.to_string(),
        };
        if !(MIN_POSES..=MAX_ACTIVE).contains(&self.n_active) {
            return Err(wrong("active", "from 3 to 2000", self.n_active));
        }
        if !(1..=MAX_LATENT).contains(&self.n_latent) {
            return Err(wrong("latent", "from 1 to 10", self.n_latent));
        }
        if !(MIN_POSES..=4000).contains(&self.n_fitted) {
            return Err(wrong("fitted", "from 3 to 4000", self.n_fitted));
        }
        if !(1..=100_000).contains(&self.n_steps) {
            return Err(wrong("steps", "from 1 to 100000", self.n_steps));
        }
        Ok(())
    }
}

/// A style is a distribution of poses; from fewer different poses than these none can be learned.
pub const MIN_POSES: usize = 3;
