//! A study on disk: `study.ron`, which says what was shown under which blind name. Raters must not see it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::csv::field;
use super::kind::Header;
use super::{FileKind, ReadError, RonError, ron_text};
use crate::study::session::{Experiment, Plan, PlanError, Stimulus};

/// The version that is written.
pub const VERSION: u64 = 1;

/// Why a study could not be opened or written.
#[derive(Debug, thiserror::Error)]
pub enum StudyFileError {
    /// The operating system refused.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The text makes no sense at one place.
    #[error(transparent)]
    Syntax(#[from] RonError),
    /// It is something else.
    #[error("this is {0}; a study is a `study.ron`, as `kinfolk study make` writes it")]
    Other(FileKind),
    /// A later program wrote it.
    #[error(
        "the study was saved in format {found}; this Kinfolk knows format {VERSION}, please update to open it"
    )]
    Version {
        /// The version in the file.
        found: u64,
    },
    /// Well-formed, but no study.
    #[error("not a whole study: {0}")]
    Plan(#[from] PlanError),
    /// The experiment is none.
    #[error("not a whole study: expected natural or repetitive, found \"{0}\"")]
    Experiment(String),
    /// Two things have one name.
    #[error("not a whole study: {0} stands for two clips")]
    Twice(String),
    /// The values cannot be written as text.
    #[error("cannot be written: {0}")]
    Write(#[from] ron::Error),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename = "Study")]
struct Mirror {
    version: u64,
    title: String,
    experiment: String,
    seed: u64,
    per_rater: usize,
    /// Blind name, condition, source.
    stimuli: Vec<(String, String, String)>,
}

/// Reads the plan of a study from a file.
pub fn read(path: &Path) -> Result<Plan, StudyFileError> {
    parse(&super::open::bytes_of(path)?)
}

/// Reads a study from its text.
pub fn parse(bytes: &[u8]) -> Result<Plan, StudyFileError> {
    let header = Header::of(bytes)?;
    if let Some(other) = header.other_than(FileKind::Study) {
        return Err(StudyFileError::Other(other));
    }
    let version = header.version()?;
    if version != VERSION {
        return Err(StudyFileError::Version { found: version });
    }
    let mirror: Mirror = ron_text::parse(bytes)?;
    let experiment = Experiment::by_id(&mirror.experiment);
    let experiment = experiment.ok_or(StudyFileError::Experiment(mirror.experiment))?;
    let mut ids: Vec<&String> = mirror.stimuli.iter().map(|s| &s.0).collect();
    ids.sort_unstable();
    if let Some(twice) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(StudyFileError::Twice(twice[0].clone()));
    }
    let stimuli = mirror.stimuli.into_iter();
    let stimuli = stimuli.map(|(id, condition, source)| Stimulus {
        id,
        condition,
        source,
    });
    Ok(Plan::from_parts(
        &mirror.title,
        experiment,
        mirror.seed,
        mirror.per_rater,
        stimuli.collect(),
    )?)
}

/// A study as text.
pub fn write(plan: &Plan) -> Result<String, StudyFileError> {
    let stimuli = plan.stimuli().iter();
    let mirror = Mirror {
        version: VERSION,
        title: plan.title().to_owned(),
        experiment: plan.experiment().id().to_owned(),
        seed: plan.seed(),
        per_rater: plan.per_rater(),
        stimuli: stimuli
            .map(|s| (s.id.clone(), s.condition.clone(), s.source.clone()))
            .collect(),
    };
    Ok(ron_text::pretty(&mirror, 2)?)
}

/// What was shown, for those who analyse elsewhere: `stimulus,condition,source`.
pub fn key_csv(plan: &Plan) -> String {
    let mut text = "stimulus,condition,source\n".to_owned();
    for one in plan.stimuli() {
        let words = [&one.id, &one.condition, &one.source].map(|word| field(word.clone()));
        text.push_str(&words.join(","));
        text.push('\n');
    }
    text
}
