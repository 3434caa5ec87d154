//! What edges are worth, on takes that were left out.

use super::folds::Folds;
use crate::variation::network::moments::Scratch;
use crate::variation::network::structure::Structure;

/// Mean log-likelihood of a value of the takes left out.
pub(in crate::variation) fn score(folds: &Folds, structure: &Structure) -> f64 {
    let mut scratch = Scratch::default();
    let nodes = 0..structure.n_nodes();
    let total: f64 = nodes
        .map(|node| folds.family(node, structure.parents(node), &mut scratch))
        .sum();
    total / (folds.count() * structure.n_nodes().max(1) as f64)
}

/// By node and parent, in their order: by how many nats the takes left out would be less likely without the edge.
pub(in crate::variation) fn worths(folds: &Folds, structure: &Structure) -> Vec<Vec<f64>> {
    let mut scratch = Scratch::default();
    (0..structure.n_nodes())
        .map(|node| {
            let parents = structure.parents(node);
            let own = folds.family(node, parents, &mut scratch);
            parents
                .iter()
                .map(|gone| {
                    let others: Vec<usize> =
                        parents.iter().copied().filter(|p| p != gone).collect();
                    own - folds.family(node, &others, &mut scratch)
                })
                .collect()
        })
        .collect()
}
