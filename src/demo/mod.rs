//! Motions made from recipes, by this program alone, with known variation.
//!
//! The window opens with them, the tour runs on them, and tests use them as ground truth: every clip comes with the
//! traits that it was made from, and [`make`] gives as many fresh takes of the same distribution as a test wants.
//! They are planned, not simulated: feet do not slide and flights obey gravity, but forces are not balanced.

mod act;
mod action;
mod arms;
mod body;
mod curve;
mod drift;
mod feet;
mod gait;
mod path;
mod recipes;
mod record;
mod skeleton;
mod style;
mod takes;
pub mod tour;
mod traits;

use rayon::prelude::*;

use crate::motion::Clip;
use crate::numerics::random::Stream;

pub use action::Action;
pub use record::FPS;
pub use skeleton::skeleton;
pub use traits::{CORRELATIONS, LIMIT_DEVIATIONS, Trait, Traits, Variation};

/// A clip and what it was made from.
#[derive(Debug, Clone, PartialEq)]
pub struct DemoClip {
    /// The motion, with the contacts that were planned.
    pub clip: Clip,
    /// What is done in it.
    pub action: Action,
    /// What makes this take differ from others.
    pub traits: Traits,
    /// Whether it belongs to the main group of its kind; false for walks that do not go with the others.
    pub fits: bool,
}

/// The seed of [`library`]; other seeds give takes that are not in it.
pub const LIBRARY_SEED: u64 = 1;

/// One take: the same for the same seed and index, and like any other take of the action in distribution.
pub fn make(action: Action, seed: u64, index: u64) -> DemoClip {
    let mut stream = Stream::named(seed, &[action.stream(), index]);
    let traits = action.variation().draw(&mut stream);
    DemoClip {
        clip: takes::perform(action, &traits, index, &mut stream),
        action,
        traits,
        fits: action.fits(),
    }
}

/// All demo clips, action by action: made anew at each call, always the same.
pub fn library() -> Vec<DemoClip> {
    let takes: Vec<(Action, u64)> = Action::ALL
        .into_iter()
        .flat_map(|action| (0..action.n_takes()).map(move |index| (action, index)))
        .collect();
    takes
        .into_par_iter()
        .map(|(action, index)| make(action, LIBRARY_SEED, index))
        .collect()
}
