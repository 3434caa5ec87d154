//! Transitions for clips that would be cut off: the least bad ones, beyond the threshold.
//!
//! Gao and Hong 2007 link only what is near. On real clips that leaves islands: a crouch that no walk leads to, a
//! kick that nothing follows. Whoever asks for one of those gets a join that is as good as there is, as in the
//! transition engine, and the play says so ([`super::PlayedJoin::is_fallback`]). Found once, with the graph, so that
//! searches and steering know of them.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use super::corpus::Corpus;
use super::graph::{FrameGraph, FrameId, Transition};
use super::passes;
use super::transitions::Slices;

/// Ways in or out that are added for a clip.
const WAYS: usize = 3;
/// They lie so far apart; seconds.
const APART_SECS: f64 = 0.3;
/// Of frames only one in this time is compared; seconds.
const STRIDE_SECS: f64 = 0.07;
/// Pairs whose cross entropy is computed.
const CANDIDATES: usize = 40;
/// The end of a clip that nothing leaves is let be if it is shorter than this; seconds.
const DEAD_END_SECS: f64 = 0.7;
/// What is entered goes on for at least this time; seconds.
const GOES_ON_SECS: f64 = 1.0;

/// The transitions that are missing so that every clip can be entered from every other, and left near its end.
pub(super) fn find(slices: &Slices<'_>, graph: &FrameGraph) -> Vec<Transition> {
    let corpus = slices.corpus();
    let main = Main::of(corpus, graph);
    let features = passes::features(corpus);
    let pairs = Pairs {
        slices,
        features: &features,
        stride: corpus.frames_in(STRIDE_SECS),
    };
    let of_clip = |clip: usize| {
        let n = corpus.clips[clip].is_clean.len();
        let goes_on = corpus.frames_in(GOES_ON_SECS);
        let mut missing = Vec::new();
        let last_way = (0..n).rev().find(|&f| main.leads[clip][f]);
        let tail = last_way.map_or(0, |f| f + 1)..n;
        if tail.len() > corpus.frames_in(DEAD_END_SECS) {
            let there = main.frames(corpus, goes_on);
            missing.extend(pairs.nearest(&stretch(clip, tail), &there));
        }
        if !main.entered[clip].contains(&true) {
            let own = stretch(clip, 0..n.saturating_sub(goes_on).max(n / 2));
            missing.extend(pairs.nearest(&main.frames(corpus, 0), &own));
        }
        missing
    };
    let clips: Vec<usize> = (0..corpus.clips.len()).collect();
    clips.into_par_iter().flat_map_iter(of_clip).collect()
}

fn stretch(clip: usize, frames: Range<usize>) -> Vec<FrameId> {
    frames.map(|frame| FrameId { clip, frame }).collect()
}

/// The largest part of the corpus in which every frame leads to every other.
struct Main {
    /// Frames that the main part leads to.
    entered: Vec<Vec<bool>>,
    /// Frames that lead to the main part.
    leads: Vec<Vec<bool>>,
}

impl Main {
    /// Around the middle of the clip for which it is largest.
    fn of(corpus: &Corpus, graph: &FrameGraph) -> Self {
        let n_frames: Vec<usize> = corpus.clips.iter().map(|c| c.is_clean.len()).collect();
        let total: usize = n_frames.iter().sum();
        let mut best: Option<(usize, Self)> = None;
        for (clip, &n) in n_frames.iter().enumerate() {
            let hub = FrameId { clip, frame: n / 2 };
            let around = Self {
                entered: reached(&n_frames, hub, |at, go| {
                    let next = FrameId {
                        frame: at.frame + 1,
                        ..at
                    };
                    if next.frame < n_frames[at.clip] {
                        go(next);
                    }
                    graph.leaving(at).iter().for_each(|t| go(t.to));
                }),
                leads: reached(&n_frames, hub, |at, go| {
                    if let Some(frame) = at.frame.checked_sub(1) {
                        go(FrameId { frame, ..at });
                    }
                    graph.entering(at).for_each(|t| go(t.from));
                }),
            };
            let size = around.size();
            if best.as_ref().is_none_or(|(most, _)| size > *most) {
                best = Some((size, around));
            }
            if 2 * size > total {
                break;
            }
        }
        best.expect("a corpus has clips").1
    }

    fn size(&self) -> usize {
        let both = self
            .entered
            .iter()
            .flatten()
            .zip(self.leads.iter().flatten());
        both.filter(|(a, b)| **a && **b).count()
    }

    /// All its frames that have so many clean ones after them.
    fn frames(&self, corpus: &Corpus, more: usize) -> Vec<FrameId> {
        let mut frames = Vec::new();
        for (clip, data) in corpus.clips.iter().enumerate() {
            for frame in 0..data.is_clean.len().saturating_sub(more) {
                if self.entered[clip][frame] && self.leads[clip][frame] {
                    frames.push(FrameId { clip, frame });
                }
            }
        }
        frames
    }
}

/// Marks of all frames that can be reached from one.
fn reached(
    n_frames: &[usize],
    from: FrameId,
    neighbours: impl Fn(FrameId, &mut dyn FnMut(FrameId)),
) -> Vec<Vec<bool>> {
    let mut marks: Vec<Vec<bool>> = n_frames.iter().map(|&n| vec![false; n]).collect();
    marks[from.clip][from.frame] = true;
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        neighbours(at, &mut |to| {
            let mark = &mut marks[to.clip][to.frame];
            if !*mark {
                *mark = true;
                open.push(to);
            }
        });
    }
    marks
}

/// Finds near pairs of frames.
struct Pairs<'a> {
    slices: &'a Slices<'a>,
    features: &'a [nalgebra::DMatrix<f64>],
    stride: usize,
}

impl Pairs<'_> {
    /// The nearest transitions from some frames to what follows others.
    fn nearest(&self, from: &[FrameId], to: &[FrameId]) -> Vec<Transition> {
        let feature = |at: FrameId| self.features[at.clip].column(at.frame);
        let some = |all: &[FrameId]| -> Vec<FrameId> {
            let on_stride = all.iter().filter(|at| at.frame % self.stride == 0);
            on_stride.copied().collect()
        };
        let (from, to) = (some(from), some(to));
        let mut near: Vec<(f64, FrameId, FrameId)> = Vec::new();
        for &a in &from {
            let mut own: Vec<(f64, FrameId)> = Vec::with_capacity(to.len());
            own.extend(
                to.iter()
                    .filter(|b| b.clip != a.clip)
                    .map(|&b| ((feature(a) - feature(b)).norm_squared(), b)),
            );
            let n = WAYS.min(own.len());
            if n > 0 {
                own.select_nth_unstable_by(n - 1, |x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
            }
            near.extend(own[..n].iter().map(|&(d, b)| (d, a, b)));
        }
        near.sort_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        near.truncate(CANDIDATES);
        let mut constants = BTreeMap::new();
        let mut all: Vec<Transition> = near
            .into_iter()
            .filter_map(|(_, from, like)| {
                let to = FrameId {
                    frame: like.frame + 1,
                    ..like
                };
                let distance = self.slices.distance(from, like, &mut constants)?;
                let is_there = self.slices.is_in_section(to);
                is_there.then_some(Transition { from, to, distance })
            })
            .collect();
        all.sort_by(|a, b| {
            let by_distance = a.distance.total_cmp(&b.distance);
            by_distance.then((a.from, a.to).cmp(&(b.from, b.to)))
        });
        self.apart(all)
    }

    /// The first few that do not lie beside each other.
    fn apart(&self, all: Vec<Transition>) -> Vec<Transition> {
        let apart = self.slices.corpus().frames_in(APART_SECS);
        let is_near =
            |a: FrameId, b: FrameId| a.clip == b.clip && a.frame.abs_diff(b.frame) < apart;
        let mut kept: Vec<Transition> = Vec::new();
        for t in all {
            if kept.len() < WAYS
                && !kept
                    .iter()
                    .any(|k| is_near(k.from, t.from) && is_near(k.to, t.to))
            {
                kept.push(t);
            }
        }
        kept
    }
}
