//! Who depends on whom: the edges of the network, without circles.
//!
//! Edges lie inside a frame: a node is drawn after its parents. What ties frames together is each node's own past
//! ([`super::conditional`]), which through the edges reaches its children.

use crate::variation::error::LearnError;

/// The parents of every node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structure {
    /// In order, each once.
    parents: Vec<Vec<usize>>,
}

impl Structure {
    /// A structure without edges, over this many nodes.
    pub fn none(n_nodes: usize) -> Self {
        Self {
            parents: vec![Vec::new(); n_nodes],
        }
    }

    /// Checks that all edges lead somewhere and none back.
    pub fn from_parents(mut parents: Vec<Vec<usize>>) -> Result<Self, LearnError> {
        let n = parents.len();
        for (node, of_node) in parents.iter_mut().enumerate() {
            if let Some(parent) = of_node.iter().find(|p| **p >= n || **p == node) {
                return Err(LearnError::Structure(format!(
                    "node {node} cannot depend on node {parent} of {n}"
                )));
            }
            of_node.sort_unstable();
            of_node.dedup();
        }
        let made = Self { parents };
        if made.order().len() < n {
            return Err(LearnError::Structure("the network has a circle".to_owned()));
        }
        Ok(made)
    }

    /// How many nodes there are.
    pub fn n_nodes(&self) -> usize {
        self.parents.len()
    }

    /// Parents of a node.
    pub fn parents(&self, node: usize) -> &[usize] {
        &self.parents[node]
    }

    /// All edges, from parent to child, child by child.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let nodes = self.parents.iter().enumerate();
        nodes.flat_map(|(node, parents)| parents.iter().map(move |&p| (p, node)))
    }

    /// How many edges there are.
    pub fn n_edges(&self) -> usize {
        self.parents.iter().map(Vec::len).sum()
    }

    /// Mean number of parents, with the node itself in both frames before.
    pub fn mean_parents(&self) -> f64 {
        2.0 + self.n_edges() as f64 / self.parents.len().max(1) as f64
    }

    /// Whether there is an edge.
    pub fn has(&self, from: usize, to: usize) -> bool {
        self.parents[to].binary_search(&from).is_ok()
    }

    /// With an edge more, unless that closes a circle.
    pub fn with(&self, from: usize, to: usize) -> Result<Self, LearnError> {
        let mut parents = self.parents.clone();
        let of_node = parents.get_mut(to);
        of_node
            .ok_or_else(|| LearnError::Structure(format!("there is no node {to}")))?
            .push(from);
        Self::from_parents(parents)
    }

    /// The same structure without the edges that are named.
    pub fn without(&self, is_gone: impl Fn(usize, usize) -> bool) -> Self {
        let kept = |(node, parents): (usize, &Vec<usize>)| {
            let parents = parents.iter().copied();
            parents.filter(|&p| !is_gone(p, node)).collect()
        };
        Self {
            parents: self.parents.iter().enumerate().map(kept).collect(),
        }
    }

    /// Nodes with parents before children, smallest first; not all of them if there is a circle.
    pub fn order(&self) -> Vec<usize> {
        topological(&self.parents)
    }

    pub(in crate::variation) fn set_parents(&mut self, node: usize, parents: Vec<usize>) {
        self.parents[node] = parents;
    }
}

/// Nodes with parents before children; shorter than the input if there is a circle.
pub(in crate::variation) fn topological(parents: &[Vec<usize>]) -> Vec<usize> {
    let mut waits: Vec<usize> = parents.iter().map(Vec::len).collect();
    let mut children = vec![Vec::new(); parents.len()];
    for (node, parents) in parents.iter().enumerate() {
        for &parent in parents {
            children[parent].push(node);
        }
    }
    let mut ready: std::collections::BTreeSet<usize> =
        (0..parents.len()).filter(|&n| waits[n] == 0).collect();
    let mut order = Vec::with_capacity(parents.len());
    while let Some(node) = ready.pop_first() {
        order.push(node);
        for &child in &children[node] {
            waits[child] -= 1;
            if waits[child] == 0 {
                ready.insert(child);
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_and_nodes_that_are_not_there_are_refused() {
        let line = Structure::from_parents(vec![vec![], vec![0], vec![1, 1]]).unwrap();
        assert_eq!(line.parents(2), [1], "each parent once");
        assert_eq!(line.order(), [0, 1, 2]);
        assert!(line.with(2, 0).is_err(), "a circle");
        assert!(line.with(0, 0).is_err(), "itself");
        assert!(line.with(0, 7).is_err(), "nobody");
        let more = line.with(0, 2).unwrap();
        assert_eq!(more.n_edges(), 3);
        assert_eq!(more.without(|from, _| from == 0).n_edges(), 1);
    }
}
