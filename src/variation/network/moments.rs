//! Sums of products over frames: all that fitting a node to its parents needs.
//!
//! Frames follow each other, so they are no independent observations. All are *whitened* by one common correlation from
//! frame to frame, after which rows count about once each.

use nalgebra::DMatrix;

/// Added observations in favour of no dependence.
pub(in crate::variation) const RIDGE: f64 = 2.0;
/// This share of a node's variance is never explained by its parents: takes are few.
const FLOOR: f64 = 0.03;
/// A variance is known as if this many frames more had shown the node's own.
const PRIOR_FRAMES: f64 = 2.0;
/// Nothing varies less than this, in squared units of spread.
const LEAST: f64 = 1e-3;

/// Sums of products of whitened rows of some takes.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::variation) struct Moments {
    n: usize,
    /// Row by row.
    sums: Vec<f64>,
    /// As many independent rows.
    pub(in crate::variation) count: f64,
}

impl Moments {
    /// Of takes (rows are frames) whose frames have this correlation with the ones before. They were measured from a mean of
    /// their own, so they count by `share`.
    pub(in crate::variation) fn of(takes: &[DMatrix<f64>], correlation: f64, share: f64) -> Self {
        let n = takes.first().map_or(0, DMatrix::ncols);
        let mut sums = DMatrix::zeros(n, n);
        let mut count = 0.0;
        for take in takes {
            let white = whitened(take, correlation);
            sums += white.transpose() * &white;
            count += take.nrows() as f64;
        }
        Self {
            n,
            sums: (sums * share).as_slice().to_vec(),
            count: count * share,
        }
    }

    pub(in crate::variation) fn n_nodes(&self) -> usize {
        self.n
    }

    pub(in crate::variation) fn get(&self, a: usize, b: usize) -> f64 {
        self.sums[a * self.n + b]
    }

    /// Variance of a node by itself.
    fn own(&self, node: usize) -> f64 {
        self.get(node, node) / self.count + LEAST
    }

    /// Coefficients of a node on its parents by ridge regression, and the variance that is left.
    pub(in crate::variation) fn regress(
        &self,
        node: usize,
        parents: &[usize],
        ridge: f64,
        scratch: &mut Scratch,
    ) -> f64 {
        let m = parents.len();
        let own = self.own(node);
        let Scratch { matrix, solution } = scratch;
        solution.clear();
        if m == 0 {
            return own;
        }
        matrix.clear();
        for (row, &p) in parents.iter().enumerate() {
            solution.push(self.get(p, node));
            for (column, &q) in parents[..=row].iter().enumerate() {
                let sum = self.get(p, q);
                let added = if row == column {
                    ridge * sum / self.count + 1e-12
                } else {
                    0.0
                };
                matrix.push(sum + added);
            }
        }
        solve(matrix, solution);
        let rss = self.residual(node, parents, solution).max(0.0);
        // Each parent uses up almost one observation.
        let used = m as f64 * self.count / (self.count + ridge);
        let free = (self.count - used).max(1.0) + 2.0 * PRIOR_FRAMES;
        ((rss + PRIOR_FRAMES * own) / free).max(FLOOR * own)
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

/// Rows without what the row before tells of them, as large as before.
fn whitened(take: &DMatrix<f64>, correlation: f64) -> DMatrix<f64> {
    let scale = (1.0 - correlation * correlation).sqrt().recip();
    let mut white = take.clone();
    for mut column in white.column_iter_mut() {
        for row in (1..column.len()).rev() {
            column[row] = (column[row] - correlation * column[row - 1]) * scale;
        }
    }
    white
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
        let moments = Moments::of(&[rows], 0.0, 1.0);
        let mut scratch = Scratch::default();
        let variance = moments.regress(2, &[0, 1], RIDGE, &mut scratch);
        assert!((scratch.solution[0] - 0.6).abs() < 0.03, "{scratch:?}");
        assert!((scratch.solution[1] + 0.3).abs() < 0.03, "{scratch:?}");
        assert!((variance - 0.25).abs() < 0.03, "{variance}");
    }
}
