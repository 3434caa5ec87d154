//! How well a structure re-makes each take from the others (Eq. 4).
//!
//! Each take is left out in turn and re-made from its first two frames: what the network expects is fed back to it, all
//! nodes together, frame after frame, and the take as it was is judged by that. Letting single nodes run while the
//! others are held at their true values would pick parents that help only while all else is perfect.
//!
//! Departures: progress runs as it did in the take, so that a structure is not judged by whether it guesses the pace;
//! and a value is judged no finer than [`FLOOR`], because the spread of changes between neighbours knows nothing of
//! how far a run has drifted, and single lucky nodes would decide.

use rayon::prelude::*;

use super::kernel::{Moment, Network, Scratch, regress};
use super::prior_search::log_normal;
use super::settings::PaperSettings;
use crate::variation::takes::Examples;
use crate::variation::takes::MotionType;

/// In standard deviations of a degree of freedom.
pub(in crate::variation) const FLOOR: f64 = 0.25;
/// With more takes than these, so many are re-made, evenly chosen: the others help to re-make them all the same.
const MOST_JUDGED: usize = 6;

/// A take that was made again from its first frames.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::variation) struct Run {
    pub(in crate::variation) take: usize,
    /// Frame by frame, as expected.
    pub(in crate::variation) values: Vec<f64>,
    /// Log-likelihood of the take's own values, by frame and node; the first two frames are given.
    pub(in crate::variation) likelihood: Vec<f64>,
}

impl Run {
    pub(in crate::variation) fn total(&self) -> f64 {
        self.likelihood.iter().sum()
    }
}

/// The takes that structures are judged by.
pub(in crate::variation) fn judged(n_takes: usize) -> Vec<usize> {
    let n = n_takes.min(MOST_JUDGED);
    (0..n).map(|i| i * n_takes / n).collect()
}

/// Re-makes all judged takes.
pub(in crate::variation) fn runs(
    network: &Network,
    examples: &Examples,
    settings: &PaperSettings,
) -> Vec<Run> {
    judged(examples.n_takes())
        .into_par_iter()
        .map(|take| {
            let track = Track::of_take(examples, take);
            run(network, examples, settings, &track, Some(take))
        })
        .collect()
}

/// Mean log-likelihood of a value.
pub(in crate::variation) fn mean_score(runs: &[Run]) -> f64 {
    let n: usize = runs.iter().map(|r| r.likelihood.len()).sum();
    runs.iter().map(Run::total).sum::<f64>() / n.max(1) as f64
}

/// What is to be re-made: frames, and progress at each.
pub(in crate::variation) struct Track<'a> {
    pub(in crate::variation) values: &'a [f64],
    pub(in crate::variation) progress: Vec<f64>,
}

impl<'a> Track<'a> {
    pub(in crate::variation) fn of_take(examples: &'a Examples, take: usize) -> Self {
        let rows = examples.takes[take].clone();
        Self {
            values: examples.take(take),
            progress: rows.map(|row| examples.progress.of(row)).collect(),
        }
    }

    /// A take that the examples do not hold, at an even pace.
    pub(in crate::variation) fn evenly(examples: &Examples, values: &'a [f64]) -> Self {
        let n = values.len() / examples.n_dofs();
        let end = match examples.motion_type() {
            MotionType::Unaligned => 0.0,
            MotionType::OneShot | MotionType::Cyclic => examples.progress.end(&examples.takes),
        };
        let step = end / (n.max(2) - 1) as f64;
        Self {
            values,
            progress: (0..n).map(|frame| frame as f64 * step).collect(),
        }
    }
}

/// Re-makes a take from its first two frames, without the instances of one take.
pub(in crate::variation) fn run(
    network: &Network,
    examples: &Examples,
    settings: &PaperSettings,
    track: &Track<'_>,
    without: Option<usize>,
) -> Run {
    let n = examples.n_dofs();
    let n_frames = track.progress.len();
    let pull = settings.pull(examples.frame_secs());
    let mut values = Vec::with_capacity(track.values.len());
    values.extend_from_slice(&track.values[..2 * n]);
    let mut likelihood = Vec::with_capacity((n_frames - 2) * n);
    let mut scratch = Scratch::default();
    for frame in 2..n_frames {
        let (head, now) = values.split_at((frame - 1) * n);
        let moment = Moment {
            before: &head[head.len() - n..],
            now,
            phase: examples
                .progress
                .features(track.progress[frame - 1], settings.phase_secs),
        };
        network.look(moment, without, &mut scratch);
        let now = (frame - 1) * n;
        for node in 0..n {
            let told = regress(&network.instances, &scratch, node);
            let x = values[now + node];
            let next = x + told.change + pull * (told.now - x);
            let off = track.values[frame * n + node] - next;
            likelihood.push(log_normal(off, told.variance + FLOOR * FLOOR));
            values.push(next);
        }
    }
    Run {
        take: without.unwrap_or(usize::MAX),
        values,
        likelihood,
    }
}
