//! Aligns clips in the background.

use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::clips::warps::{Known, Numbered, WarpCache, evenly, smooth_moments};
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::Unseen;
use crate::app::shell::messages::Severity;
use crate::app::shell::stage::StageId;
use crate::app::shell::sync::{SyncMode, TimeMap};
use crate::app::shell::words::counted;
use crate::app::shell::work::Shown;
use crate::document::ClipId;
use crate::jobs::{Cancelled, Ticket};
use crate::motion::Clip;
use crate::motion::alignment::align_pair;

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
    fn take_aligned(&mut self, seen: Result<AlignedPairs, Unseen>) {
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

pub(super) struct AlignedPairs {
    pub(super) known: Vec<((ClipId, ClipId), Known)>,
    /// What could only be stretched, and why.
    pub(super) not_alike: Vec<String>,
}

/// One after another: each may need much memory for the length of two clips.
pub(super) fn align_all(
    active: &Numbered,
    others: Vec<Numbered>,
    ticket: &Ticket,
) -> Result<AlignedPairs, Cancelled> {
    let n = others.len() as f64;
    let mut found = AlignedPairs {
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
