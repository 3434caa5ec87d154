//! The structure of the prior network: greedy search over added, deleted and reversed edges (section 5.1).
//!
//! The score is Eq. (3) with one departure: not only the instance itself is left out but its whole take. Frames beside it
//! in the same take are nearly the same, so any parent would seem to tell everything.

use rayon::prelude::*;

use super::prior::{NEIGHBOURS, Pairs, weigh};
use super::settings::PaperSettings;
use crate::jobs::Ticket;
use crate::numerics::random::Stream;
use crate::variation::error::LearnError;

/// A node is told no finer than this, in standard deviations.
const FLOOR: f64 = 0.25;
/// An edge has to raise the score of an instance by this much, or chance decides.
const LEAST_GAIN: f64 = 0.02;
/// How many parents a node may have.
const MOST_PARENTS: usize = 5;

/// The edges found and their score: mean log-likelihood of a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub(super) parents: Vec<Vec<usize>>,
    pub(super) score: f64,
}

/// The best of several searches.
pub(super) fn search(
    pairs: &Pairs,
    settings: &PaperSettings,
    ticket: &Ticket,
) -> Result<Found, LearnError> {
    let judge = Judge::new(pairs, settings.width);
    let mut best: Option<Found> = None;
    for restart in 0..settings.restarts.max(1) {
        let begin = match restart {
            0 => vec![Vec::new(); pairs.n_nodes],
            _ => random_edges(pairs.n_nodes, settings.seed, restart as u64),
        };
        let found = climb(&judge, begin, ticket)?;
        if best.as_ref().is_none_or(|b| found.score > b.score) {
            best = Some(found);
        }
    }
    best.ok_or(LearnError::NoTakes)
}

/// Every node gets one parent among those before it in a random order.
fn random_edges(n_nodes: usize, seed: u64, restart: u64) -> Vec<Vec<usize>> {
    let mut stream = Stream::named(seed, &[0x9140, restart]);
    let mut order: Vec<usize> = (0..n_nodes).collect();
    for at in (1..n_nodes).rev() {
        order.swap(at, stream.below(at + 1));
    }
    let mut parents = vec![Vec::new(); n_nodes];
    for at in 1..n_nodes {
        parents[order[at]].push(order[stream.below(at)]);
    }
    parents
}

/// Squared distances of all pairs of instances in every node, and what follows from them.
struct Judge<'a> {
    pairs: &'a Pairs,
    width: f64,
    /// By node, instance and instance.
    apart: Vec<f32>,
    /// By instance and instance: of progress.
    phase: Vec<f32>,
}

impl<'a> Judge<'a> {
    fn new(pairs: &'a Pairs, width: f64) -> Self {
        let n = pairs.len();
        let mut apart = Vec::with_capacity(pairs.n_nodes * n * n);
        for node in 0..pairs.n_nodes {
            for a in 0..n {
                let x = pairs.row(a)[node];
                apart.extend((0..n).map(|b| (pairs.row(b)[node] - x).powi(2) as f32));
            }
        }
        let mut phase = Vec::with_capacity(n * n);
        for a in &pairs.phase {
            let d = |b: &[f32; 2]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>();
            phase.extend(pairs.phase.iter().map(d));
        }
        Self {
            pairs,
            width,
            apart,
            phase,
        }
    }

    fn n_values(&self) -> f64 {
        (self.pairs.n_nodes * self.pairs.len()) as f64
    }

    /// Sum over instances of the log-likelihood of one node given its parents.
    fn node(&self, node: usize, parents: &[usize]) -> f64 {
        let n = self.pairs.len();
        let mut weights = Vec::with_capacity(n);
        let mut values = Vec::with_capacity(n);
        let mut total = 0.0;
        for a in 0..n {
            weights.clear();
            values.clear();
            for b in (0..n).filter(|&b| self.pairs.take[b] != self.pairs.take[a]) {
                let parents = parents.iter().map(|p| self.apart[(p * n + a) * n + b]);
                weights.push(f64::from(self.phase[a * n + b] + parents.sum::<f32>()));
                values.push(self.pairs.row(b)[node]);
            }
            weigh(&mut weights, NEIGHBOURS, self.width);
            let both = || weights.iter().zip(&values);
            let mean: f64 = both().map(|(w, x)| w * x).sum();
            let variance: f64 = both().map(|(w, x)| w * (x - mean).powi(2)).sum();
            total += log_normal(self.pairs.row(a)[node] - mean, variance + FLOOR * FLOOR);
        }
        total
    }
}

/// Logarithm of a normal density.
pub(in crate::variation) fn log_normal(off: f64, variance: f64) -> f64 {
    -0.5 * (off * off / variance + variance.ln() + std::f64::consts::TAU.ln())
}

/// What every edge would bring: by node and parent; for edges that are there, what taking them out would bring.
struct Gains<'a> {
    judge: &'a Judge<'a>,
    own: Vec<f64>,
    each: Vec<Vec<f64>>,
}

impl Gains<'_> {
    fn update(&mut self, node: usize, parents: &[Vec<usize>]) {
        self.own[node] = self.judge.node(node, &parents[node]);
        self.each[node] = self.row(node, &parents[node], self.own[node]);
    }

    fn row(&self, node: usize, parents: &[usize], now: f64) -> Vec<f64> {
        let mut with = Vec::with_capacity(parents.len() + 1);
        (0..self.judge.pairs.n_nodes)
            .map(|other| {
                with.clear();
                with.extend(parents.iter().copied().filter(|&p| p != other));
                let is_there = with.len() < parents.len();
                if other == node || (!is_there && parents.len() >= MOST_PARENTS) {
                    return f64::NEG_INFINITY;
                }
                if !is_there {
                    with.push(other);
                }
                self.judge.node(node, &with) - now
            })
            .collect()
    }
}

/// A change of the edges.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Update {
    Add { node: usize, parent: usize },
    Delete { node: usize, parent: usize },
    Reverse { node: usize, parent: usize },
}

/// Applies the best update until none helps.
fn climb(
    judge: &Judge<'_>,
    mut parents: Vec<Vec<usize>>,
    ticket: &Ticket,
) -> Result<Found, LearnError> {
    let n = parents.len();
    let mut gains = Gains {
        judge,
        own: vec![0.0; n],
        each: Vec::new(),
    };
    gains.own = (0..n)
        .into_par_iter()
        .map(|i| judge.node(i, &parents[i]))
        .collect();
    gains.each = (0..n)
        .into_par_iter()
        .map(|i| gains.row(i, &parents[i], gains.own[i]))
        .collect();
    // Every update raises the score by a least amount, so this ends; the bound is for safety.
    for _ in 0..n * MOST_PARENTS * 2 {
        ticket.check()?;
        let Some(update) = best_update(&gains, &parents) else {
            break;
        };
        let changed: &[usize] = match update {
            Update::Add { node, parent } => {
                parents[node].push(parent);
                &[node]
            }
            Update::Delete { node, parent } => {
                parents[node].retain(|&p| p != parent);
                &[node]
            }
            Update::Reverse { node, parent } => {
                parents[node].retain(|&p| p != parent);
                parents[parent].push(node);
                &[node, parent]
            }
        };
        for &node in changed {
            parents[node].sort_unstable();
            gains.update(node, &parents);
        }
    }
    Ok(Found {
        score: gains.own.iter().sum::<f64>() / judge.n_values(),
        parents,
    })
}

fn best_update(gains: &Gains<'_>, parents: &[Vec<usize>]) -> Option<Update> {
    let n = parents.len();
    let least = LEAST_GAIN * gains.judge.pairs.len() as f64;
    let mut all: Vec<(f64, Update)> = Vec::new();
    for node in 0..n {
        for parent in 0..n {
            let gain = gains.each[node][parent];
            if parents[node].contains(&parent) {
                // A deletion needs no reward: fewer edges are better at the same score.
                if gain > 0.0 {
                    all.push((gain + least, Update::Delete { node, parent }));
                }
                let reversed = gain + gains.each[parent][node];
                if reversed > least && !parents[parent].contains(&node) {
                    all.push((reversed, Update::Reverse { node, parent }));
                }
            } else if gain > least {
                all.push((gain, Update::Add { node, parent }));
            }
        }
    }
    // The best that closes no circle.
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let fine = all.iter().find(|(_, update)| match *update {
        Update::Delete { .. } => true,
        Update::Add { node, parent } => !reaches(parents, node, parent, None),
        Update::Reverse { node, parent } => !reaches(parents, parent, node, Some((node, parent))),
    });
    fine.map(|(_, update)| *update)
}

/// Whether `from` is an ancestor of `to`, not going over one edge (node, parent).
fn reaches(
    parents: &[Vec<usize>],
    from: usize,
    to: usize,
    without: Option<(usize, usize)>,
) -> bool {
    let mut seen = vec![false; parents.len()];
    let mut open = vec![to];
    while let Some(node) = open.pop() {
        if node == from {
            return true;
        }
        if std::mem::replace(&mut seen[node], true) {
            continue;
        }
        let up = parents[node].iter();
        open.extend(up.filter(|&&parent| without != Some((node, parent))));
    }
    false
}
