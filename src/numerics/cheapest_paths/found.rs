//! Paths that were found.

/// Paths one after the other, with the cost from the source to each of their nodes.
#[derive(Debug, Clone, Default)]
pub(super) struct PathStore {
    /// Where each path ends.
    pub(super) ends: Vec<u32>,
    pub(super) nodes: Vec<u32>,
    pub(super) costs: Vec<f64>,
}

impl PathStore {
    pub(super) fn clear(&mut self) {
        self.ends.clear();
        self.nodes.clear();
        self.costs.clear();
    }

    pub(super) fn range(&self, path: usize) -> std::ops::Range<usize> {
        let start = if path == 0 { 0 } else { self.ends[path - 1] };
        start as usize..self.ends[path] as usize
    }

    pub(super) fn push(&mut self, node: u32, cost: f64) {
        self.nodes.push(node);
        self.costs.push(cost);
    }

    pub(super) fn cost(&self, path: usize) -> f64 {
        self.costs[self.ends[path] as usize - 1]
    }
}
