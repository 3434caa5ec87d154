//! How likely a motion is under a model, frame by frame and degree of freedom by degree of freedom.
//!
//! The likelihoods of section 5, as in section 9 of the paper: the motion is re-made from its own first two frames and
//! judged by what the network expected. An odd take shows where it is odd.

use super::error::LearnError;
use super::examples::FEWEST_FRAMES;
use super::model::Model;
use super::score::{Run, Track, run};

/// Log-likelihoods of every value of a motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Likelihood {
    n_dofs: usize,
    /// From the third frame on, frame by frame.
    values: Vec<f64>,
    /// The motion as the model would have gone on from its first two frames.
    remade: Vec<f64>,
}

impl Likelihood {
    pub(super) fn new(n_dofs: usize, run: Run) -> Self {
        Self {
            n_dofs,
            values: run.likelihood,
            remade: run.values,
        }
    }

    /// Mean over all values: comparable between motions of any length.
    pub fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len().max(1) as f64
    }

    /// Log-likelihood of one value; the first two frames are given and count as likely as can be.
    pub fn at(&self, frame: usize, dof: usize) -> f64 {
        match frame.checked_sub(2) {
            Some(row) => self.values[row * self.n_dofs + dof],
            None => 0.0,
        }
    }

    /// Mean of each frame from the third on.
    pub fn by_frame(&self) -> Vec<f64> {
        let rows = self.values.chunks_exact(self.n_dofs);
        rows.map(|row| row.iter().sum::<f64>() / self.n_dofs as f64)
            .collect()
    }

    /// Mean of each degree of freedom.
    pub fn by_dof(&self) -> Vec<f64> {
        let n_rows = (self.values.len() / self.n_dofs).max(1) as f64;
        let column = |dof: usize| self.values.iter().skip(dof).step_by(self.n_dofs);
        (0..self.n_dofs)
            .map(|dof| column(dof).sum::<f64>() / n_rows)
            .collect()
    }

    /// The motion as the model would have gone on, frame by frame, in the units of its takes.
    pub fn remade(&self) -> &[f64] {
        &self.remade
    }

    /// The degrees of freedom that are least likely, the worst first, with the frame where each is worst.
    pub fn unlikely(&self, most: usize) -> Vec<Unlikely> {
        let mut all: Vec<Unlikely> = self
            .by_dof()
            .into_iter()
            .enumerate()
            .map(|(dof, mean)| {
                let column = self.values.iter().skip(dof).step_by(self.n_dofs);
                let worst = column.enumerate().min_by(|a, b| a.1.total_cmp(b.1));
                Unlikely {
                    dof,
                    mean,
                    worst_frame: worst.map_or(0, |(row, _)| row + 2),
                }
            })
            .collect();
        all.sort_by(|a, b| a.mean.total_cmp(&b.mean));
        all.truncate(most);
        all
    }
}

/// A degree of freedom that does not go as it should.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unlikely {
    /// Which one.
    pub dof: usize,
    /// Its mean log-likelihood.
    pub mean: f64,
    /// The frame at which it is least likely.
    pub worst_frame: usize,
}

impl Model {
    /// How likely a motion is, given as rows in the units of the takes; progress evenly over it unless it is known.
    pub fn likelihood_of(
        &self,
        rows: &[f64],
        progress: Option<&[f64]>,
    ) -> Result<Likelihood, LearnError> {
        let examples = self.examples();
        let n = examples.n_dofs();
        let n_frames = rows.len() / n;
        if n_frames < FEWEST_FRAMES || rows.len() != n_frames * n {
            return Err(LearnError::TooShort {
                take: "motion".to_owned(),
                found: n_frames,
                needed: FEWEST_FRAMES,
            });
        }
        let mut track = Track::evenly(examples, rows);
        if let Some(known) = progress.filter(|p| p.len() == n_frames) {
            track.progress = known.to_vec();
        }
        let run = run(&self.network(), examples, self.settings(), &track, None);
        Ok(Likelihood::new(n, run))
    }

    /// How well each take can be re-made from the others (the last idea of the paper): mean log-likelihood and root mean
    /// square error in standard deviations, take by take. A take that comes out well could be left out and made again.
    pub fn remake_takes(&self) -> Vec<Remade> {
        let examples = self.examples();
        (0..examples.n_takes())
            .map(|take| {
                let track = Track::of_take(examples, take);
                let without = (examples.n_takes() > 1).then_some(take);
                let run = run(&self.network(), examples, self.settings(), &track, without);
                let pairs = run.values.iter().zip(track.values);
                let squares: f64 = pairs.map(|(a, b)| (a - b).powi(2)).sum();
                Remade {
                    take: examples.name(take).to_owned(),
                    log_likelihood: run.total() / run.likelihood.len().max(1) as f64,
                    error: (squares / run.values.len() as f64).sqrt(),
                }
            })
            .collect()
    }
}

/// A take made again without having been seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Remade {
    /// Its name.
    pub take: String,
    /// Mean log-likelihood of a value.
    pub log_likelihood: f64,
    /// Root mean square error in standard deviations.
    pub error: f64,
}
