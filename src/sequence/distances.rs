//! How far the poses of two clips are apart, frame against frame: where one is left for the other without a jump, the
//! grid has a dark valley (Kovar and others 2002, Fig. 3; the metric is that of the graph, Peng 2007, Eq. 1).

use std::ops::Range;

use crate::motion::join::JoinClip;

/// Distances between frames of a source and frames of a destination.
#[derive(Debug, Clone, PartialEq)]
pub struct DistanceGrid {
    source: Range<usize>,
    destination: Range<usize>,
    /// Every so many frames.
    step: usize,
    n_columns: usize,
    values: Vec<f32>,
}

impl DistanceGrid {
    /// More cells a side are finer than a pointer.
    const MOST_CELLS: usize = 120;

    /// Every frame of `source` against every frame of `destination`, or every second or third of long ones. None where
    /// one of them has no frames.
    pub fn of(
        (source, source_frames): (&JoinClip, Range<usize>),
        (destination, destination_frames): (&JoinClip, Range<usize>),
    ) -> Option<Self> {
        let longest = source_frames.len().max(destination_frames.len());
        if source_frames.is_empty() || destination_frames.is_empty() {
            return None;
        }
        let step = longest.div_ceil(Self::MOST_CELLS);
        let rows = &source.rows;
        let mut values = Vec::new();
        for enter in destination_frames.clone().step_by(step) {
            let row = destination.rows.row(enter);
            let leaves = source_frames.clone().step_by(step);
            values.extend(leaves.map(|leave| rows.distance_of(rows.row(leave), row)));
        }
        Some(Self {
            n_columns: source_frames.len().div_ceil(step),
            source: source_frames,
            destination: destination_frames,
            step,
            values,
        })
    }

    /// Frames of the source, and of the destination.
    pub fn frames(&self) -> (&Range<usize>, &Range<usize>) {
        (&self.source, &self.destination)
    }

    /// Columns, one for every so many frames of the source, and rows for those of the destination.
    pub fn size(&self) -> (usize, usize) {
        (self.n_columns, self.values.len() / self.n_columns)
    }

    /// All distances, row by row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The frame of the source that a column is, and of the destination that a row is.
    pub fn frames_of(&self, column: usize, row: usize) -> (usize, usize) {
        let leave = self.source.start + column * self.step;
        let enter = self.destination.start + row * self.step;
        (leave, enter)
    }

    /// The least and the greatest distance.
    pub fn bounds(&self) -> (f32, f32) {
        let each = self.values.iter().copied();
        each.fold((f32::INFINITY, 0.0), |(least, most), value| {
            (least.min(value), most.max(value))
        })
    }
}
