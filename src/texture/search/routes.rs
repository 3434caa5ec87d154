//! How long it takes from any frame to a frame of some labels.
//!
//! A search that only looks a step ahead does not find a way that begins with a step aside. Cheapest times backwards
//! from all frames of the wanted labels tell it which frames lead there.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::SearchCorpus;
use crate::texture::FrameId;

/// A jump is blended for this time, and whoever has jumped does not jump again before.
pub(super) const BLEND_SECS: f64 = 0.33;
/// Whole units of time in a second; whole, so that ties are ties on every machine.
const TICKS: f64 = 1000.0;

/// A frame from which nothing leads to labels that others do lead to counts as this far away.
const LOST_SECS: f64 = 20.0;
/// Labels that nothing leads to count as this far away everywhere: being nearer to them is no reason to stand and wait.
const NOWHERE_SECS: f64 = 1.0;

/// What a second of another action costs than the wanted one.
pub(super) const OFF_LABEL: f64 = 4.0;

/// Times to one set of labels.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelRoutes {
    /// The labels; in order.
    labels: Vec<usize>,
    /// Clip by clip, frame by frame; infinite where nothing leads there.
    secs: Vec<Vec<f32>>,
    /// Whether any other label leads there.
    is_entered: bool,
}

impl LabelRoutes {
    /// Finds the times to a set of labels; an empty set is satisfied everywhere.
    pub fn to(corpus: &SearchCorpus<'_>, labels: &[usize]) -> Self {
        let mut labels = labels.to_vec();
        labels.sort_unstable();
        labels.dedup();
        let is_there = |label: &usize| labels.is_empty() || labels.contains(label);
        let mut ticks: Vec<Vec<u64>> = corpus
            .tracks
            .iter()
            .map(|t| {
                let at = |l: &usize| if is_there(l) { 0 } else { u64::MAX };
                t.labels.iter().map(at).collect()
            })
            .collect();
        if !labels.is_empty() {
            spread(corpus, &mut ticks);
        }
        let secs = |t: &u64| {
            if *t == u64::MAX {
                f32::INFINITY
            } else {
                (*t as f64 / TICKS) as f32
            }
        };
        let is_on_the_way = |t: &u64| *t > 0 && *t < u64::MAX;
        Self {
            labels,
            is_entered: ticks.iter().flatten().any(is_on_the_way),
            secs: ticks.iter().map(|c| c.iter().map(secs).collect()).collect(),
        }
    }

    /// Whether a label is one of these.
    pub fn contains(&self, label: usize) -> bool {
        self.labels.is_empty() || self.labels.binary_search(&label).is_ok()
    }

    /// Whether frames of other labels lead there at all.
    pub fn is_entered(&self) -> bool {
        self.is_entered
    }

    /// The time as a search counts it: never infinite, and no reason to wait where there is no way.
    pub(super) fn felt_secs(&self, at: FrameId) -> f64 {
        if self.is_entered {
            self.secs(at).min(LOST_SECS)
        } else if self.secs(at) > 0.0 {
            NOWHERE_SECS
        } else {
            0.0
        }
    }

    /// What it costs to show a frame for some seconds: the more, the longer the way to these labels is.
    pub(super) fn off_cost(&self, at: FrameId, label: usize, secs: f64) -> f64 {
        if self.contains(label) {
            return 0.0;
        }
        OFF_LABEL * secs * (1.0 + self.felt_secs(at))
    }

    /// Seconds from a frame to the nearest frame of these labels; infinite if there is no way.
    pub fn secs(&self, at: FrameId) -> f64 {
        f64::from(self.secs[at.clip][at.frame])
    }
}

/// Dijkstra backwards from all frames that are there.
fn spread(corpus: &SearchCorpus<'_>, ticks: &mut [Vec<u64>]) {
    let frame_ticks = (TICKS / corpus.fps).round().max(1.0) as u64;
    let blend = (BLEND_SECS * corpus.fps).round().max(1.0) as usize;
    let jump_ticks = frame_ticks * blend as u64;
    let mut queue: BinaryHeap<Reverse<(u64, FrameId)>> = BinaryHeap::new();
    for (clip, frames) in ticks.iter().enumerate() {
        let there = frames.iter().enumerate().filter(|(_, t)| **t == 0);
        queue.extend(there.map(|(frame, _)| Reverse((0, FrameId { clip, frame }))));
    }
    while let Some(Reverse((time, at))) = queue.pop() {
        if time > ticks[at.clip][at.frame] {
            continue;
        }
        let mut relax = |to: FrameId, cost: u64| {
            let best = &mut ticks[to.clip][to.frame];
            if time + cost < *best {
                *best = time + cost;
                queue.push(Reverse((time + cost, to)));
            }
        };
        if let Some(frame) = at.frame.checked_sub(1) {
            relax(FrameId { frame, ..at }, frame_ticks);
        }
        // What is entered is played until it may be left again; whoever arrives may do so within the blend.
        let entered = at.frame.checked_sub(if time == 0 { 0 } else { blend });
        if let Some(frame) = entered {
            for transition in corpus.graph.entering(FrameId { frame, ..at }) {
                relax(transition.from, jump_ticks);
            }
        }
    }
}
