//! The conditional distribution of one node: what is learned, scored, drawn from and shown.
//!
//! ```text
//! s_i[t] = sum over parents c_ij s_j[t] + u_i[t],      u_i[t] = a_i u_i[t-1] + b_i u_i[t-2] + e_i[t],   e_i ~ N(0, q_i)
//! ```
//!
//! So `s_i[t]` given its parents in the same frame, and itself and them in the two frames before, is Gaussian with mean
//! `c s_j[t] + a (s_i - c s_j)[t-1] + b (s_i - c s_j)[t-2]`: a second-order dynamic Bayesian network as in section 5 of the paper,
//! with linear Gaussian conditionals in place of Eqs. (5) and (6). The first two frames are drawn from the same node with
//! the spread that `u` has when it has run for ever: that is the prior network. It is stable for every structure without
//! circles, since each `u` is stable by itself.

use crate::numerics::random::Stream;

/// Draws stay within this many standard deviations of `u`, softly. Takes are few, so what is further out was never seen.
const TAIL: f64 = 2.5;
/// What is lost by that.
const TAIL_GAIN: f64 = 1.05;
/// Beyond so many standard deviations errors count in proportion, not squared: a captured clip may glitch, and one frame must
/// not outweigh all others.
const ROBUST: f64 = 3.0;

/// One node given its parents and its own past.
#[derive(Debug, Clone, PartialEq)]
pub struct Conditional {
    /// Which nodes, in order.
    pub parents: Vec<usize>,
    /// What a unit of each of them adds.
    pub coefficients: Vec<f64>,
    /// What stays of `u` from the frame before, and from the one before that.
    pub memory: [f64; 2],
    /// The variance of the innovation `u`.
    pub variance: f64,
    /// Variance of what is new in each frame.
    pub innovation: f64,
}

impl Conditional {
    /// A node of which the correlations from one frame to the next and to the one after are known, within what a stable
    /// process can have.
    pub fn new(
        parents: Vec<usize>,
        coefficients: Vec<f64>,
        variance: f64,
        correlations: [f64; 2],
    ) -> Self {
        let r1 = correlations[0].clamp(-0.97, 0.99);
        let r2 = correlations[1].clamp(2.0 * r1 * r1 - 0.98, 0.995);
        // Yule and Walker.
        let rest = 1.0 - r1 * r1;
        let memory = [r1 * (1.0 - r2) / rest, (r2 - r1 * r1) / rest];
        let share = (1.0 - memory[0] * r1 - memory[1] * r2).max(1e-4);
        Self {
            parents,
            coefficients,
            memory,
            variance,
            innovation: share * variance,
        }
    }

    /// What the parents add.
    pub fn told_by_parents(&self, row: &[f64]) -> f64 {
        let pairs = self.parents.iter().zip(&self.coefficients);
        pairs.map(|(&parent, c)| c * row[parent]).sum()
    }

    /// Correlation of `u` with itself one frame before.
    pub fn first_correlation(&self) -> f64 {
        self.memory[0] / (1.0 - self.memory[1])
    }

    /// Mean and variance of `u` so many frames after two known ones, the later one first.
    pub fn ahead(&self, [last, before]: [f64; 2], frames: usize) -> (f64, f64) {
        let [a, b] = self.memory;
        let (mut mean, mut mean_before) = (last, before);
        let (mut echo, mut echo_before, mut squares) = (1.0, 0.0, 0.0);
        for _ in 0..frames {
            (mean, mean_before) = (a * mean + b * mean_before, mean);
            squares += echo * echo;
            (echo, echo_before) = (a * echo + b * echo_before, echo);
        }
        (mean, squares * self.innovation)
    }

    /// `u` of the next frame given what is known of the frames before, the last one first.
    pub fn draw(&self, past: &[f64], stream: &mut Stream) -> f64 {
        let (mean, variance) = self.given(past);
        mean + variance.sqrt() * stream.normal()
    }

    /// Mean and variance of `u` given none, one or two frames before, the last one first.
    pub fn given(&self, past: &[f64]) -> (f64, f64) {
        match *past {
            [] => (0.0, self.variance),
            [last] => {
                let r1 = self.first_correlation();
                (r1 * last, self.variance * (1.0 - r1 * r1))
            }
            [last, before, ..] => self.ahead([last, before], 1),
        }
    }

    /// `u` as it is used: hardly beyond what takes could show.
    pub fn bounded(&self, u: f64) -> f64 {
        let share = u / (TAIL * self.variance.sqrt()).max(1e-12);
        TAIL_GAIN * u / (1.0 + share.powi(4)).sqrt().sqrt()
    }
}

/// Logarithm of the normal density with this variance at a distance from the mean; see `ROBUST`.
pub fn log_density(off: f64, variance: f64) -> f64 {
    let z = off.abs() / variance.sqrt();
    let cost = if z <= ROBUST {
        0.5 * z * z
    } else {
        ROBUST * z - 0.5 * ROBUST * ROBUST
    };
    -0.5 * (std::f64::consts::TAU * variance).ln() - cost
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_values_have_the_variance_and_correlations_that_were_given() {
        let node = Conditional::new(vec![], vec![], 2.0, [0.8, 0.55]);
        let mut stream = Stream::named(1, &[7]);
        let n = 40_000;
        let mut u: Vec<f64> = Vec::with_capacity(n);
        for t in 0..n {
            let past: Vec<f64> = u.iter().rev().take(2).copied().collect();
            assert!(past.len() == t.min(2), "two at most");
            u.push(node.draw(&past, &mut stream));
        }
        let moment = |lag: usize| {
            let pairs = u.iter().zip(&u[lag..]);
            pairs.map(|(a, b)| a * b).sum::<f64>() / (n - lag) as f64
        };
        let variance = moment(0);
        assert!((variance - 2.0).abs() < 0.15, "variance {variance}");
        for (lag, meant) in [(1, 0.8), (2, 0.55)] {
            let found = moment(lag) / variance;
            assert!((found - meant).abs() < 0.03, "{found} for {meant}");
        }
    }

    #[test]
    fn what_is_far_ahead_is_known_as_badly_as_without_a_past() {
        let node = Conditional::new(vec![], vec![], 1.5, [0.7, 0.4]);
        let (mean, variance) = node.ahead([2.0, 1.0], 200);
        assert!(mean.abs() < 1e-9 && (variance - 1.5).abs() < 1e-9);
        let (_, one) = node.ahead([2.0, 1.0], 1);
        assert!((one - node.innovation).abs() < 1e-12);
    }

    #[test]
    fn draws_are_bounded_and_glitches_count_in_proportion() {
        let node = Conditional::new(vec![], vec![], 1.0, [0.5, 0.2]);
        assert!(node.bounded(100.0) < TAIL * TAIL_GAIN + 1e-9);
        assert!((node.bounded(0.1) - 0.105).abs() < 1e-3);
        let near = log_density(1.0, 1.0) - log_density(0.0, 1.0);
        assert!((near + 0.5).abs() < 1e-12);
        let far = log_density(40.0, 1.0) - log_density(30.0, 1.0);
        assert!((far + 30.0).abs() < 1e-9, "a line: {far}");
    }
}
