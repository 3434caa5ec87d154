//! Version 1 of a graph file, word by word. Never change what a field means: make a version 2 and a way there.
//!
//! Fields that a file has in excess are passed over. Rotations are quaternions x, y, z, w.

use serde::{Deserialize, Serialize};

use crate::file::inline_clip::InlineClip;
use crate::file::project::Skeleton;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Graph {
    pub(super) version: u64,
    pub(super) settings: Settings,
    /// T of the clustering, as it was asked for or found.
    pub(super) threshold: f64,
    pub(super) rig: Rig,
    pub(super) skeletons: Vec<Skeleton>,
    pub(super) clips: Vec<InlineClip>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Settings {
    /// The weight nu of velocities, in seconds.
    pub(super) velocity_secs: f64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) weights: Vec<(String, f64)>,
    /// None where it was to be found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) threshold: Option<f64>,
    pub(super) undirected: bool,
    pub(super) paths: usize,
    pub(super) cost_limit: f64,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Rig {
    pub(super) fps: f64,
    /// Index into the skeletons.
    pub(super) skeleton: usize,
    /// Up axis: `Y`, `-Z`.
    pub(super) up: String,
    /// The joint that carries the body.
    pub(super) root: usize,
    /// World from root as the body is usually held.
    pub(super) upright: [f64; 4],
    /// Metres of a body of 1.75 m in one unit of the clips.
    pub(super) metres: f64,
    /// The joint that the body is moved by.
    pub(super) carrier: usize,
}
