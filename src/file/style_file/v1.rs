//! Version 1 of a style file, word by word. Never change what a field means: make a version 2 and a way there.
//!
//! Fields that a file has in excess are passed over. Rotations are quaternions x, y, z, w; angles are radians.

use serde::{Deserialize, Serialize};

use crate::file::project::Skeleton;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Style {
    pub(super) version: u64,
    pub(super) origin: Origin,
    pub(super) skeleton: Skeleton,
    pub(super) features: Features,
    pub(super) gaussian: Gaussian,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) latent: Option<Latent>,
    /// Training poses that are kept, in the order of the latent points.
    pub(super) poses: Vec<Pose>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) left_out: Option<LeftOut>,
}

/// Errors on clips that were left out in turn, in body heights.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct LeftOut {
    pub(super) folds: usize,
    pub(super) latent_error: f64,
    pub(super) gaussian_error: f64,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Origin {
    #[serde(default)]
    pub(super) clips: Vec<String>,
    pub(super) frames: usize,
    pub(super) fitted: usize,
    pub(super) log_likelihood: f64,
    pub(super) method: Method,
    pub(super) active: usize,
    pub(super) latent: usize,
    pub(super) most_fitted: usize,
    pub(super) steps: usize,
    pub(super) seed: u64,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) enum Method {
    Gaussian,
    Full,
    ActiveSet,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Features {
    /// Up axis: `Y`, `-Z`.
    pub(super) up: String,
    /// The joint that carries the body.
    pub(super) root: usize,
    /// World from root as the body is usually held.
    pub(super) upright: [f64; 4],
    /// Mean translations of the joints that translate.
    pub(super) translations: Vec<[f64; 3]>,
    /// One block per joint.
    pub(super) joints: Vec<Block>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Block {
    pub(super) kind: Kind,
    pub(super) mean: [f64; 4],
    pub(super) centre: [f64; 3],
    /// The three axes, one after another.
    pub(super) axes: [[f64; 3]; 3],
    pub(super) live: [bool; 3],
    pub(super) low: [f64; 3],
    pub(super) high: [f64; 3],
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) enum Kind {
    Turn,
    Up,
    Fixed,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Gaussian {
    pub(super) mean: Vec<f64>,
    /// Lower triangle, row by row.
    pub(super) covariance: Vec<f64>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Latent {
    /// One list per kept pose.
    pub(super) points: Vec<Vec<f64>>,
    pub(super) mean: Vec<f64>,
    pub(super) scales: Vec<f64>,
    /// Kernel parameters alpha, beta, gamma.
    pub(super) sharp: [f64; 3],
    pub(super) smooth: [f64; 3],
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Pose {
    pub(super) translations: Vec<[f64; 3]>,
    pub(super) rotations: Vec<[f64; 4]>,
}
