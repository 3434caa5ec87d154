//! The lower level of the texture graph: frames of the corpus, and where one may go on with another.

use std::ops::Range;

/// A frame of the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameId {
    /// Index of the clip.
    pub clip: usize,
    /// Counted from 0, at the corpus' rate.
    pub frame: usize,
}

/// After the frame `from` the motion may go on with the frame `to`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transition {
    /// The last frame that is shown of the one clip.
    pub from: FrameId,
    /// The first frame that is shown of the other, or of the same.
    pub to: FrameId,
    /// Symmetric cross entropy of both slices, in nats a degree of freedom; transitions are kept below a threshold.
    pub distance: f64,
}

/// Frames of one clip that are played in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Index of the clip.
    pub clip: usize,
    /// Its frames; at least one.
    pub frames: Range<usize>,
}

/// All transitions, ordered by the frame that they leave.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FrameGraph {
    transitions: Vec<Transition>,
    /// For every clip and frame, counted through, where its transitions begin; one more at the end.
    starts: Vec<usize>,
    /// For every clip its first place among the starts.
    offsets: Vec<usize>,
}

impl FrameGraph {
    /// Orders transitions between clips of so many frames.
    ///
    /// # Panics
    /// If a transition leaves or enters a frame that is not there.
    pub fn new(n_frames: &[usize], mut transitions: Vec<Transition>) -> Self {
        let inside = |at: &FrameId| n_frames.get(at.clip).is_some_and(|&n| at.frame < n);
        assert!(
            transitions.iter().all(|t| inside(&t.from) && inside(&t.to)),
            "transitions lead from frame to frame"
        );
        transitions.sort_by(|a, b| {
            let by_distance = a.distance.total_cmp(&b.distance);
            a.from.cmp(&b.from).then(by_distance).then(a.to.cmp(&b.to))
        });
        let mut offsets = Vec::with_capacity(n_frames.len());
        let mut starts = Vec::new();
        let mut at = 0;
        for (clip, &n) in n_frames.iter().enumerate() {
            offsets.push(starts.len());
            for frame in 0..n {
                starts.push(at);
                let here = FrameId { clip, frame };
                at += transitions[at..]
                    .iter()
                    .take_while(|t| t.from == here)
                    .count();
            }
        }
        starts.push(at);
        Self {
            transitions,
            starts,
            offsets,
        }
    }

    /// All of them.
    pub fn transitions(&self) -> &[Transition] {
        &self.transitions
    }

    /// Those that leave a frame, the nearest first.
    ///
    /// # Panics
    /// If there is no such frame.
    pub fn leaving(&self, frame: FrameId) -> &[Transition] {
        let at = self.offsets[frame.clip] + frame.frame;
        &self.transitions[self.starts[at]..self.starts[at + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transitions_are_found_by_the_frame_they_leave() {
        let id = |clip, frame| FrameId { clip, frame };
        let t = |from, to, distance| Transition { from, to, distance };
        let graph = FrameGraph::new(
            &[3, 2],
            vec![
                t(id(1, 0), id(0, 2), 0.5),
                t(id(0, 1), id(1, 1), 0.4),
                t(id(0, 1), id(0, 0), 0.1),
            ],
        );
        let to = |frame| -> Vec<FrameId> { graph.leaving(frame).iter().map(|t| t.to).collect() };
        assert_eq!(to(id(0, 1)), [id(0, 0), id(1, 1)], "the nearest first");
        assert_eq!(to(id(1, 0)), [id(0, 2)]);
        assert!(to(id(0, 0)).is_empty() && to(id(1, 1)).is_empty());
    }
}
