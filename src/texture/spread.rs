//! How large deviations have to be, so that what is played is as far from the clips as a clip is from the others.
//!
//! Differences of takes that pass through the same poses say how deviations go on and which joints go together, but
//! not how large they are: the nearest takes are chosen, and how near those are depends on how many there are. Of a
//! label with many takes every pose has another one close by; of one with few, none has. So each label gets one
//! number: deviations are drawn that many times as large, and it is found by playing the label until the median
//! distance of a frame to the nearest frame of the label is what it is for a clip when its own frames are left out.

use nalgebra::{DMatrix, DMatrixView};
use rayon::prelude::*;

use super::corpus::Corpus;
use super::error::TextureError;
use super::graph::Piece;
use super::model::Texture;
use super::passes::{APART_SECS, MANY_CLIPS};
use super::player::{PlaySettings, Player};
use crate::jobs::Ticket;
use crate::motion::Clip;
use crate::motion::chart::DofKind;
use crate::motion::path::{self, LockSettings};

/// Each label is played so often, for so long; seconds.
const PLAYS: u64 = 8;
const PLAY_SECS: f64 = 8.0;
/// With seeds that hardly anybody asks for: what is learned is no play that is shown.
const FIRST_SEED: u64 = 1 << 40;
/// Of frames only one in this time is compared; seconds.
const STRIDE_SECS: f64 = 0.17;
/// No label strays by less or more than this, whatever its clips say.
const LEAST: f64 = 0.25;
const MOST: f64 = 2.0;
/// Sizes that are tried after the one of the systems; distances grow nearly evenly with them.
const ROUNDS: usize = 3;

/// The number of each label.
pub(super) fn learn(texture: &Texture, ticket: &Ticket) -> Result<Vec<f64>, TextureError> {
    let corpus = texture.corpus();
    let poses: Vec<DMatrix<f64>> = corpus
        .clips
        .par_iter()
        .map(|c| poses(corpus, &c.join.clip))
        .collect::<Result<_, _>>()?;
    let passed = passed(texture);
    let of = |label: usize| {
        ticket.check()?;
        let own = Label::of(corpus, &poses, &passed, label);
        own.spread(texture)
    };
    (0..corpus.labels.len()).into_par_iter().map(of).collect()
}

/// For every clip the frames that another take passes: only of those it is known how far takes are from each other.
fn passed(texture: &Texture) -> Vec<Vec<bool>> {
    let clips = texture.corpus().clips.iter();
    let mut passed: Vec<Vec<bool>> = clips.map(|c| vec![false; c.is_clean.len()]).collect();
    for window in texture.windows().iter().filter(|w| !w.passes.is_empty()) {
        passed[window.clip][window.frames.clone()].fill(true);
    }
    passed
}

/// The standardised turns of all modelled joints, a column for each frame.
fn poses(corpus: &Corpus, clip: &Clip) -> Result<DMatrix<f64>, TextureError> {
    let dofs = corpus.chart.dofs();
    let is_turn = |d: &&usize| matches!(dofs[**d].kind, DofKind::Turn { .. });
    let turns: Vec<usize> = corpus
        .latent
        .dofs()
        .iter()
        .filter(is_turn)
        .copied()
        .collect();
    let curves = corpus.chart.curves(clip)?;
    let rows = curves.rows().flat_map(|row| {
        let value = |&d: &usize| dofs[d].standardise(row[d]);
        turns.iter().map(value).collect::<Vec<_>>()
    });
    let n_frames = curves.n_frames();
    Ok(DMatrix::from_iterator(turns.len(), n_frames, rows))
}

/// The clips of one label.
struct Label<'a> {
    corpus: &'a Corpus,
    label: usize,
    /// Index and poses of each.
    clips: Vec<(usize, &'a DMatrix<f64>)>,
    /// By clip of the corpus and frame.
    passed: &'a [Vec<bool>],
}

impl<'a> Label<'a> {
    fn of(
        corpus: &'a Corpus,
        poses: &'a [DMatrix<f64>],
        passed: &'a [Vec<bool>],
        label: usize,
    ) -> Self {
        let own = poses.iter().enumerate();
        let own = own.filter(|(clip, _)| corpus.clips[*clip].label == label);
        Self {
            corpus,
            label,
            clips: own.collect(),
            passed,
        }
    }

    fn spread(&self, texture: &Texture) -> Result<f64, TextureError> {
        let name = &self.corpus.labels[self.label];
        let plans = (0..PLAYS).map(|seed| texture.plan(name, PLAY_SECS, FIRST_SEED + seed));
        let plans = plans.collect::<Result<Vec<_>, _>>();
        let (Some(real), Ok(plans)) = (self.real_distance(), plans) else {
            // A label that no take passes twice, or of broken frames only, says nothing.
            return Ok(1.0);
        };
        // Without deviations a play is the clips themselves.
        root(
            |spread| Ok(self.made_distance(texture, &plans, spread)? - real),
            (0.0, -real),
            1.0,
        )
    }

    /// Median distance of a frame that another take passes to the nearest one of the other clips; none if there is no
    /// such frame.
    fn real_distance(&self) -> Option<f64> {
        let stride = self.corpus.frames_in(STRIDE_SECS);
        let apart = self.corpus.frames_in(APART_SECS);
        let mut all = Vec::new();
        for &(clip, poses) in &self.clips {
            let frames = (0..poses.ncols()).step_by(stride);
            for frame in frames.filter(|&frame| self.passed[clip][frame]) {
                let counts = |other: usize, at: usize| {
                    let is_apart = self.clips.len() < MANY_CLIPS && at.abs_diff(frame) > apart;
                    other != clip || is_apart
                };
                all.push(self.nearest(poses.columns(frame, 1), counts));
            }
        }
        median(all).filter(|d| d.is_finite())
    }

    /// The same for frames that are played, to all clips.
    fn made_distance(
        &self,
        texture: &Texture,
        plans: &[Vec<Piece>],
        spread: f64,
    ) -> Result<f64, TextureError> {
        let stride = self.corpus.frames_in(STRIDE_SECS);
        let mut all = Vec::new();
        for (seed, plan) in (FIRST_SEED..).zip(plans) {
            let settings = PlaySettings {
                amount: spread,
                seed,
                ..PlaySettings::default()
            };
            let mut player = Player::new(texture, &settings);
            for piece in plan {
                player.play(piece, None)?;
            }
            // As it is shown: feet that are locked take legs further from the clips.
            let locked = path::lock(&player.to_clip("spread")?, &LockSettings::default())?;
            let poses = poses(self.corpus, &locked.clip)?;
            for frame in (0..poses.ncols()).step_by(stride) {
                all.push(self.nearest(poses.columns(frame, 1), |_, _| true));
            }
        }
        Ok(median(all).unwrap_or_default())
    }

    fn nearest(&self, pose: DMatrixView<'_, f64>, counts: impl Fn(usize, usize) -> bool) -> f64 {
        let wanted = pose.column(0);
        let mut least = f64::INFINITY;
        for &(clip, poses) in &self.clips {
            for (at, other) in poses.column_iter().enumerate() {
                if counts(clip, at) {
                    least = least.min((other - wanted).norm_squared());
                }
            }
        }
        least.sqrt()
    }
}

/// Where an error that grows about evenly is 0, between the least and the most that is allowed: secants through the
/// last two values tried.
fn root(
    mut off: impl FnMut(f64) -> Result<f64, TextureError>,
    mut before: (f64, f64),
    first: f64,
) -> Result<f64, TextureError> {
    let mut at = first;
    for _ in 0..ROUNDS {
        let now = (at, off(at)?);
        let slope = (now.1 - before.1) / (now.0 - before.0);
        if slope <= 0.0 || !slope.is_finite() {
            break;
        }
        at = (now.0 - now.1 / slope).clamp(LEAST, MOST);
        before = now;
        if at == now.0 {
            break;
        }
    }
    Ok(at)
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    let middle = values.len() / 2;
    values.get(middle)?;
    Some(*values.select_nth_unstable_by(middle, f64::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_at_which_distances_agree_is_found_or_the_bound_on_the_way_there() {
        // Distances of two deviations that are drawn apart add up like squares.
        let distance = |spread: f64| (spread * spread + 0.04).sqrt();
        for (wanted, expected) in [(0.7, 0.671), (1.5, 1.487), (9.0, MOST), (0.21, LEAST)] {
            let found = root(|spread| Ok(distance(spread) - wanted), (0.0, -wanted), 1.0).unwrap();
            assert!((found - expected).abs() < 0.02, "{found} for {expected}");
        }
        let stays = root(|_| Ok(0.3), (1.0, 0.3), 1.2).unwrap();
        assert_eq!(stays, 1.2, "nothing to go by");
    }
}
