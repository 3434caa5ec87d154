//! What raters are shown: clips as they are (experiment A), or long sequences of them (experiment B), made blind.

use crate::jobs::{Cancelled, Ticket};
use crate::motion::Clip;
use crate::motion::edit::{EditError, Placement, align, resample};
use crate::motion::metrics::{MOST_FPS, common_fps};

use super::sequences::{SequenceError, Sequencer};
use super::session::{Experiment, Plan, PlanError};

/// Something to rate, with what it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// The condition: `variants`, `motion capture`.
    pub condition: String,
    /// Which clip it is, or was made from.
    pub source: String,
    /// The motion that is shown.
    pub clip: Clip,
}

impl Shown {
    /// Clips as they are.
    pub fn plain<'a>(condition: &str, clips: impl IntoIterator<Item = &'a Clip>) -> Vec<Self> {
        let one = |clip: &Clip| Self {
            condition: condition.to_owned(),
            source: clip.info.name.clone(),
            clip: clip.clone(),
        };
        clips.into_iter().map(one).collect()
    }
}

/// A study cannot be made of these clips.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StimuliError {
    /// Clips cannot be played one after the other.
    #[error(transparent)]
    Sequence(#[from] SequenceError),
    /// What is shown makes no study.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A clip cannot be brought to the place where all begin.
    #[error("{clip}: {why}")]
    Place {
        /// The name of the clip.
        clip: String,
        /// Why it cannot be brought there.
        why: EditError,
    },
    /// There is nothing to see.
    #[error("{0} has one frame, which is a pose and no motion")]
    Pose(String),
    /// The work was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Long sequences of clips of one condition, one for each order. `done` is called after each.
pub fn sequences(
    condition: &str,
    clips: &[&Clip],
    orders: &[Vec<usize>],
    ticket: &Ticket,
    mut done: impl FnMut(),
) -> Result<Vec<Shown>, StimuliError> {
    let sequencer = Sequencer::new(clips)?;
    let mut shown = Vec::with_capacity(orders.len());
    for (at, order) in orders.iter().enumerate() {
        let name = format!("{condition} {at}");
        shown.push(Shown {
            condition: condition.to_owned(),
            clip: sequencer.play(order, &name, ticket)?,
            source: name,
        });
        done();
    }
    Ok(shown)
}

/// How a study is put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudySettings {
    /// What raters see above it.
    pub title: String,
    /// What raters are asked.
    pub experiment: Experiment,
    /// Names the random numbers of blind names and orders.
    pub seed: u64,
    /// How many questions each rater is asked.
    pub per_rater: usize,
}

/// The study, and its clips in the order of its stimuli, under their blind names.
///
/// All begin at one place, face one way, have one rate and no contacts of their own: who sees where a clip was captured,
/// or that it was made with held feet, knows what it is.
pub fn blind(
    settings: &StudySettings,
    shown: &[Shown],
    ticket: &Ticket,
) -> Result<(Plan, Vec<Clip>), StimuliError> {
    let listed: Vec<(String, String)> = shown
        .iter()
        .map(|one| (one.condition.clone(), one.source.clone()))
        .collect();
    let plan = Plan::new(
        &settings.title,
        settings.experiment,
        settings.seed,
        settings.per_rater,
        &listed,
    )?;
    // One rate for all: who counts frames knows what was captured.
    let fps = common_fps(shown.iter().map(|one| &one.clip), MOST_FPS);
    let mut placed = Vec::with_capacity(shown.len());
    for (given, stimulus) in plan.given().into_iter().zip(plan.stimuli()) {
        ticket.check()?;
        let clip = &shown[given].clip;
        if clip.n_frames() < 2 {
            return Err(StimuliError::Pose(clip.info.name.clone()));
        }
        let aligned = resample(clip, fps).and_then(|c| align(&c, &Placement::at_origin(0)));
        let aligned = aligned.map_err(|why| StimuliError::Place {
            clip: clip.info.name.clone(),
            why,
        })?;
        let bare = aligned.with_contacts(Vec::new());
        let mut aligned = bare.expect("no contacts are no wrong ones");
        let info = &mut aligned.info;
        info.name.clone_from(&stimulus.id);
        info.tags.clear();
        info.notes.clear();
        info.history.clear();
        info.file = None;
        placed.push(aligned);
    }
    Ok((plan, placed))
}
