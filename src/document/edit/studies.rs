//! What commands do to rating studies.

use std::sync::Arc;

use crate::document::ids::StudyId;
use crate::document::studies::RatingStudy;
use crate::document::text::line;
use crate::document::{CheckError, Document, EditError};

impl Document {
    /// The rating studies in the order in which they were made.
    pub fn studies(&self) -> &[(StudyId, Arc<RatingStudy>)] {
        &self.studies
    }

    /// One study, if it is still there.
    pub fn study(&self, id: StudyId) -> Option<&Arc<RatingStudy>> {
        let at = self.studies.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(&self.studies[at].1)
    }

    pub(in crate::document) fn add_study(
        &mut self,
        study: Arc<RatingStudy>,
    ) -> Result<(), EditError> {
        sound(&study)?;
        let title = study.plan().title();
        if self
            .studies
            .iter()
            .any(|(_, other)| other.plan().title() == title)
        {
            return Err(EditError::StudyTitleTaken(title.to_owned()));
        }
        let id = StudyId(self.new_number()?);
        Arc::make_mut(&mut self.studies).push((id, study));
        Ok(())
    }

    pub(in crate::document) fn change_study(
        &mut self,
        id: StudyId,
        study: Arc<RatingStudy>,
    ) -> Result<(), EditError> {
        sound(&study)?;
        let at = self.studies.binary_search_by_key(&id, |(id, _)| *id);
        let at = at.map_err(|_place| EditError::NoSuchStudy(id))?;
        Arc::make_mut(&mut self.studies)[at].1 = study;
        Ok(())
    }

    pub(in crate::document) fn remove_study(&mut self, id: StudyId) -> Result<(), EditError> {
        if self.study(id).is_none() {
            return Err(EditError::NoSuchStudy(id));
        }
        Arc::make_mut(&mut self.studies).retain(|(other, _)| *other != id);
        Ok(())
    }

    pub(in crate::document) fn check_studies(&self) -> Result<(), CheckError> {
        if let Some(pair) = self.studies.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
            return Err(CheckError::StudyTwice(pair[1].0));
        }
        let flawed = self.studies.iter().find_map(|(id, study)| {
            let why = study.flaw()?;
            Some(CheckError::Study { id: *id, why })
        });
        flawed.map_or(Ok(()), Err)
    }
}

/// With a title that is a line of text, or why it cannot be kept.
fn sound(study: &RatingStudy) -> Result<(), EditError> {
    line("the title of a study", study.plan().title().to_owned())?;
    study
        .flaw()
        .map_or(Ok(()), |why| Err(EditError::Study(why)))
}
