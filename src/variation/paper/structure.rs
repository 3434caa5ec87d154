//! Who listens to whom: the edges of both networks.
//!
//! The transition network (Fig. 2 of the paper, right) has one node per degree of freedom at time t+2; its parents are
//! degrees of freedom at t ([`Seen::Before`]) and t+1 ([`Seen::Now`]). A node always sees itself at both. The prior
//! network has two nodes per degree of freedom, for the first two frames, and must not have circles.

use crate::variation::error::LearnError;
use crate::variation::network::structure::topological;

/// Which of the two frames a parent is seen in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seen {
    /// The frame before, at time t.
    Before,
    /// The frame itself, at time t+1.
    Now,
}

/// A parent in the transition network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Parent {
    /// Which degree of freedom.
    pub dof: usize,
    /// In which of the two frames it is seen.
    pub seen: Seen,
}

impl Parent {
    /// A degree of freedom in both frames: then its speed is seen, too.
    pub const fn both(dof: usize) -> [Self; 2] {
        [
            Self {
                dof,
                seen: Seen::Before,
            },
            Self {
                dof,
                seen: Seen::Now,
            },
        ]
    }
}

/// The edges of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaperStructure {
    /// For every node its parents beside itself, in order, each once.
    transition: Vec<Vec<Parent>>,
    /// For every node of the prior network its parents, in order, each once. Nodes `0..n` are the first frame, `n..2n`
    /// the change to the second.
    prior: Vec<Vec<usize>>,
}

impl PaperStructure {
    /// No edges but those of every node from itself.
    pub fn bare(n_dofs: usize) -> Self {
        Self {
            transition: vec![Vec::new(); n_dofs],
            prior: vec![Vec::new(); 2 * n_dofs],
        }
    }

    /// Every node listens to these degrees of freedom, in both frames.
    pub fn shared(n_dofs: usize, parents: &[usize]) -> Self {
        let mut made = Self::bare(n_dofs);
        for node in 0..n_dofs {
            for &dof in parents {
                for parent in Parent::both(dof) {
                    made.add(node, parent);
                }
            }
        }
        made
    }

    /// Checks that all edges lead somewhere, and puts them in order.
    pub fn from_edges(
        mut transition: Vec<Vec<Parent>>,
        mut prior: Vec<Vec<usize>>,
    ) -> Result<Self, LearnError> {
        let n_dofs = transition.len();
        if prior.len() != 2 * n_dofs {
            return Err(LearnError::Structure(format!(
                "the prior network has {} nodes, expected {}",
                prior.len(),
                2 * n_dofs
            )));
        }
        for (node, parents) in transition.iter_mut().enumerate() {
            if let Some(parent) = parents.iter().find(|p| p.dof >= n_dofs) {
                return Err(LearnError::Structure(format!(
                    "node {node} has parent {}, but there are {n_dofs} degrees of freedom",
                    parent.dof
                )));
            }
            parents.retain(|p| p.dof != node);
            parents.sort_unstable();
            parents.dedup();
        }
        for (node, parents) in prior.iter_mut().enumerate() {
            if let Some(parent) = parents.iter().find(|p| **p >= 2 * n_dofs) {
                return Err(LearnError::Structure(format!(
                    "node {node} of the prior network has parent {parent}, but there are {} nodes",
                    2 * n_dofs
                )));
            }
            parents.sort_unstable();
            parents.dedup();
        }
        let made = Self { transition, prior };
        if made.prior_order().len() < 2 * n_dofs {
            return Err(LearnError::Structure(
                "the prior network has a circle".to_owned(),
            ));
        }
        Ok(made)
    }

    /// How many degrees of freedom there are.
    pub fn n_dofs(&self) -> usize {
        self.transition.len()
    }

    /// Parents of a node of the transition network, beside itself.
    pub fn parents(&self, node: usize) -> &[Parent] {
        &self.transition[node]
    }

    /// Mean number of parents in the transition network, with the node itself at both frames.
    pub fn mean_parents(&self) -> f64 {
        let sum: usize = self.transition.iter().map(|p| p.len() + 2).sum();
        sum as f64 / self.transition.len().max(1) as f64
    }

    /// Adds an edge to the transition network; false if it was there or needs no saying. Nodes out of range are a
    /// mistake of the caller.
    pub fn add(&mut self, node: usize, parent: Parent) -> bool {
        if parent.dof == node || parent.dof >= self.n_dofs() {
            return false;
        }
        match self.transition[node].binary_search(&parent) {
            Ok(_) => false,
            Err(at) => {
                self.transition[node].insert(at, parent);
                true
            }
        }
    }

    /// Takes an edge out of the transition network; false if there was none.
    pub fn remove(&mut self, node: usize, parent: Parent) -> bool {
        match self.transition[node].binary_search(&parent) {
            Ok(at) => {
                self.transition[node].remove(at);
                true
            }
            Err(_) => false,
        }
    }

    /// Gives the prior network these edges; refuses circles.
    pub fn with_prior(self, prior: Vec<Vec<usize>>) -> Result<Self, LearnError> {
        Self::from_edges(self.transition, prior)
    }

    /// All parents of all nodes of the prior network.
    pub fn prior(&self) -> &[Vec<usize>] {
        &self.prior
    }

    /// Nodes of the prior network, parents before children, smallest first; not all of them if there is a circle.
    pub(super) fn prior_order(&self) -> Vec<usize> {
        topological(&self.prior)
    }
}
