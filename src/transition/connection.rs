//! Which threshold makes a graph that is connected.
//!
//! The number of clusters is no guide; whether the start of any clip is reached from any frame is. That is not
//! monotone in the threshold, so a ladder of thresholds is tried, and the finest one is kept that gets nearly
//! everywhere; if none does, the one that gets furthest. (The share of nodes in the largest strongly connected part,
//! proposed for the same end, stays below 0.7 on martial arts at any threshold: ends of clips are dead ends, and
//! nobody needs to come back to their beginnings.)

use std::collections::BTreeMap;

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use petgraph::visit::{Dfs, Reversed};

/// This share of the pairs of a frame and the start of a clip has to have a path.
const CONNECTED: f64 = 0.9;
/// Thresholds, as multiples of the median distance of poses a thirtieth of a second apart: fine ones first.
const FINEST: f64 = 2.5;
/// Coarser clusters would hold dissimilar poses; a database that is not connected then has islands.
const COARSEST: f64 = 6.0;
const STEP: f64 = 1.12;

/// The share of nodes in the largest strongly connected part.
pub(super) fn connected_share(n_nodes: usize, edges: impl IntoIterator<Item = (u32, u32)>) -> f64 {
    let part = largest_part(n_nodes, edges);
    part.iter().filter(|&&is_in| is_in).count() as f64 / n_nodes.max(1) as f64
}

fn graph_of(n_nodes: usize, edges: impl IntoIterator<Item = (u32, u32)>) -> DiGraph<(), ()> {
    let mut graph = DiGraph::with_capacity(n_nodes, 0);
    for _ in 0..n_nodes {
        graph.add_node(());
    }
    for (from, to) in edges {
        graph.update_edge(from.into(), to.into(), ());
    }
    graph
}

/// For each clip, by the cluster of its first frame, the share of all frames from which there is a path to it. Frames
/// are given by how many of them each cluster holds.
pub(super) fn reached_shares(
    frames: &[usize],
    edges: impl IntoIterator<Item = (u32, u32)>,
    clip_starts: &[u32],
) -> Vec<f64> {
    let graph = graph_of(frames.len(), edges);
    let total = frames.iter().sum::<usize>().max(1) as f64;
    let mut known: BTreeMap<u32, f64> = BTreeMap::new();
    for &start in clip_starts {
        known.entry(start).or_insert_with(|| {
            let back = Reversed(&graph);
            let mut dfs = Dfs::new(back, start.into());
            let mut sum = 0;
            while let Some(node) = dfs.next(back) {
                sum += frames[node.index()];
            }
            sum as f64 / total
        });
    }
    clip_starts.iter().map(|start| known[start]).collect()
}

/// Which nodes are in the largest strongly connected part.
pub(super) fn largest_part(
    n_nodes: usize,
    edges: impl IntoIterator<Item = (u32, u32)>,
) -> Vec<bool> {
    let graph = graph_of(n_nodes, edges);
    let mut is_in = vec![false; n_nodes];
    // Of equal ones the first: the order of parts does not depend on anything but the graph.
    let parts = tarjan_scc(&graph);
    if let Some(largest) = parts.iter().rev().max_by_key(|part| part.len()) {
        for node in largest {
            is_in[node.index()] = true;
        }
    }
    is_in
}

/// The finest threshold whose graph is connected, by a function that says how much it is; the median step of the clips
/// gives the scale.
pub(super) fn finest_connected<E>(
    median_step: f32,
    mut share: impl FnMut(f32, f64) -> Result<f64, E>,
) -> Result<f32, E> {
    let n = ((COARSEST / FINEST).ln() / STEP.ln()).ceil() as i32;
    let mut best = (0.0, f64::from(median_step) * COARSEST);
    for rung in 0..=n {
        let threshold = f64::from(median_step) * FINEST * STEP.powi(rung);
        let connected = share(threshold as f32, f64::from(rung) / f64::from(n + 1))?;
        if connected >= CONNECTED {
            return Ok(threshold as f32);
        }
        if connected > best.0 {
            best = (connected, threshold);
        }
    }
    Ok(best.1 as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_reach_a_start_are_counted() {
        // 0 -> 1 -> 2 -> 1, and 3 alone.
        let edges = [(0, 1), (1, 2), (2, 1)];
        assert_eq!(connected_share(4, edges), 0.5);
        let shares = reached_shares(&[10, 20, 30, 40], edges, &[1, 0, 3, 1]);
        assert_eq!(shares, [0.6, 0.1, 0.4, 0.6]);
    }

    #[test]
    fn the_finest_connected_threshold_is_kept() {
        let found = finest_connected(1.0, |t, _| Ok::<f64, ()>(if t > 4.0 { 0.95 } else { 0.5 }));
        let found = f64::from(found.unwrap());
        assert!(found > 4.0 && found < 4.0 * STEP * 1.01, "{found}");
        let best = finest_connected(1.0, |t, _| {
            Ok::<f64, ()>(0.8 - (f64::from(t) - 6.0).abs() / 100.0)
        });
        assert!(
            (f64::from(best.unwrap()) / 6.0).ln().abs() < STEP.ln(),
            "the best of none"
        );
    }
}
