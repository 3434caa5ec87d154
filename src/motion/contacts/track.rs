//! How a joint moves over the ground.

use std::ops::Range;

use crate::motion::Vec3;

/// The way of one joint through a clip, with what decides about contacts.
#[derive(Debug, Clone)]
pub(super) struct JointTrack {
    pub(super) joint: usize,
    pub(super) part: ContactPart,
    /// World positions, one per frame.
    pub(super) way: Vec<Vec3>,
    /// Along up, one per frame.
    pub(super) heights: Vec<f64>,
    /// Units a second, one per frame.
    pub(super) speeds: Vec<f64>,
}

impl JointTrack {
    /// Makes one span of two when the point only slipped in between.
    pub(super) fn joined_slips(
        &self,
        spans: Vec<Range<usize>>,
        gap_frames: usize,
        slip: f64,
        lift: f64,
    ) -> Vec<Range<usize>> {
        let mut joined: Vec<Range<usize>> = Vec::with_capacity(spans.len());
        for span in spans {
            match joined.last_mut() {
                Some(last) if self.is_slip(last.end - 1, span.start, gap_frames, slip, lift) => {
                    last.end = span.end;
                }
                _ => joined.push(span),
            }
        }
        joined
    }

    fn is_slip(&self, from: usize, to: usize, gap_frames: usize, slip: f64, lift: f64) -> bool {
        let most = self.heights[from].max(self.heights[to]) + lift;
        to - from <= gap_frames
            && (self.way[to] - self.way[from]).norm() <= slip
            && self.heights[from..to].iter().all(|h| *h <= most)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContactPart {
    Ankle,
    Toe,
    Hand,
}
