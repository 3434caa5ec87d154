//! The paper's own recipe, for comparison: kernel regression on changes, with a pull that keeps it from drifting.
//!
//! Lau, Bar-Joseph and Kuffner 2009, sections 5 and 6. Every node of the transition network is regressed on the k moments most
//! like this one (Eq. 5) and drawn with the mean and variance of their changes (Eq. 6); the prior network draws the first two
//! frames. Departures: values are pulled towards those of the neighbours, or a run leaves the data within seconds; and where takes
//! are in step progress is one more parent of every node, or motions with an end stall before it.

mod alone;
mod instances;
mod kernel;
mod prior;
mod prior_search;
mod sampler;
mod score;
mod search;
mod settings;
mod structure;

use std::sync::Arc;

pub(super) use prior_search::log_normal;
pub(super) use sampler::PaperSampler;
pub(super) use score::{FLOOR, Run, Track};
pub use search::{SearchReport, Step};
pub(super) use search::{learn_structure, transition_only};
pub use settings::PaperSettings;
pub use structure::{PaperStructure, Parent, Seen};

use instances::Instances;
use kernel::Network;
use prior::Prior;

use super::error::LearnError;
use super::takes::{Examples, MotionType};
use crate::jobs::Ticket;

/// A model by the paper's recipe.
#[derive(Debug, Clone)]
pub struct PaperModel {
    structure: PaperStructure,
    settings: PaperSettings,
    report: SearchReport,
    network: Arc<Network>,
    prior: Prior,
    /// Mean growth of progress in a frame.
    step: f64,
    end: f64,
}

impl PaperModel {
    /// Learns the networks of the prior and of the transitions.
    pub(super) fn learn(
        examples: &Examples,
        settings: &PaperSettings,
        ticket: &Ticket,
    ) -> Result<Self, LearnError> {
        let (structure, report) = learn_structure(examples, settings, ticket)?;
        let mut made = Self::of(examples, structure, settings)?;
        made.report = report;
        Ok(made)
    }

    /// Of a structure that is known.
    pub(super) fn of(
        examples: &Examples,
        structure: PaperStructure,
        settings: &PaperSettings,
    ) -> Result<Self, LearnError> {
        settings.check()?;
        if structure.n_dofs() != examples.n_dofs() {
            return Err(LearnError::Structure(format!(
                "it has {} nodes for {} degrees of freedom",
                structure.n_dofs(),
                examples.n_dofs()
            )));
        }
        let instances = Instances::new(examples, settings.speed_weight, settings.phase_secs);
        let instances = Arc::new(instances);
        let network = Network::new(&instances, &structure, settings.neighbours, settings.width);
        let mean_frames = examples.n_frames() as f64 / examples.n_takes() as f64;
        let end = match examples.motion_type() {
            MotionType::Unaligned => 0.0,
            MotionType::OneShot | MotionType::Cyclic => examples.progress.end(&examples.takes),
        };
        Ok(Self {
            prior: Prior::new(examples, &structure, settings),
            network: Arc::new(network),
            step: end / (mean_frames - 1.0).max(1.0),
            end,
            structure,
            settings: settings.clone(),
            report: SearchReport::default(),
        })
    }

    /// Who depends on whom.
    pub fn structure(&self) -> &PaperStructure {
        &self.structure
    }

    /// How it was learned.
    pub fn settings(&self) -> &PaperSettings {
        &self.settings
    }

    /// What the search found on its way; empty for a model from a file.
    pub fn report(&self) -> &SearchReport {
        &self.report
    }

    /// A motion re-made from its first two frames, without the moments of one take.
    pub(super) fn run(
        &self,
        examples: &Examples,
        track: &Track<'_>,
        without: Option<usize>,
    ) -> Run {
        score::run(&self.network, examples, &self.settings, track, without)
    }
}
