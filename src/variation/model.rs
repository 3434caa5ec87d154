//! A learned model: the takes, and a network or the paper's recipe on them.

use std::sync::Arc;

use super::error::LearnError;
use super::network::fit::Network;
use super::network::phase_model::{Edges, PhaseModel};
use super::network::structure::Structure;
use super::paper::{PaperModel, PaperSampler, PaperStructure};
use super::sample::{NetworkSampler, Tables};
use super::search;
use super::settings::{LearnSettings, Method, SampleSettings};
use super::takes::{Examples, MotionType, NodeKind};
use crate::jobs::Ticket;

/// What can be sampled and asked. Immutable; share it by `Arc`.
#[derive(Debug, Clone)]
pub struct Model {
    examples: Arc<Examples>,
    settings: LearnSettings,
    engine: Engine,
}

/// What makes the frames.
#[derive(Debug, Clone)]
enum Engine {
    Network(NetworkEngine),
    Paper(Arc<PaperModel>),
}

/// A network with all that follows from it.
#[derive(Debug, Clone)]
pub(super) struct NetworkEngine {
    pub(super) model: Arc<PhaseModel>,
    pub(super) tables: Arc<Tables>,
}

impl NetworkEngine {
    fn of(model: PhaseModel) -> Self {
        Self {
            tables: Arc::new(Tables::of(&model)),
            model: Arc::new(model),
        }
    }
}

/// Edges that are known: of a file, or set by hand.
#[derive(Debug, Clone, PartialEq)]
pub enum KnownEdges {
    /// The edges of a learned network.
    Network(Structure),
    /// Of the paper's recipe.
    Paper(PaperStructure),
}

/// Two models are the same if they would do the same: all else follows from these.
impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        self.examples == other.examples
            && self.settings == other.settings
            && self.edges() == other.edges()
    }
}

impl Model {
    /// Learns from two or more takes, or has the plain model of a single one. The ticket hears progress and may stop it.
    ///
    /// Takes that are not in step have no phase for a network to work along: they are learned by the paper's recipe, which
    /// needs none.
    pub fn learn(
        examples: Examples,
        settings: &LearnSettings,
        ticket: &Ticket,
    ) -> Result<Self, LearnError> {
        settings.check()?;
        let is_paper =
            settings.method == Method::Paper || examples.motion_type() == MotionType::Unaligned;
        if is_paper && examples.n_takes() < 2 {
            return Err(LearnError::TooFewTakes {
                found: examples.n_takes(),
                needed: 2,
            });
        }
        let engine = if is_paper {
            let learned = PaperModel::learn(&examples, &settings.paper, ticket)?;
            Engine::Paper(Arc::new(learned))
        } else {
            let learned = if examples.n_takes() == 1 {
                PhaseModel::plain(&examples)
            } else {
                let edges = Edges::Found(settings.structure);
                PhaseModel::learn(&examples, &edges, settings.seed(), ticket)?
            };
            Engine::Network(NetworkEngine::of(learned))
        };
        ticket.step(1.0)?;
        Ok(Self {
            examples: Arc::new(examples),
            settings: settings.clone(),
            engine,
        })
    }

    /// A model of given parts, as read from a file.
    pub fn from_parts(
        examples: Examples,
        edges: KnownEdges,
        settings: LearnSettings,
    ) -> Result<Self, LearnError> {
        settings.check()?;
        let engine = match edges {
            KnownEdges::Paper(structure) => {
                let model = PaperModel::of(&examples, structure, &settings.paper)?;
                Engine::Paper(Arc::new(model))
            }
            KnownEdges::Network(structure) => {
                let model = if examples.n_takes() == 1 {
                    PhaseModel::plain(&examples).with_structure(&structure)?
                } else {
                    let (edges, ticket) = (Edges::Known(structure), Ticket::default());
                    PhaseModel::learn(&examples, &edges, settings.seed(), &ticket)?
                };
                Engine::Network(NetworkEngine::of(model))
            }
        };
        Ok(Self {
            examples: Arc::new(examples),
            settings,
            engine,
        })
    }

    /// The same takes and settings with edges set by hand.
    pub fn with_structure(&self, structure: &Structure) -> Result<Self, LearnError> {
        let Engine::Network(engine) = &self.engine else {
            return Err(LearnError::PaperEdges);
        };
        let model = engine.model.with_structure(structure)?;
        Ok(Self {
            engine: Engine::Network(NetworkEngine::of(model)),
            ..self.clone()
        })
    }

    /// A model of one take, or some, with the structure and spread of this one.
    pub fn for_takes(&self, examples: Examples) -> Result<Self, LearnError> {
        let engine = match &self.engine {
            Engine::Network(engine) if examples.n_takes() == 1 => {
                let rows = examples.take(0);
                let progress = engine.model.progress_of(rows)?;
                Engine::Network(NetworkEngine::of(engine.model.of_one(rows, &progress)))
            }
            Engine::Network(engine) => {
                let edges = Edges::Known(engine.model.network.structure().clone());
                let seed = self.settings.seed();
                let model = PhaseModel::learn(&examples, &edges, seed, &Ticket::default())?;
                Engine::Network(NetworkEngine::of(model))
            }
            Engine::Paper(model) => Engine::Paper(Arc::new(PaperModel::of(
                &examples,
                model.structure().clone(),
                model.settings(),
            )?)),
        };
        Ok(Self {
            examples: Arc::new(examples),
            settings: self.settings.clone(),
            engine,
        })
    }

    /// One variant, a frame at a time. The same settings and number always give the same frames.
    pub fn sampler(&self, settings: &SampleSettings, variant: u64) -> Result<Sampler, LearnError> {
        Ok(Sampler(match &self.engine {
            Engine::Network(engine) => {
                let parts = (&engine.model, &engine.tables);
                Unrolled::Network(Box::new(NetworkSampler::new(parts, settings, variant)?))
            }
            Engine::Paper(model) => {
                let sampler = PaperSampler::new(model, &self.examples, settings, variant)?;
                Unrolled::Paper(Box::new(sampler))
            }
        }))
    }

    /// The takes it was learned from.
    pub fn examples(&self) -> &Examples {
        &self.examples
    }

    /// How it was learned.
    pub fn settings(&self) -> &LearnSettings {
        &self.settings
    }

    /// Which recipe it follows.
    pub fn method(&self) -> Method {
        match self.engine {
            Engine::Network(_) => Method::Network,
            Engine::Paper(_) => Method::Paper,
        }
    }

    /// The network; none for models of the paper's recipe.
    pub fn network(&self) -> Option<&Network> {
        self.engine().map(|engine| &engine.model.network)
    }

    /// The paper's recipe; none for networks.
    pub fn paper(&self) -> Option<&PaperModel> {
        match &self.engine {
            Engine::Network(_) => None,
            Engine::Paper(model) => Some(model),
        }
    }

    pub(super) fn engine(&self) -> Option<&NetworkEngine> {
        match &self.engine {
            Engine::Network(engine) => Some(engine),
            Engine::Paper(_) => None,
        }
    }

    /// All edges, in the form of the model's method.
    pub fn edges(&self) -> KnownEdges {
        match &self.engine {
            Engine::Network(engine) => {
                KnownEdges::Network(engine.model.network.structure().clone())
            }
            Engine::Paper(model) => KnownEdges::Paper(model.structure().clone()),
        }
    }

    /// What the nodes of the network stand for; empty for the paper's recipe.
    pub fn nodes(&self) -> &[NodeKind] {
        self.engine().map_or(&[], |e| &e.model.phases.kinds)
    }

    /// Mean number of parents of a node, with the node itself in both frames before.
    pub fn mean_parents(&self) -> f64 {
        match &self.engine {
            Engine::Network(engine) => engine.model.network.structure().mean_parents(),
            Engine::Paper(model) => model.structure().mean_parents(),
        }
    }

    /// Mean log-likelihood of a value of takes left out: what the structure was found by. None if it is not known.
    pub fn score(&self) -> Option<f64> {
        match &self.engine {
            Engine::Network(engine) => {
                let model = &engine.model;
                Some(search::score(&model.folds, model.network.structure()))
            }
            Engine::Paper(model) => model.report().score(),
        }
    }

    /// The same with other edges.
    pub fn score_of(&self, structure: &Structure) -> Option<f64> {
        let model = &self.engine()?.model;
        let fits = structure.n_nodes() == model.phases.width();
        fits.then(|| search::score(&model.folds, structure))
    }

    /// By node and parent: by how many nats takes left out would be less likely without the edge. Empty for the paper's recipe.
    pub fn worths(&self) -> Vec<Vec<f64>> {
        self.engine().map_or_else(Vec::new, |engine| {
            let model = &engine.model;
            search::worths(&model.folds, model.network.structure())
        })
    }

    /// Whether an edge may be set by hand: not into what is one number for each take.
    pub fn allows_edge(&self, from: usize, to: usize) -> bool {
        let model = self.engine().map(|engine| &engine.model);
        model.is_some_and(|model| model.rules.allows(from, to))
    }
}

/// Makes one variant, a frame at a time.
#[derive(Debug, Clone)]
pub struct Sampler(Unrolled);

#[derive(Debug, Clone)]
enum Unrolled {
    Network(Box<NetworkSampler>),
    Paper(Box<PaperSampler>),
}

impl Sampler {
    /// The next frame, in the units of the model's takes.
    pub fn next_row(&mut self) -> &[f64] {
        match &mut self.0 {
            Unrolled::Network(sampler) => sampler.next_row(),
            Unrolled::Paper(sampler) => sampler.next_row(),
        }
    }

    /// How far along the motion is, 0 to 1; beyond 1 for further rounds of a cycle. 0 if that is not known.
    pub fn progress(&self) -> f64 {
        match &self.0 {
            Unrolled::Network(sampler) => sampler.progress(),
            Unrolled::Paper(sampler) => sampler.progress(),
        }
    }

    /// Whether one run through the motion, or one round, is complete.
    pub fn is_over(&self) -> bool {
        match &self.0 {
            Unrolled::Network(sampler) => sampler.is_over(),
            Unrolled::Paper(sampler) => sampler.is_over(),
        }
    }
}
