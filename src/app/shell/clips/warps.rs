//! Several clips brought into step with the active one, found out in the background.
//!
//! A cache like the [analysis](super::analysis): keyed by the two clips, and it may be dropped at any time.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::document::ClipId;
use crate::motion::Clip;

/// Warps of clips onto active ones.
#[derive(Debug, Default)]
pub struct WarpCache {
    /// By active clip and other clip.
    pub(super) known: BTreeMap<(ClipId, ClipId), Known>,
    pub(super) is_looking: bool,
}

#[derive(Debug)]
pub(super) struct Known {
    pub(super) active: Arc<Clip>,
    pub(super) other: Arc<Clip>,
    pub(super) moments: Arc<[f64]>,
}

/// A clip with its number.
pub(super) type Numbered = (ClipId, Arc<Clip>);

impl WarpCache {
    pub(super) const MOST: usize = 1024;

    pub(super) fn of(
        &self,
        active: (ClipId, &Arc<Clip>),
        other: (ClipId, &Arc<Clip>),
    ) -> Option<&Arc<[f64]>> {
        let known = self.known.get(&(active.0, other.0))?;
        let is_same = crate::app::shell::clips::analysis::is_one_motion;
        (is_same(&known.active, active.1) && is_same(&known.other, other.1))
            .then_some(&known.moments)
    }
}

/// First frames together, last frames together, the rest evenly.
pub(super) fn evenly(n_active: usize, n_other: usize) -> Vec<f64> {
    let step = (n_other - 1) as f64 / (n_active.max(2) - 1) as f64;
    (0..n_active).map(|frame| frame as f64 * step).collect()
}

/// For each frame of the active clip the middle of the frames that go with it, smoothed: whole frames would stutter.
/// Never turns back, and the ends stay together.
pub(super) fn smooth_moments(
    pairs: &[(usize, usize)],
    n_active: usize,
    n_other: usize,
) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); n_active];
    for &(active, other) in pairs {
        if let Some((sum, n)) = sums.get_mut(active) {
            *sum += other as f64;
            *n += 1.0;
        }
    }
    // Every frame of the active clip is on the path; should one be missing, it waits at the one before.
    let mut last = 0.0;
    let rough: Vec<f64> = sums
        .into_iter()
        .map(|(sum, n)| {
            if n > 0.0 {
                last = sum / n;
            }
            last
        })
        .collect();
    // About a twentieth of the clip to both sides, less near the ends, which stay where they are. A mean over a window
    // whose ends never move back does not turn back if what it averages does not.
    let reach = n_active / 20;
    let mut smooth: Vec<f64> = (0..n_active)
        .map(|at| {
            let reach = reach.min(at).min(n_active - 1 - at);
            let around = &rough[at - reach..=at + reach];
            around.iter().sum::<f64>() / around.len() as f64
        })
        .collect();
    if let [first, .., end] = smooth.as_mut_slice() {
        *first = 0.0;
        *end = (n_other - 1) as f64;
    }
    smooth
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::shell::clips::align::align_all;
    use crate::demo::{Action, make};
    use crate::jobs::Ticket;
    use crate::motion::alignment::warp_clip;

    #[test]
    fn a_planted_warp_is_found_again() {
        let clip = make(Action::Walk, 1, 0).clip;
        let last = (clip.n_frames() - 1) as f64;
        // Slow at first, then fast; the ends stay.
        let planted: Vec<f64> = (0..clip.n_frames())
            .map(|at| {
                let share = at as f64 / last;
                last * (share - 0.06 * (std::f64::consts::TAU * share).sin())
            })
            .collect();
        let warped = warp_clip(&clip, &planted, clip.frame_secs()).unwrap();
        let active = (ClipId(1), Arc::new(warped));
        let other = (ClipId(2), Arc::new(clip));
        let found = align_all(&active, vec![other], &Ticket::default()).unwrap();
        let moments = &found.known[0].1.moments;
        let worst = moments.iter().zip(&planted).map(|(a, b)| (a - b).abs());
        let worst = worst.fold(0.0, f64::max);
        assert!(worst < 1.5, "off by {worst} frames");
        assert!(moments.is_sorted(), "{moments:?}");
        assert!(found.not_alike.is_empty(), "{:?}", found.not_alike);
    }

    #[test]
    fn what_is_too_long_is_stretched_and_named() {
        let clip = make(Action::Walk, 1, 0).clip;
        let short = crate::motion::edit::trim(&clip, 0..12).unwrap();
        let n = clip.n_frames();
        let others = vec![(ClipId(2), Arc::new(clip))];
        let found = align_all(&(ClipId(1), Arc::new(short)), others, &Ticket::default()).unwrap();
        let moments = &found.known[0].1.moments;
        assert_eq!(moments.len(), 12);
        assert_eq!(moments.last(), Some(&((n - 1) as f64)));
        assert!(
            found.not_alike[0].contains("only stretched"),
            "{:?}",
            found.not_alike
        );
        assert_eq!(evenly(1, 9), [0.0], "a clip of one frame");
    }

    #[test]
    fn smoothed_steps_do_not_turn_back() {
        let pairs: Vec<(usize, usize)> = (0..60).map(|at| (at, (at / 7) * 9)).collect();
        let smooth = smooth_moments(&pairs, 60, 80);
        assert!(smooth.is_sorted(), "{smooth:?}");
        assert_eq!((smooth[0], smooth[59]), (0.0, 79.0));
    }
}
