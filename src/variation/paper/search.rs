//! The structure of the transition network: greedy search by the joint score (section 5.1, [`super::score`]).
//!
//! First one parent at a time is given to *all* nodes, or taken from all, the one that raises the score of the whole
//! network most: nodes have to keep step with each other, and a parent that only one of them listens to cannot help
//! with that. This is the initial edge set that the paper leaves open. Then single nodes get parents of their own,
//! found by [`super::alone`] and kept only if the whole network runs better with them.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::alone::{Alone, both};
use super::instances::Instances;
use super::kernel::Network;
use super::prior::Pairs;
use super::prior_search;
use super::score::{self, Run};
use super::settings::PaperSettings;
use super::structure::{PaperStructure, Parent};
use crate::jobs::Ticket;
use crate::variation::error::LearnError;
use crate::variation::takes::Examples;

/// The part of learning that is search.
const SHARE_OF_WORK: f64 = 1.0;
/// The search looks at no more frames per second than these, and at no more frames in all.
const SEARCH_FPS: f64 = 30.0;
const MOST_FRAMES: usize = 600;
/// So many neighbours at least, however coarse.
const FEWEST_NEIGHBOURS: usize = 12;
/// After the first round only so many of the best candidates are tried again for all nodes.
const CANDIDATES: usize = 16;
/// A parent must raise the mean log-likelihood of a value by this much, or chance decides.
const LEAST_GAIN: f64 = 5e-4;
/// Nodes that promise most get a run of the whole network.
const MOST_TRIED: usize = 24;

/// One step of the search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step {
    /// Every node listens to itself only.
    Bare,
    /// All nodes listen to a degree of freedom.
    AddedForAll(usize),
    /// No node listens to it any more.
    RemovedForAll(usize),
    /// One node listens to another.
    Added {
        /// The node that the edge leads to.
        node: usize,
        /// The node that the edge comes from.
        parent: usize,
    },
    /// It does so no longer.
    Removed {
        /// The node that the edge led to.
        node: usize,
        /// The node that the edge came from.
        parent: usize,
    },
}

/// What the search found on its way.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SearchReport {
    /// Steps that were kept, each with the score after it: mean log-likelihood of a value.
    pub steps: Vec<(Step, f64)>,
    /// How often the whole network was run.
    pub n_runs: usize,
    /// Score of the prior network.
    pub prior_score: f64,
}

impl SearchReport {
    /// Score of the transition network.
    pub fn score(&self) -> Option<f64> {
        self.steps.last().map(|step| step.1)
    }
}

/// Learns the networks of the prior and of the transitions.
pub(in crate::variation) fn learn_structure(
    examples: &Examples,
    settings: &PaperSettings,
    ticket: &Ticket,
) -> Result<(PaperStructure, SearchReport), LearnError> {
    let stride = coarse_stride(examples);
    let (coarse, coarse_settings) = coarsened(examples, settings, stride);
    let mut search = Search::new(&coarse, &coarse_settings, ticket);
    search.give_to_all()?;
    search.give_to_each()?;
    let pairs = Pairs::new(examples, settings);
    let prior = prior_search::search(&pairs, settings, ticket)?;
    search.report.prior_score = prior.score;
    let structure = search.structure.with_prior(prior.parents)?;
    Ok((structure, search.report))
}

/// The transition network alone, for judging rather than sampling.
pub(in crate::variation) fn transition_only(
    examples: &Examples,
    settings: &PaperSettings,
    ticket: &Ticket,
) -> Result<PaperStructure, LearnError> {
    let (coarse, settings) = coarsened(examples, settings, coarse_stride(examples));
    let mut search = Search::new(&coarse, &settings, ticket);
    search.give_to_all()?;
    search.give_to_each()?;
    Ok(search.structure)
}

/// Whoever listens to whom does so at any frame rate: the search looks at every so many frames only.
fn coarse_stride(examples: &Examples) -> usize {
    let by_rate = (1.0 / (SEARCH_FPS * examples.frame_secs())).round();
    let by_size = examples.n_frames() as f64 / MOST_FRAMES as f64;
    by_rate.max(by_size.ceil()).max(1.0) as usize
}

fn coarsened(
    examples: &Examples,
    settings: &PaperSettings,
    stride: usize,
) -> (Examples, PaperSettings) {
    let coarse = examples.every(stride);
    let ratio = examples.n_frames() as f64 / coarse.n_frames() as f64;
    let neighbours = (settings.neighbours as f64 / ratio).round() as usize;
    let settings = PaperSettings {
        neighbours: neighbours.max(FEWEST_NEIGHBOURS.min(settings.neighbours)),
        ..settings.clone()
    };
    (coarse, settings)
}

struct Search<'a> {
    examples: &'a Examples,
    settings: &'a PaperSettings,
    ticket: &'a Ticket,
    instances: Arc<Instances>,
    structure: PaperStructure,
    shared: Vec<usize>,
    score: f64,
    report: SearchReport,
}

impl<'a> Search<'a> {
    fn new(examples: &'a Examples, settings: &'a PaperSettings, ticket: &'a Ticket) -> Self {
        let instances = Instances::new(examples, settings.speed_weight, settings.phase_secs);
        Self {
            examples,
            settings,
            ticket,
            instances: Arc::new(instances),
            structure: PaperStructure::bare(examples.n_dofs()),
            shared: Vec::new(),
            score: f64::NEG_INFINITY,
            report: SearchReport::default(),
        }
    }

    fn runs_of(&self, structure: &PaperStructure) -> Vec<Run> {
        let network = Network::new(
            &self.instances,
            structure,
            self.settings.neighbours,
            self.settings.width,
        );
        score::runs(&network, self.examples, self.settings)
    }

    fn score_of(&self, structure: &PaperStructure) -> f64 {
        score::mean_score(&self.runs_of(structure))
    }

    fn keep(&mut self, step: Step, score: f64) {
        self.score = score;
        self.ticket.tell(score);
        self.report.steps.push((step, score));
    }

    /// Parents for all nodes together.
    fn give_to_all(&mut self) -> Result<(), LearnError> {
        let n = self.examples.n_dofs();
        let first = self.score_of(&self.structure);
        self.report.n_runs += 1;
        self.keep(Step::Bare, first);
        let mut candidates: Vec<usize> = (0..n).collect();
        for round in 0..self.settings.most_shared.min(n) {
            let done = round as f64 / self.settings.most_shared as f64;
            self.ticket.step(0.5 * SHARE_OF_WORK * done)?;
            let mut tried = self.try_for_all(&candidates, Vec::push)?;
            tried.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            let Some(&(dof, score)) = tried.first() else {
                break;
            };
            if score < self.score + LEAST_GAIN {
                break;
            }
            self.shared.push(dof);
            self.structure = PaperStructure::shared(n, &self.shared);
            self.keep(Step::AddedForAll(dof), score);
            let rest = tried.iter().skip(1).take(CANDIDATES);
            candidates = rest.map(|t| t.0).collect();
            if self.shared.len() > 2 {
                self.drop_for_all()?;
            }
        }
        Ok(())
    }

    /// Takes a parent from all nodes if that does no harm.
    fn drop_for_all(&mut self) -> Result<(), LearnError> {
        let n = self.examples.n_dofs();
        let old: Vec<usize> = self.shared[..self.shared.len() - 1].to_vec();
        let tried = self.try_for_all(&old, |shared, dof| shared.retain(|&d| d != dof))?;
        let best = tried.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((dof, score)) = best.filter(|b| b.1 >= self.score) {
            self.shared.retain(|&d| d != dof);
            self.structure = PaperStructure::shared(n, &self.shared);
            self.keep(Step::RemovedForAll(dof), score);
        }
        Ok(())
    }

    fn try_for_all(
        &mut self,
        dofs: &[usize],
        change: impl Fn(&mut Vec<usize>, usize) + Sync,
    ) -> Result<Vec<(usize, f64)>, LearnError> {
        let n = self.examples.n_dofs();
        self.report.n_runs += dofs.len();
        dofs.par_iter()
            .map(|&dof| {
                self.ticket.check()?;
                let mut shared = self.shared.clone();
                change(&mut shared, dof);
                Ok((dof, self.score_of(&PaperStructure::shared(n, &shared))))
            })
            .collect()
    }

    /// Parents of single nodes.
    fn give_to_each(&mut self) -> Result<(), LearnError> {
        let n = self.examples.n_dofs();
        for round in 0..self.settings.most_own {
            let done = |rounds: f64| {
                let share = rounds / self.settings.most_own as f64;
                SHARE_OF_WORK * (0.5 + 0.4 * share)
            };
            let round = round as f64;
            let (half_way, end) = (done(round + 0.5), done(round + 1.0));
            self.ticket.step(done(round))?;
            let runs = self.runs_of(&self.structure);
            let proposals: Vec<Proposal> = (0..n)
                .into_par_iter()
                .map(|node| {
                    self.ticket.check()?;
                    Ok(self.propose(node, &runs))
                })
                .collect::<Result<Vec<Option<Proposal>>, LearnError>>()?
                .into_iter()
                .flatten()
                .collect();
            if !self.accept(proposals, half_way..end)? {
                break;
            }
        }
        Ok(())
    }

    /// The parent that a node would gain most by, or lose with profit.
    fn propose(&self, node: usize, runs: &[Run]) -> Option<Proposal> {
        let n = self.examples.n_dofs();
        let alone = Alone {
            instances: &self.instances,
            examples: self.examples,
            settings: self.settings,
            runs,
        };
        let own: Vec<usize> = self.own_parents(node);
        let shared: Vec<_> = self.shared.iter().flat_map(|&dof| both(dof)).collect();
        let of = |dofs: &[usize]| -> Vec<_> { dofs.iter().flat_map(|&dof| both(dof)).collect() };
        let mut sets = vec![of(&own)];
        let mut changes = vec![None];
        for dof in (0..n).filter(|d| *d != node && !self.shared.contains(d)) {
            let mut with = own.clone();
            let is_there = own.contains(&dof);
            if is_there {
                with.retain(|&d| d != dof);
            } else {
                with.push(dof);
            }
            sets.push(of(&with));
            changes.push(Some((dof, !is_there)));
        }
        let scores = alone.scores(node, &shared, &sets);
        let best = (1..scores.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b]))?;
        let (dof, adds) = changes[best]?;
        let n_values: usize = runs.iter().map(|r| r.likelihood.len()).sum();
        let gain = (scores[best] - scores[0]) / n_values as f64;
        (gain > LEAST_GAIN / n as f64).then_some(Proposal {
            node,
            dof,
            adds,
            gain,
        })
    }

    fn own_parents(&self, node: usize) -> Vec<usize> {
        let mut own: Vec<usize> = self.structure.parents(node).iter().map(|p| p.dof).collect();
        own.dedup();
        own.retain(|d| !self.shared.contains(d));
        own
    }

    /// Runs the whole network with each proposal, the most promising first, and keeps those that help. Whether any did.
    /// Meanwhile the ticket goes from one share of the work to another.
    fn accept(
        &mut self,
        mut proposals: Vec<Proposal>,
        work: Range<f64>,
    ) -> Result<bool, LearnError> {
        proposals.sort_by(|a, b| b.gain.total_cmp(&a.gain).then(a.node.cmp(&b.node)));
        proposals.truncate(MOST_TRIED);
        let mut any = false;
        let each = (work.end - work.start) / proposals.len().max(1) as f64;
        for (tried, proposal) in proposals.into_iter().enumerate() {
            let Proposal {
                node, dof, adds, ..
            } = proposal;
            self.ticket.step(work.start + tried as f64 * each)?;
            let mut structure = self.structure.clone();
            for parent in Parent::both(dof) {
                if adds {
                    structure.add(node, parent);
                } else {
                    structure.remove(node, parent);
                }
            }
            let score = self.score_of(&structure);
            self.report.n_runs += 1;
            if score > self.score {
                self.structure = structure;
                let step = if adds {
                    Step::Added { node, parent: dof }
                } else {
                    Step::Removed { node, parent: dof }
                };
                self.keep(step, score);
                any = true;
            }
        }
        Ok(any)
    }
}

/// A change of one node's parents.
struct Proposal {
    node: usize,
    dof: usize,
    adds: bool,
    gain: f64,
}
