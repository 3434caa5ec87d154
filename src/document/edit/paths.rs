//! What commands do to paths.

use std::sync::Arc;

use crate::document::ids::PathId;
use crate::document::paths::DrawnPath;
use crate::document::text::line;
use crate::document::{CheckError, Document, EditError, Learned, ModelId};

impl Document {
    /// All paths in the order in which they were drawn.
    pub fn paths(&self) -> &[(PathId, Arc<DrawnPath>)] {
        &self.paths
    }

    /// One path, if it is still there.
    pub fn path(&self, id: PathId) -> Option<&Arc<DrawnPath>> {
        let at = self.paths.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(&self.paths[at].1)
    }

    pub(in crate::document) fn add_path(&mut self, path: Arc<DrawnPath>) -> Result<(), EditError> {
        let path = self.sound_path(path)?;
        let id = PathId(self.new_number()?);
        Arc::make_mut(&mut self.paths).push((id, path));
        Ok(())
    }

    pub(in crate::document) fn change_path(
        &mut self,
        id: PathId,
        path: Arc<DrawnPath>,
    ) -> Result<(), EditError> {
        let path = self.sound_path(path)?;
        let at = self.place_of_path(id)?;
        if self.paths[at].1 != path {
            Arc::make_mut(&mut self.paths)[at].1 = path;
        }
        Ok(())
    }

    pub(in crate::document) fn remove_path(&mut self, id: PathId) -> Result<(), EditError> {
        let at = self.place_of_path(id)?;
        Arc::make_mut(&mut self.paths).remove(at);
        Ok(())
    }

    /// Paths stay when their texture goes; another one may follow them.
    pub(in crate::document) fn forget_texture(&mut self, id: ModelId) {
        if self.paths.iter().any(|(_, path)| path.texture == Some(id)) {
            for (_, path) in Arc::make_mut(&mut self.paths) {
                if path.texture == Some(id) {
                    Arc::make_mut(path).texture = None;
                }
            }
        }
    }

    fn place_of_path(&self, id: PathId) -> Result<usize, EditError> {
        let at = self.paths.binary_search_by_key(&id, |(id, _)| *id);
        at.map_err(|_place| EditError::NoSuchPath(id))
    }

    fn sound_path(&self, mut path: Arc<DrawnPath>) -> Result<Arc<DrawnPath>, EditError> {
        let name = line("the name of a path", path.name.clone())?;
        if name != path.name {
            Arc::make_mut(&mut path).name = name;
        }
        match self.path_flaw(&path) {
            Some(why) => Err(EditError::Path(why)),
            None => Ok(path),
        }
    }

    fn path_flaw(&self, path: &DrawnPath) -> Option<&'static str> {
        let is_texture = |id: ModelId| {
            let model = self.model(id);
            model.is_some_and(|model| matches!(model.learned, Learned::Texture(_)))
        };
        let has_lost = !path.texture.is_none_or(is_texture);
        let lost = "its motion texture is not in the project";
        path.flaw().or(has_lost.then_some(lost))
    }

    pub(in crate::document) fn check_paths(&self) -> Result<(), CheckError> {
        if let Some(pair) = self.paths.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
            return Err(CheckError::PathTwice(pair[1].0));
        }
        let flawed = self.paths.iter().find_map(|(id, path)| {
            let why = self.path_flaw(path)?;
            Some(CheckError::Path { id: *id, why })
        });
        flawed.map_or(Ok(()), Err)
    }
}
