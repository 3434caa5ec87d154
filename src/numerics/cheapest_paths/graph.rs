//! The graph that paths are searched in: nodes, edges and their costs.

/// What is wrong with an edge.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GraphError {
    /// An end of the edge is not a node of the graph.
    #[error("the edge from {from} to {to} leaves the graph of {n_nodes} nodes")]
    Node {
        /// Where the edge begins.
        from: u32,
        /// Where the edge ends.
        to: u32,
        /// Nodes of the graph.
        n_nodes: u32,
    },
    /// The weight is negative, infinite or not a number.
    #[error(
        "the edge from {from} to {to} has the weight {weight}: it must be finite and not negative"
    )]
    Weight {
        /// Where the edge begins.
        from: u32,
        /// Where the edge ends.
        to: u32,
        /// The weight that was given.
        weight: f64,
    },
}

/// A directed graph with weights, in compressed rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Digraph {
    pub(super) forward: CompressedRows,
    pub(super) reverse: CompressedRows,
}

/// Edges by the node they are kept at, each with its other end.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct CompressedRows {
    /// One more than nodes; row `v` is `starts[v]..starts[v + 1]`.
    pub(super) starts: Vec<u32>,
    ends: Vec<u32>,
    weights: Vec<f64>,
}

impl CompressedRows {
    /// From edges that are sorted by the node they are kept at.
    fn of(n_nodes: u32, edges: &[(u32, u32, f64)]) -> Self {
        let mut starts = vec![0; n_nodes as usize + 1];
        for &(at, ..) in edges {
            starts[at as usize + 1] += 1;
        }
        for v in 0..n_nodes as usize {
            starts[v + 1] += starts[v];
        }
        Self {
            starts,
            ends: edges.iter().map(|e| e.1).collect(),
            weights: edges.iter().map(|e| e.2).collect(),
        }
    }

    pub(super) fn range(&self, node: u32) -> std::ops::Range<usize> {
        self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize
    }

    pub(super) fn row(&self, node: u32) -> impl Iterator<Item = (u32, f64)> + '_ {
        let range = self.range(node);
        let ends = self.ends[range.clone()].iter().copied();
        ends.zip(self.weights[range].iter().copied())
    }
}

impl Digraph {
    /// From edges `(from, to, weight)` in any order. Of parallel edges the cheapest is kept; an edge from a node to
    /// itself is on no loopless path and is dropped.
    pub fn new(
        n_nodes: u32,
        edges: impl IntoIterator<Item = (u32, u32, f64)>,
    ) -> Result<Self, GraphError> {
        let mut kept = Vec::new();
        for (from, to, weight) in edges {
            if from >= n_nodes || to >= n_nodes {
                return Err(GraphError::Node { from, to, n_nodes });
            }
            if !weight.is_finite() || weight < 0.0 {
                return Err(GraphError::Weight { from, to, weight });
            }
            if from != to {
                // Adding zero turns -0 into 0: the order of bits is then the order of numbers.
                kept.push((from, to, weight + 0.0));
            }
        }
        kept.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        kept.dedup_by_key(|edge| (edge.0, edge.1));
        let forward = CompressedRows::of(n_nodes, &kept);
        for edge in &mut kept {
            (edge.0, edge.1) = (edge.1, edge.0);
        }
        kept.sort_unstable_by_key(|edge| (edge.0, edge.1));
        let reverse = CompressedRows::of(n_nodes, &kept);
        Ok(Self { forward, reverse })
    }

    /// The number of nodes.
    pub fn n_nodes(&self) -> u32 {
        self.forward.starts.len() as u32 - 1
    }

    /// The number of edges that were kept.
    pub fn n_edges(&self) -> usize {
        self.forward.ends.len()
    }

    /// The edges from a node: where to, and the weight, in the order of the nodes.
    ///
    /// # Panics
    /// If the node is not in the graph.
    pub fn edges_from(&self, node: u32) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.forward.row(node)
    }

    /// The weight of an edge, if there is one.
    pub fn weight(&self, from: u32, to: u32) -> Option<f64> {
        if from >= self.n_nodes() {
            return None;
        }
        let range = self.forward.range(from);
        let at = self.forward.ends[range.clone()].binary_search(&to).ok()?;
        Some(self.forward.weights[range.start + at])
    }
}
