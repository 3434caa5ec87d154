//! What commands do to pictures under poses.

use std::sync::Arc;

use crate::document::picture::Picture;
use crate::document::text::line;
use crate::document::{CheckError, Document, EditError, PosedId};

impl Document {
    /// The picture behind a character, if it has one.
    pub fn picture(&self, id: PosedId) -> Option<&Arc<Picture>> {
        self.pictures.get(&id)
    }

    /// All pictures by character.
    pub fn pictures(&self) -> impl ExactSizeIterator<Item = (PosedId, &Arc<Picture>)> {
        self.pictures.iter().map(|(id, picture)| (*id, picture))
    }

    pub(in crate::document) fn set_picture(
        &mut self,
        id: PosedId,
        picture: Option<Arc<Picture>>,
    ) -> Result<(), EditError> {
        let posed = self.posed_by_id(id).ok_or(EditError::NoSuchPosed(id))?;
        if let Some(picture) = &picture {
            line("the name of a picture", picture.file.name.clone())?;
            if let Some(why) = picture.flaw(&posed.skeleton) {
                return Err(EditError::Picture(why));
            }
        }
        let pictures = Arc::make_mut(&mut self.pictures);
        match picture {
            Some(picture) => pictures.insert(id, picture),
            None => pictures.remove(&id),
        };
        Ok(())
    }

    pub(in crate::document) fn check_pictures(&self) -> Result<(), CheckError> {
        let flawed = self.pictures.iter().find_map(|(id, picture)| {
            let why = match self.posed_by_id(*id) {
                Some(posed) => picture.flaw(&posed.skeleton)?,
                None => "its character is not there",
            };
            Some(CheckError::Picture { id: *id, why })
        });
        flawed.map_or(Ok(()), Err)
    }
}
