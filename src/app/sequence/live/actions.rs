//! The actions that can be ordered in live play.

use std::sync::Arc;

use crate::app::sequence::graphs::BuiltGraph;
use crate::document::{ClipId, ModelId};
use crate::texture::Texture;

/// What a number of an action means.
#[derive(Debug, Clone)]
pub enum Actions {
    /// Clips of a graph.
    Graph(Arc<BuiltGraph>, Vec<ClipId>),
    /// Marks of a texture.
    Texture(ModelId, Arc<Texture>),
}
