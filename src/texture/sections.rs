//! Clips cut into sections that a system explains, from coarse to fine (Gao and Hong 2007, section 2).
//!
//! Frames are clustered by a Gaussian mixture (Eqs. 1-3); consecutive frames of one cluster are a section; a system is
//! fitted to each cluster; sections whose system predicts other takes well enough (Eqs. 6-7) are kept, and the rest is
//! clustered again, finer. What is left after the finest is halved until it is predicted, or too short.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use nalgebra::DMatrix;
use rayon::prelude::*;

use super::corpus::Corpus;
use super::error::TextureError;
use super::passes::Window;
use super::prediction::Judge;
use super::settings::TextureSettings;
use super::system::System;
use crate::jobs::Cancelled;
use crate::numerics::mixture::{Mixture, MixtureSettings};

/// Seconds of motion for each cluster, round by round: 200 down to 60 frames at 60 a second, as in the paper.
pub(super) const GRANULARITY_SECS: [f64; 4] = [200.0 / 60.0, 133.0 / 60.0, 90.0 / 60.0, 1.0];
/// Shorter runs of frames in one cluster are added to a neighbour: labels of a mixture flicker.
const SHORTEST_SECS: f64 = 8.0 / 30.0;

/// A stretch of a clip that one system explains.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Index of the clip.
    pub clip: usize,
    /// The frames of the clip.
    pub frames: Range<usize>,
    /// Index of the system of its cluster.
    pub system: usize,
    /// How well that predicts other takes.
    pub fit: Fit,
}

/// How a section came to its system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fit {
    /// Other takes are predicted within the threshold; the error in degrees.
    Predicted(f64),
    /// They are not, even over the shortest section; the error in degrees.
    TooFar(f64),
    /// No other take of this label passes, so nothing can be said.
    Alone,
}

impl Fit {
    /// Whether the section counts as covered.
    pub fn is_covered(self) -> bool {
        matches!(self, Self::Predicted(_))
    }
}

/// Cuts all clips; `corpus_system` is what systems are drawn towards.
pub(super) fn cut(
    corpus: &Corpus,
    windows: &[Window],
    corpus_system: &System,
    settings: &TextureSettings,
    step: &(dyn Fn(f64) -> Result<(), Cancelled> + Sync),
) -> Result<Vec<Section>, TextureError> {
    let mut cutter = Cutter {
        corpus,
        by_clip: by_clip(corpus, windows),
        corpus_system,
        settings,
        step,
        n_systems: 0,
        done: Vec::new(),
    };
    let mut rest: Vec<(usize, Range<usize>)> = clean_runs(corpus);
    for (round, secs) in GRANULARITY_SECS.iter().enumerate() {
        step(round as f64 / GRANULARITY_SECS.len() as f64)?;
        let is_last = round + 1 == GRANULARITY_SECS.len();
        rest = cutter.round(&rest, *secs, round as u64, is_last)?;
        if rest.is_empty() {
            break;
        }
    }
    let mut done = cutter.done;
    done.sort_by_key(|s| (s.clip, s.frames.start));
    Ok(done)
}

/// The systems of sections that are known: each from all passes through its sections, drawn towards that of the corpus.
pub(super) fn systems(
    corpus: &Corpus,
    windows: &[Window],
    corpus_system: &System,
    sections: &[Section],
    settings: &TextureSettings,
) -> Result<Vec<System>, TextureError> {
    let by_clip = by_clip(corpus, windows);
    let n_systems = sections.iter().map(|s| s.system + 1).max().unwrap_or(0);
    let fits = (0..n_systems).into_par_iter().map(|system| {
        let own = sections.iter().filter(|s| s.system == system);
        let stretches = own.map(|s| (s.clip, &s.frames));
        let differences = differences(corpus, &by_clip, stretches);
        System::fit(&differences, &corpus_system.dynamics, corpus.fps())?.refined(
            &differences,
            settings.em_rounds,
            corpus.fps(),
        )
    });
    fits.collect()
}

/// Differences of all passes through some stretches.
fn differences<'a>(
    corpus: &Corpus,
    by_clip: &[Vec<&Window>],
    stretches: impl Iterator<Item = (usize, &'a Range<usize>)>,
) -> Vec<DMatrix<f64>> {
    let windows = stretches.flat_map(|(clip, frames)| windows_in(&by_clip[clip], frames));
    windows
        .flat_map(|w| w.passes.iter().map(|p| w.difference(corpus, p)))
        .collect()
}

/// The same of some sections, without the passes of a clip.
pub(super) fn differences_without<'a>(
    corpus: &Corpus,
    windows: &[Window],
    sections: impl Iterator<Item = &'a Section>,
    clip: usize,
) -> Vec<DMatrix<f64>> {
    let by_clip = by_clip(corpus, windows);
    let own = sections.flat_map(|s| windows_in(&by_clip[s.clip], &s.frames));
    let passes = own.flat_map(|w| w.passes.iter().map(move |p| (w, p)));
    let others = passes.filter(|(_, p)| p.clip != clip);
    others.map(|(w, p)| w.difference(corpus, p)).collect()
}

struct Cutter<'a> {
    corpus: &'a Corpus,
    /// The windows of each clip, in order.
    by_clip: Vec<Vec<&'a Window>>,
    corpus_system: &'a System,
    settings: &'a TextureSettings,
    step: &'a (dyn Fn(f64) -> Result<(), Cancelled> + Sync),
    n_systems: usize,
    done: Vec<Section>,
}

impl Cutter<'_> {
    /// Clusters what is left, keeps the sections that are predicted, and gives the others back.
    fn round(
        &mut self,
        rest: &[(usize, Range<usize>)],
        granularity_secs: f64,
        seed: u64,
        is_last: bool,
    ) -> Result<Vec<(usize, Range<usize>)>, TextureError> {
        let clusters = self.clusters(rest, granularity_secs, seed)?;
        let n_clusters = clusters.iter().map(|s| s.2 + 1).max().unwrap_or(0);
        let systems = (0..n_clusters).into_par_iter().map(|cluster| {
            let own = clusters.iter().filter(|s| s.2 == cluster);
            let stretches = own.map(|s| (s.0, &s.1));
            let differences = differences(self.corpus, &self.by_clip, stretches);
            System::fit(
                &differences,
                &self.corpus_system.dynamics,
                self.corpus.fps(),
            )
        });
        let systems = systems.collect::<Result<Vec<System>, _>>()?;
        let judged: Vec<Vec<(Range<usize>, Fit)>> = clusters
            .par_iter()
            .map(|(clip, frames, cluster)| {
                let mut judge = Judge::new(self.corpus);
                self.judged(&mut judge, *clip, frames, &systems[*cluster], is_last)
            })
            .collect();
        // Systems of which nothing is kept are not: the rest gets others.
        let mut index = vec![None; systems.len()];
        let mut left = Vec::new();
        for ((clip, _, cluster), parts) in clusters.iter().zip(judged) {
            for (frames, fit) in parts {
                if !fit.is_covered() && !is_last {
                    left.push((*clip, frames));
                    continue;
                }
                let system = *index[*cluster].get_or_insert_with(|| {
                    self.n_systems += 1;
                    self.n_systems - 1
                });
                self.done.push(Section {
                    clip: *clip,
                    frames,
                    system,
                    fit,
                });
            }
        }
        Ok(joined(left))
    }

    /// Clip, frames and cluster of every run: a component of the mixture, of one label.
    fn clusters(
        &self,
        rest: &[(usize, Range<usize>)],
        granularity_secs: f64,
        seed: u64,
    ) -> Result<Vec<(usize, Range<usize>, usize)>, TextureError> {
        let width = self.corpus.n_dims();
        let mut rows = Vec::new();
        for (clip, frames) in rest {
            let states = &self.corpus.clips[*clip].states;
            rows.extend_from_slice(&states.as_slice()[frames.start * width..frames.end * width]);
        }
        let n_rows = rows.len() / width;
        let wanted = n_rows as f64 / (granularity_secs * self.corpus.fps());
        let settings = MixtureSettings {
            seed: self.settings.seed.wrapping_add(seed),
            ..MixtureSettings::new((wanted.round() as usize).max(1))
        };
        let done = seed as f64 / GRANULARITY_SECS.len() as f64;
        let (mixture, _) = Mixture::fit(&rows, width, &settings, |_, _| match (self.step)(done) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        })?;
        (self.step)(done)?;
        let labels = mixture.most_likely_each(&rows);
        let shortest = self.corpus.frames_in(SHORTEST_SECS);
        let mut clusters = Vec::new();
        let mut known = BTreeMap::new();
        let mut at = 0;
        for (clip, frames) in rest {
            let own = &labels[at..at + frames.len()];
            at += frames.len();
            let label = self.corpus.clips[*clip].label;
            for (run, component) in runs(own, shortest) {
                let run = frames.start + run.start..frames.start + run.end;
                // Labels that look alike for a moment differ in how takes differ, so each has a system of its own.
                let next = known.len();
                let cluster = *known.entry((component, label)).or_insert(next);
                clusters.push((*clip, run, cluster));
            }
        }
        Ok(clusters)
    }

    /// A section with its fit; in the last round its halves, if it is not predicted as a whole.
    fn judged(
        &self,
        judge: &mut Judge<'_>,
        clip: usize,
        frames: &Range<usize>,
        system: &System,
        may_halve: bool,
    ) -> Vec<(Range<usize>, Fit)> {
        let fit = self.fit(judge, clip, frames, system);
        let shortest = self.corpus.frames_in(SHORTEST_SECS);
        if !may_halve || !matches!(fit, Fit::TooFar(_)) || frames.len() < 2 * shortest {
            return vec![(frames.clone(), fit)];
        }
        let middle = frames.start.midpoint(frames.end);
        let mut parts = self.judged(judge, clip, &(frames.start..middle), system, true);
        parts.extend(self.judged(judge, clip, &(middle..frames.end), system, true));
        parts
    }

    /// The error of the system on all passes through the window that shows most of the section.
    fn fit(
        &self,
        judge: &mut Judge<'_>,
        clip: usize,
        frames: &Range<usize>,
        system: &System,
    ) -> Fit {
        let shown = |w: &Window| {
            let end = w.frames.end.min(frames.end);
            end.saturating_sub(w.frames.start.max(frames.start))
        };
        let window = self.by_clip[clip]
            .iter()
            .max_by_key(|w| (shown(w), w.frames.start));
        let Some(window) = window.filter(|w| shown(w) > 2) else {
            return Fit::Alone;
        };
        let from = frames.start.saturating_sub(window.frames.start);
        let part = from..from + frames.len();
        let errors = window.passes.iter();
        let errors: Vec<f64> = errors
            .filter_map(|pass| judge.pass_error_deg(system, window, pass, part.clone()))
            .collect();
        if errors.is_empty() {
            return Fit::Alone;
        }
        let error = errors.iter().sum::<f64>() / errors.len() as f64;
        if error <= self.settings.most_error_deg {
            Fit::Predicted(error)
        } else {
            Fit::TooFar(error)
        }
    }
}

/// The windows of a clip whose middle lies in these frames; the nearest one if none does.
fn windows_in<'a>(own: &[&'a Window], frames: &Range<usize>) -> Vec<&'a Window> {
    let inside = own.iter().copied().filter(|w| frames.contains(&w.middle()));
    let inside: Vec<&Window> = inside.collect();
    if !inside.is_empty() {
        return inside;
    }
    let middle = frames.start.midpoint(frames.end);
    let nearest = own.iter().min_by_key(|w| w.middle().abs_diff(middle));
    nearest.copied().into_iter().collect()
}

fn by_clip<'a>(corpus: &Corpus, windows: &'a [Window]) -> Vec<Vec<&'a Window>> {
    let mut by_clip = vec![Vec::new(); corpus.clips.len()];
    for window in windows {
        by_clip[window.clip].push(window);
    }
    by_clip
}

/// All runs of clean frames.
fn clean_runs(corpus: &Corpus) -> Vec<(usize, Range<usize>)> {
    let mut all = Vec::new();
    for (clip, data) in corpus.clips.iter().enumerate() {
        let mut at = 0;
        for run in data.is_clean.chunk_by(|a, b| a == b) {
            if run[0] {
                all.push((clip, at..at + run.len()));
            }
            at += run.len();
        }
    }
    all
}

/// Runs of one label; those that are too short go to the neighbour before, or after at the beginning.
fn runs(labels: &[usize], shortest: usize) -> Vec<(Range<usize>, usize)> {
    let mut runs: Vec<(Range<usize>, usize)> = Vec::new();
    let mut at = 0;
    for chunk in labels.chunk_by(|a, b| a == b) {
        let run = at..at + chunk.len();
        at = run.end;
        match runs.last_mut() {
            Some(last) if last.1 == chunk[0] || run.len() < shortest => last.0.end = run.end,
            Some(last) if last.0.len() < shortest => *last = (last.0.start..run.end, chunk[0]),
            _ => runs.push((run, chunk[0])),
        }
    }
    runs
}

/// Neighbouring stretches as one.
fn joined(mut stretches: Vec<(usize, Range<usize>)>) -> Vec<(usize, Range<usize>)> {
    stretches.sort_by_key(|s| (s.0, s.1.start));
    let mut all: Vec<(usize, Range<usize>)> = Vec::new();
    for (clip, frames) in stretches {
        match all.last_mut() {
            Some(last) if last.0 == clip && last.1.end == frames.start => last.1.end = frames.end,
            _ => all.push((clip, frames)),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flickering_labels_become_runs() {
        let labels = [1, 1, 1, 1, 2, 1, 1, 3, 3, 3, 3, 3, 4];
        assert_eq!(runs(&labels, 3), [(0..7, 1), (7..13, 3)]);
        assert_eq!(
            runs(&[5, 6, 6, 6], 3),
            [(0..4, 6)],
            "the first is too short"
        );
        assert_eq!(runs(&[7], 3), [(0..1, 7)], "all there is");
    }

    #[test]
    fn neighbours_are_joined() {
        let parts = vec![(1, 0..4), (0, 5..9), (0, 2..5), (0, 10..12)];
        assert_eq!(joined(parts), [(0, 2..9), (0, 10..12), (1, 0..4)]);
    }
}
