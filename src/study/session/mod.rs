//! Blind rating sessions: experiments A and B of Lau 2009, section 8.
//!
//! A [`Plan`] says what is shown and hides what it is: stimuli have numbers, not names. Each rater sees a mixture of all conditions,
//! equally many of each, in an order of their own. A [`Session`] is one rater on the way through: a pure value that window, browser
//! page and tests drive alike. What was answered is a list of [`Rating`]s, saved after every answer; a session goes on from them.

mod plan;
mod state;

use super::anova::{Anova, AnovaError, Group, one_way};
use plan::distinct;

pub use plan::{DECKS, Experiment, MOST_STIMULI, PER_RATER, Plan, PlanError, Stimulus, deck_of};
pub use state::{Key, Question, Session, SessionError, Step};

/// The lowest score of the scale.
pub const LOWEST: u8 = 1;

/// The highest score of the scale.
pub const HIGHEST: u8 = 9;

/// One answer of one rater.
#[derive(Debug, Clone, PartialEq)]
pub struct Rating {
    /// Title of the study.
    pub study: String,
    /// What the rater was asked.
    pub experiment: Experiment,
    /// The name of the rater.
    pub rater: String,
    /// The how-manieth question it was, counted from 1.
    pub trial: usize,
    /// The blind name of what was shown.
    pub stimulus: String,
    /// What it was; empty where only the key of the study tells.
    pub condition: String,
    /// From [`LOWEST`] to [`HIGHEST`].
    pub score: u8,
    /// From when it was shown to the answer.
    pub seconds: f64,
}

/// What the ratings of one study and question come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// Title of the study.
    pub study: String,
    /// What the raters were asked.
    pub experiment: Experiment,
    /// How many people answered.
    pub n_raters: usize,
    /// How many answers there are.
    pub n_ratings: usize,
    /// The comparison of the conditions, or why there is none.
    pub anova: Result<Anova, AnovaError>,
    /// The scores, by condition in the order of their names.
    pub groups: Vec<Group>,
}

/// Analyses ratings, study by study and question by question, in the order in which they first come.
pub fn analyse(ratings: &[Rating]) -> Vec<Analysis> {
    let mut kinds: Vec<(&str, Experiment)> = Vec::new();
    for rating in ratings {
        let kind = (rating.study.as_str(), rating.experiment);
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
        .into_iter()
        .map(|(study, experiment)| {
            let own = |r: &&Rating| r.study == study && r.experiment == experiment;
            let own: Vec<&Rating> = ratings.iter().filter(own).collect();
            let groups = groups(&own);
            Analysis {
                study: study.to_owned(),
                experiment,
                n_raters: distinct(own.iter().map(|r| r.rater.as_str())).len(),
                n_ratings: own.len(),
                anova: one_way(&groups),
                groups,
            }
        })
        .collect()
}

fn groups(ratings: &[&Rating]) -> Vec<Group> {
    let names = distinct(ratings.iter().map(|r| r.condition.as_str()));
    names
        .into_iter()
        .map(|name| Group {
            name: name.to_owned(),
            scores: ratings
                .iter()
                .filter(|r| r.condition == name)
                .map(|r| f64::from(r.score))
                .collect(),
        })
        .collect()
}
