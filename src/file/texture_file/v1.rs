//! Version 1 of a texture file, word by word. Never change what a field means: make a version 2 and a way there.
//!
//! Fields that a file has in excess are passed over.

use serde::{Deserialize, Serialize};

use crate::file::inline_clip::InlineClip;
use crate::file::project::Skeleton;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Texture {
    pub(super) version: u64,
    pub(super) settings: Settings,
    /// The up axis as it is written, such as `Y` or `-Z`.
    pub(super) up: String,
    pub(super) skeletons: Vec<Skeleton>,
    pub(super) clips: Vec<Labelled>,
    /// Frames of joints that were mended before.
    pub(super) mended: usize,
    pub(super) sections: Vec<Section>,
    /// As it was asked for or found.
    pub(super) threshold: f64,
    /// Base64 of 24 bytes each, little-endian: clip and frame that are left, clip and frame that are entered, as u32,
    /// and the distance as f64.
    pub(super) transitions: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) annotations: Vec<Annotation>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) seed: u64,
    pub(super) max_error_deg: f64,
    /// None where it was to be found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) threshold: Option<f64>,
    pub(super) em_rounds: usize,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Labelled {
    pub(super) label: String,
    pub(super) clip: InlineClip,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Section {
    /// Index into the clips.
    pub(super) clip: usize,
    pub(super) from: usize,
    /// One past the last frame.
    pub(super) to: usize,
    pub(super) system: usize,
    pub(super) fit: Fit,
}

/// How well a system predicts its section; errors are in degrees.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Fit {
    Predicted(f64),
    TooFar(f64),
    Alone,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Annotation {
    pub(super) name: String,
    /// Index of the clip, first frame, one past the last.
    pub(super) spans: Vec<(usize, usize, usize)>,
}
