//! Candidate paths of a graph of the size in Peng 2007, against what other programs found.

use std::fs;

use kinfolk::numerics::cheapest_paths::{Digraph, PathTable};

use crate::data::shared;

#[test]
fn five_paths_for_all_pairs_agree_with_networkx_and_igraph() {
    let Some(file) = shared("reference/graph/graph_164_660.csv") else {
        return;
    };
    let text = fs::read_to_string(file).unwrap();
    let edges = text.lines().skip(1).map(|line| {
        let mut cells = line.split(',');
        let mut cell = || cells.next().unwrap();
        let (from, to) = (cell().parse().unwrap(), cell().parse().unwrap());
        (from, to, cell().parse().unwrap())
    });
    let graph = Digraph::new(164, edges).unwrap();
    assert_eq!(graph.n_edges(), 660);
    let table = PathTable::build(&graph, 5, f64::INFINITY, &mut |_| true).unwrap();
    // Both numbers are from the README beside the graph; the sum is given with four decimals.
    assert_eq!(table.n_paths(), 133_600);
    let total = table.total_cost();
    assert!((total - 538_722.331_4).abs() < 1e-3, "{total}");
    assert_eq!(table.n_pairs_with_path(), 164 * 163);
}
