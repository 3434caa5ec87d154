//! Putting a study together from the chosen sets, in the background.
//!
//! Experiment A shows motions as they are: each judged set is a condition, inputs and real clips together are motion
//! capture. Experiment B shows long sequences: each judged set plays without repeating a motion before all were seen,
//! the inputs play as cycle animation.

use std::sync::Arc;

use super::draft::Draft;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::DeliveryTo;
use crate::app::shell::words::free_name;
use crate::app::shell::work::Shown as InBar;
use crate::app::study::measure::refs;
use crate::app::study::sets::Member;
use crate::app::study::state::StudyWorkspace;
use crate::document::{Command, Document, RatingStudy, Stimuli, StudyId};
use crate::jobs::Ticket;
use crate::study::measures::Role;
use crate::study::sequences::{FEWEST_CLIPS, cycle_orders, varied_orders};
use crate::study::session::Experiment;
use crate::study::stimuli::{Shown, blind, sequences};

/// The job, as the status bar names it.
pub const MAKE: &str = "make a study";

/// What real clips are called, whichever set they are in.
const REAL: &str = "motion capture";

/// What the inputs are called when they are played again and again.
const CYCLES: &str = "cycle animation";

/// A condition with its motions, before they are made blind.
#[derive(Debug, Clone)]
pub struct Condition {
    /// As the analysis names it.
    pub name: String,
    /// What is shown, or what sequences are made of.
    pub members: Vec<Member>,
    /// Whether they are drawn again and again.
    is_cycled: bool,
}

impl StudyWorkspace {
    /// What the chosen sets come to for an experiment.
    pub fn conditions(&self, document: &Document, experiment: Experiment) -> Vec<Condition> {
        let of = |role| self.sets.members_of(document, role);
        let (given, given_name) = match experiment {
            Experiment::Natural => {
                let mut real = of(Role::Inputs);
                real.extend(of(Role::Real));
                (real, REAL)
            }
            Experiment::Repetitive => (of(Role::Inputs), CYCLES),
        };
        let judged = self.sets.sets.iter().filter(|set| set.role == Role::Asked);
        let judged = judged.map(|set| Condition {
            name: set.name.clone(),
            members: set.members(document),
            is_cycled: false,
        });
        let given = Condition {
            name: given_name.to_owned(),
            members: given,
            is_cycled: experiment == Experiment::Repetitive,
        };
        let all = std::iter::once(given).chain(judged);
        all.filter(|condition| !condition.members.is_empty())
            .collect()
    }

    /// Makes the study in the background; it is one step of the document.
    pub fn make_study(&mut self, cx: &mut UiContext) {
        let mut draft = self.rating.draft.clone();
        let wish = match (draft.settings.title.trim(), draft.settings.experiment) {
            ("", Experiment::Natural) => "natural motion",
            ("", Experiment::Repetitive) => "repetition",
            (title, _) => title,
        };
        let studies = cx.document().studies();
        let is_taken = |title: &str| studies.iter().any(|(_, s)| s.plan().title() == title);
        draft.settings.title = free_name(wish, is_taken);
        let conditions = self.conditions(cx.document(), draft.settings.experiment);
        self.inbox.start(cx, MAKE, InBar::InBar, move |ticket| {
            let study = made(&draft, &conditions, ticket)?;
            let delivery: DeliveryTo<Self> = Box::new(move |study_space, shell| {
                let id = StudyId(shell.document().next_number());
                if shell.edit(Command::AddStudy(Arc::new(study))).is_some() {
                    study_space.rating.chosen = Some(id);
                    study_space.rating.is_making = false;
                    study_space.rating.draft.settings.title.clear();
                }
            });
            Ok(delivery)
        });
    }
}

fn made(draft: &Draft, conditions: &[Condition], ticket: &Ticket) -> anyhow::Result<RatingStudy> {
    let settings = &draft.settings;
    let mut shown: Vec<Shown> = Vec::new();
    for (at, condition) in conditions.iter().enumerate() {
        ticket.step(at as f64 / conditions.len() as f64)?;
        let clips = refs(&condition.members);
        if settings.experiment == Experiment::Natural {
            shown.extend(Shown::plain(&condition.name, clips));
            continue;
        }
        let (n, length) = (clips.len(), draft.clips.max(FEWEST_CLIPS));
        let orders = if condition.is_cycled {
            cycle_orders(n, length, draft.sequences, settings.seed)
        } else {
            varied_orders(n, length, draft.sequences, settings.seed)
        };
        shown.extend(sequences(&condition.name, &clips, &orders, ticket, || {})?);
    }
    let (plan, clips) = blind(settings, &shown, ticket)?;
    Ok(RatingStudy {
        stimuli: Arc::new(Stimuli {
            plan: Arc::new(plan),
            clips: clips.into_iter().map(Arc::new).collect(),
        }),
        ratings: Vec::new(),
    })
}
