//! Version 2 of a texture file, word by word. Never change what a field means: make a version 3 and a way there.
//!
//! A quarter as long as version 1, and opened without looking for passing takes again. Fields that a file has in excess
//! are passed over.

use serde::{Deserialize, Serialize};

use super::v1::{Annotation, Labelled, Section, Settings};
use crate::file::project::Skeleton;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Texture {
    pub(super) version: u64,
    pub(super) settings: Settings,
    /// The up axis as it is written, such as `Y` or `-Z`.
    pub(super) up: String,
    pub(super) skeletons: Vec<Skeleton>,
    /// With motions of `packed::motion_to`.
    pub(super) clips: Vec<Labelled>,
    /// Frames of joints that were mended before.
    pub(super) mended: usize,
    pub(super) sections: Vec<Section>,
    /// As it was asked for or found.
    pub(super) threshold: f64,
    /// As `packed::transitions_to` writes them.
    pub(super) transitions: String,
    /// As `packed::windows_to` writes them.
    pub(super) windows: String,
    /// How many times as large as their systems say deviations are drawn, by label in alphabetical order.
    pub(super) spreads: Vec<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) annotations: Vec<Annotation>,
}
