//! The E-step: expected states and their products, summed over all frames of all sequences.

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::gains::{Gains, close};
use super::{StateSpace, SystemError, frames};

/// Sequences are summed in at most this many parts, which are added in their order. Whatever the number of threads.
const PARTS: usize = 32;

/// What the M-step needs of the hidden states. All sums are of expectations given the observations.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SufficientStatistics {
    pub(super) log_likelihood: f64,
    pub(super) n_frames: f64,
    pub(super) n_steps: f64,
    pub(super) n_sequences: f64,
    /// `[x[t]; x[t-1]; 1]` times itself, over frames that have a next one.
    pub(super) past_past: DMatrix<f64>,
    /// x[t+1] times `[x[t]; x[t-1]; 1]`.
    pub(super) next_past: DMatrix<f64>,
    /// x[t+1] times itself, over the same frames.
    pub(super) next_next: DMatrix<f64>,
    /// x times itself, over all frames.
    pub(super) state_state: DMatrix<f64>,
    /// y - C x times x, with the C of this round.
    pub(super) left_state: DMatrix<f64>,
    /// (y - C x)^2 of each observed number.
    pub(super) left_squares: DVector<f64>,
    /// `[x[0]; x[-1]]`, and times itself.
    pub(super) start: DVector<f64>,
    pub(super) start_start: DMatrix<f64>,
}

/// Goes through all sequences; those without a frame do not count.
pub(super) fn expect(
    model: &StateSpace,
    sequences: &[&[f64]],
) -> Result<SufficientStatistics, SystemError> {
    let (width, n) = model.observation.shape();
    let longest = sequences.iter().map(|s| s.len() / width).max().unwrap_or(0);
    let gains = Gains::new(model, longest)?;
    let part = sequences.len().div_ceil(PARTS).max(1);
    let parts: Vec<SufficientStatistics> = sequences
        .par_chunks(part)
        .map(|part| {
            let mut sums = SufficientStatistics::new(n, width);
            for sequence in part.iter().filter(|sequence| !sequence.is_empty()) {
                sums.add_sequence(model, &gains, sequence);
            }
            sums
        })
        .collect();
    let mut all = SufficientStatistics::new(n, width);
    for part in &parts {
        all.add(part);
    }
    Ok(all)
}

/// Expected stacked states given the whole sequence, a column each, and the log-likelihood of the sequence.
pub(super) fn smooth(model: &StateSpace, gains: &Gains, sequence: &[f64]) -> (DMatrix<f64>, f64) {
    let n = model.dynamics.n_dims();
    let observed = frames(sequence, model.observation.nrows());
    let n_frames = observed.ncols();
    let mut expected = DMatrix::zeros(2 * n, n_frames);
    let mut predicted = DMatrix::zeros(2 * n, n_frames);
    let mut log_likelihood = 0.0;
    let mut state = model.start_mean.clone();
    for t in 0..n_frames {
        predicted.set_column(t, &state);
        let step = gains.at(t);
        let left = observed.column(t) - &model.observation * state.rows(0, n);
        let pull = &gains.weighted * &left;
        let gain = step.filtered.columns(0, n);
        let moved = gain * &pull;
        // e^T (C P C^T + R)^-1 e by the matrix inversion lemma.
        let plain: f64 = left
            .iter()
            .zip(&model.noise)
            .map(|(e, variance)| e * e / variance)
            .sum();
        let square = plain - pull.dot(&moved.rows(0, n));
        log_likelihood -= 0.5 * (gains.ln_noise + step.ln_information + square);
        state += moved;
        expected.set_column(t, &state);
        let mut next = &gains.companion * &state;
        let mut top = next.rows_mut(0, n);
        top += &model.dynamics.offset;
        state = next;
    }
    for t in (0..n_frames.saturating_sub(1)).rev() {
        let news = expected.column(t + 1) - predicted.column(t + 1);
        let mut column = expected.column_mut(t);
        column.gemv(1.0, &gains.at(t).back, &news, 1.0);
    }
    (expected, log_likelihood)
}

impl SufficientStatistics {
    fn new(n: usize, width: usize) -> Self {
        Self {
            log_likelihood: 0.0,
            n_frames: 0.0,
            n_steps: 0.0,
            n_sequences: 0.0,
            past_past: DMatrix::zeros(2 * n + 1, 2 * n + 1),
            next_past: DMatrix::zeros(n, 2 * n + 1),
            next_next: DMatrix::zeros(n, n),
            state_state: DMatrix::zeros(n, n),
            left_state: DMatrix::zeros(width, n),
            left_squares: DVector::zeros(width),
            start: DVector::zeros(2 * n),
            start_start: DMatrix::zeros(2 * n, 2 * n),
        }
    }

    fn add(&mut self, other: &Self) {
        self.log_likelihood += other.log_likelihood;
        self.n_frames += other.n_frames;
        self.n_steps += other.n_steps;
        self.n_sequences += other.n_sequences;
        self.past_past += &other.past_past;
        self.next_past += &other.next_past;
        self.next_next += &other.next_next;
        self.state_state += &other.state_state;
        self.left_state += &other.left_state;
        self.left_squares += &other.left_squares;
        self.start += &other.start;
        self.start_start += &other.start_start;
    }

    fn add_sequence(&mut self, model: &StateSpace, gains: &Gains, sequence: &[f64]) {
        let (expected, log_likelihood) = smooth(model, gains, sequence);
        self.log_likelihood += log_likelihood;
        self.add_means(model, &expected, sequence);
        self.add_covariances(model, gains, expected.ncols());
    }

    /// Adds the products of expectations of one sequence.
    fn add_means(&mut self, model: &StateSpace, expected: &DMatrix<f64>, sequence: &[f64]) {
        let (width, n) = model.observation.shape();
        let n_frames = expected.ncols();
        let n_steps = n_frames - 1;
        self.n_frames += n_frames as f64;
        self.n_steps += n_steps as f64;
        self.n_sequences += 1.0;
        let mut past = DMatrix::from_element(2 * n + 1, n_steps, 1.0);
        past.rows_mut(0, 2 * n)
            .copy_from(&expected.columns(0, n_steps));
        let next = expected.view((0, 1), (n, n_steps));
        let past_across = past.transpose();
        self.past_past.gemm(1.0, &past, &past_across, 1.0);
        self.next_past.gemm(1.0, &next, &past_across, 1.0);
        self.next_next.gemm(1.0, &next, &next.transpose(), 1.0);
        let state = expected.rows(0, n);
        let state_across = state.transpose();
        let left = frames(sequence, width) - &model.observation * state;
        self.state_state.gemm(1.0, &state, &state_across, 1.0);
        self.left_state.gemm(1.0, &left, &state_across, 1.0);
        for (sum, row) in self.left_squares.iter_mut().zip(left.row_iter()) {
            *sum += row.norm_squared();
        }
        let first = expected.column(0);
        self.start += first;
        self.start_start.ger(1.0, &first, &first, 1.0);
    }

    /// Covariances of states around their expectations, from the last frame back to the first.
    fn add_covariances(&mut self, model: &StateSpace, gains: &Gains, n_frames: usize) {
        let n = model.dynamics.n_dims();
        let mut states = DMatrix::zeros(n, n);
        let mut smoothed = gains.at(n_frames - 1).filtered.clone();
        states += smoothed.view((0, 0), (n, n));
        let mut across = DMatrix::zeros(n, 2 * n);
        let mut settled = false;
        for t in (0..n_frames - 1).rev() {
            let step = gains.at(t);
            let mut next = self.next_next.view_mut((0, 0), (n, n));
            next += smoothed.view((0, 0), (n, n));
            // Between the ends of a long sequence neither gains nor covariances change any more.
            if !(settled && gains.is_settled(t)) {
                // Cov(z[t+1], z[t]) = V[t+1] J[t]^T.
                let carried = &smoothed * step.back.transpose();
                across = carried.rows(0, n).into_owned();
                let here = &step.rest + &step.back * carried;
                settled = gains.is_settled(t) && close(&smoothed, &here);
                smoothed = here;
            }
            let mut past = self.past_past.view_mut((0, 0), (2 * n, 2 * n));
            past += &smoothed;
            let mut next_past = self.next_past.columns_mut(0, 2 * n);
            next_past += &across;
            states += smoothed.view((0, 0), (n, n));
        }
        self.start_start += &smoothed;
        let seen = &model.observation * &states;
        self.left_state -= &seen;
        for (i, sum) in self.left_squares.iter_mut().enumerate() {
            *sum += seen.row(i).dot(&model.observation.row(i));
        }
        self.state_state += states;
    }
}
