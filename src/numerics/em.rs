//! Rounds of expectation and maximisation: when they end is the same for every model that is fitted so.

use std::ops::ControlFlow;

/// The mean log-likelihoods that were reached, from the start on, and when no further round is worth it.
pub(super) struct Rounds<F> {
    pub(super) history: Vec<f64>,
    max_rounds: usize,
    least_gain: f64,
    on_round: F,
}

impl<F: FnMut(usize, f64) -> ControlFlow<()>> Rounds<F> {
    /// Ends after `max_rounds`, when a round gains less than `least_gain`, or when `on_round`, which hears of each,
    /// says so.
    pub(super) fn new(max_rounds: usize, least_gain: f64, on_round: F) -> Self {
        Self {
            history: Vec::new(),
            max_rounds,
            least_gain,
            on_round,
        }
    }

    /// Notes what the E-step found the likelihood to be; whether an M-step follows.
    pub(super) fn goes_on(&mut self, likelihood: f64) -> bool {
        let round = self.history.len();
        let gain = self.history.last().map(|before| likelihood - before);
        self.history.push(likelihood);
        let is_wanted = (self.on_round)(round, likelihood).is_continue();
        let has_settled = gain.is_some_and(|gain| gain < self.least_gain);
        is_wanted && !has_settled && round < self.max_rounds
    }
}
