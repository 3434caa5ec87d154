//! Covariances and gains of the filter and the smoother, which are the same for all sequences.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use super::super::{solve_right, symmetrise};
use super::{StateSpace, SystemError};
use crate::numerics::cholesky::Cholesky;

/// Covariances have settled when no entry moves by more than this share of the deviations that it belongs to.
const SETTLED: f64 = 1e-12;

/// Kalman gains and covariances of one frame, which do not depend on the observations.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FilterStep {
    /// Covariance of the stacked state given the frames up to this one.
    pub(super) filtered: DMatrix<f64>,
    /// ln |I + U^T P U| with U U^T = C^T R^-1 C: the information of this frame.
    pub(super) ln_information: f64,
    /// The smoother gain J, which carries information of later frames back to this one.
    pub(super) back: DMatrix<f64>,
    /// What stays uncertain at this frame if the next state is known but for the noise of the step:
    /// (I - J F) P (I - J F)^T + J Q J^T. A smoothed covariance is this plus J V J^T, a sum of positive terms.
    pub(super) rest: DMatrix<f64>,
}

/// Steps from the first frame until covariances settle; the last one holds for all later frames.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Gains {
    steps: Vec<FilterStep>,
    /// F, the companion matrix.
    pub(super) companion: DMatrix<f64>,
    /// C^T R^-1, observations weighted by their precision.
    pub(super) weighted: DMatrix<f64>,
    /// p ln 2 pi + ln |R|.
    pub(super) ln_noise: f64,
}

impl Gains {
    /// For sequences of at most `n_frames`.
    pub(super) fn new(model: &StateSpace, n_frames: usize) -> Result<Self, SystemError> {
        let mut weighted = model.observation.transpose();
        for (mut column, variance) in weighted.column_iter_mut().zip(&model.noise) {
            column /= *variance;
        }
        let eigen = SymmetricEigen::new(&weighted * &model.observation);
        let scales = eigen.eigenvalues.map(|v| v.max(0.0).sqrt());
        let information = eigen.eigenvectors * DMatrix::from_diagonal(&scales);
        let ln_variances = model.noise.iter().map(|v| (v * std::f64::consts::TAU).ln());
        let mut gains = Self {
            steps: Vec::new(),
            companion: model.dynamics.companion(),
            weighted,
            ln_noise: ln_variances.sum(),
        };
        let mut predicted = model.start_covariance.clone();
        for _ in 0..n_frames.max(1) {
            let (filtered, ln_information) = observed(&predicted, &information)?;
            let next = gains.predicted(&filtered, &model.dynamics.q);
            let settled = gains
                .steps
                .last()
                .is_some_and(|before| close(&before.filtered, &filtered));
            let step = gains.step(filtered, ln_information, &next, &model.dynamics.q)?;
            gains.steps.push(step);
            if settled {
                break;
            }
            predicted = next;
        }
        Ok(gains)
    }

    pub(super) fn at(&self, frame: usize) -> &FilterStep {
        &self.steps[frame.min(self.steps.len() - 1)]
    }

    /// Whether gains are the same from this frame on.
    pub(super) fn is_settled(&self, frame: usize) -> bool {
        frame + 1 >= self.steps.len()
    }

    /// F P F^T + Q.
    fn predicted(&self, filtered: &DMatrix<f64>, q: &DMatrix<f64>) -> DMatrix<f64> {
        let mut next = &self.companion * filtered * self.companion.transpose();
        let mut corner = next.view_mut((0, 0), q.shape());
        corner += q;
        symmetrise(&mut next);
        next
    }

    fn step(
        &self,
        filtered: DMatrix<f64>,
        ln_information: f64,
        next: &DMatrix<f64>,
        q: &DMatrix<f64>,
    ) -> Result<FilterStep, SystemError> {
        let factor = Cholesky::with_jitter(next).map_err(|_not| SystemError::Singular)?;
        let back = solve_right(&factor, &(&filtered * self.companion.transpose()));
        let mut keep = -(&back * &self.companion);
        for i in 0..keep.nrows() {
            keep[(i, i)] += 1.0;
        }
        let from_noise = back.columns(0, q.nrows());
        let mut rest =
            &keep * &filtered * keep.transpose() + from_noise * q * from_noise.transpose();
        symmetrise(&mut rest);
        Ok(FilterStep {
            filtered,
            ln_information,
            back,
            rest,
        })
    }
}

/// The covariance after a frame was observed, in Joseph's form, and its information.
///
/// In the information form an observation is that of U^T x with unit noise.
fn observed(
    predicted: &DMatrix<f64>,
    information: &DMatrix<f64>,
) -> Result<(DMatrix<f64>, f64), SystemError> {
    let n = information.nrows();
    let seen = predicted.columns(0, n) * information;
    let mut innovation = information.transpose() * seen.rows(0, n);
    for i in 0..n {
        innovation[(i, i)] += 1.0;
    }
    symmetrise(&mut innovation);
    let factor = Cholesky::new(innovation).map_err(|_not| SystemError::Singular)?;
    let gain = solve_right(&factor, &seen);
    let mut keep = DMatrix::identity(2 * n, 2 * n);
    let mut left = keep.columns_mut(0, n);
    left.gemm(-1.0, &gain, &information.transpose(), 1.0);
    let mut filtered = &keep * predicted * keep.transpose() + &gain * gain.transpose();
    symmetrise(&mut filtered);
    Ok((filtered, factor.ln_determinant()))
}

/// Whether two covariances are the same in the units of their own deviations.
pub(super) fn close(a: &DMatrix<f64>, b: &DMatrix<f64>) -> bool {
    let deviations: DVector<f64> = b.diagonal().map(|v| v.max(0.0).sqrt());
    (0..a.ncols()).all(|j| {
        (0..=j).all(|i| (a[(i, j)] - b[(i, j)]).abs() <= SETTLED * deviations[i] * deviations[j])
    })
}
