//! Actions one after the other, each for some time, wherever that leads.
//!
//! The time of an action counts from when it is shown: a way through other actions takes as long as it takes. So that
//! plays show an action as its clips do, and not the one clip that can be played longest, every seed has clips that
//! it likes better than others, and no clip is played on and on.

use super::routes::OFF_LABEL;
use super::{Goal, LabelRoutes, Visit};
use crate::numerics::random::Stream;
use crate::texture::FrameId;

/// What the least liked clip costs, for each sample. About the cost of a jump after two seconds.
const TASTE: f64 = 0.04;
/// A clip is played this long for nothing more; seconds.
const STAY_SECS: f64 = 1.5;
/// And costs this much a sample after as long again.
const STAY: f64 = 0.05;
/// Longer ways from one action to the next are not waited for; seconds.
const WAY_SECS: f64 = 12.0;

/// One action of an order.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderPart {
    /// Which.
    pub labels: LabelRoutes,
    /// For how long.
    pub secs: f64,
}

/// What to do, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderGoal {
    /// At least one, or nothing is searched.
    parts: Vec<OrderPart>,
    /// What each clip costs.
    tastes: Vec<f64>,
}

/// How far an order has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InOrder {
    /// Since the start.
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
    /// Actions for clips of so many; the seed says which of them are liked.
    pub fn new(parts: Vec<OrderPart>, n_clips: usize, seed: u64) -> Self {
        let taste = |clip: usize| TASTE * Stream::named(seed, &[2, clip as u64]).between(0.0, 1.0);
        Self {
            parts,
            tastes: (0..n_clips).map(taste).collect(),
        }
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
        let stays = (at.secs - since) / STAY_SECS - 1.0;
        let taste = self.tastes.get(at.at.clip).copied().unwrap_or_default();
        off + taste + STAY * stays.max(0.0)
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
