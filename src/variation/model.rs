//! A learned model: the takes, the structure, and how strongly it varies.

use std::sync::Arc;

use super::between::Between;
use super::calibrate::{calibrate, calibrate_alone};
use super::calm::Sampler;
use super::error::LearnError;
use super::examples::{Examples, Instances};
use super::network::Network;
use super::prior::{Prior, Start};
use super::search::{self, SearchReport};
use super::settings::{LearnSettings, SampleSettings};
use super::structure::Structure;
use super::timing::Timing;
use crate::jobs::Ticket;
use crate::numerics::random::Stream;

/// Fewer neighbours than these are no mean.
const FEWEST_NEIGHBOURS: usize = 4;

/// How strongly a model varies, found by letting it run (`calibrate`).
#[derive(Debug, Clone, PartialEq)]
pub struct Manner {
    /// What differences between takes are multiplied by so that variants differ as much as the takes do.
    pub scale: f64,
    /// The share of a mood's variance that all degrees of freedom have in common, 0 to 1: 0 lets each go by itself, 1 has
    /// the whole body go along with the same take.
    pub together: f64,
    /// The strength of detail at [`Manner::AMOUNTS`], by degree of freedom, so that jerk is that of the takes.
    pub details: [Vec<f64>; 4],
    /// How far frames are averaged with those around them at [`Manner::AMOUNTS`], by degree of freedom, so that variants are
    /// no rougher than the takes: standard deviation in frames, 0 for none.
    pub calms: [Vec<f64>; 4],
    /// By degree of freedom, the standard deviation between takes at equal progress. For variants of a single take.
    pub spread: Vec<f64>,
}

impl Manner {
    /// The amounts at which detail is calibrated.
    pub const AMOUNTS: [f64; 4] = [0.5, 1.0, 1.5, 2.0];

    /// Frames are averaged no further than this, in frames.
    pub const MOST_CALM: f64 = 10.0;

    /// Varies as much as takes do, without detail: for models that make nothing, and to begin with.
    pub(super) fn plain(n_dofs: usize) -> Self {
        let none = || std::array::from_fn(|_| vec![0.0; n_dofs]);
        Self {
            scale: 1.0,
            together: 0.0,
            details: none(),
            calms: none(),
            spread: vec![0.0; n_dofs],
        }
    }

    /// Refuses what does not fit so many degrees of freedom, or is no strength.
    fn check(&self, n_dofs: usize) -> Result<(), LearnError> {
        let both = self.details.iter().chain(&self.calms);
        let by_dof: Vec<&Vec<f64>> = both.chain([&self.spread]).collect();
        if let Some(odd) = by_dof.iter().find(|each| each.len() != n_dofs) {
            return Err(LearnError::Structure(format!(
                "there are {} strengths of variation for {n_dofs} degrees of freedom",
                odd.len()
            )));
        }
        let numbers = [self.scale, self.together];
        let mut all = numbers.iter().chain(by_dof.into_iter().flatten()).copied();
        if !all.all(|x| x >= 0.0 && x.is_finite()) || self.together > 1.0 {
            return Err(LearnError::Structure(
                "the strength of variation must be finite and not negative".to_owned(),
            ));
        }
        Ok(())
    }

    /// The strength of detail at any amount: none in the mean motion.
    pub(super) fn detail(&self, amount: f64) -> Vec<f64> {
        let share = (amount / Self::AMOUNTS[0]).min(1.0);
        let found = at_amount(&self.details, amount);
        found.map(|detail| detail * share).collect()
    }

    /// How far frames are averaged at any amount.
    pub(super) fn calm(&self, amount: f64) -> Vec<f64> {
        let found = at_amount(&self.calms, amount);
        found.map(|calm| calm.min(Self::MOST_CALM)).collect()
    }
}

/// Between what was found at [`Manner::AMOUNTS`]; beyond them as at the nearest.
fn at_amount(found: &[Vec<f64>; 4], amount: f64) -> impl Iterator<Item = f64> {
    let after = Manner::AMOUNTS.partition_point(|&a| a < amount);
    let (low, high) = (after.saturating_sub(1), after.min(found.len() - 1));
    let (a, b) = (Manner::AMOUNTS[low], Manner::AMOUNTS[high]);
    let share = if b > a { (amount - a) / (b - a) } else { 0.0 };
    let both = found[low].iter().zip(&found[high]);
    both.map(move |(low, high)| low * (1.0 - share) + high * share)
}

/// What can be sampled and asked. Immutable; share it by `Arc`.
#[derive(Debug, Clone)]
pub struct Model {
    examples: Examples,
    structure: Structure,
    settings: LearnSettings,
    manner: Manner,
    report: SearchReport,
    instances: Arc<Instances>,
    network: Arc<Network>,
    prior: Prior,
    timing: Timing,
    between: Option<Arc<Between>>,
    end_progress: f64,
}

/// Two models are the same if they would do the same: all else follows from these.
impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        self.examples == other.examples
            && self.structure == other.structure
            && self.settings == other.settings
            && self.manner == other.manner
    }
}

impl Model {
    /// Learns structure and manner from two or more takes. The ticket hears progress and may stop it.
    pub fn learn(
        examples: Examples,
        settings: &LearnSettings,
        ticket: &Ticket,
    ) -> Result<Self, LearnError> {
        settings.check()?;
        if examples.n_takes() < 2 {
            return Err(LearnError::TooFewTakes {
                found: examples.n_takes(),
                needed: 2,
            });
        }
        let (structure, report) = search::learn_structure(&examples, settings, ticket)?;
        let mut model = Self::assemble(examples, structure, settings.clone(), None, report)?;
        ticket.step(search::SHARE_OF_WORK)?;
        model.manner = calibrate(&model, ticket)?;
        ticket.step(1.0)?;
        Ok(model)
    }

    /// A model of given parts, as read from a file or edited by hand; without a manner it is calibrated.
    pub fn from_parts(
        examples: Examples,
        structure: Structure,
        settings: LearnSettings,
        manner: Option<Manner>,
    ) -> Result<Self, LearnError> {
        settings.check()?;
        let needs_manner = manner.is_none();
        let report = SearchReport::default();
        let mut model = Self::assemble(examples, structure, settings, manner, report)?;
        if needs_manner {
            model.manner = calibrate(&model, &Ticket::default())?;
        }
        Ok(model)
    }

    fn assemble(
        examples: Examples,
        structure: Structure,
        settings: LearnSettings,
        manner: Option<Manner>,
        report: SearchReport,
    ) -> Result<Self, LearnError> {
        let n_dofs = examples.n_dofs();
        if structure.n_dofs() != n_dofs {
            return Err(LearnError::Structure(format!(
                "it has {} nodes for {n_dofs} degrees of freedom",
                structure.n_dofs()
            )));
        }
        let manner = manner.unwrap_or_else(|| Manner::plain(n_dofs));
        manner.check(n_dofs)?;
        let instances = Arc::new(Instances::new(
            &examples,
            settings.speed_weight,
            settings.phase_secs,
        ));
        let network = Network::new(&instances, &structure, settings.neighbours, settings.width);
        Ok(Self {
            end_progress: examples.progress.end(&examples.takes),
            prior: Prior::new(&examples, &structure, &settings),
            between: Between::learn(&examples).map(Arc::new),
            timing: Timing::learn(&examples, settings.phase_secs),
            network: Arc::new(network),
            instances,
            examples,
            structure,
            settings,
            manner,
            report,
        })
    }

    /// The same takes and settings with edges set by hand, calibrated anew.
    pub fn with_structure(
        &self,
        structure: Structure,
        ticket: &Ticket,
    ) -> Result<Self, LearnError> {
        let mut model = Self::assemble(
            self.examples.clone(),
            structure,
            self.settings.clone(),
            Some(self.manner.clone()),
            SearchReport::default(),
        )?;
        model.manner = calibrate(&model, ticket)?;
        Ok(model)
    }

    /// The same model with its variation set by hand.
    pub(super) fn with_manner(&self, manner: Manner) -> Self {
        Self {
            manner,
            ..self.clone()
        }
    }

    /// A model of one take, or some, with the structure, settings and spread of this one.
    pub fn for_takes(&self, examples: Examples) -> Result<Self, LearnError> {
        let n_takes = examples.n_takes();
        // As many neighbours from each take as before: among more of a single one the motion would blur over time.
        let per_take = self.settings.neighbours as f64 / self.examples.n_takes() as f64;
        let neighbours = (per_take * n_takes as f64).round() as usize;
        let settings = LearnSettings {
            neighbours: neighbours.clamp(FEWEST_NEIGHBOURS, self.settings.neighbours),
            ..self.settings.clone()
        };
        let report = SearchReport::default();
        let structure = self.structure.clone();
        let manner = Some(self.manner.clone());
        let mut model = Self::assemble(examples, structure, settings, manner, report)?;
        if n_takes == 1 {
            model.timing = model.timing.varying_as(&self.timing);
            model.manner = calibrate_alone(&model, self)?;
        }
        Ok(model)
    }

    /// One variant, a frame at a time. The same settings and number always give the same frames.
    pub fn sampler(
        self: &Arc<Self>,
        settings: &SampleSettings,
        variant: u64,
    ) -> Result<Sampler, LearnError> {
        Sampler::new(self, settings, variant)
    }

    /// The takes it was learned from.
    pub fn examples(&self) -> &Examples {
        &self.examples
    }

    /// Who listens to whom.
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// How it was learned.
    pub fn settings(&self) -> &LearnSettings {
        &self.settings
    }

    /// How strongly it varies.
    pub fn manner(&self) -> &Manner {
        &self.manner
    }

    /// What the search for the structure found on its way; empty for a model from a file or edited by hand.
    pub fn report(&self) -> &SearchReport {
        &self.report
    }

    /// Progress at which a run through or round ends.
    pub(super) fn end_progress(&self) -> f64 {
        self.end_progress
    }

    /// How long takes stay where they are.
    pub(super) fn timing(&self) -> &Timing {
        &self.timing
    }

    /// What differs between takes that are in step.
    pub(super) fn between(&self) -> Option<&Arc<Between>> {
        self.between.as_ref()
    }

    pub(super) fn prior(&self) -> &Prior {
        &self.prior
    }

    pub(super) fn network(&self) -> Arc<Network> {
        Arc::clone(&self.network)
    }

    pub(super) fn instances(&self) -> &Arc<Instances> {
        &self.instances
    }

    /// The first two frames of a variant.
    pub(super) fn draw_start(&self, settings: &SampleSettings, stream: &mut Stream) -> Start {
        let scale = self.manner.scale;
        self.prior
            .draw(settings, scale, &self.manner.spread, stream)
    }
}
