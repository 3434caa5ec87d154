//! One rater on the way through a study.

use std::sync::Arc;

use super::plan::{Plan, Stimulus};
use super::{HIGHEST, LOWEST, Rating};

/// An answer beyond this was not thought about but left lying.
const LONGEST_SECS: f64 = 86_400.0;

/// A rater, the questions and the answers so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    plan: Arc<Plan>,
    rater: String,
    /// The stimuli in the order of this rater, by index.
    order: Vec<usize>,
    /// The first questions' answers: score and seconds.
    answers: Vec<(u8, f64)>,
}

/// What is asked now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question<'a> {
    /// The number of the question, counted from 1.
    pub number: usize,
    /// How many there are.
    pub of: usize,
    /// Index of what is shown, and what it is; show nobody but its `id`.
    pub stimulus: usize,
    /// The stimulus of that index.
    pub shown: &'a Stimulus,
}

/// What a key means in a session; playing and pausing belong to whoever shows the clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// One of the digits.
    Digit(u8),
    /// Back to the question before, whose answer is forgotten.
    Undo,
}

/// What came of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The answer is kept; the next question is there.
    Next,
    /// It was the last one.
    Finished,
    /// The last answer is forgotten; its question is asked again.
    Undone,
}

/// A key or a saved answer that does not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// Ratings need a name to stand under.
    #[error("a rater needs a name")]
    NoName,
    /// The score is not on the scale.
    #[error("scores go from {LOWEST} to {HIGHEST}, found {0}")]
    Score(u8),
    /// All questions are answered.
    #[error("all questions are answered")]
    Over,
    /// There is no answer to take back.
    #[error("no answer has been given yet")]
    NothingToUndo,
    /// Saved answers belong to another study, seed or order.
    #[error(
        "answer {trial} of \"{rater}\" is about {found}, but this study shows {expected} there: it belongs to another study"
    )]
    Other {
        /// The rater whose answer it is.
        rater: String,
        /// Which, counted from 1.
        trial: usize,
        /// What it is about.
        found: String,
        /// What it should be about.
        expected: String,
    },
}

impl Session {
    /// A new session of this rater, without answers.
    pub fn begin(plan: &Arc<Plan>, rater: &str) -> Result<Self, SessionError> {
        let rater = rater.trim();
        if rater.is_empty() {
            return Err(SessionError::NoName);
        }
        Ok(Self {
            order: plan.order(rater),
            plan: Arc::clone(plan),
            rater: rater.to_owned(),
            answers: Vec::new(),
        })
    }

    /// Goes on from saved ratings; those of other raters and studies are passed over.
    pub fn resume(plan: &Arc<Plan>, rater: &str, saved: &[Rating]) -> Result<Self, SessionError> {
        let mut session = Self::begin(plan, rater)?;
        let own = |rating: &&Rating| {
            rating.rater == session.rater
                && rating.study == plan.title()
                && rating.experiment == plan.experiment()
        };
        let mut own: Vec<Rating> = saved.iter().filter(own).cloned().collect();
        own.sort_by_key(|rating| rating.trial);
        for rating in own {
            let expected = match session.question() {
                Some(question) => question.shown.id.clone(),
                None => "nothing".to_owned(),
            };
            let trial = session.answers.len() + 1;
            if rating.stimulus != expected || rating.trial != trial {
                return Err(SessionError::Other {
                    rater: session.rater,
                    trial: rating.trial,
                    found: rating.stimulus,
                    expected,
                });
            }
            session.answer(rating.score, rating.seconds)?;
        }
        Ok(session)
    }

    /// What is asked now; nothing once all is answered.
    pub fn question(&self) -> Option<Question<'_>> {
        let stimulus = *self.order.get(self.answers.len())?;
        Some(Question {
            number: self.answers.len() + 1,
            of: self.order.len(),
            stimulus,
            shown: &self.plan.stimuli()[stimulus],
        })
    }

    /// A key was pressed so many seconds after the question came.
    pub fn press(&mut self, key: Key, seconds: f64) -> Result<Step, SessionError> {
        match key {
            Key::Digit(score) => self.answer(score, seconds),
            Key::Undo => self.undo(),
        }
    }

    /// Gives the answer to the question, and goes on to the next.
    pub fn answer(&mut self, score: u8, seconds: f64) -> Result<Step, SessionError> {
        if self.is_over() {
            return Err(SessionError::Over);
        }
        if !(LOWEST..=HIGHEST).contains(&score) {
            return Err(SessionError::Score(score));
        }
        let seconds = if seconds.is_finite() { seconds } else { 0.0 };
        self.answers.push((score, seconds.clamp(0.0, LONGEST_SECS)));
        Ok(if self.is_over() {
            Step::Finished
        } else {
            Step::Next
        })
    }

    /// Forgets the last answer.
    pub fn undo(&mut self) -> Result<Step, SessionError> {
        self.answers.pop().ok_or(SessionError::NothingToUndo)?;
        Ok(Step::Undone)
    }

    /// Whether all is answered.
    pub fn is_over(&self) -> bool {
        self.answers.len() == self.order.len()
    }

    /// Answered questions, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        (self.answers.len(), self.order.len())
    }

    /// The name of the rater.
    pub fn rater(&self) -> &str {
        &self.rater
    }

    /// The plan of the study.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// All answers so far, to be saved.
    pub fn ratings(&self) -> Vec<Rating> {
        let answered = self.order.iter().zip(&self.answers).enumerate();
        answered
            .map(|(at, (&stimulus, &(score, seconds)))| {
                let shown = &self.plan.stimuli()[stimulus];
                Rating {
                    study: self.plan.title().to_owned(),
                    experiment: self.plan.experiment(),
                    rater: self.rater.clone(),
                    trial: at + 1,
                    stimulus: shown.id.clone(),
                    condition: shown.condition.clone(),
                    score,
                    seconds,
                }
            })
            .collect()
    }
}
