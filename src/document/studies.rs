//! Rating studies: what people are asked about which motions, and what they answered.

use std::sync::Arc;

use super::edit::line;
use super::{CheckError, Document, EditError};
use crate::motion::Clip;
use crate::study::session::{Plan, Rating};

/// Names a study for as long as the project lives. Never used again for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StudyId(pub u64);

impl std::fmt::Display for StudyId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// What a study shows: fixed once it is made, however the library changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Stimuli {
    /// What is asked, and what each motion is.
    pub plan: Arc<Plan>,
    /// In the order of the plan's stimuli, under their blind names.
    pub clips: Vec<Arc<Clip>>,
}

/// A study with the answers so far. Immutable behind an `Arc`: every answer makes a new one.
#[derive(Debug, Clone)]
pub struct RatingStudy {
    /// What it shows; shared by all states of the study.
    pub stimuli: Arc<Stimuli>,
    /// Of all raters, in the order in which they came.
    pub ratings: Vec<Rating>,
}

impl PartialEq for RatingStudy {
    fn eq(&self, other: &Self) -> bool {
        let is_one = Arc::ptr_eq(&self.stimuli, &other.stimuli);
        (is_one || self.stimuli == other.stimuli) && self.ratings == other.ratings
    }
}

impl RatingStudy {
    /// What is asked.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.stimuli.plan
    }

    /// With these answers of one rater in place of those that are there.
    #[must_use]
    pub fn with_ratings_of(&self, rater: &str, ratings: Vec<Rating>) -> Self {
        let others = self.ratings.iter().filter(|rating| rating.rater != rater);
        Self {
            stimuli: Arc::clone(&self.stimuli),
            ratings: others.cloned().chain(ratings).collect(),
        }
    }

    /// What is wrong with it by itself, if anything is: only a file or a bug makes such a one.
    pub fn flaw(&self) -> Option<&'static str> {
        let plan = self.plan();
        let is_own = |r: &Rating| r.study == plan.title() && r.experiment == plan.experiment();
        if self.stimuli.clips.len() != plan.stimuli().len() {
            Some("it has other motions than it shows")
        } else if !self.ratings.iter().all(is_own) {
            Some("it has ratings of another study")
        } else {
            None
        }
    }
}

/// All studies in the order in which they were made, so also by number.
pub(super) type Studies = Arc<Vec<(StudyId, Arc<RatingStudy>)>>;

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

    pub(super) fn add_study(&mut self, study: Arc<RatingStudy>) -> Result<(), EditError> {
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

    pub(super) fn change_study(
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

    pub(super) fn remove_study(&mut self, id: StudyId) -> Result<(), EditError> {
        if self.study(id).is_none() {
            return Err(EditError::NoSuchStudy(id));
        }
        Arc::make_mut(&mut self.studies).retain(|(other, _)| *other != id);
        Ok(())
    }

    pub(super) fn check_studies(&self) -> Result<(), CheckError> {
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
