//! Variants of loops are loops.
//!
//! What the network draws at the end of a round is not what it drew at the beginning, and cycles that are cut from a
//! walk do not lead into themselves either. But takes that were made loops do, without a seam, and so must their
//! variants. A variant is closed as [`crate::motion::cycles`] closes any range. Feet are then held in the middle one
//! of three equal rounds: a foot that stands over the seam stands still there.

use super::clips::{ClipModel, Drawn, takes};
use super::contact::foot_lock::Held;
use super::error::LearnError;
use crate::motion::cycles::{closure, make_loop};
use crate::motion::{Clip, ClipInfo, edit};

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
}

impl ClipModel {
    /// The same round, its end leading into its beginning.
    pub(super) fn closed(&self, drawn: Drawn, closing: Closing) -> Result<Drawn, LearnError> {
        let clip = self.clip_of(&drawn.rows, ClipInfo::named("round"))?;
        let n = closing.round(clip.n_frames());
        let rounds = make_loop(&clip, &(0..n))?.repeated(3)?;
        let rows = takes(self.chart(), &[&rounds])?.remove(0).values;
        let n_dofs = self.chart().n_dofs();
        // Steps from the round before and to the one after are those of a round in the middle.
        let middle = n * n_dofs..(n + clip.n_frames()) * n_dofs;
        Ok(Drawn {
            rows: rows[middle].to_vec(),
            progress: drawn.progress,
        })
    }

    /// Holds feet and hands of a closed round as in the middle of others.
    pub(super) fn hold_round(
        &self,
        drawn: &Drawn,
        closing: Closing,
        info: ClipInfo,
        hold: impl FnOnce(&Drawn, ClipInfo) -> Result<(Clip, Option<Held>), LearnError>,
    ) -> Result<(Clip, Option<Held>), LearnError> {
        let n_frames = drawn.progress.len();
        let n = closing.round(n_frames);
        let mut rounds = Drawn::default();
        for round in 0..3 {
            let last = if round == 2 { n_frames } else { n };
            let rows = &drawn.rows[..last * self.chart().n_dofs()];
            rounds.rows.extend_from_slice(rows);
            let on = drawn.progress[..last].iter().map(|p| p + f64::from(round));
            rounds.progress.extend(on);
        }
        let (clip, held) = hold(&rounds, info.clone())?;
        let mut clip = edit::trim(&clip, n..n + n_frames)?;
        clip.info = info;
        let held = held.map(|held| Held {
            n_holds: held.n_holds.div_ceil(3),
            n_misses: held.n_misses.div_ceil(3),
        });
        Ok((clip, held))
    }
}
