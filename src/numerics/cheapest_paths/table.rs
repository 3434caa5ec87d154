//! The candidate paths of all pairs of nodes.

use rayon::prelude::*;

use super::{Digraph, PathSearch};

/// The k cheapest loopless paths of all ordered pairs of different nodes.
///
/// A search for one pair takes microseconds once its target is known, so a table is for those who look up at random or
/// want to save it: its memory grows with the square of the nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct PathTable {
    by_target: Vec<ToTarget>,
}

/// All paths to one node.
#[derive(Debug, Clone, PartialEq, Default)]
struct ToTarget {
    /// One more than nodes; the paths from `v` are `firsts[v]..firsts[v + 1]`.
    firsts: Vec<u32>,
    costs: Vec<f64>,
    /// One more than paths; the nodes of `p` are `starts[p]..starts[p + 1]`.
    starts: Vec<u32>,
    nodes: Vec<u16>,
}

impl ToTarget {
    fn search(search: &mut PathSearch<'_>, target: u32, k: usize, cost_limit: f64) -> Self {
        let n = search.graph.n_nodes();
        let mut all = Self::default();
        all.firsts.reserve_exact(n as usize + 1);
        all.firsts.push(0);
        all.starts.push(0);
        search.to(target);
        for source in 0..n {
            search.visit(source, k, cost_limit, |cost, nodes| {
                all.costs.push(cost);
                all.nodes.extend(nodes.iter().map(|&node| node as u16));
                all.starts.push(all.nodes.len() as u32);
            });
            all.firsts.push(all.costs.len() as u32);
        }
        all.costs.shrink_to_fit();
        all.starts.shrink_to_fit();
        all.nodes.shrink_to_fit();
        all
    }
}

impl PathTable {
    /// Larger graphs have more pairs than a table can hold.
    pub const MAX_NODES: u32 = 1 << 16;

    /// Searches all pairs for at most `k` paths each that cost at most `cost_limit`, on all cores.
    ///
    /// `on_progress` gets the share that is done and stops the work by `false`; then there is no table. The result
    /// does not depend on the number of threads.
    ///
    /// # Panics
    /// If the graph has more than [`Self::MAX_NODES`] nodes.
    pub fn build(
        graph: &Digraph,
        k: usize,
        cost_limit: f64,
        on_progress: &mut dyn FnMut(f64) -> bool,
    ) -> Option<Self> {
        let n = graph.n_nodes();
        assert!(n <= Self::MAX_NODES, "{n} nodes are too many for a table");
        let targets: Vec<u32> = (0..n).collect();
        let mut by_target = Vec::with_capacity(n as usize);
        // The closure stays on this thread: it hears of portions that keep every core busy for a while.
        for portion in targets.chunks(8 * rayon::current_num_threads()) {
            if !on_progress(by_target.len() as f64 / f64::from(n)) {
                return None;
            }
            let searched = portion.par_iter().map_init(
                || PathSearch::new(graph),
                |search, &target| ToTarget::search(search, target, k, cost_limit),
            );
            by_target.par_extend(searched);
        }
        on_progress(1.0).then_some(Self { by_target })
    }

    /// The paths of a pair, cheapest first: cost, and nodes from source to target. None for nodes that are not in the
    /// graph.
    pub fn get(&self, source: u32, target: u32) -> impl ExactSizeIterator<Item = (f64, &[u16])> {
        static NOTHING: ToTarget = ToTarget {
            firsts: Vec::new(),
            costs: Vec::new(),
            starts: Vec::new(),
            nodes: Vec::new(),
        };
        let all = self.by_target.get(target as usize).unwrap_or(&NOTHING);
        let paths = match all.firsts.get(source as usize..source as usize + 2) {
            Some(firsts) => firsts[0] as usize..firsts[1] as usize,
            None => 0..0,
        };
        paths.map(|path| {
            let nodes = all.starts[path] as usize..all.starts[path + 1] as usize;
            (all.costs[path], &all.nodes[nodes])
        })
    }

    /// How many nodes the graph had.
    pub fn n_nodes(&self) -> u32 {
        self.by_target.len() as u32
    }

    /// How many paths there are in all.
    pub fn n_paths(&self) -> usize {
        self.by_target.iter().map(|all| all.costs.len()).sum()
    }

    /// How many ordered pairs have a path.
    pub fn n_pairs_with_path(&self) -> usize {
        let pairs = self.by_target.iter().flat_map(|all| all.firsts.windows(2));
        pairs.filter(|firsts| firsts[0] < firsts[1]).count()
    }

    /// The costs of all paths together.
    pub fn total_cost(&self) -> f64 {
        self.by_target.iter().flat_map(|all| &all.costs).sum()
    }

    /// Memory that the table takes.
    pub fn bytes(&self) -> usize {
        let each = self.by_target.iter().map(|all| {
            size_of_val(&all.firsts[..])
                + size_of_val(&all.costs[..])
                + size_of_val(&all.starts[..])
                + size_of_val(&all.nodes[..])
        });
        each.sum::<usize>() + size_of_val(&self.by_target[..])
    }
}

#[cfg(test)]
mod tests {
    use super::super::NodePath;
    use super::super::tests::random_graph;
    use super::*;

    #[test]
    fn the_table_holds_what_the_search_finds_on_any_number_of_threads() {
        let graph = random_graph(3, 30, |s| s.between(0.1, 1.0));
        let limit = 0.4;
        let build = |n_threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
            let (table, heard) = pool.build().unwrap().install(|| {
                let mut heard = Vec::new();
                let mut listen = |share| {
                    heard.push(share);
                    true
                };
                (PathTable::build(&graph, 4, limit, &mut listen), heard)
            });
            assert!(heard.is_sorted() && heard.ends_with(&[1.0]), "{heard:?}");
            table.unwrap()
        };
        let table = build(1);
        assert_eq!(table, build(3));
        let mut search = PathSearch::new(&graph);
        let (mut n_paths, mut n_pairs, mut total) = (0, 0, 0.0);
        for target in 0..30 {
            search.to(target);
            for source in 0..30 {
                let found = search.k_cheapest(source, 4, limit);
                let kept: Vec<NodePath> = table
                    .get(source, target)
                    .map(|(cost, nodes)| NodePath {
                        cost,
                        nodes: nodes.iter().map(|&node| u32::from(node)).collect(),
                    })
                    .collect();
                assert_eq!(kept, found, "{source} to {target}");
                n_paths += found.len();
                n_pairs += usize::from(!found.is_empty());
                total += found.iter().map(|path| path.cost).sum::<f64>();
            }
        }
        assert_eq!(
            (table.n_paths(), table.n_pairs_with_path()),
            (n_paths, n_pairs)
        );
        assert!((table.total_cost() - total).abs() < 1e-9 * total);
        assert!(table.bytes() > 8 * n_paths && table.n_nodes() == 30);
        assert!(n_pairs > 0 && n_pairs < 30 * 29, "the limit cuts some");
    }

    #[test]
    fn a_table_can_be_stopped() {
        let graph = random_graph(3, 30, |s| s.between(0.1, 1.0));
        let mut n_heard = 0;
        let mut stop = |_| {
            n_heard += 1;
            false
        };
        assert_eq!(PathTable::build(&graph, 4, f64::INFINITY, &mut stop), None);
        assert_eq!(n_heard, 1);
    }
}
