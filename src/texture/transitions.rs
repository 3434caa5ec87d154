//! Where a motion may go over from one system into another (Gao and Hong 2007, section 3.1).
//!
//! Slices of frames are compared by the relative entropy of the Gaussians that their systems make of them (Eqs.
//! 8-12), in its symmetric form: one way alone, a system that knows nothing would be near to all. The states over the
//! slice are the means, the systems of both sections give the covariances. Candidates come from the sections with the
//! nearest means, so that not all pairs of frames are looked at; of neighbouring candidates only the nearest stays.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use nalgebra::DMatrix;
use rayon::prelude::*;

use super::corpus::Corpus;
use super::error::TextureError;
use super::graph::{FrameId, Transition};
use super::passes::{self, Window};
use super::sections::Section;
use super::system::System;
use crate::jobs::Cancelled;
use crate::numerics::linear_system::cross_entropy::SliceModel;

/// Frames of a slice on either side of the cut.
const HALF_SECS: f64 = 0.1;
/// Sections that are looked into for each frame.
const NEAR_SECTIONS: usize = 40;
/// Candidates whose cross entropy is computed.
const CANDIDATES: usize = 24;
/// Transitions that leave a frame at most.
const MOST_LEAVING: usize = 10;
/// Of candidates within this time of each other only the nearest stays; nearer to itself a clip is not entered again.
const APART_SECS: f64 = 0.3;
/// The threshold is chosen such that takes that pass each other are linked in this share of cases.
const LINKED_SHARE: f64 = 0.75;

/// Compares slices of frames.
pub(super) struct Slices<'a> {
    corpus: &'a Corpus,
    models: Vec<SliceModel>,
    /// For every clip and frame the system of its section.
    systems: Vec<Vec<Option<usize>>>,
    half: usize,
}

impl<'a> Slices<'a> {
    pub(super) fn new(
        corpus: &'a Corpus,
        sections: &[Section],
        systems: &[System],
    ) -> Result<Self, TextureError> {
        let half = corpus.frames_in(HALF_SECS);
        let models = systems
            .par_iter()
            .map(|s| SliceModel::new(&s.dynamics, 2 * half));
        let models = models.collect::<Result<Vec<_>, _>>()?;
        let clips = corpus.clips.iter();
        let mut of: Vec<Vec<Option<usize>>> = clips.map(|c| vec![None; c.is_clean.len()]).collect();
        for section in sections {
            of[section.clip][section.frames.clone()].fill(Some(section.system));
        }
        Ok(Self {
            corpus,
            models,
            systems: of,
            half,
        })
    }

    pub(super) fn corpus(&self) -> &'a Corpus {
        self.corpus
    }

    /// Whether a frame can be played.
    pub(super) fn is_in_section(&self, at: FrameId) -> bool {
        let of = self.systems[at.clip].get(at.frame);
        of.is_some_and(Option::is_some)
    }

    /// States around a frame, the last one before the cut; none near the ends of what can be used.
    fn slice(&self, at: FrameId) -> Option<(&[f64], &SliceModel)> {
        let from = (at.frame + 1).checked_sub(self.half)?;
        let to = at.frame + 1 + self.half;
        let clip = &self.corpus.clips[at.clip];
        let system = self.systems[at.clip][at.frame]?;
        if !clip.is_clean.get(from..to)?.iter().all(|c| *c) {
            return None;
        }
        let width = self.corpus.n_dims();
        let states = &clip.states.as_slice()[from * width..to * width];
        Some((states, &self.models[system]))
    }

    /// Symmetric cross entropy of the slices around two frames, in nats a degree of freedom. `constants` keeps what is
    /// the same for all slices of two systems.
    pub(super) fn distance(
        &self,
        a: FrameId,
        b: FrameId,
        constants: &mut BTreeMap<(usize, usize), f64>,
    ) -> Option<f64> {
        let (mean_a, model_a) = self.slice(a)?;
        let (mean_b, model_b) = self.slice(b)?;
        let pair = (
            self.systems[a.clip][a.frame]?,
            self.systems[b.clip][b.frame]?,
        );
        let pair = (pair.0.min(pair.1), pair.0.max(pair.1));
        let constant = if pair.0 == pair.1 {
            0.0
        } else {
            *constants
                .entry(pair)
                .or_insert_with(|| model_a.symmetric_constant(model_b))
        };
        let mean = model_a.symmetric_mean_term(mean_a, model_b, mean_b);
        Some((constant + mean) / mean_a.len() as f64)
    }
}

/// The threshold below which most takes that pass each other are linked.
pub(super) fn threshold(slices: &Slices<'_>, windows: &[Window]) -> f64 {
    let each = windows.par_iter().flat_map_iter(|window| {
        let middle = window.frames.len() / 2;
        let mut constants = BTreeMap::new();
        let mut found = Vec::new();
        for pass in &window.passes {
            let a = FrameId {
                clip: window.clip,
                frame: window.frames.start + middle,
            };
            let b = FrameId {
                clip: pass.clip,
                frame: pass.moments[middle].round() as usize,
            };
            found.extend(slices.distance(a, b, &mut constants));
        }
        found
    });
    let mut all: Vec<f64> = each.collect();
    if all.is_empty() {
        // A single take knows no other; only its own returns can be linked, as near as states of unit spread are.
        return 1.0;
    }
    let at = ((all.len() - 1) as f64 * LINKED_SHARE) as usize;
    *all.select_nth_unstable_by(at, f64::total_cmp).1
}

/// All transitions below the threshold.
pub(super) fn find(
    slices: &Slices<'_>,
    sections: &[Section],
    threshold: f64,
    step: &(dyn Fn(f64) -> Result<(), Cancelled> + Sync),
) -> Result<Vec<Transition>, TextureError> {
    let corpus = slices.corpus;
    let index = Index::new(corpus, sections);
    let n_done = AtomicUsize::new(0);
    let found = sections.par_iter().map(|section| {
        let n = n_done.fetch_add(1, Ordering::Relaxed);
        step(n as f64 / sections.len() as f64)?;
        let mut constants = BTreeMap::new();
        let mut found = Vec::new();
        for frame in section.frames.clone() {
            let from = FrameId {
                clip: section.clip,
                frame,
            };
            found.extend(leaving(slices, &index, from, threshold, &mut constants));
        }
        Ok(found)
    });
    let found = found.collect::<Result<Vec<_>, TextureError>>()?;
    Ok(found.into_iter().flatten().collect())
}

/// The transitions that leave one frame.
fn leaving(
    slices: &Slices<'_>,
    index: &Index<'_>,
    from: FrameId,
    threshold: f64,
    constants: &mut BTreeMap<(usize, usize), f64>,
) -> Vec<Transition> {
    let apart = slices.corpus.frames_in(APART_SECS);
    let mut found: Vec<(f64, FrameId)> = index
        .near(from, apart)
        .into_iter()
        .filter_map(|like| Some((slices.distance(from, like, constants)?, like)))
        .filter(|(distance, _)| *distance <= threshold)
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut kept: Vec<Transition> = Vec::new();
    for (distance, like) in found {
        // What follows the frame that is alike follows here.
        let to = FrameId {
            frame: like.frame + 1,
            ..like
        };
        let is_new = kept
            .iter()
            .all(|k| k.to.clip != to.clip || k.to.frame.abs_diff(to.frame) > apart);
        if is_new && slices.is_in_section(to) {
            kept.push(Transition { from, to, distance });
            if kept.len() == MOST_LEAVING {
                break;
            }
        }
    }
    kept
}

/// Finds frames that are like one, by the means of sections.
struct Index<'a> {
    sections: &'a [Section],
    features: Vec<DMatrix<f64>>,
    centres: DMatrix<f64>,
}

impl<'a> Index<'a> {
    fn new(corpus: &Corpus, sections: &'a [Section]) -> Self {
        let features = passes::features(corpus);
        let rows = features.first().map_or(0, DMatrix::nrows);
        let mut centres = DMatrix::zeros(rows, sections.len());
        for (section, mut centre) in sections.iter().zip(centres.column_iter_mut()) {
            let frames = &section.frames;
            let own = features[section.clip].columns(frames.start, frames.len());
            centre.copy_from(&own.column_mean());
        }
        Self {
            sections,
            features,
            centres,
        }
    }

    /// The nearest frames, but not those within `apart` of the frame itself.
    fn near(&self, at: FrameId, apart: usize) -> Vec<FrameId> {
        let wanted = self.features[at.clip].column(at.frame);
        let distance = |column: &[f64]| -> f64 {
            let pairs = column.iter().zip(wanted.iter());
            pairs.map(|(a, b)| (a - b) * (a - b)).sum()
        };
        let width = self.centres.nrows();
        let centres = self.centres.as_slice().chunks_exact(width);
        let mut near: Vec<(f64, usize)> = centres
            .map(distance)
            .enumerate()
            .map(|(i, d)| (d, i))
            .collect();
        let n = NEAR_SECTIONS.min(near.len());
        if n < near.len() {
            near.select_nth_unstable_by(n, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        }
        let mut frames: Vec<(f64, FrameId)> = Vec::new();
        for &(_, section) in &near[..n] {
            let Section {
                clip, frames: own, ..
            } = &self.sections[section];
            let values = &self.features[*clip].as_slice()[own.start * width..own.end * width];
            for (frame, column) in own.clone().zip(values.chunks_exact(width)) {
                if *clip != at.clip || frame.abs_diff(at.frame) > apart {
                    frames.push((distance(column), FrameId { clip: *clip, frame }));
                }
            }
        }
        let n = CANDIDATES.min(frames.len());
        if n < frames.len() {
            frames.select_nth_unstable_by(n, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        }
        frames[..n].iter().map(|f| f.1).collect()
    }
}
