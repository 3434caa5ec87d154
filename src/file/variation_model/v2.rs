//! Version 2 of a model file, word by word. Never change what a field means: make a version 3 and a way there.
//!
//! Takes and edges are all there is: everything else follows from them.

use serde::{Deserialize, Serialize};

use super::v1::{Course, Of, Take};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Variation {
    pub(super) version: u64,
    pub(super) of: Of,
    pub(super) settings: Settings,
    /// Time from one frame to the next.
    #[serde(deserialize_with = "super::number::frame_secs")]
    pub(super) frame_secs: f64,
    /// How many numbers, or degrees of freedom, a frame has.
    pub(super) dofs: usize,
    pub(super) course: Course,
    /// Mean time of a run through or round.
    #[serde(deserialize_with = "super::number::run_secs")]
    pub(super) run_secs: f64,
    pub(super) edges: Edges,
    pub(super) takes: Vec<Take>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) method: Method,
    pub(super) structure: StructureKind,
    /// Learned by an earlier version of the program: it should be learned again.
    #[serde(default)]
    pub(super) earlier: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) course: Option<Course>,
    pub(super) neighbours: usize,
    pub(super) width: f64,
    pub(super) speed_weight: f64,
    pub(super) phase_secs: f64,
    pub(super) pull_secs: f64,
    pub(super) start_secs: f64,
    pub(super) most_shared: usize,
    pub(super) most_own: usize,
    pub(super) restarts: usize,
    pub(super) seed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Method {
    Network,
    Paper,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum StructureKind {
    Learned,
    None,
    Random,
    Full,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Edges {
    /// For every node its parents.
    Network(Vec<Vec<usize>>),
    /// The transition network and the prior network of the paper.
    Paper {
        /// For every node its parents: degree of freedom, and whether it is seen now (t+1) or before (t).
        transition: Vec<Vec<(usize, bool)>>,
        /// For every node of the prior network its parents.
        prior: Vec<Vec<usize>>,
    },
}
