//! Several clips brought into step with the active one, found out in the background.
//!
//! A cache like the [analysis](super::analysis): keyed by the two clips, and it may be dropped at any time.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::{Shown, Unseen};
use crate::app::shell::messages::Severity;
use crate::app::shell::stage::StageId;
use crate::app::shell::sync::{SyncMode, TimeMap};
use crate::app::shell::words::counted;
use crate::document::ClipId;
use crate::jobs::{Cancelled, Ticket};
use crate::motion::Clip;
use crate::motion::alignment::align_pair;

/// Warps of clips onto active ones.
#[derive(Debug, Default)]
pub struct WarpCache {
    /// By active clip and other clip.
    known: BTreeMap<(ClipId, ClipId), Known>,
    is_looking: bool,
}

#[derive(Debug)]
struct Known {
    active: Arc<Clip>,
    other: Arc<Clip>,
    moments: Arc<[f64]>,
}

/// A clip with its number.
type Numbered = (ClipId, Arc<Clip>);

impl WarpCache {
    const MOST: usize = 1024;

    fn of(&self, active: (ClipId, &Arc<Clip>), other: (ClipId, &Arc<Clip>)) -> Option<&Arc<[f64]>> {
        let known = self.known.get(&(active.0, other.0))?;
        let is_same = crate::app::shell::clips::analysis::is_one_motion;
        (is_same(&known.active, active.1) && is_same(&known.other, other.1))
            .then_some(&known.moments)
    }
}

impl UiContext {
    /// How a selected clip goes by. Until it is known how to bring it into step, a clip is stretched evenly.
    pub fn time_map(&self, id: impl Into<StageId>, clip: &Arc<Clip>) -> TimeMap {
        let id = id.into();
        let fps = clip.fps();
        if let Some(ghost) = self.ghost_on_stage(id) {
            let start_secs = ghost.start_secs;
            return TimeMap::From { start_secs, fps };
        }
        let own = TimeMap::Even { fps };
        if self.played_on_stage(id).is_some() {
            return own;
        }
        let Some((active_id, active)) = self.session.active.zip(self.active_clip()) else {
            return own;
        };
        // A family keeps its own time, whatever is selected in the library.
        if id == StageId::Clip(active_id) || id.is_preview() && self.lead_variant().is_some() {
            return own;
        }
        match self.session.sync {
            SyncMode::Time => own,
            SyncMode::Frame => TimeMap::Even { fps: active.fps() },
            SyncMode::Aligned => match self.warp_onto((active_id, active), (id, clip)) {
                Some(moments) => TimeMap::Warped {
                    moments: Arc::clone(moments),
                    fps: active.fps(),
                },
                None => TimeMap::Even {
                    fps: active.fps() * clip.n_frames() as f64 / active.n_frames() as f64,
                },
            },
        }
    }

    fn warp_onto(
        &self,
        active: (ClipId, &Arc<Clip>),
        (id, clip): (StageId, &Arc<Clip>),
    ) -> Option<&Arc<[f64]>> {
        self.warps.of(active, (id.clip()?, clip))
    }

    /// Brings the selected clips into step, if that is wanted and not known yet.
    pub fn align_selection(&mut self) {
        if self.session.sync != SyncMode::Aligned || self.warps.is_looking {
            return;
        }
        let Some((active_id, active)) = self.session.active.zip(self.active_clip().cloned()) else {
            return;
        };
        let selected = self.session.selection.iter().take(Self::MOST_SHOWN);
        let others: Vec<Numbered> = selected
            .filter(|id| **id != active_id)
            .filter_map(|&id| Some((id, Arc::clone(self.document().clip(id)?))))
            .filter(|(id, clip)| {
                let known = self.warps.of((active_id, &active), (*id, clip));
                known.is_none()
            })
            .collect();
        if others.is_empty() {
            return;
        }
        if self.warps.known.len() + others.len() > WarpCache::MOST {
            self.warps.known.clear();
        }
        let name = format!("align phases of {}", counted(others.len() + 1, "clip"));
        let active = (active_id, active);
        self.warps.is_looking = self.look(
            name,
            Shown::InBar,
            move |ticket| align_all(&active, others, ticket),
            Shell::take_aligned,
        );
    }
}

impl Shell {
    fn take_aligned(&mut self, seen: Result<Found, Unseen>) {
        self.warps.is_looking = false;
        match seen {
            Ok(found) => {
                for (ids, known) in found.known {
                    self.warps.known.insert(ids, known);
                }
                for words in found.not_alike {
                    self.say(Severity::Info, words);
                }
            }
            Err(why) => {
                // Otherwise it would begin again at once.
                self.session.sync = SyncMode::Time;
                let words = match why {
                    Unseen::Cancelled => "cancelled: clips play by time again",
                    Unseen::Crashed => "these clips cannot be time-warped, please report this",
                };
                self.say(Severity::Warning, words);
            }
        }
    }
}

struct Found {
    known: Vec<((ClipId, ClipId), Known)>,
    /// What could only be stretched, and why.
    not_alike: Vec<String>,
}

/// One after another: each may need much memory for the length of two clips.
fn align_all(
    active: &Numbered,
    others: Vec<Numbered>,
    ticket: &Ticket,
) -> Result<Found, Cancelled> {
    let n = others.len() as f64;
    let mut found = Found {
        known: Vec::with_capacity(others.len()),
        not_alike: Vec::new(),
    };
    for (done, (id, other)) in others.into_iter().enumerate() {
        ticket.step(done as f64 / n)?;
        let moments = match align_pair(&active.1, &other) {
            Ok(path) => smooth_moments(&path.pairs, active.1.n_frames(), other.n_frames()),
            Err(error) => {
                let name = &other.info.name;
                found
                    .not_alike
                    .push(format!("{name} is only stretched to fit: {error}"));
                evenly(active.1.n_frames(), other.n_frames())
            }
        };
        let known = Known {
            active: Arc::clone(&active.1),
            other,
            moments: moments.into(),
        };
        found.known.push(((active.0, id), known));
    }
    Ok(found)
}

/// First frames together, last frames together, the rest evenly.
fn evenly(n_active: usize, n_other: usize) -> Vec<f64> {
    let step = (n_other - 1) as f64 / (n_active.max(2) - 1) as f64;
    (0..n_active).map(|frame| frame as f64 * step).collect()
}

/// For each frame of the active clip the middle of the frames that go with it, smoothed: whole frames would stutter.
/// Never turns back, and the ends stay together.
fn smooth_moments(pairs: &[(usize, usize)], n_active: usize, n_other: usize) -> Vec<f64> {
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
    use crate::demo::{Action, make};
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
