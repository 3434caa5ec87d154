//! What commands do to posed characters.

use std::sync::Arc;

use crate::document::ids::PosedId;
use crate::document::posing::Posed;
use crate::document::text::line;
use crate::document::{CheckError, Document, EditError, Learned, ModelId};

impl Document {
    /// All posed characters in the order in which they were made.
    pub fn posed(&self) -> &[(PosedId, Arc<Posed>)] {
        &self.posed
    }

    /// One posed character, if it is still there.
    pub fn posed_by_id(&self, id: PosedId) -> Option<&Arc<Posed>> {
        let at = self.posed.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(&self.posed[at].1)
    }

    pub(in crate::document) fn add_posed(&mut self, posed: Arc<Posed>) -> Result<(), EditError> {
        let posed = self.sound(posed)?;
        let id = PosedId(self.new_number()?);
        Arc::make_mut(&mut self.posed).push((id, posed));
        Ok(())
    }

    pub(in crate::document) fn change_posed(
        &mut self,
        id: PosedId,
        posed: Arc<Posed>,
    ) -> Result<(), EditError> {
        let posed = self.sound(posed)?;
        let at = self.posed.binary_search_by_key(&id, |(id, _)| *id);
        let at = at.map_err(|_place| EditError::NoSuchPosed(id))?;
        let has_other_bones = posed.skeleton != self.posed[at].1.skeleton;
        Arc::make_mut(&mut self.posed)[at].1 = posed;
        if has_other_bones {
            self.forget_keys_and_picture(id);
        }
        Ok(())
    }

    pub(in crate::document) fn remove_posed(&mut self, id: PosedId) -> Result<(), EditError> {
        if self.posed_by_id(id).is_none() {
            return Err(EditError::NoSuchPosed(id));
        }
        Arc::make_mut(&mut self.posed).retain(|(other, _)| *other != id);
        self.forget_keys_and_picture(id);
        Ok(())
    }

    /// Keyframes and pictures go with the body that they are of.
    fn forget_keys_and_picture(&mut self, id: PosedId) {
        if self.keyings.contains_key(&id) {
            Arc::make_mut(&mut self.keyings).remove(&id);
        }
        if self.pictures.contains_key(&id) {
            Arc::make_mut(&mut self.pictures).remove(&id);
        }
    }

    /// Characters forget a style that is gone.
    pub(in crate::document) fn forget_style(&mut self, model: ModelId) {
        self.forget_style_of_ranges(model);
        let keeps = |posed: &Posed| posed.styles.iter().any(|(id, _)| *id == model);
        if self.posed.iter().any(|(_, posed)| keeps(posed)) {
            for (_, posed) in Arc::make_mut(&mut self.posed) {
                if keeps(posed) {
                    Arc::make_mut(posed).styles.retain(|(id, _)| *id != model);
                }
            }
        }
    }

    /// With a name that is one, or why it cannot be kept.
    fn sound(&self, mut posed: Arc<Posed>) -> Result<Arc<Posed>, EditError> {
        let name = line("the name of a character", posed.name.clone())?;
        if name != posed.name {
            Arc::make_mut(&mut posed).name = name;
        }
        match self.posed_flaw(&posed) {
            Some(why) => Err(EditError::Posed(why)),
            None => Ok(posed),
        }
    }

    fn posed_flaw(&self, posed: &Posed) -> Option<&'static str> {
        let is_style = |(id, _): &(ModelId, f64)| {
            let model = self.model(*id);
            model.is_some_and(|model| matches!(model.learned, Learned::Style(_)))
        };
        let lost = "it keeps to a style that is not in the project";
        let has_lost = !posed.styles.iter().all(is_style);
        posed.flaw().or(has_lost.then_some(lost))
    }

    pub(in crate::document) fn check_posed(&self) -> Result<(), CheckError> {
        if let Some(pair) = self.posed.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
            return Err(CheckError::PosedTwice(pair[1].0));
        }
        let flawed = self.posed.iter().find_map(|(id, posed)| {
            let why = self.posed_flaw(posed)?;
            Some(CheckError::Posed { id: *id, why })
        });
        flawed.map_or(Ok(()), Err)
    }
}
