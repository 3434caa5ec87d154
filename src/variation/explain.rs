//! What a model knows, for whoever wants to look inside.

use std::ops::Range;

use super::error::LearnError;
use super::model::Model;
use super::network::{Moment, Scratch, regress};
use super::prior_search;
use super::search::{score_of, worth_of_parents};
use super::structure::{Parent, Structure};
use crate::jobs::Ticket;

/// One of the moments that a node goes by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbour {
    /// Which take.
    pub take: usize,
    /// Its frame *now*; the change is from there to the next.
    pub frame: usize,
    /// All weights of a node add up to 1.
    pub weight: f64,
    /// Change to the next frame, in the units of the takes.
    pub change: f64,
}

/// The regression of one node at one moment, Eqs. (5) and (6).
#[derive(Debug, Clone, PartialEq)]
pub struct Regression {
    /// The nearest first.
    pub neighbours: Vec<Neighbour>,
    /// Mean change to the next frame.
    pub mean: f64,
    /// Its standard deviation over the neighbours.
    pub sigma: f64,
}

impl Model {
    /// What each parent of a node brings to the score: by how much the mean log-likelihood of the node would fall
    /// without it.
    pub fn worth_of_parents(&self, node: usize) -> Vec<(Parent, f64)> {
        let parents = self.structure().parents(node).iter().copied();
        let found = self.worths(node..node + 1, &Ticket::default());
        let worths = found.ok().and_then(|mut all| all.pop());
        // Only a single take has no score; then no parent brings anything.
        let worths = worths.unwrap_or_else(|| vec![0.0; self.structure().parents(node).len()]);
        parents.zip(worths).collect()
    }

    /// The same for all nodes, each in the order of [`Structure::parents`].
    pub fn worth_of_all_parents(&self, ticket: &Ticket) -> Result<Vec<Vec<f64>>, LearnError> {
        self.worths(0..self.structure().n_dofs(), ticket)
    }

    fn worths(&self, nodes: Range<usize>, ticket: &Ticket) -> Result<Vec<Vec<f64>>, LearnError> {
        self.needs_takes()?;
        let (examples, structure) = (self.examples(), self.structure());
        worth_of_parents(examples, structure, self.settings(), nodes, ticket)
    }

    /// What each parent of each node of the prior network brings, in the order of [`Structure::prior_parents`].
    pub fn worth_of_prior_parents(&self) -> Result<Vec<Vec<f64>>, LearnError> {
        self.needs_takes()?;
        let (pairs, width) = (self.prior().pairs(), self.settings().width);
        Ok(prior_search::worths(pairs, self.structure().prior(), width))
    }

    fn needs_takes(&self) -> Result<(), LearnError> {
        match self.examples().n_takes() {
            0 | 1 => Err(LearnError::TooFewTakes {
                found: self.examples().n_takes(),
                needed: 2,
            }),
            _ => Ok(()),
        }
    }

    /// The score that another structure would have on the same takes.
    pub fn score_of(&self, structure: &Structure) -> Result<f64, LearnError> {
        score_of(self.examples(), structure, self.settings())
    }

    /// The score that the prior network of another structure would have on the same takes.
    pub fn prior_score_of(&self, structure: &Structure) -> Result<f64, LearnError> {
        self.needs_takes()?;
        if structure.n_dofs() != self.examples().n_dofs() {
            return Err(LearnError::Structure(format!(
                "it has {} nodes for {} degrees of freedom",
                structure.n_dofs(),
                self.examples().n_dofs()
            )));
        }
        let (pairs, width) = (self.prior().pairs(), self.settings().width);
        Ok(prior_search::score_of(pairs, structure.prior(), width))
    }

    /// How one node of the prior network would be drawn if its parents were as in these two frames, given in the units of
    /// the takes. Nodes of the first frame tell values instead of changes.
    pub fn prior_regression(
        &self,
        node: usize,
        first: &[f64],
        second: &[f64],
    ) -> Result<Regression, LearnError> {
        let n = self.examples().n_dofs();
        self.check_rows(node % n.max(1), [first, second])?;
        if node >= 2 * n {
            return Err(LearnError::Structure(format!("there is no node {node}")));
        }
        let pairs = self.prior().pairs();
        let sizes = &pairs.change_size;
        let changes = (0..n).map(|dof| (second[dof] - first[dof]) / sizes[dof]);
        let values: Vec<f64> = first.iter().copied().chain(changes).collect();
        let (weights, mean, variance) = self.prior().look_at_node(node, &values);
        let unit = if node < n { 1.0 } else { sizes[node - n] };
        let used = (0..pairs.len()).filter(|&pair| weights[pair] > 0.0);
        let mut neighbours: Vec<Neighbour> = used
            .map(|pair| Neighbour {
                take: pairs.take[pair],
                frame: pairs.frame[pair],
                weight: weights[pair],
                change: pairs.row(pair)[node] * unit,
            })
            .collect();
        neighbours.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        Ok(Regression {
            neighbours,
            mean: mean * unit,
            sigma: variance.sqrt() * unit,
        })
    }

    /// How one node would go on after two frames, given in the units of the takes.
    pub fn regression(
        &self,
        node: usize,
        before: &[f64],
        now: &[f64],
        progress: f64,
    ) -> Result<Regression, LearnError> {
        self.regression_without(node, [before, now], progress, None)
    }

    /// The same for frames *before* and *now* of a take that is left out, as when the model was judged: a take is its
    /// own best neighbour.
    pub fn regression_without(
        &self,
        node: usize,
        [before, now]: [&[f64]; 2],
        progress: f64,
        without: Option<usize>,
    ) -> Result<Regression, LearnError> {
        self.check_rows(node, [before, now])?;
        let examples = self.examples();
        let without = without.filter(|take| *take < examples.n_takes() && examples.n_takes() > 1);
        let phase = examples
            .progress
            .features(progress, self.settings().phase_secs);
        let moment = Moment { before, now, phase };
        let mut scratch = Scratch::default();
        self.network()
            .look_at_node(node, moment, without, &mut scratch);
        let instances = self.instances();
        let told = regress(instances, &scratch, node);
        let (near, weights) = scratch.of(node);
        let neighbours = near.iter().zip(weights).map(|(&at, &weight)| {
            let at = at as usize;
            let take = instances.take[at] as usize;
            Neighbour {
                take,
                frame: instances.row[at] as usize - examples.takes[take].start,
                weight: f64::from(weight),
                change: f64::from(instances.change[at * instances.stride + node]),
            }
        });
        Ok(Regression {
            neighbours: neighbours.collect(),
            mean: told.change,
            sigma: told.variance.sqrt(),
        })
    }
    fn check_rows(&self, node: usize, rows: [&[f64]; 2]) -> Result<(), LearnError> {
        let n = self.examples().n_dofs();
        if let Some(row) = rows.into_iter().find(|row| row.len() != n) {
            return Err(LearnError::Width {
                take: "moment".to_owned(),
                expected: n,
                found: row.len(),
            });
        }
        if node >= n {
            return Err(LearnError::Structure(format!("there is no node {node}")));
        }
        Ok(())
    }
}
