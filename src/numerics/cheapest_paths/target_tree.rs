//! The cheapest way from every node to one target, and what every edge costs that leaves it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Digraph;

/// No node; also the next node of the target and of nodes that do not reach it.
pub(super) const NONE: u32 = u32::MAX;

/// An edge that a path may leave the cheapest way by.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spur {
    /// Weight of the edge and the remaining cost behind it.
    pub(super) cost: f64,
    pub(super) weight: f64,
    pub(super) to: u32,
}

/// All ways to one target; its buffers are used again.
#[derive(Debug, Clone)]
pub(super) struct TargetTree {
    pub(super) target: u32,
    /// Cost of the cheapest path from each node to the target; infinite without one.
    pub(super) remaining: Vec<f64>,
    /// The node that follows on that path, and the weight of the edge to it.
    pub(super) next: Vec<(u32, f64)>,
    /// Where each node's row of `spurs` ends; it begins where the graph's row does. Edges that do not lead to the
    /// target are left out.
    pub(super) row_ends: Vec<u32>,
    /// The edges of each node, sorted by the cost of the cheapest path over them.
    pub(super) spurs: Vec<Spur>,
    open: BinaryHeap<Reverse<(u64, u32)>>,
}

impl TargetTree {
    /// Without a target yet.
    pub(super) fn new(graph: &Digraph) -> Self {
        let n = graph.n_nodes() as usize;
        Self {
            target: NONE,
            remaining: vec![f64::INFINITY; n],
            next: vec![(NONE, 0.0); n],
            row_ends: graph.forward.starts[..n].to_vec(),
            spurs: vec![Spur::default(); graph.n_edges()],
            open: BinaryHeap::new(),
        }
    }

    /// To this node from now on. To a node that is not in the graph there are none.
    pub(super) fn lead_to(&mut self, graph: &Digraph, target: u32) {
        self.target = target;
        self.remaining.fill(f64::INFINITY);
        self.next.fill((NONE, 0.0));
        if target < graph.n_nodes() {
            self.search_backwards(graph);
        }
        for v in 0..graph.n_nodes() {
            let start = graph.forward.range(v).start;
            let mut end = start;
            for (to, weight) in graph.forward.row(v) {
                let cost = weight + self.remaining[to as usize];
                if cost < f64::INFINITY {
                    self.spurs[end] = Spur { cost, weight, to };
                    end += 1;
                }
            }
            self.row_ends[v as usize] = end as u32;
            self.spurs[start..end]
                .sort_unstable_by(|a, b| a.cost.total_cmp(&b.cost).then(a.to.cmp(&b.to)));
        }
    }

    /// Dijkstra's search over the reversed edges.
    fn search_backwards(&mut self, graph: &Digraph) {
        self.open.clear();
        self.remaining[self.target as usize] = 0.0;
        self.open.push(Reverse((0, self.target)));
        while let Some(Reverse((bits, v))) = self.open.pop() {
            let cost = f64::from_bits(bits);
            if cost > self.remaining[v as usize] {
                continue;
            }
            for (from, weight) in graph.reverse.row(v) {
                let over = cost + weight;
                // Only a true gain changes the next node: with edges of weight zero, anything else could close a
                // circle.
                if over < self.remaining[from as usize] {
                    self.remaining[from as usize] = over;
                    self.next[from as usize] = (v, weight);
                    self.open.push(Reverse((over.to_bits(), from)));
                }
            }
        }
    }
}
