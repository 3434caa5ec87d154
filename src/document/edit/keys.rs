//! What commands do to keyframes.

use std::sync::Arc;

use crate::document::keys::Keying;
use crate::document::{CheckError, Document, EditError, Learned, ModelId, PosedId};

impl Document {
    /// The keyframes of a character, if it has any.
    pub fn keying(&self, id: PosedId) -> Option<&Arc<Keying>> {
        self.keyings.get(&id)
    }

    /// All keyframes by character.
    pub fn keyings(&self) -> impl ExactSizeIterator<Item = (PosedId, &Arc<Keying>)> {
        self.keyings.iter().map(|(id, keying)| (*id, keying))
    }

    pub(in crate::document) fn set_keying(
        &mut self,
        id: PosedId,
        keying: Option<Arc<Keying>>,
    ) -> Result<(), EditError> {
        if self.posed_by_id(id).is_none() {
            return Err(EditError::NoSuchPosed(id));
        }
        if let Some(why) = keying.as_ref().and_then(|keying| self.flawed(id, keying)) {
            return Err(EditError::Keying(why));
        }
        let keyings = Arc::make_mut(&mut self.keyings);
        match keying {
            Some(keying) => keyings.insert(id, keying),
            None => keyings.remove(&id),
        };
        Ok(())
    }

    /// Stretches forget a style that is gone.
    pub(in crate::document) fn forget_style_of_ranges(&mut self, model: ModelId) {
        let names = |keying: &Keying| {
            let mut styles = keying.style_ranges.iter().flat_map(|s| &s.styles);
            styles.any(|(id, _)| *id == model)
        };
        if self.keyings.values().any(|keying| names(keying)) {
            for keying in Arc::make_mut(&mut self.keyings).values_mut() {
                if names(keying) {
                    for range in &mut Arc::make_mut(keying).style_ranges {
                        range.styles.retain(|(id, _)| *id != model);
                    }
                }
            }
        }
    }

    fn flawed(&self, id: PosedId, keying: &Keying) -> Option<&'static str> {
        let Some(posed) = self.posed_by_id(id) else {
            return Some("its character is not there");
        };
        let is_style = |id: ModelId| {
            let model = self.model(id);
            model.is_some_and(|model| matches!(model.learned, Learned::Style(_)))
        };
        let mut styles = keying.style_ranges.iter().flat_map(|s| &s.styles);
        let has_lost = !styles.all(|(id, _)| is_style(*id));
        let lost = "a style range keeps to a style that is not in the project";
        keying.flaw(&posed.skeleton).or(has_lost.then_some(lost))
    }

    pub(in crate::document) fn check_keyings(&self) -> Result<(), CheckError> {
        let flawed = self.keyings.iter().find_map(|(id, keying)| {
            let why = self.flawed(*id, keying)?;
            Some(CheckError::Keying { id: *id, why })
        });
        flawed.map_or(Ok(()), Err)
    }
}
