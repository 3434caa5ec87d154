//! A transition graph in numbers: how large it is, and whether it holds together.

use super::clusters::NONE;
use super::connection::{connected_share, reached_shares};
use super::graph::{Cluster, GraphClip, TransitionGraph};

/// A graph in numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphSummary {
    /// Frames that are in clusters.
    pub frames: usize,
    /// Frames left out because a joint jumps there.
    pub left_out: usize,
    /// Clusters, the nodes of the graph.
    pub clusters: usize,
    /// Runs of frames in one cluster.
    pub short_clips: usize,
    /// Pairs of clusters with a transition.
    pub edges: usize,
    /// Transitions, several for some pairs.
    pub transitions: usize,
    /// Share of the nodes in the largest strongly connected part.
    pub connected: f64,
    /// The threshold T of clusters.
    pub threshold: f64,
    /// Names of clips whose start cannot be reached from half of all frames or more.
    pub islands: Vec<String>,
}

impl TransitionGraph {
    /// The graph in numbers.
    pub fn summary(&self) -> GraphSummary {
        let clusters = self.clusters();
        let live = clusters.iter().filter(|c| !c.runs.is_empty());
        let live: Vec<&Cluster> = live.collect();
        let pairs = self.edges().map(|(pair, _)| pair);
        let instances = self.edges().map(|(_, edge)| edge.instances.len());
        let frames = live.iter().map(|c| c.n_frames()).sum();
        GraphSummary {
            frames,
            left_out: self.n_left_out,
            clusters: live.len(),
            short_clips: live.iter().map(|c| c.runs.len()).sum(),
            edges: self.edges().count(),
            transitions: instances.sum(),
            connected: connected_share(clusters.len(), pairs) * clusters.len() as f64
                / live.len().max(1) as f64,
            threshold: self.threshold(),
            islands: self.islands(),
        }
    }

    /// Clips whose start has no path from most frames.
    fn islands(&self) -> Vec<String> {
        let frames: Vec<usize> = self.clusters().iter().map(Cluster::n_frames).collect();
        let members: Vec<&GraphClip> = self.members.iter().flatten().collect();
        let firsts = members
            .iter()
            .filter_map(|m| m.labels.iter().find(|&&l| l != NONE));
        let firsts: Vec<u32> = firsts.copied().collect();
        let shares = reached_shares(&frames, self.edges().map(|(pair, _)| pair), &firsts);
        let lonely = members.iter().zip(shares).filter(|(_, share)| *share < 0.5);
        lonely.map(|(m, _)| m.clip.clip.info.name.clone()).collect()
    }
}
