//! What commands do to models.

use std::sync::Arc;

use crate::document::ids::ModelId;
use crate::document::models::{Learned, Model};
use crate::document::text::line;
use crate::document::{Document, EditError};

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

    pub(in crate::document) fn add_model(
        &mut self,
        name: String,
        learned: Learned,
    ) -> Result<(), EditError> {
        let name = self.free_model_name(name, None)?;
        let id = ModelId(self.new_number()?);
        Arc::make_mut(&mut self.models).push(Model { id, name, learned });
        Ok(())
    }

    pub(in crate::document) fn rename_model(
        &mut self,
        id: ModelId,
        name: String,
    ) -> Result<(), EditError> {
        let name = self.free_model_name(name, Some(id))?;
        self.model_mut(id)?.name = name;
        Ok(())
    }

    pub(in crate::document) fn replace_model(
        &mut self,
        id: ModelId,
        learned: Learned,
    ) -> Result<(), EditError> {
        if !matches!(learned, Learned::Style(_)) {
            self.forget_style(id);
        }
        if !matches!(learned, Learned::Texture(_)) {
            self.forget_texture(id);
        }
        self.model_mut(id)?.learned = learned;
        Ok(())
    }

    pub(in crate::document) fn remove_model(&mut self, id: ModelId) -> Result<(), EditError> {
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
