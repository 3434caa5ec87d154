//! Version 1 of a model file, as far as it is still read: how strongly it varied (`manner`) means nothing to what came
//! after. Skeletons, charts and takes are the same in version 2.

use serde::{Deserialize, Serialize};

use crate::file::project::Skeleton;

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Variation {
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
    /// For every node its parents: degree of freedom, and whether it is seen now (t+1) or before (t).
    pub(super) transition: Vec<Vec<(usize, bool)>>,
    /// For every node of the prior network its parents.
    pub(super) prior: Vec<Vec<usize>>,
    pub(super) takes: Vec<Take>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Of {
    Clips(Chart),
    Strokes {
        #[serde(deserialize_with = "super::number::pair")]
        mean: [f64; 2],
        #[serde(deserialize_with = "super::number::pair")]
        scale: [f64; 2],
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Course {
    Through,
    Around,
    Free,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Settings {
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
    #[serde(default)]
    pub(super) course: Option<Course>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Take {
    pub(super) name: String,
    /// Joint, first frame, one past the last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) contacts: Vec<(usize, usize, usize)>,
    /// By frame; empty if the course is free.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "super::number::shares"
    )]
    pub(super) progress: Vec<f64>,
    /// Standardised, frame by frame.
    #[serde(deserialize_with = "super::number::values")]
    pub(super) values: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Chart {
    pub(super) skeleton: Skeleton,
    pub(super) principal_axes: bool,
    #[serde(default)]
    pub(super) limb_lines: bool,
    pub(super) keep_still: bool,
    pub(super) still_rad: f64,
    pub(super) still_heights: f64,
    pub(super) floor_rad: f64,
    pub(super) floor_heights: f64,
    pub(super) root: usize,
    /// The up axis as it is written, such as `Y` or `-Z`.
    pub(super) up: String,
    /// w, x, y, z.
    pub(super) upright: [f64; 4],
    #[serde(deserialize_with = "super::number::size")]
    pub(super) body_height: f64,
    pub(super) joints: Vec<JointAxes>,
    #[serde(deserialize_with = "super::number::sizes")]
    pub(super) held: Vec<f64>,
    pub(super) moving: Vec<Dof>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct JointAxes {
    /// w, x, y, z.
    pub(super) mean: [f64; 4],
    pub(super) centre: [f64; 3],
    /// The axes as a matrix, column by column.
    pub(super) axes: [f64; 9],
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Dof {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) joint: usize,
    #[serde(deserialize_with = "super::number::size")]
    pub(super) mean: f64,
    #[serde(deserialize_with = "super::number::size")]
    pub(super) deviation: f64,
    #[serde(deserialize_with = "super::number::size")]
    pub(super) scale: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Kind {
    ForwardSpeed,
    SidewaysSpeed,
    TurnRate,
    Height,
    LeanForward,
    LeanLeft,
    LeanTwist,
    Turn(usize),
    ShiftX,
    ShiftY,
    ShiftZ,
}
