//! How likely a motion is under a model, frame by frame and degree of freedom by degree of freedom.
//!
//! A network judges what differs from the mean, knot by knot, each given the two before: the same conditionals that variants are
//! drawn from. Every frame is told the number of its knot. The paper's recipe re-makes a motion from its first two frames.
//! An odd take shows where it is odd.

use nalgebra::DMatrix;

use super::error::LearnError;
use super::model::Model;
use super::network::phase_model::{Edges, PhaseModel};
use super::paper::Track;
use super::takes::FEWEST_FRAMES;
use crate::jobs::Ticket;

/// Log-likelihoods of every value of a motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Likelihood {
    n_dofs: usize,
    /// The log-likelihood of each frame.
    values: Vec<f64>,
}

impl Likelihood {
    /// Mean over all values: comparable between motions of any length.
    pub fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len().max(1) as f64
    }

    /// Log-likelihood of one value.
    pub fn at(&self, frame: usize, dof: usize) -> f64 {
        let at = frame * self.n_dofs + dof;
        self.values.get(at).copied().unwrap_or(0.0)
    }

    /// Mean of each frame.
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
                    worst_frame: worst.map_or(0, |(row, _)| row),
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
    /// The index of the degree of freedom.
    pub dof: usize,
    /// Its mean log-likelihood over all frames.
    pub mean: f64,
    /// The frame at which it is least likely.
    pub worst_frame: usize,
}

impl Model {
    /// How likely a motion is, given as rows in the units of the takes; it is brought into step unless its progress is known.
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
        let progress = progress.filter(|p| p.len() == n_frames);
        if let Some(engine) = self.engine() {
            let progress = match progress {
                Some(known) => known.to_vec(),
                None => engine.model.progress_of(rows)?,
            };
            let seen = engine.model.seen(rows, &progress);
            let by_knot = engine.model.network.log_likelihood(&seen, 1);
            return Ok(by_frame(&engine.model, &by_knot, &progress));
        }
        let mut track = Track::evenly(examples, rows);
        if let Some(known) = progress {
            track.progress = known.to_vec();
        }
        let run = self.paper().map(|paper| paper.run(examples, &track, None));
        // The first two frames are given.
        let mut values = vec![0.0; 2 * n];
        values.extend(run.map_or_else(Vec::new, |run| run.likelihood));
        Ok(Likelihood { n_dofs: n, values })
    }

    /// Mean log-likelihood of a value so many knots ahead, an eighth of a second each, of a motion that was not learned from. Nodes
    /// for which `counts` is false are left out. Only networks know it.
    pub fn log_likelihood_ahead(
        &self,
        rows: &[f64],
        knots: usize,
        counts: &dyn Fn(usize) -> bool,
    ) -> Result<f64, LearnError> {
        let Some(engine) = self.engine() else {
            return Err(LearnError::PaperEdges);
        };
        let progress = engine.model.progress_of(rows)?;
        let seen = engine.model.seen(rows, &progress);
        let all = engine.model.network.log_likelihood(&seen, knots);
        let first = (knots + 1).min(all.nrows().saturating_sub(1));
        let columns = (0..all.ncols()).filter(|&node| counts(node));
        let (mut sum, mut n) = (0.0, 0.0);
        for node in columns {
            for knot in first..all.nrows() {
                sum += all[(knot, node)];
                n += 1.0;
            }
        }
        Ok(sum / f64::max(n, 1.0))
    }

    /// How well each take is foretold by the others: mean log-likelihood of a value, and root mean square distance from their mean in
    /// standard deviations. A take that comes out well could be left out and made again (the last idea of the paper).
    pub fn remake_takes(&self) -> Vec<Remade> {
        let examples = self.examples();
        (0..examples.n_takes())
            .filter_map(|take| {
                let (log_likelihood, error) = self.foretold(take)?;
                Some(Remade {
                    take: examples.name(take).to_owned(),
                    log_likelihood,
                    error,
                })
            })
            .collect()
    }

    fn foretold(&self, take: usize) -> Option<(f64, f64)> {
        let examples = self.examples();
        let n_takes = examples.n_takes();
        if let Some(paper) = self.paper() {
            let track = Track::of_take(examples, take);
            let run = paper.run(examples, &track, (n_takes > 1).then_some(take));
            let pairs = run.values.iter().zip(track.values);
            let squares: f64 = pairs.map(|(a, b)| (a - b).powi(2)).sum();
            let error = (squares / run.values.len() as f64).sqrt();
            return Some((run.total() / run.likelihood.len().max(1) as f64, error));
        }
        let engine = self.engine()?;
        let others: Vec<usize> = (0..n_takes).filter(|&other| other != take).collect();
        // Two takes leave one, from which nothing can be learned but itself.
        let model = if others.len() >= 2 {
            let edges = Edges::Known(engine.model.network.structure().clone());
            let examples = examples.only(&others);
            let seed = self.settings().seed();
            PhaseModel::learn(&examples, &edges, seed, &Ticket::default()).ok()?
        } else {
            (*engine.model).clone()
        };
        let (rows, progress) = (examples.take(take), examples.take_progress(take));
        let seen = model.seen(rows, progress);
        let likely = model.network.log_likelihood(&seen, 1);
        let off = model.phases.columns(rows, progress) - &model.mean;
        let n = model.phases.n_dofs();
        let error = (off.columns(0, n).norm_squared() / (n * off.nrows()) as f64).sqrt();
        Some((likely.columns(0, n).mean(), error))
    }
}

/// Every frame gets the number of the knot it is nearest to.
fn by_frame(model: &PhaseModel, by_knot: &DMatrix<f64>, progress: &[f64]) -> Likelihood {
    let n_dofs = model.phases.n_dofs();
    let last = (model.phases.n - 1) as f64;
    let values = progress.iter().flat_map(|p| {
        let phase = (p / model.phases.end * last).round().clamp(0.0, last) as isize;
        // Knots begin with one before the first phase.
        let knot = (model.knots.at(phase).round() as usize + 1).min(by_knot.nrows() - 1);
        (0..n_dofs).map(move |dof| by_knot[(knot, dof)])
    });
    Likelihood {
        n_dofs,
        values: values.collect(),
    }
}

/// A take foretold without having been seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Remade {
    /// The name of the take.
    pub take: String,
    /// Mean log-likelihood of a value.
    pub log_likelihood: f64,
    /// Root mean square distance in standard deviations.
    pub error: f64,
}
