//! The M-step: the model that is most likely given the expected states.

use nalgebra::DMatrix;

use super::super::ridge::SystemPrior;
use super::super::{Ar2, floored, solve_right};
use super::smoother::SufficientStatistics;
use super::{EmSettings, StateSpace, SystemError};
use crate::numerics::cholesky::Cholesky;

/// The model that maximises the expected log-likelihood, penalised if there is a prior.
pub(super) fn maximise(
    before: &StateSpace,
    sums: &SufficientStatistics,
    settings: &EmSettings,
) -> Result<StateSpace, SystemError> {
    let mut model = before.clone();
    if sums.n_steps > 0.0 {
        model.dynamics = dynamics(before, sums, settings)?;
    }
    if sums.n_frames > 0.0 {
        observe(&mut model, sums, settings)?;
        model.start_mean = &sums.start / sums.n_sequences;
        let mean = &model.start_mean;
        let covariance = &sums.start_start / sums.n_sequences - mean * mean.transpose();
        model.start_covariance = floored(covariance, settings.floor);
    }
    Ok(model)
}

/// ln of the prior density of a system, but for a constant.
pub(super) fn penalty(system: &Ar2, prior: &SystemPrior) -> Result<f64, SystemError> {
    let factor = Cholesky::with_jitter(&system.q).map_err(|_not| SystemError::Singular)?;
    let pull = pull(&system.coefficients(), prior);
    let trace = factor.inverse().dot(&pull);
    Ok(-0.5 * (prior.pseudo_count * factor.ln_determinant() + trace))
}

/// What a prior adds to the squares of which Q is the mean: ridge D D^T + n Q0.
fn pull(coefficients: &DMatrix<f64>, prior: &SystemPrior) -> DMatrix<f64> {
    let apart = coefficients - prior.system.coefficients();
    &apart * apart.transpose() * prior.ridge + &prior.system.q * prior.pseudo_count
}

fn dynamics(
    before: &StateSpace,
    sums: &SufficientStatistics,
    settings: &EmSettings,
) -> Result<Ar2, SystemError> {
    let mut past_past = sums.past_past.clone();
    let mut next_past = sums.next_past.clone();
    if let Some(prior) = &settings.prior {
        for i in 0..past_past.nrows() {
            past_past[(i, i)] += prior.ridge;
        }
        next_past += prior.system.coefficients() * prior.ridge;
    }
    let factor = Cholesky::with_jitter(&past_past).map_err(|_not| SystemError::Singular)?;
    // As a change of what there was, so that less cancels.
    let old = before.dynamics.coefficients();
    let coefficients = &old + solve_right(&factor, &(next_past - &old * &past_past));
    let cross = &coefficients * sums.next_past.transpose();
    let mut squares = &sums.next_next - &cross - cross.transpose()
        + &coefficients * &sums.past_past * coefficients.transpose();
    let mut count = sums.n_steps;
    if let Some(prior) = &settings.prior {
        squares += pull(&coefficients, prior);
        count += prior.pseudo_count;
    }
    let q = floored(squares / count, settings.floor);
    Ok(Ar2::from_coefficients(&coefficients, q))
}

/// C, unless it is fixed, and R.
fn observe(
    model: &mut StateSpace,
    sums: &SufficientStatistics,
    settings: &EmSettings,
) -> Result<(), SystemError> {
    let mut squares = sums.left_squares.clone();
    if !settings.fix_observation {
        let factor = Cholesky::with_jitter(&sums.state_state);
        let factor = factor.map_err(|_not| SystemError::Singular)?;
        let change = solve_right(&factor, &sums.left_state);
        for (i, square) in squares.iter_mut().enumerate() {
            *square -= change.row(i).dot(&sums.left_state.row(i));
        }
        model.observation += change;
    }
    model.noise = squares.map(|sum| (sum / sums.n_frames).max(settings.noise_floor));
    Ok(())
}
