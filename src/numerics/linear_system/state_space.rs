//! Systems whose state is hidden behind noisy observations, fitted by EM.
//!
//! Gao and Hong 2007, Eqs. (4) and (5), with an offset in Eq. (4) and independent noise per observed number. The
//! E-step is a Kalman filter and the smoother of Rauch, Tung and Striebel on the stacked state `[x[t]; x[t-1]]`; the
//! M-step is closed form (Shumway and Stoffer 1982; Ghahramani and Hinton 1996).
//!
//! Covariances do not depend on what was observed: they are worked out once for all sequences and only until they
//! settle (`gains.rs`). Updates are in the form of Joseph, so that they stay positive. As R is diagonal, observations
//! enter through `C^T R^-1 C` and `C^T R^-1 y`, of the size of the state: 67 observed numbers cost little more than
//! 10.

mod gains;
mod maximise;
mod model;
mod smoother;

use std::ops::ControlFlow;

use nalgebra::{DMatrix, DVector};

use self::gains::Gains;
use self::smoother::{expect, smooth};
use super::ridge::{SystemError, SystemPrior, check};
use super::{Ar2, floored};
use crate::numerics::cholesky::Cholesky;
use crate::numerics::em::Rounds;
use model::frames;

pub use model::{EmSettings, StateSpace};

impl StateSpace {
    /// Closed form: states are the least-squares ones for this C, the system is fitted to them by ridge regression,
    /// and the noise is what they leave of the observations, and a tenth of what the system does.
    pub fn start(
        sequences: &[&[f64]],
        observation: DMatrix<f64>,
        prior: &SystemPrior,
        floor: f64,
        noise_floor: f64,
    ) -> Result<Self, SystemError> {
        let (width, n) = observation.shape();
        check(sequences, width)?;
        let across = observation.transpose();
        let normal = Cholesky::with_jitter(&(&across * &observation));
        let inverse = normal.map_err(|_not| SystemError::Singular)?.inverse() * across;
        let mut left = DVector::zeros(width);
        let mut n_frames = 0;
        let mut states = Vec::new();
        for sequence in sequences {
            let observed = frames(sequence, width);
            let state = &inverse * observed;
            let residual = observed - &observation * &state;
            for (sum, row) in left.iter_mut().zip(residual.row_iter()) {
                *sum += row.norm_squared();
            }
            n_frames += observed.ncols();
            states.push(state);
        }
        let rows: Vec<&[f64]> = states.iter().map(DMatrix::as_slice).collect();
        let dynamics = Ar2::fit(&rows, prior, floor)?;
        let stirred = (&observation * &dynamics.q * observation.transpose()).diagonal();
        let noise = left / f64::max(n_frames as f64, 1.0) + stirred * 0.1;
        let (start_mean, start_covariance) = first_states(&states, &dynamics.q, n);
        Ok(Self {
            dynamics,
            observation,
            noise: noise.map(|v| v.max(noise_floor)),
            start_mean,
            start_covariance: floored(start_covariance, floor),
        })
    }

    /// EM from here. Tells the mean log-likelihood of a frame before the first round and after each, and the last is
    /// that of the model returned. With a prior that is the penalised one, which has `-1/2 [n ln|Q| + tr Q^-1 (ridge D
    /// D^T + n Q0)]` more for D the deviation of `[A1 A2 b]` and n the pseudo-count. Neither ever falls but by
    /// rounding.
    ///
    /// `on_round` hears each of them and may end the fit there.
    pub fn fit(
        mut self,
        sequences: &[&[f64]],
        settings: &EmSettings,
        on_round: impl FnMut(usize, f64) -> ControlFlow<()>,
    ) -> Result<(Self, Vec<f64>), SystemError> {
        check(sequences, self.observation.nrows())?;
        let mut rounds = Rounds::new(settings.max_rounds, settings.least_gain, on_round);
        loop {
            let sums = expect(&self, sequences)?;
            let penalty = match &settings.prior {
                Some(prior) => maximise::penalty(&self.dynamics, prior)?,
                None => 0.0,
            };
            let likelihood = (sums.log_likelihood + penalty) / sums.n_frames.max(1.0);
            if !rounds.goes_on(likelihood) {
                return Ok((self, rounds.history));
            }
            self = maximise::maximise(&self, &sums, settings)?;
        }
    }

    /// The expected states of a sequence given all of it, row by row.
    pub fn smoothed(&self, sequence: &[f64]) -> Result<Vec<f64>, SystemError> {
        let width = self.observation.nrows();
        check(&[sequence], width)?;
        let gains = Gains::new(self, sequence.len() / width)?;
        let (stacked, _) = smooth(self, &gains, sequence);
        let states = stacked.rows(0, self.dynamics.n_dims()).into_owned();
        Ok(states.data.into())
    }
}

/// Mean and covariance of the first states; the state before the first is where constant velocity would have it.
fn first_states(
    states: &[DMatrix<f64>],
    q: &DMatrix<f64>,
    n: usize,
) -> (DVector<f64>, DMatrix<f64>) {
    let first = |state: &DMatrix<f64>| {
        let next = state.column(1.min(state.ncols() - 1));
        let mut stacked = DVector::zeros(2 * n);
        stacked.rows_mut(0, n).copy_from(&state.column(0));
        let before = state.column(0) * 2.0 - next;
        stacked.rows_mut(n, n).copy_from(&before);
        stacked
    };
    let all: Vec<DVector<f64>> = states
        .iter()
        .filter(|state| state.ncols() > 0)
        .map(first)
        .collect();
    let share = 1.0 / all.len().max(1) as f64;
    let mut mean = DVector::zeros(2 * n);
    for one in &all {
        mean += one * share;
    }
    // How uncertain they are if there is but one sequence: as a step of the system.
    let mut covariance = DMatrix::zeros(2 * n, 2 * n);
    covariance.view_mut((0, 0), (n, n)).copy_from(q);
    covariance.view_mut((n, n), (n, n)).copy_from(q);
    for one in &all {
        let apart = one - &mean;
        covariance.ger(share, &apart, &apart, 1.0);
    }
    (mean, covariance)
}

#[cfg(test)]
mod tests;
