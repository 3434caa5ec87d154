//! Takes in step, as a mean motion and a network of what differs from it.
//!
//! ```text
//! x_i(p) = m_i(p) + w_i(p) s_i(p) + d_i(p)
//! ```
//!
//! with `p` the phase, `m` the mean of the takes, `w` their spread ([`super::spread`]), `s` what the network is about, known at knots
//! eight times a second ([`super::knots`]), and `d` detail: what a take has beside its knots ([`super::detail`]). What is not the
//! network is the alignment, `m` and `w`, and the detail.

use std::sync::Arc;

use nalgebra::DMatrix;

use super::detail::{Detail, common};
use super::fit::{Network, Observed};
use super::knots::Knots;
use super::moments::Past;
use super::spread::spread;
use super::structure::Structure;
use crate::jobs::Ticket;
use crate::numerics::rows::Rows;
use crate::variation::error::LearnError;
use crate::variation::search::{self, Folds, Rules};
use crate::variation::settings::StructureKind;
use crate::variation::takes::progress::progress_along;
use crate::variation::takes::{Columns, Examples, MotionType, NodeKind, Phases};

/// No variant is faster or slower at a moment than all takes by more than this, in logarithms of time.
const FASTER: f64 = 0.05;
const SLOWER: f64 = 0.1;
/// Nobody is faster than this against the mean, whatever a warp says.
const LEAST_PACE: f64 = 0.05;

/// A kind of motion.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::variation) struct PhaseModel {
    pub(in crate::variation) phases: Phases,
    pub(in crate::variation) mean: Columns,
    pub(in crate::variation) spread: Columns,
    pub(in crate::variation) knots: Knots,
    pub(in crate::variation) network: Network,
    /// By phase, what all takes have beside their knots.
    pub(in crate::variation) common: Columns,
    /// By take, what it has beside its knots and that.
    pub(in crate::variation) detail: Arc<Vec<Detail>>,
    /// By phase, the least and the most that the logarithm of time may be.
    pub(in crate::variation) pace_bounds: Vec<(f64, f64)>,
    /// Takes on the common phase.
    pub(in crate::variation) takes: Vec<Columns>,
    pub(in crate::variation) folds: Folds,
    pub(in crate::variation) rules: Rules,
}

/// Where the edges come from.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::variation) enum Edges {
    /// Found by search, or made up for comparison.
    Found(StructureKind),
    /// Given, as in a file or after a change by hand.
    Known(Structure),
}

impl PhaseModel {
    /// Learns from two or more takes in step.
    pub(in crate::variation) fn learn(
        examples: &Examples,
        edges: &Edges,
        seed: u64,
        ticket: &Ticket,
    ) -> Result<Self, LearnError> {
        if examples.n_takes() < 2 {
            return Err(LearnError::TooFewTakes {
                found: examples.n_takes(),
                needed: 2,
            });
        }
        let phases = Phases::of(examples);
        let takes: Vec<Columns> = (0..examples.n_takes())
            .map(|take| phases.columns(examples.take(take), examples.take_progress(take)))
            .collect();
        let n = takes.len() as f64;
        let mean = mean_of(&takes);
        // Takes are nearer to their own mean than to that of the kind.
        let corrected = (n / (n - 1.0)).sqrt();
        let residuals: Vec<Columns> = takes.iter().map(|t| (t - &mean) * corrected).collect();
        let spread = spread(&residuals, &phases);
        let seen: Vec<Columns> = residuals.iter().map(|r| r.component_div(&spread)).collect();
        let is_cyclic = phases.motion_type == MotionType::Cyclic;
        let period = is_cyclic.then(|| phases.period());
        let knots = Knots::new(phases.n, phases.frame_secs, period);
        let slow: Vec<Columns> = seen.iter().map(|take| knots.slow(take)).collect();
        let shared = common(&takes, &phases, &knots);
        let detail = takes.iter().enumerate().map(|(at, columns)| {
            let take = (examples.take(at), examples.take_progress(at));
            Detail::of(take, (columns, &shared), &phases, &knots)
        });
        let detail = Arc::new(detail.collect());
        let is_level: Vec<bool> = phases.kinds.iter().map(|kind| kind.is_level()).collect();
        let observed = Observed {
            takes: &slow,
            is_level: &is_level,
        };
        let past = Past::new(observed.correlations());
        let folds = leave_out(&takes, &slow, &spread, &knots, past);
        let rules = rules(&phases, &is_level);
        let structure = match edges {
            Edges::Known(structure) => structure.clone(),
            Edges::Found(kind) => found(*kind, &folds, &rules, seed, ticket)?,
        };
        if structure.n_nodes() != phases.width() {
            return Err(LearnError::Structure(format!(
                "it has {} nodes for {}",
                structure.n_nodes(),
                phases.width()
            )));
        }
        Ok(Self {
            network: Network::fit(observed, &structure, &folds),
            pace_bounds: pace_bounds(&phases, &takes),
            phases,
            mean,
            spread,
            knots,
            common: shared,
            detail,
            takes,
            folds,
            rules,
        })
    }

    /// The same takes with other edges.
    pub(in crate::variation) fn with_structure(
        &self,
        structure: &Structure,
    ) -> Result<Self, LearnError> {
        if structure.n_nodes() != self.phases.width() {
            return Err(LearnError::Structure(format!(
                "it has {} nodes for {}",
                structure.n_nodes(),
                self.phases.width()
            )));
        }
        if let Some((from, to)) = structure.edges().find(|&(a, b)| !self.rules.allows(a, b)) {
            return Err(LearnError::Structure(format!(
                "node {to} is one number for each take and depends on nothing, not on node {from}"
            )));
        }
        if self.takes.len() < 2 {
            return self.with_fewer_edges(structure);
        }
        let n = self.takes.len() as f64;
        let corrected = (n / (n - 1.0)).sqrt();
        let slow: Vec<Columns> = self
            .takes
            .iter()
            .map(|take| {
                let off = (take - &self.mean) * corrected;
                self.knots.slow(&off.component_div(&self.spread))
            })
            .collect();
        let is_level: Vec<bool> = self.phases.kinds.iter().map(|k| k.is_level()).collect();
        let observed = Observed {
            takes: &slow,
            is_level: &is_level,
        };
        Ok(Self {
            network: Network::fit(observed, structure, &self.folds),
            ..self.clone()
        })
    }

    /// The mean and the detail of one take, with all else of this model: structure and spread are known, so one is enough
    /// (section 8).
    pub(in crate::variation) fn of_one(&self, rows: &[f64], progress: &[f64]) -> Self {
        let mean = self.phases.columns(rows, progress);
        let take = mean.clone();
        let common = Columns::zeros(mean.nrows(), mean.ncols());
        let bounds = self.pace_bounds.iter().enumerate();
        let paces = [&self.mean, &mean].map(|columns| paces(&self.phases, columns));
        Self {
            detail: Arc::new(vec![Detail::of(
                (rows, progress),
                (&mean, &common),
                &self.phases,
                &self.knots,
            )]),
            common,
            pace_bounds: bounds
                .map(|(phase, (low, high))| {
                    let faster = paces[1][phase] - paces[0][phase];
                    (low + faster, high + faster)
                })
                .collect(),
            mean,
            takes: vec![take],
            ..self.clone()
        }
    }

    /// Progress of every row of a motion against the mean.
    pub(in crate::variation) fn progress_of(&self, rows: &[f64]) -> Result<Vec<f64>, LearnError> {
        let all: Vec<usize> = (0..self.phases.n_dofs()).collect();
        self.progress_by(rows, &all)
    }

    /// The same by some degrees of freedom alone.
    pub(in crate::variation) fn progress_by(
        &self,
        rows: &[f64],
        dofs: &[usize],
    ) -> Result<Vec<f64>, LearnError> {
        let n = self.phases.n_dofs();
        let is_rate = |dof: &usize| self.phases.anatomy.rate_of(*dof).is_some();
        // Means of placed paths are no rows of the chart; they are told by the joints anyway.
        let used: Vec<usize> = dofs.iter().copied().filter(|d| !is_rate(d)).collect();
        let used = if used.is_empty() { dofs.to_vec() } else { used };
        let mean = (0..self.phases.n).flat_map(|phase| {
            let cells = used.iter().map(move |&dof| self.mean[(phase, dof)] as f32);
            cells.collect::<Vec<f32>>()
        });
        let mean = Rows::new(used.len(), mean.collect());
        let chosen = rows
            .chunks_exact(n)
            .flat_map(|row| used.iter().map(|&dof| row[dof] as f32));
        let motion = Rows::new(used.len(), chosen.collect());
        progress_along(&mean, &motion, self.phases.end)
    }

    /// A motion that was not learned from as the network sees it: knots in units of spread.
    pub(in crate::variation) fn seen(&self, rows: &[f64], progress: &[f64]) -> DMatrix<f64> {
        let n = self.takes.len() as f64;
        // Somebody else is further from a mean of few than from that of the kind.
        let share = (n / (n + 1.0)).sqrt();
        let off = (self.phases.columns(rows, progress) - &self.mean) * share;
        self.knots.slow(&off.component_div(&self.spread))
    }
}

fn mean_of(takes: &[Columns]) -> Columns {
    let n = takes.len() as f64;
    let (rows, columns) = takes[0].shape();
    let sum = takes
        .iter()
        .fold(Columns::zeros(rows, columns), |sum, take| sum + take);
    sum / n
}

pub(super) fn rules(phases: &Phases, is_level: &[bool]) -> Rules {
    let dof = |node: usize| match phases.kinds[node] {
        NodeKind::Dof(dof) => Some(dof),
        NodeKind::Timing | NodeKind::Tempo | NodeKind::Drift(_) => None,
    };
    Rules::new(&phases.limbs, is_level, |a, b| {
        let both = dof(a).zip(dof(b));
        both.map_or(usize::MAX, |(a, b)| phases.anatomy.hops(a, b))
    })
}

/// Takes left out in turn, measured from the mean of the others.
fn leave_out(
    takes: &[Columns],
    slow: &[Columns],
    spread: &Columns,
    knots: &Knots,
    past: Past,
) -> Folds {
    if takes.len() == 2 {
        return Folds::halves(&slow[0], past);
    }
    Folds::leaving_out(takes.len(), past, |others, out| {
        let of = |at: &[usize]| -> Vec<Columns> { at.iter().map(|&t| takes[t].clone()).collect() };
        let (others, out) = (of(others), of(out));
        let mean = mean_of(&others);
        let n = others.len() as f64;
        let seen = |take: &Columns, share: f64| {
            knots.slow(&((take - &mean) * share.sqrt()).component_div(spread))
        };
        (
            others.iter().map(|t| seen(t, n / (n - 1.0))).collect(),
            out.iter().map(|t| seen(t, n / (n + 1.0))).collect(),
        )
    })
}

fn found(
    kind: StructureKind,
    folds: &Folds,
    rules: &Rules,
    seed: u64,
    ticket: &Ticket,
) -> Result<Structure, LearnError> {
    if kind == StructureKind::None {
        return Ok(Structure::none(folds.n_nodes()));
    }
    let learned = search::search(folds, rules, ticket)?;
    Ok(match kind {
        StructureKind::Random => search::random(&learned, rules, seed),
        StructureKind::Full => search::full(&learned, rules),
        StructureKind::Learned | StructureKind::None => learned,
    })
}

/// By phase, the logarithm of the frames to the next.
pub(in crate::variation) fn paces(phases: &Phases, columns: &Columns) -> Vec<f64> {
    let [timing, tempo] = [NodeKind::Timing, NodeKind::Tempo].map(|kind| phases.node(kind));
    let (Some(timing), Some(tempo)) = (timing, tempo) else {
        return vec![0.0; phases.n];
    };
    let last = phases.n - 1;
    (0..phases.n)
        .map(|phase| {
            let (low, high) = (phase.saturating_sub(1), (phase + 1).min(last));
            let late = (columns[(high, timing)] - columns[(low, timing)]) / (high - low) as f64;
            columns[(phase, tempo)] + (1.0 + late).max(LEAST_PACE).ln()
        })
        .collect()
}

/// The logarithm of time at each phase that takes keep to.
fn pace_bounds(phases: &Phases, takes: &[Columns]) -> Vec<(f64, f64)> {
    let takes: Vec<Vec<f64>> = takes.iter().map(|take| paces(phases, take)).collect();
    (0..phases.n)
        .map(|phase| {
            let times = takes.iter().map(|take| take[phase]);
            let low = times.clone().fold(f64::INFINITY, f64::min);
            let high = times.fold(f64::NEG_INFINITY, f64::max);
            (low - FASTER, high + SLOWER)
        })
        .collect()
}
