//! Learned models, beside the clips that they were learned from. They stay when those clips change or go.

use std::sync::Arc;

use super::ids::ModelId;
use crate::style::Style;
use crate::texture::Texture;
use crate::variation::{ClipModel, StrokeModel};

/// What can be learned from clips or strokes and kept in a project.
#[derive(Debug, Clone)]
pub enum Learned {
    /// A model of how clips vary (Lau 2009).
    Variation(Arc<ClipModel>),
    /// How pen strokes vary.
    Strokes(Arc<StrokeModel>),
    /// Which poses are natural.
    Style(Arc<Style>),
    /// Actions as systems, and which lead to which.
    Texture(Arc<Texture>),
}

impl Learned {
    /// "style", as lists and messages call it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Variation(_) => "variation",
            Self::Strokes(_) => "strokes",
            Self::Style(_) => "style",
            Self::Texture(_) => "texture",
        }
    }
}

/// The same pointer is the same model, so comparing two states of one project costs only what differs.
impl PartialEq for Learned {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Variation(a), Self::Variation(b)) => Arc::ptr_eq(a, b) || a == b,
            (Self::Strokes(a), Self::Strokes(b)) => Arc::ptr_eq(a, b) || a == b,
            (Self::Style(a), Self::Style(b)) => Arc::ptr_eq(a, b) || a == b,
            (Self::Texture(a), Self::Texture(b)) => Arc::ptr_eq(a, b) || a == b,
            _ => false,
        }
    }
}

/// A model with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Stays when the model is renamed or learned anew.
    pub id: ModelId,
    /// One line of text; no two models have the same.
    pub name: String,
    /// The model, of whatever kind it is.
    pub learned: Learned,
}

/// All models in the order in which they were made, so also by number.
pub(super) type Models = Arc<Vec<Model>>;
