//! Variants of loops are loops.
//!
//! What the network draws at the end of a round is not what it drew at the beginning, and cycles that are cut from a
//! walk do not lead into themselves either. But takes that were made loops do, without a seam, and so must their
//! variants. A variant is closed as [`crate::motion::cycles`] closes any range. Feet are then held in the middle one
//! of three equal rounds: a foot that stands over the seam stands still there.

use std::ops::Range;

use super::drawn::Drawn;
use super::error::LearnError;
use crate::motion::Clip;
use crate::motion::cycles::{closure, make_loop};

/// A take closes if its seam jumps by no more than this, in body heights: 2 mm of a grown-up. Cycles that were cut
/// from walks and strokes jump by four times that and more; those that were made loops by less than half.
const SEAMLESS: f64 = 1.2e-3;

/// How takes are closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closing {
    /// The frame after the last would be the first.
    LeadsToFirst,
    /// The last frame is the first again.
    RepeatsFirst,
}

impl Closing {
    /// Of clips that all close in the same way; none if they do not, or have no body by which that could be told.
    pub(super) fn of(clips: &[Clip]) -> Option<Self> {
        let ways = [Self::LeadsToFirst, Self::RepeatsFirst];
        ways.into_iter().find(|way| {
            clips.iter().all(|clip| {
                let round = closure(clip, &(0..way.round(clip.n_frames())));
                round.is_ok_and(|round| round.seam.pose <= SEAMLESS)
            })
        })
    }

    /// Frames of a round in a clip of so many frames.
    fn round(self, n_frames: usize) -> usize {
        n_frames - usize::from(self == Self::RepeatsFirst)
    }

    /// Three rounds of a clip, its end leading into its beginning.
    pub(super) fn rounds(self, clip: &Clip) -> Result<Clip, LearnError> {
        let round = 0..self.round(clip.n_frames());
        Ok(make_loop(clip, &round)?.repeated(3)?)
    }

    /// So many frames, in the middle one of three rounds.
    pub(super) fn middle(self, n_frames: usize) -> Range<usize> {
        let n = self.round(n_frames);
        n..n + n_frames
    }

    /// Three rounds of what was drawn.
    pub(super) fn thrice(self, drawn: &Drawn) -> Drawn {
        let n_frames = drawn.progress.len();
        let n_dofs = drawn.rows.len() / n_frames.max(1);
        let mut rounds = Drawn::default();
        for round in 0..3 {
            let last = if round == 2 {
                n_frames
            } else {
                self.round(n_frames)
            };
            rounds.rows.extend_from_slice(&drawn.rows[..last * n_dofs]);
            let on = drawn.progress[..last].iter().map(|p| p + f64::from(round));
            rounds.progress.extend(on);
        }
        rounds
    }
}
