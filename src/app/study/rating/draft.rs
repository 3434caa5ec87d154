//! A rating study before it is made.

use crate::study::sequences::FEWEST_CLIPS;
use crate::study::session::{Experiment, PER_RATER};
use crate::study::stimuli::StudySettings;

/// How a study will be made.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Title, question, seed and length.
    pub settings: StudySettings,
    /// Motions in a sequence of experiment B.
    pub clips: usize,
    /// Sequences of each kind.
    pub sequences: usize,
}

impl Default for Draft {
    fn default() -> Self {
        Self {
            settings: StudySettings {
                title: String::new(),
                experiment: Experiment::Natural,
                seed: 1,
                per_rater: PER_RATER,
            },
            clips: FEWEST_CLIPS,
            sequences: 8,
        }
    }
}
