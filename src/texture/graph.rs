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

impl Piece {
    /// The frame that it begins with.
    pub fn first(&self) -> FrameId {
        FrameId {
            clip: self.clip,
            frame: self.frames.start,
        }
    }
}

/// All transitions, ordered by the frame that they leave.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FrameGraph {
    transitions: Vec<Transition>,
    /// For every clip and frame, counted through, where its transitions begin; one more at the end.
    starts: Vec<usize>,
    /// For every clip its first place among the starts.
    offsets: Vec<usize>,
    /// Indices of all transitions, ordered by the frame that they enter.
    entering: Vec<u32>,
    /// Where those of every frame begin, as `starts`.
    entered: Vec<usize>,
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
        let mut total = 0;
        for n in n_frames {
            offsets.push(total);
            total += n;
        }
        let place = |at: FrameId| offsets[at.clip] + at.frame;
        let n = u32::try_from(transitions.len())
            .expect("four billion transitions do not fit into memory");
        let mut entering: Vec<u32> = (0..n).collect();
        entering.sort_by_key(|&t| transitions[t as usize].to);
        let starts = begins(total, transitions.iter().map(|t| place(t.from)));
        let entered = begins(
            total,
            entering.iter().map(|&t| place(transitions[t as usize].to)),
        );
        Self {
            transitions,
            starts,
            offsets,
            entering,
            entered,
        }
    }

    /// All transitions between frames.
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

    /// Those that enter a frame.
    ///
    /// # Panics
    /// If there is no such frame.
    pub fn entering(&self, frame: FrameId) -> impl Iterator<Item = &Transition> {
        let at = self.offsets[frame.clip] + frame.frame;
        let own = &self.entering[self.entered[at]..self.entered[at + 1]];
        own.iter().map(|&t| &self.transitions[t as usize])
    }
}

/// Where the entries of each of `n` frames begin in a list that is ordered by frame; one more at the end.
fn begins(n: usize, frames: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut begins = vec![0; n + 1];
    for frame in frames {
        begins[frame + 1] += 1;
    }
    for at in 0..n {
        begins[at + 1] += begins[at];
    }
    begins
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
        let from = |frame| -> Vec<FrameId> { graph.entering(frame).map(|t| t.from).collect() };
        assert_eq!(from(id(1, 1)), [id(0, 1)]);
        assert_eq!(from(id(0, 2)), [id(1, 0)]);
        assert!(from(id(0, 1)).is_empty());
    }
}
