//! Sums of products over frames: all that fitting a node to its parents needs.
//!
//! Frames follow each other, so they are no independent observations. What the two frames before tell of a frame, by one memory for all
//! nodes, is taken off; after that rows count about once each. The same two frames ahead: an edge shall hold there as well.

use nalgebra::DMatrix;

/// Added observations in favour of no dependence.
pub(in crate::variation) const RIDGE: f64 = 2.0;
/// A variance is known as if this many frames more had shown the node's own.
const PRIOR_FRAMES: f64 = 2.0;
/// Nothing varies less than this, in squared units of spread.
const LEAST: f64 = 1e-3;

/// What is taken off rows before they are compared: what the past tells of them, one frame ahead and two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::variation) struct Past {
    /// What stays of the frame before, and of the one before that.
    memory: [f64; 2],
    /// The share of variance that is new after one frame, and after two.
    fresh: [f64; 2],
}

impl Past {
    /// Of frames with these correlations one and two frames apart.
    pub(in crate::variation) fn new(correlations: [f64; 2]) -> Self {
        let r1 = correlations[0].clamp(-0.95, 0.95);
        let r2 = correlations[1].clamp(2.0 * r1 * r1 - 0.98, 0.98);
        let rest = 1.0 - r1 * r1;
        let memory = [r1 * (1.0 - r2) / rest, (r2 - r1 * r1) / rest];
        let fresh = (1.0 - memory[0] * r1 - memory[1] * r2).max(1e-3);
        Self {
            memory,
            fresh: [fresh, fresh * (1.0 + memory[0] * memory[0])],
        }
    }

    /// Rows without what they are expected to be, as large as before. The first rows have no past and stay.
    fn taken_off(&self, take: &DMatrix<f64>, ahead: usize) -> DMatrix<f64> {
        let [a, b] = self.memory;
        let (first, second) = if ahead == 1 {
            (a, b)
        } else {
            (a * a + b, a * b)
        };
        let scale = self.fresh[ahead - 1].sqrt().recip();
        let n = take.nrows();
        // Of a take that is too short to have a past only the first row is left.
        let skip = n - n.saturating_sub(ahead + 1);
        DMatrix::from_fn(n - skip.saturating_sub(1), take.ncols(), |row, node| {
            if row == 0 {
                return take[(0, node)];
            }
            let t = row + skip - 1;
            (take[(t, node)]
                - first * take[(t - ahead, node)]
                - second * take[(t - ahead - 1, node)])
                * scale
        })
    }
}

/// Sums of products of rows of some takes, their past taken off.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::variation) struct Sums {
    n: usize,
    /// The sums of products, row by row.
    sums: Vec<f64>,
    /// As many independent rows.
    pub(in crate::variation) count: f64,
}

impl Sums {
    fn of(takes: &[DMatrix<f64>], past: Past, ahead: usize, share: f64) -> Self {
        let n = takes.first().map_or(0, DMatrix::ncols);
        let mut sums = DMatrix::zeros(n, n);
        let mut count = 0.0;
        for take in takes {
            let white = past.taken_off(take, ahead);
            sums += white.transpose() * &white;
            count += white.nrows() as f64;
        }
        Self {
            n,
            sums: (sums * share).as_slice().to_vec(),
            count: count * share,
        }
    }

    fn get(&self, a: usize, b: usize) -> f64 {
        self.sums[a * self.n + b]
    }

    /// Variance of a node by itself.
    fn own(&self, node: usize) -> f64 {
        self.get(node, node) / self.count + LEAST
    }

    /// The variance that these coefficients leave, for the observations that they used up.
    fn left(&self, node: usize, parents: &[usize], coefficients: &[f64], ridge: f64) -> f64 {
        let own = self.own(node);
        if parents.is_empty() {
            return own;
        }
        let rss = self.residual(node, parents, coefficients).max(0.0);
        // Each parent uses up almost one observation.
        let used = parents.len() as f64 * self.count / (self.count + ridge);
        let free = (self.count - used).max(1.0) + 2.0 * PRIOR_FRAMES;
        (rss + PRIOR_FRAMES * own) / free
    }

    /// Sum of squares that is left of a node with these coefficients.
    pub(in crate::variation) fn residual(
        &self,
        node: usize,
        parents: &[usize],
        coefficients: &[f64],
    ) -> f64 {
        let mut rest = self.get(node, node);
        for (&p, c) in parents.iter().zip(coefficients) {
            let products = parents.iter().zip(coefficients);
            let own: f64 = products.map(|(&q, d)| d * self.get(p, q)).sum();
            rest += c * (own - 2.0 * self.get(p, node));
        }
        rest
    }
}

/// Sums of products one frame ahead and two frames ahead.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::variation) struct Moments {
    pub(in crate::variation) ahead: [Sums; 2],
}

impl Moments {
    /// Of takes (rows are frames). They were measured from a mean of their own, so they count by `share`.
    pub(in crate::variation) fn of(takes: &[DMatrix<f64>], past: Past, share: f64) -> Self {
        Self {
            ahead: [1, 2].map(|ahead| Sums::of(takes, past, ahead, share)),
        }
    }

    pub(in crate::variation) fn n_nodes(&self) -> usize {
        self.ahead[0].n
    }

    /// Coefficients of a node on its parents by ridge regression, and the variance that is left, both one frame ahead and two.
    pub(in crate::variation) fn regress(
        &self,
        node: usize,
        parents: &[usize],
        ridge: f64,
        scratch: &mut Scratch,
    ) -> [f64; 2] {
        let Scratch { matrix, solution } = scratch;
        solution.clear();
        matrix.clear();
        let [near, far] = &self.ahead;
        let get = |a: usize, b: usize| 0.5 * (near.get(a, b) + far.get(a, b));
        let count = 0.5 * (near.count + far.count);
        for (row, &p) in parents.iter().enumerate() {
            solution.push(get(p, node));
            for (column, &q) in parents[..=row].iter().enumerate() {
                let sum = get(p, q);
                let added = if row == column {
                    ridge * sum / count + 1e-12
                } else {
                    0.0
                };
                matrix.push(sum + added);
            }
        }
        solve(matrix, solution);
        let solution = &scratch.solution;
        self.ahead
            .each_ref()
            .map(|sums| sums.left(node, parents, solution, ridge))
    }
}

/// Room for a small system, used again and again.
#[derive(Debug, Clone, Default)]
pub(in crate::variation) struct Scratch {
    /// Lower triangle, row by row.
    matrix: Vec<f64>,
    pub(in crate::variation) solution: Vec<f64>,
}

/// Solves a small positive definite system, given by its lower triangle row by row.
fn solve(matrix: &mut [f64], right: &mut [f64]) {
    let m = right.len();
    let at = |row: usize, column: usize| row * (row + 1) / 2 + column;
    for row in 0..m {
        for column in 0..=row {
            let dot: f64 = (0..column)
                .map(|k| matrix[at(row, k)] * matrix[at(column, k)])
                .sum();
            let rest = matrix[at(row, column)] - dot;
            matrix[at(row, column)] = if row == column {
                rest.max(1e-300).sqrt()
            } else {
                rest / matrix[at(column, column)]
            };
        }
        let dot: f64 = (0..row).map(|k| matrix[at(row, k)] * right[k]).sum();
        right[row] = (right[row] - dot) / matrix[at(row, row)];
    }
    for row in (0..m).rev() {
        let dot: f64 = (row + 1..m).map(|k| matrix[at(k, row)] * right[k]).sum();
        right[row] = (right[row] - dot) / matrix[at(row, row)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::random::Stream;

    #[test]
    fn coefficients_come_back_from_rows_that_were_made_with_them() {
        let mut stream = Stream::named(3, &[1]);
        let rows = DMatrix::from_fn(4000, 3, |_, _| stream.normal());
        let mut rows = rows;
        for mut row in rows.row_iter_mut() {
            row[2] = 0.6 * row[0] - 0.3 * row[1] + 0.5 * row[2];
        }
        let moments = Moments::of(&[rows], Past::new([0.0; 2]), 1.0);
        let mut scratch = Scratch::default();
        let variance = moments.regress(2, &[0, 1], RIDGE, &mut scratch);
        assert!((scratch.solution[0] - 0.6).abs() < 0.03, "{scratch:?}");
        assert!((scratch.solution[1] + 0.3).abs() < 0.03, "{scratch:?}");
        for one in variance {
            assert!((one - 0.25).abs() < 0.03, "{variance:?}");
        }
    }
}
