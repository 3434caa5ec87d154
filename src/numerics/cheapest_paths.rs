//! The k cheapest loopless paths of a directed graph, for one pair of nodes or for all pairs.
//!
//! A transition graph keeps a handful of candidate paths for every pair of poses (Peng 2007, section 4.3), so that a
//! change of plan at run time is a look-up.
//!
//! The order of search is Yen's (1971) with Lawler's rule (1972): every further path leaves one that is already known
//! at some node, its *spur*, and no path is found twice. What is our own:
//!
//! - One Dijkstra search backwards from the target gives the exact remaining cost of every node, and sorts the edges of
//!   every node by the cost of the best path over them. The best spur at a node is then the next edge of its row, with
//!   a lower bound that is the true cost unless the path of least cost from there runs back into the prefix.
//! - A spur is looked at only when its bound comes up as the cheapest of all. If the path of least cost behind it
//!   avoids the prefix, it is the answer, in as many steps as it has nodes. Only otherwise a search is made (A* with
//!   the exact remaining costs, the prefix forbidden), and it ends at the first node from where the path of least cost
//!   is free.
//!
//! Measured on the reference graph (164 nodes, 660 edges, k = 5, 26 732 pairs, one thread), best of several runs in
//! turn: 33 ms. `yen` of the crate `pathfinding` 4.16 takes 17.6 s for the same paths; `k_shortest_path` of `petgraph`
//! 0.8 is no substitute, since it gives only the cost of the k-th walk, loops included (67 ms). The README of the
//! graph has 23.5 s for python-igraph.
//!
//! What it assumes: weights are finite and not negative. Costs are sums of `f64` from source to target; two paths
//! whose costs differ by rounding only may change places at the k-th rank.

mod found;
mod graph;
mod table;
mod target_tree;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use found::PathStore;
use target_tree::{NONE, TargetTree};

pub use graph::{Digraph, GraphError};
pub use table::PathTable;

/// A way through the graph that visits no node twice.
#[derive(Debug, Clone, PartialEq)]
pub struct NodePath {
    /// Sum of the weights.
    pub cost: f64,
    /// From source to target, both included.
    pub nodes: Vec<u32>,
}

/// Searches for paths to one target at a time; its buffers are used again.
#[derive(Debug, Clone)]
pub struct PathSearch<'g> {
    graph: &'g Digraph,
    tree: TargetTree,
    /// Marks of nodes on a path: `mark_base` plus the place on it; lower numbers are from before.
    marks: Vec<u64>,
    mark_base: u64,
    queue: BinaryHeap<Reverse<Candidate>>,
    found: PathStore,
    /// Node sequences behind spurs that needed a search, one after the other.
    detours: Vec<u32>,
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// What the A* search knows of each node, valid where the stamp is that of the search.
    labels: Vec<SearchLabel>,
    label_stamp: u32,
    order: Vec<usize>,
}

/// All paths that share a prefix with a known path and leave it by one edge; the cheapest of them is not known until
/// it is looked at.
///
/// Ordered by its cost and then by where it comes from, so that results are the same every time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// At most the cost of the cheapest of them, as the bits of an `f64` that is not negative.
    bound: u64,
    /// Index of the known path among those found.
    path: u32,
    /// Where on it the spur node is.
    at: u32,
    /// Which of all `spurs` is taken.
    spur: u32,
    /// Where in `detours` the nodes behind the spur are, and how many; none if they are those of least cost.
    detour: (u32, u32),
}

const NO_DETOUR: (u32, u32) = (0, 0);

#[derive(Debug, Clone, Copy, Default)]
struct SearchLabel {
    stamp: u32,
    from: u32,
    cost: f64,
}

impl<'g> PathSearch<'g> {
    /// Without a target yet.
    pub fn new(graph: &'g Digraph) -> Self {
        let n = graph.n_nodes() as usize;
        Self {
            graph,
            tree: TargetTree::new(graph),
            marks: vec![0; n],
            mark_base: 1,
            queue: BinaryHeap::new(),
            found: PathStore::default(),
            detours: Vec::new(),
            open: BinaryHeap::new(),
            labels: vec![SearchLabel::default(); n],
            label_stamp: 0,
            order: Vec::new(),
        }
    }

    /// Paths lead to this node from now on. To a node that is not in the graph there are none.
    pub fn to(&mut self, target: u32) {
        self.tree.lead_to(self.graph, target);
    }

    /// What the cheapest path from a node to the target costs, if there is one.
    pub fn cheapest_cost(&self, source: u32) -> Option<f64> {
        let cost = self.tree.remaining.get(source as usize)?;
        cost.is_finite().then_some(*cost)
    }

    /// The `k` cheapest loopless paths from `source` to the target that cost at most `cost_limit`, cheapest first, and
    /// of equal cost in the order of their nodes.
    ///
    /// From the target to itself there are none. If more paths than are wanted tie for the last place, which of them is
    /// given is the same every time, but not otherwise promised.
    pub fn k_cheapest(&mut self, source: u32, k: usize, cost_limit: f64) -> Vec<NodePath> {
        let mut paths = Vec::new();
        self.visit(source, k, cost_limit, |cost, nodes| {
            paths.push(NodePath {
                cost,
                nodes: nodes.to_vec(),
            });
        });
        paths
    }

    /// As [`Self::k_cheapest`], but shows each path instead of copying it.
    pub fn visit(
        &mut self,
        source: u32,
        k: usize,
        cost_limit: f64,
        mut each: impl FnMut(f64, &[u32]),
    ) {
        self.search(source, k, cost_limit);
        let found = &self.found;
        self.order.clear();
        // The search prunes with some room for rounding, so the limit is kept here.
        let n_found = 0..found.ends.len();
        self.order
            .extend(n_found.filter(|&path| found.cost(path) <= cost_limit));
        self.order.sort_unstable_by(|&a, &b| {
            let nodes = |path: usize| &found.nodes[found.range(path)];
            let by_cost = found.cost(a).total_cmp(&found.cost(b));
            by_cost.then_with(|| nodes(a).cmp(nodes(b)))
        });
        for &path in &self.order {
            each(found.cost(path), &found.nodes[found.range(path)]);
        }
    }

    /// Fills `found` with the paths, in the order of their costs up to rounding.
    fn search(&mut self, source: u32, k: usize, cost_limit: f64) {
        self.found.clear();
        self.queue.clear();
        self.detours.clear();
        if k == 0 || source == self.tree.target || self.cheapest_cost(source).is_none() {
            return;
        }
        // Bounds are sums in another order than costs.
        let limit = cost_limit * (1.0 + 1e-12);
        if self.tree.remaining[source as usize] > limit {
            return;
        }
        self.found.push(source, 0.0);
        self.finish_along_tree(source, 0.0);
        if k > 1 {
            self.branch(0, limit);
        }
        while self.found.ends.len() < k
            && let Some(Reverse(candidate)) = self.queue.pop()
        {
            let is_known = candidate.detour != NO_DETOUR;
            if !is_known {
                let (path, at) = (candidate.path as usize, candidate.at as usize);
                self.mark(path, at);
                self.push_spur(path, at, candidate.spur as usize + 1, limit);
                if self.runs_into_prefix(self.tree.spurs[candidate.spur as usize].to) {
                    self.search_detour(candidate, limit);
                    continue;
                }
            }
            self.accept(candidate);
            if self.found.ends.len() < k {
                self.branch(candidate.at as usize + 1, limit);
            }
        }
    }

    /// Marks a path up to a place, for [`Self::is_marked`].
    fn mark(&mut self, path: usize, last: usize) {
        self.mark_base += u64::from(self.graph.n_nodes());
        let start = self.found.range(path).start;
        for (place, &node) in self.found.nodes[start..=start + last].iter().enumerate() {
            self.marks[node as usize] = self.mark_base + place as u64;
        }
    }

    /// Whether a node is on the marked path, not behind `last`.
    fn is_marked(&self, node: u32, last: usize) -> bool {
        let mark = self.marks[node as usize];
        mark >= self.mark_base && mark <= self.mark_base + last as u64
    }

    /// Whether the path of least cost from a node meets the marked prefix.
    fn runs_into_prefix(&self, node: u32) -> bool {
        let mut node = node;
        while node != NONE {
            if self.marks[node as usize] >= self.mark_base {
                return true;
            }
            node = self.tree.next[node as usize].0;
        }
        false
    }

    /// Puts the spurs of the last path into the queue, from this place on: what leaves it earlier came from the path
    /// before.
    fn branch(&mut self, from: usize, limit: f64) {
        let path = self.found.ends.len() - 1;
        let range = self.found.range(path);
        let n_spurs = range.len() - 1;
        self.mark(path, n_spurs);
        for at in from..n_spurs {
            let node = self.found.nodes[range.start + at];
            let first = self.graph.forward.range(node).start;
            self.push_spur(path, at, first, limit);
        }
    }

    /// Puts the best spur of a place into the queue that is not before `first` in its row. The path is marked.
    fn push_spur(&mut self, path: usize, at: usize, first: usize, limit: f64) {
        let place = self.found.range(path).start + at;
        let (node, taken) = (self.found.nodes[place], self.found.nodes[place + 1]);
        let so_far = self.found.costs[place];
        for index in first..self.tree.row_ends[node as usize] as usize {
            let spur = self.tree.spurs[index];
            let bound = so_far + spur.cost;
            if bound > limit {
                return;
            }
            if spur.to != taken && !self.is_marked(spur.to, at) {
                self.queue.push(Reverse(Candidate {
                    bound: bound.to_bits(),
                    path: path as u32,
                    at: at as u32,
                    spur: index as u32,
                    detour: NO_DETOUR,
                }));
                return;
            }
        }
    }

    /// The cheapest path behind a spur that avoids the marked prefix goes back into the queue with its true cost.
    fn search_detour(&mut self, candidate: Candidate, limit: f64) {
        let spur = self.tree.spurs[candidate.spur as usize];
        let place = self.found.range(candidate.path as usize).start + candidate.at as usize;
        let so_far = self.found.costs[place] + spur.weight;
        self.label_stamp = self.label_stamp.wrapping_add(1);
        if self.label_stamp == 0 {
            self.labels.fill(SearchLabel::default());
            self.label_stamp = 1;
        }
        let stamp = self.label_stamp;
        self.open.clear();
        self.labels[spur.to as usize] = SearchLabel {
            stamp,
            from: NONE,
            cost: so_far,
        };
        let bound = so_far + self.tree.remaining[spur.to as usize];
        self.open.push(Reverse((bound.to_bits(), spur.to)));
        while let Some(Reverse((bits, v))) = self.open.pop() {
            let cost = self.labels[v as usize].cost;
            if f64::from_bits(bits) > cost + self.tree.remaining[v as usize] {
                continue;
            }
            // What follows cannot meet the way here: a node on both would have had a free path of least cost as well,
            // and the search would have ended there.
            if !self.runs_into_prefix(v) {
                let start = self.detours.len();
                let mut node = v;
                while node != NONE {
                    self.detours.push(node);
                    node = self.labels[node as usize].from;
                }
                self.detours[start..].reverse();
                self.queue.push(Reverse(Candidate {
                    bound: bits,
                    detour: (start as u32, self.detours.len() as u32),
                    ..candidate
                }));
                return;
            }
            let row = self.graph.forward.range(v).start..self.tree.row_ends[v as usize] as usize;
            for spur in &self.tree.spurs[row] {
                let bound = cost + spur.cost;
                if bound > limit {
                    break;
                }
                let over = cost + spur.weight;
                let label = &mut self.labels[spur.to as usize];
                let is_better = label.stamp != stamp || over < label.cost;
                if is_better && self.marks[spur.to as usize] < self.mark_base {
                    *label = SearchLabel {
                        stamp,
                        from: v,
                        cost: over,
                    };
                    let bound = over + self.tree.remaining[spur.to as usize];
                    self.open.push(Reverse((bound.to_bits(), spur.to)));
                }
            }
        }
    }

    /// Writes a candidate's path down as found: the prefix, the spur, the detour if there is one, then least cost.
    fn accept(&mut self, candidate: Candidate) {
        let start = self.found.range(candidate.path as usize).start;
        let prefix = start..=start + candidate.at as usize;
        self.found.nodes.extend_from_within(prefix.clone());
        self.found.costs.extend_from_within(prefix.clone());
        let spur = self.tree.spurs[candidate.spur as usize];
        let mut cost = self.found.costs[*prefix.end()] + spur.weight;
        let mut last = spur.to;
        self.found.push(last, cost);
        let (from, to) = candidate.detour;
        // The first node of a detour is the end of the spur.
        for index in from as usize + 1..to as usize {
            let node = self.detours[index];
            let weight = self.graph.weight(last, node);
            cost += weight.expect("detours are made of edges");
            self.found.push(node, cost);
            last = node;
        }
        self.finish_along_tree(last, cost);
    }

    /// Goes on from the last node by least cost and ends the path.
    fn finish_along_tree(&mut self, last: u32, cost: f64) {
        let (mut last, mut cost) = (last, cost);
        while last != self.tree.target {
            let (node, weight) = self.tree.next[last as usize];
            cost += weight;
            self.found.push(node, cost);
            last = node;
        }
        self.found.ends.push(self.found.nodes.len() as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::random::Stream;

    const ANY: f64 = f64::INFINITY;

    /// Also for tests of what is made of searches.
    pub(super) fn random_graph(seed: u64, n: u32, weight: impl Fn(&mut Stream) -> f64) -> Digraph {
        let mut stream = Stream::named(seed, &[u64::from(n)]);
        let density = stream.between(0.1, 0.9);
        let mut edges = Vec::new();
        for from in 0..n {
            for to in 0..n {
                if stream.uniform() < density {
                    edges.push((from, to, weight(&mut stream)));
                }
            }
        }
        Digraph::new(n, edges).unwrap()
    }

    /// Every simple path from the last node of `nodes` on, by walking them all.
    fn walk_all(
        graph: &Digraph,
        target: u32,
        cost: f64,
        nodes: &mut Vec<u32>,
        all: &mut Vec<NodePath>,
    ) {
        let last = nodes[nodes.len() - 1];
        if last == target {
            let nodes = nodes.clone();
            all.push(NodePath { cost, nodes });
            return;
        }
        for (to, weight) in graph.edges_from(last) {
            if !nodes.contains(&to) {
                nodes.push(to);
                walk_all(graph, target, cost + weight, nodes, all);
                nodes.pop();
            }
        }
    }

    fn all_paths(graph: &Digraph, source: u32, target: u32) -> Vec<NodePath> {
        let mut all = Vec::new();
        if source != target {
            walk_all(graph, target, 0.0, &mut vec![source], &mut all);
        }
        all.sort_by(|a, b| a.cost.total_cmp(&b.cost).then(a.nodes.cmp(&b.nodes)));
        all
    }

    fn check_all_pairs(graph: &Digraph, mut check: impl FnMut(&[NodePath], usize, &[NodePath])) {
        let mut search = PathSearch::new(graph);
        for target in 0..graph.n_nodes() {
            search.to(target);
            for source in 0..graph.n_nodes() {
                let all = all_paths(graph, source, target);
                for k in [0, 1, 2, 5, 40, all.len(), all.len() + 3] {
                    check(&search.k_cheapest(source, k, ANY), k, &all);
                }
            }
        }
    }

    #[test]
    fn the_paths_are_those_of_counting_them_all() {
        for seed in 0..60 {
            let graph = random_graph(seed, 2 + seed as u32 % 6, |s| s.between(0.0, 3.0));
            check_all_pairs(&graph, |found, k, all| {
                assert_eq!(found, &all[..k.min(all.len())], "seed {seed}, k {k}");
            });
        }
    }

    #[test]
    fn ties_and_edges_without_cost_are_no_trouble() {
        // Small whole numbers: sums are exact and ties are everywhere. Which of the paths that tie for the last place
        // are given is free; costs are not, and all that are given are different paths of the graph.
        for seed in 0..60 {
            let graph = random_graph(seed, 2 + seed as u32 % 6, |s| s.below(3) as f64);
            check_all_pairs(&graph, |found, k, all| {
                let costs = |paths: &[NodePath]| paths.iter().map(|p| p.cost).collect::<Vec<f64>>();
                let wanted = &all[..k.min(all.len())];
                assert_eq!(costs(found), costs(wanted), "seed {seed}, k {k}");
                for (i, path) in found.iter().enumerate() {
                    assert!(all.contains(path), "seed {seed}: {path:?} is no path");
                    assert!(!found[..i].contains(path), "seed {seed}: {path:?} twice");
                }
                let by_nodes = |w: &[NodePath]| w[0].cost < w[1].cost || w[0].nodes < w[1].nodes;
                assert!(found.windows(2).all(by_nodes), "seed {seed}: {found:?}");
            });
        }
    }

    #[test]
    fn the_limit_of_cost_is_kept() {
        let graph = random_graph(5, 6, |s| s.below(4) as f64);
        let mut search = PathSearch::new(&graph);
        let mut n_cut = 0;
        for target in 0..6 {
            search.to(target);
            for source in 0..6 {
                for limit in [-1.0, 0.0, 2.0, 3.5, 7.0] {
                    let mut all = all_paths(&graph, source, target);
                    let n = all.len();
                    all.retain(|path| path.cost <= limit);
                    n_cut += n - all.len();
                    assert_eq!(search.k_cheapest(source, n, limit), all, "limit {limit}");
                }
            }
        }
        assert!(n_cut > 0, "no limit was reached");
    }

    #[test]
    fn a_loop_on_the_way_is_walked_around() {
        // From 0, the cheapest way over 2 leads back to 0: the second path needs a search that avoids it.
        let edges = [
            (0, 1, 1.0),
            (0, 2, 1.0),
            (2, 0, 1.0),
            (2, 3, 9.0),
            (3, 1, 1.0),
        ];
        let graph = Digraph::new(4, edges).unwrap();
        let mut search = PathSearch::new(&graph);
        search.to(1);
        let paths = search.k_cheapest(0, 5, ANY);
        let nodes: Vec<&[u32]> = paths.iter().map(|p| &p.nodes[..]).collect();
        assert_eq!(nodes, [&[0, 1][..], &[0, 2, 3, 1]]);
        assert_eq!(paths[1].cost, 11.0);
        assert_eq!(search.cheapest_cost(2), Some(2.0));
    }

    #[test]
    fn without_a_way_there_is_no_path() {
        let graph = Digraph::new(3, [(0, 1, 1.0)]).unwrap();
        let mut search = PathSearch::new(&graph);
        assert_eq!(search.k_cheapest(0, 5, ANY), [], "no target yet");
        for (source, target, n_paths) in [(0, 1, 1), (1, 0, 0), (0, 2, 0), (0, 0, 0)] {
            search.to(target);
            let found = search.k_cheapest(source, 5, ANY);
            assert_eq!(found.len(), n_paths, "{source} to {target}");
        }
        for (source, target) in [(9, 1), (0, 9)] {
            search.to(target);
            assert_eq!(search.k_cheapest(source, 5, ANY), [], "outside");
            assert_eq!(search.cheapest_cost(source), None);
        }
        let empty = Digraph::new(0, []).unwrap();
        let table = PathTable::build(&empty, 5, ANY, &mut |_| true).unwrap();
        assert_eq!((table.n_paths(), table.get(0, 0).len()), (0, 0));
    }

    #[test]
    fn edges_are_checked_and_the_cheapest_kept() {
        let edge = |from, to, weight| Digraph::new(3, [(0, 1, 1.0), (from, to, weight)]);
        for weight in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0] {
            let refused = edge(1, 2, weight);
            assert!(matches!(refused, Err(GraphError::Weight { from: 1, .. })));
        }
        for (from, to) in [(3, 0), (0, 3), (u32::MAX, 0)] {
            let n_nodes = 3;
            let wrong = GraphError::Node { from, to, n_nodes };
            assert_eq!(edge(from, to, 1.0), Err(wrong));
        }
        let kept = edge(0, 1, 0.5).unwrap();
        assert_eq!((kept.n_edges(), kept.weight(0, 1)), (1, Some(0.5)));
        assert_eq!(edge(0, 1, 2.0).unwrap().weight(0, 1), Some(1.0));
        let no_loop = edge(2, 2, 1.0).unwrap();
        assert_eq!((no_loop.n_edges(), no_loop.weight(2, 2)), (1, None));
        assert_eq!(edge(1, 2, -0.0).unwrap().weight(1, 2), Some(0.0));
        assert_eq!(kept.weight(7, 0), None);
    }
}
