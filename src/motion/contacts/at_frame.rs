//! Which of many spans cover a frame.
//!
//! An hour of walking has ten thousand contacts, and four of them at a time. Whoever goes through a clip frame by frame
//! asks here, instead of looking at all of them in every frame.

use std::ops::Range;

use crate::motion::Contact;

/// Some spans, to be asked by frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AtFrame {
    /// Where the spans of each frame end in `spans`; they begin where those of the frame before end.
    ends: Vec<usize>,
    spans: Vec<usize>,
}

impl AtFrame {
    /// Of any spans within so many frames.
    pub fn new<'a>(spans: impl Iterator<Item = &'a Range<usize>> + Clone, n_frames: usize) -> Self {
        let within = |span: &Range<usize>| span.start.min(n_frames)..span.end.min(n_frames);
        let mut counts = vec![0; n_frames];
        for frame in spans.clone().flat_map(within) {
            counts[frame] += 1;
        }
        let mut total = 0;
        let mut next: Vec<usize> = counts
            .iter()
            .map(|count| {
                let start = total;
                total += count;
                start
            })
            .collect();
        let mut sorted = vec![0; total];
        for (at, span) in spans.enumerate() {
            for frame in within(span) {
                sorted[next[frame]] = at;
                next[frame] += 1;
            }
        }
        Self {
            ends: next,
            spans: sorted,
        }
    }

    /// Of the contacts of a clip with so many frames.
    pub fn of(contacts: &[Contact], n_frames: usize) -> Self {
        Self::new(contacts.iter().map(|contact| &contact.frames), n_frames)
    }

    /// Which spans cover a frame, in their order; none beyond the last frame.
    pub fn get(&self, frame: usize) -> &[usize] {
        let Some(&end) = self.ends.get(frame) else {
            return &[];
        };
        let start = frame.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.spans[start..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_frame_knows_its_spans() {
        let spans = [3..6, 0..4, 9..20, 7..7];
        let at = AtFrame::new(spans.iter(), 10);
        for frame in 0..12 {
            let all = (0..spans.len()).filter(|&s| frame < 10 && spans[s].contains(&frame));
            assert_eq!(at.get(frame), all.collect::<Vec<_>>(), "frame {frame}");
        }
    }
}
