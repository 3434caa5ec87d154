//! What a model knows, for whoever wants to look inside.

use super::error::LearnError;
use super::model::Model;
use super::network::{Moment, Scratch, regress};
use super::search::{score_of, worth_of_parents};
use super::structure::{Parent, Structure};

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
        if self.examples().n_takes() < 2 {
            let parents = self.structure().parents(node).iter();
            return parents.map(|p| (*p, 0.0)).collect();
        }
        worth_of_parents(self.examples(), self.structure(), self.settings(), node)
    }

    /// The score that another structure would have on the same takes.
    pub fn score_of(&self, structure: &Structure) -> Result<f64, LearnError> {
        score_of(self.examples(), structure, self.settings())
    }

    /// How one node would go on after two frames, given in the units of the takes.
    pub fn regression(
        &self,
        node: usize,
        before: &[f64],
        now: &[f64],
        progress: f64,
    ) -> Result<Regression, LearnError> {
        let examples = self.examples();
        let n = examples.n_dofs();
        for row in [before, now] {
            if row.len() != n {
                return Err(LearnError::Width {
                    take: "moment".to_owned(),
                    expected: n,
                    found: row.len(),
                });
            }
        }
        if node >= n {
            return Err(LearnError::Structure(format!("there is no node {node}")));
        }
        let phase = examples
            .progress
            .features(progress, self.settings().phase_secs);
        let moment = Moment { before, now, phase };
        let mut scratch = Scratch::default();
        self.network()
            .look_at_node(node, moment, None, &mut scratch);
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
}
