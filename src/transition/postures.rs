//! All frames of a database by their postures, for measuring how real a pose is.

use crate::motion::PoseRows;
use crate::numerics::metric_tree::MetricTree;

/// Frames that are found by their postures. Their rows stay with their clips.
#[derive(Debug, Clone, Default)]
pub(super) struct Postures {
    tree: MetricTree,
    /// Clip and frame of each element.
    frames: Vec<(u32, u32)>,
}

impl Postures {
    /// Of these frames, clip and frame each.
    pub(super) fn of<'r>(
        frames: Vec<(u32, u32)>,
        rows: &PoseRows,
        row_of: impl Fn((u32, u32)) -> &'r [f32],
    ) -> Self {
        let row = |at: u32| row_of(frames[at as usize]);
        let tree = MetricTree::build(frames.len() as u32, |a, b| {
            rows.posture_distance_of(row(a), row(b))
        });
        Self { tree, frames }
    }

    /// The nearest one: its number, which makes a good guess for the next pose, and how far it is.
    pub(super) fn nearest<'r>(
        &self,
        row: &[f32],
        guess: Option<u32>,
        rows: &PoseRows,
        row_of: impl Fn((u32, u32)) -> &'r [f32],
    ) -> Option<(u32, f32)> {
        self.tree.nearest_from(guess, |at, _| {
            rows.posture_distance_of(row_of(self.frames[at as usize]), row)
        })
    }
}
