//! Rating studies: what people are asked about which motions, and what they answered.

use std::sync::Arc;

use super::ids::StudyId;
use crate::motion::Clip;
use crate::study::session::{Plan, Rating};

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
    /// What is shown to raters, and what they are asked.
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
