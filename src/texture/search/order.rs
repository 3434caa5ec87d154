//! Actions one after the other, each for some time, wherever that leads.
//!
//! The time of an action counts from when it is shown: a way through other actions takes as long as it takes. So that
//! plays show an action as its clips do, and not the few places with the smoothest ways between them, every seed likes
//! some seconds of the clips better than others.

use super::routes::OFF_LABEL;
use super::{FloorTrack, Goal, LabelRoutes, SearchCorpus, Visit};
use crate::numerics::random::Stream;
use crate::texture::FrameId;

/// What the least liked second of a clip costs, for each sample. Shown whole it is about as dear as two jumps.
const TASTE: f64 = 0.04;
/// How much of a clip is liked alike; seconds.
const TASTE_SECS: f64 = 1.0;
/// Who has played a clip for this long pays for each sample what those pay who have to jump, or plays would end up in
/// the longest clips, which need no jumps: 0.1 for about a second.
const STAY_SECS: f64 = 1.0;
const STAY: f64 = 0.0125;
/// Longer ways from one action to the next are not waited for; seconds.
const WAY_SECS: f64 = 12.0;

/// One action of an order.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderPart {
    /// The labels that count as this action.
    pub labels: LabelRoutes,
    /// For how many seconds it is shown.
    pub secs: f64,
}

/// What to do, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderGoal {
    /// At least one, or nothing is searched.
    parts: Vec<OrderPart>,
    /// What each second of each clip costs.
    tastes: Vec<Vec<f64>>,
    /// Frames of such a second.
    taste_frames: usize,
}

/// How far an order has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InOrder {
    /// The time since the start.
    secs: f64,
    /// The action that is wanted; the number of actions if all are done.
    part: usize,
    /// Since when it is shown.
    shown_since: Option<f64>,
    /// Seconds of the actions before it.
    done_secs: f64,
    /// What is shown, and since when.
    clip: Option<(usize, f64)>,
}

impl OrderGoal {
    /// Actions; the seed says what of the clips is liked.
    pub fn new(parts: Vec<OrderPart>, corpus: &SearchCorpus<'_>, seed: u64) -> Self {
        let taste_frames = ((TASTE_SECS * corpus.fps).round() as usize).max(1);
        let of_clip = |(clip, track): (usize, &FloorTrack)| {
            let mut stream = Stream::named(seed, &[2, clip as u64]);
            let seconds = 0..track.n_frames().div_ceil(taste_frames);
            seconds.map(|_| TASTE * stream.between(0.0, 1.0)).collect()
        };
        Self {
            parts,
            tastes: corpus.tracks.iter().enumerate().map(of_clip).collect(),
            taste_frames,
        }
    }

    fn taste(&self, at: FrameId) -> f64 {
        self.tastes[at.clip][at.frame / self.taste_frames]
    }

    fn total(&self) -> f64 {
        self.parts.iter().map(|p| p.secs).sum()
    }

    /// What is wanted now; the last action goes on.
    fn now(&self, memory: &InOrder) -> Option<&LabelRoutes> {
        let part = memory.part.min(self.parts.len().checked_sub(1)?);
        Some(&self.parts[part].labels)
    }

    /// What is wanted next, and in how many seconds; none while the present action is not shown yet.
    fn next(&self, memory: &InOrder) -> Option<(&LabelRoutes, f64)> {
        let next = self.parts.get(memory.part + 1)?;
        let left = self.parts[memory.part].secs - (memory.secs - memory.shown_since?);
        Some((&next.labels, left))
    }

    /// Counts the time of the action that is wanted.
    fn count(&self, memory: &mut InOrder, label: usize) {
        while let Some(part) = self.parts.get(memory.part) {
            if memory.shown_since.is_none() && part.labels.contains(label) {
                memory.shown_since = Some(memory.secs);
            }
            let is_over = |since: f64| memory.secs - since >= part.secs - 1e-9;
            if !memory.shown_since.is_some_and(is_over) {
                return;
            }
            memory.part += 1;
            memory.done_secs += part.secs;
            memory.shown_since = None;
        }
    }
}

impl Goal for OrderGoal {
    type Memory = InOrder;

    fn begin(&self) -> InOrder {
        InOrder {
            secs: 0.0,
            part: 0,
            shown_since: None,
            done_secs: 0.0,
            clip: None,
        }
    }

    fn visit(&self, memory: &mut InOrder, at: &Visit) -> f64 {
        let secs = at.secs - memory.secs;
        memory.secs = at.secs;
        self.count(memory, at.label);
        let off = self
            .now(memory)
            .map_or(0.0, |l| l.off_cost(at.at, at.label, secs));
        let since = match memory.clip {
            Some((clip, since)) if clip == at.at.clip => since,
            _ => at.secs,
        };
        memory.clip = Some((at.at.clip, since));
        let stays = if at.secs - since > STAY_SECS {
            STAY
        } else {
            0.0
        };
        off + self.taste(at.at) + stays
    }

    fn progress(&self, memory: &InOrder) -> f64 {
        let shown = memory.shown_since.map_or(0.0, |since| memory.secs - since);
        memory.done_secs + shown
    }

    fn is_done(&self, memory: &InOrder) -> bool {
        memory.part >= self.parts.len()
    }

    fn is_off(&self, memory: &InOrder, at: &Visit) -> bool {
        self.now(memory).is_some_and(|l| !l.contains(at.label))
    }

    /// Who is too far from the next action when its time comes has to pay for that.
    fn ahead(&self, memory: &InOrder, at: &Visit) -> f64 {
        let Some((next, secs)) = self.next(memory) else {
            return 0.0;
        };
        OFF_LABEL * (next.felt_secs(at.at) - secs.max(0.0)).max(0.0)
    }

    fn lead(&self, memory: &InOrder, at: &Visit, next: FrameId) -> Option<f64> {
        let wanted = if self.is_off(memory, at) {
            self.now(memory)
        } else {
            self.next(memory).map(|(next, _)| next)
        };
        wanted.map(|labels| labels.secs(next))
    }

    fn most_secs(&self) -> f64 {
        self.total() + WAY_SECS * self.parts.len().saturating_sub(1) as f64 + 1.0
    }
}
