//! Symmetric systems whose entries lie near the diagonal: what Gaussian processes in time lead to.
//!
//! Only the lower half within the band is kept, row by row, so factor and solutions cost time in proportion to the
//! number of unknowns.

use super::cholesky::NotPositive;

/// A symmetric positive definite matrix within a band.
#[derive(Debug, Clone, PartialEq)]
pub struct Banded {
    n: usize,
    /// Entries to the left of the diagonal.
    reach: usize,
    /// Row by row, `reach + 1` numbers, the diagonal last.
    values: Vec<f64>,
}

/// The lower triangular Cholesky factor of a [`Banded`] matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct BandedFactor(Banded);

impl Banded {
    /// A matrix of zeros with `n` rows and `reach` entries beside the diagonal.
    pub fn zeros(n: usize, reach: usize) -> Self {
        Self {
            n,
            reach,
            values: vec![0.0; n * (reach + 1)],
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Adds to an entry, given on either side of the diagonal; once for both sides.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        let (row, column) = (row.max(column), row.min(column));
        debug_assert!(row - column <= self.reach, "outside the band");
        self.values[row * (self.reach + 1) + self.reach - (row - column)] += value;
    }

    /// Cholesky's factor, in place.
    pub fn factor(mut self) -> Result<BandedFactor, NotPositive> {
        let width = self.reach + 1;
        for row in 0..self.n {
            let first = row.saturating_sub(self.reach);
            for column in first..=row {
                let from = first.max(column.saturating_sub(self.reach));
                // Both slices run over the same columns `from..column`.
                let a = &self.values[row * width + self.reach - (row - from)..][..column - from];
                let b =
                    &self.values[column * width + self.reach - (column - from)..][..column - from];
                let dot: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
                let at = row * width + self.reach - (row - column);
                let rest = self.values[at] - dot;
                if column < row {
                    self.values[at] = rest / self.values[column * width + self.reach];
                } else if rest > 0.0 && rest.is_finite() {
                    self.values[at] = rest.sqrt();
                } else {
                    return Err(NotPositive);
                }
            }
        }
        Ok(BandedFactor(self))
    }
}

impl BandedFactor {
    /// Solves `L x = b` in place.
    pub fn solve_lower(&self, b: &mut [f64]) {
        let Banded { n, reach, values } = &self.0;
        for row in 0..*n {
            let first = row.saturating_sub(*reach);
            let entries = &values[row * (reach + 1) + reach - (row - first)..][..row - first];
            let dot: f64 = entries.iter().zip(&b[first..row]).map(|(x, y)| x * y).sum();
            b[row] = (b[row] - dot) / values[row * (reach + 1) + reach];
        }
    }

    /// Solves `L^T x = b` in place.
    pub fn solve_upper(&self, b: &mut [f64]) {
        let Banded { n, reach, values } = &self.0;
        for row in (0..*n).rev() {
            let first = row.saturating_sub(*reach);
            b[row] /= values[row * (reach + 1) + reach];
            let (value, entries) = (
                b[row],
                &values[row * (reach + 1) + reach - (row - first)..][..row - first],
            );
            for (x, entry) in b[first..row].iter_mut().zip(entries) {
                *x -= value * entry;
            }
        }
    }

    /// Solves for the matrix itself, in place.
    pub fn solve(&self, b: &mut [f64]) {
        self.solve_lower(b);
        self.solve_upper(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_put_back_give_the_right_side() {
        let (n, reach) = (12, 3);
        let entry = |i: usize, j: usize| match i.abs_diff(j) {
            0 => 6.0 + i as f64 * 0.1,
            d if d <= reach => -1.0 / d as f64,
            _ => 0.0,
        };
        let mut matrix = Banded::zeros(n, reach);
        for i in 0..n {
            for j in i.saturating_sub(reach)..=i {
                matrix.add(i, j, entry(i, j));
            }
        }
        let right: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        let mut x = right.clone();
        matrix.clone().factor().unwrap().solve(&mut x);
        for i in 0..n {
            let back: f64 = (0..n).map(|j| entry(i, j) * x[j]).sum();
            assert!((back - right[i]).abs() < 1e-12, "row {i}: {back}");
        }
        matrix.add(3, 3, -100.0);
        assert!(matrix.factor().is_err(), "not positive");
    }
}
