//! Styles: which poses are natural, learned from clips, for everything that asks for a pose by a few handles.
//!
//! Grochow, Martin, Hertzmann and Popovic, *Style-based inverse kinematics*, 2004. A [`Style`] holds how poses become
//! features ([`features`]), a single Gaussian over them ([`gaussian`]), the latent model of the paper ([`gplvm`]) and
//! the poses that it keeps. [`prior`] puts these into the form that a solver minimises.
//! Left out: dynamics, and contacts with the ground.

mod cross_validation;
mod error;
pub mod features;
pub mod gaussian;
pub mod gplvm;
mod latent_map;
mod learn;
mod mirror;
mod outliers;
pub mod prior;
mod score;
pub mod solve;
mod value;

pub use crate::style::score::CrossValidation;
pub use error::StyleError;
pub use features::{FeatureMap, Measured};
pub use gaussian::Gaussian;
pub use gplvm::{Gplvm, Sharpness};
pub use latent_map::{LikelihoodImage, MapView};
pub use learn::{FittedModel, LearnSettings, MIN_POSES, Method, encode, fit_latent};
pub use outliers::JointOutlier;
pub use prior::{Prior, PriorKind, Terms};
pub use value::{Origin, Style, StyleParts};
