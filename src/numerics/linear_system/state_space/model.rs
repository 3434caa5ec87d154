//! A linear dynamical system with observations, and how it is fitted.

use nalgebra::{DMatrix, DMatrixView, DVector};

use crate::numerics::linear_system::Ar2;
use crate::numerics::linear_system::ridge::SystemPrior;

/// Eqs. (4) and (5), and where sequences start.
#[derive(Debug, Clone, PartialEq)]
pub struct StateSpace {
    /// The autoregression of hidden states, Eq. (4).
    pub dynamics: Ar2,
    /// C, observed number by state.
    pub observation: DMatrix<f64>,
    /// The diagonal of R: variance of the noise of each observed number.
    pub noise: DVector<f64>,
    /// Expected `[x[0]; x[-1]]` at the first frame of a sequence.
    pub start_mean: DVector<f64>,
    /// Covariance of `[x[0]; x[-1]]` at the first frame.
    pub start_covariance: DMatrix<f64>,
}

/// When EM stops and what it keeps fixed.
#[derive(Debug, Clone, PartialEq)]
pub struct EmSettings {
    /// Rounds of EM at most.
    pub max_rounds: usize,
    /// Ends when a round raises the mean log-likelihood of a frame by less.
    pub least_gain: f64,
    /// Whether C stays as it is. A, b and Q have a meaning only relative to C.
    pub fix_observation: bool,
    /// Least variance of Q and of the start, in any direction.
    pub floor: f64,
    /// Least variance of an observed number.
    pub noise_floor: f64,
    /// Draws A1, A2, b and Q towards a system.
    pub prior: Option<SystemPrior>,
}

/// A sequence with a frame in each column.
pub(super) fn frames(sequence: &[f64], width: usize) -> DMatrixView<'_, f64> {
    DMatrixView::from_slice(sequence, width, sequence.len() / width)
}
