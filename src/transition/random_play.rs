//! The next action when none is queued.

use crate::numerics::random::Stream;

/// A probability for each transition between actions.
#[derive(Debug, Clone, PartialEq)]
pub struct RandomPlay {
    n_actions: usize,
    /// Weights, row by row: from, to. Not negative; a row of zeros means that all are alike.
    weights: Vec<f64>,
}

impl RandomPlay {
    /// All actions are as likely after any; an action follows itself as well.
    pub fn even(n_actions: usize) -> Self {
        Self {
            n_actions,
            weights: vec![1.0; n_actions * n_actions],
        }
    }

    /// The number of actions.
    pub fn n_actions(&self) -> usize {
        self.n_actions
    }

    /// Sets how likely one action follows another, against the other weights after the same one; what is not a number
    /// of at least zero counts as zero.
    pub fn set(&mut self, from: usize, to: usize, weight: f64) {
        if from < self.n_actions && to < self.n_actions {
            let weight = if weight.is_finite() {
                weight.max(0.0)
            } else {
                0.0
            };
            self.weights[from * self.n_actions + to] = weight;
        }
    }

    /// The probability that one action follows another.
    pub fn probability(&self, from: usize, to: usize) -> f64 {
        let row = self.row(from);
        let total: f64 = row.iter().sum();
        match row.get(to) {
            Some(weight) if total > 0.0 => weight / total,
            Some(_) => 1.0 / row.len() as f64,
            None => 0.0,
        }
    }

    /// Draws the next action.
    pub fn next(&self, from: usize, stream: &mut Stream) -> usize {
        let mut left = stream.uniform();
        for to in 0..self.n_actions {
            left -= self.probability(from, to);
            if left < 0.0 {
                return to;
            }
        }
        self.n_actions.saturating_sub(1)
    }

    fn row(&self, from: usize) -> &[f64] {
        let start = from.min(self.n_actions.saturating_sub(1)) * self.n_actions;
        &self.weights[start..start + self.n_actions]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_come_as_often_as_they_should() {
        let mut play = RandomPlay::even(3);
        play.set(0, 0, 0.0);
        play.set(0, 1, 3.0);
        play.set(0, 2, 1.0);
        play.set(1, 0, f64::NAN);
        let mut stream = Stream::named(1, &[]);
        let mut counts = [0; 3];
        for _ in 0..4000 {
            counts[play.next(0, &mut stream)] += 1;
        }
        assert_eq!(counts[0], 0);
        assert!((2880..3120).contains(&counts[1]), "{counts:?}");
        assert_eq!(play.probability(1, 0), 0.0);
        assert_eq!(play.probability(1, 2), 0.5);
        assert_eq!(play.probability(2, 2), 1.0 / 3.0);
        play.set(2, 0, 0.0);
        play.set(2, 1, 0.0);
        play.set(2, 2, 0.0);
        assert_eq!(play.probability(2, 1), 1.0 / 3.0, "none is all");
    }
}
