//! The parts of a glTF document, as serde writes them.
//!
//! Typed rather than trees of JSON values: a hostile skeleton has a hundred thousand joints, and each comes with a
//! node, a curve, its sampler, accessor and view.

use serde::Serialize;

/// A joint, or something that stands beside them.
#[derive(Debug, Default, Serialize)]
pub(super) struct Node<'a> {
    pub(super) name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rotation: Option<[f32; 4]>,
    /// An empty list is not allowed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) children: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skin: Option<usize>,
}

/// A stretch of the buffer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    pub(super) buffer: usize,
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) target: Option<u32>,
}

/// What the numbers in a view are.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: usize,
    pub(super) component_type: u32,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) min: Vec<f32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) max: Vec<f32>,
}

#[derive(Debug, Serialize)]
pub(super) struct Animation<'a> {
    pub(super) name: &'a str,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<Sampler>,
}

/// Which curve moves what.
#[derive(Debug, Serialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: Target,
}

#[derive(Debug, Serialize)]
pub(super) struct Target {
    pub(super) node: usize,
    pub(super) path: &'static str,
}

/// A curve: times and values, both accessors.
#[derive(Debug, Serialize)]
pub(super) struct Sampler {
    pub(super) input: usize,
    pub(super) output: usize,
    pub(super) interpolation: &'static str,
}

/// A skeleton for a body.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub(super) joints: Vec<usize>,
    pub(super) skeleton: usize,
    pub(super) inverse_bind_matrices: usize,
}

/// The whole file but for the numbers. What is the same in every file stays a JSON value.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document<'a> {
    pub(super) asset: serde_json::Value,
    pub(super) scene: usize,
    pub(super) scenes: serde_json::Value,
    pub(super) nodes: Vec<Node<'a>>,
    pub(super) animations: [Animation<'a>; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) skins: Vec<Skin>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) meshes: Vec<serde_json::Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) materials: Vec<serde_json::Value>,
    pub(super) accessors: Vec<Accessor>,
    pub(super) buffer_views: Vec<View>,
    pub(super) buffers: [BufferPart; 1],
}

/// The buffer itself, as text in the file or beside it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferPart {
    pub(super) byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri: Option<String>,
}
