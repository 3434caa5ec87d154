//! Learned models, beside the clips that they were learned from. They stay when those clips change or go.

use std::sync::Arc;

use super::edit::line;
use super::{Document, EditError};
use crate::style::Style;
use crate::texture::Texture;
use crate::variation::{ClipModel, StrokeModel};

/// Names a model for as long as the project lives. Never used again for another model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelId(pub u64);

impl std::fmt::Display for ModelId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// What was learned.
#[derive(Debug, Clone)]
pub enum Learned {
    /// How clips vary.
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
    /// What was learned.
    pub learned: Learned,
}

/// All models in the order in which they were made, so also by number.
pub(super) type Models = Arc<Vec<Model>>;

impl Document {
    /// All models in the order in which they were made.
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// One model, if it is still there.
    pub fn model(&self, id: ModelId) -> Option<&Model> {
        let at = self.models.binary_search_by_key(&id, |model| model.id);
        at.ok().map(|at| &self.models[at])
    }

    pub(super) fn add_model(&mut self, name: String, learned: Learned) -> Result<(), EditError> {
        let name = self.free_model_name(name, None)?;
        let id = ModelId(self.new_number()?);
        Arc::make_mut(&mut self.models).push(Model { id, name, learned });
        Ok(())
    }

    pub(super) fn rename_model(&mut self, id: ModelId, name: String) -> Result<(), EditError> {
        let name = self.free_model_name(name, Some(id))?;
        self.model_mut(id)?.name = name;
        Ok(())
    }

    pub(super) fn replace_model(&mut self, id: ModelId, learned: Learned) -> Result<(), EditError> {
        if !matches!(learned, Learned::Style(_)) {
            self.forget_style(id);
        }
        if !matches!(learned, Learned::Texture(_)) {
            self.forget_texture(id);
        }
        self.model_mut(id)?.learned = learned;
        Ok(())
    }

    pub(super) fn remove_model(&mut self, id: ModelId) -> Result<(), EditError> {
        self.model_mut(id)?;
        Arc::make_mut(&mut self.models).retain(|model| model.id != id);
        self.forget_style(id);
        self.forget_texture(id);
        Ok(())
    }

    fn model_mut(&mut self, id: ModelId) -> Result<&mut Model, EditError> {
        let at = self.models.binary_search_by_key(&id, |model| model.id);
        let at = at.map_err(|_place| EditError::NoSuchModel(id))?;
        Ok(&mut Arc::make_mut(&mut self.models)[at])
    }

    /// The name, if it is one and no model but `own` has it.
    fn free_model_name(&self, name: String, own: Option<ModelId>) -> Result<String, EditError> {
        let name = line("the name of a model", name)?;
        let taken = |model: &Model| model.name == name && Some(model.id) != own;
        if self.models.iter().any(taken) {
            return Err(EditError::ModelNameTaken(name));
        }
        Ok(name)
    }
}
