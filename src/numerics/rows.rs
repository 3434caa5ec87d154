//! A table of `f32` rows with fast distances, for searches over hours of motion.

/// Rows of equal length, one after another without gaps.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    n_dims: usize,
    values: Vec<f32>,
}

impl Rows {
    /// Takes whole rows; a last row that is not whole is dropped. A width of zero gives no rows.
    pub fn new(n_dims: usize, mut values: Vec<f32>) -> Self {
        let n_rows = values.len().checked_div(n_dims).unwrap_or(0);
        values.truncate(n_rows * n_dims);
        Self { n_dims, values }
    }

    /// Numbers in a row.
    pub fn n_dims(&self) -> usize {
        self.n_dims
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.values.len().checked_div(self.n_dims).unwrap_or(0)
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The numbers of one row.
    pub fn row(&self, at: usize) -> &[f32] {
        &self.values[at * self.n_dims..][..self.n_dims]
    }

    /// All rows in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f32]> + Clone {
        self.values.chunks_exact(self.n_dims.max(1))
    }

    /// Root mean square distance of the points in two rows, three numbers each.
    pub fn distance(&self, at: usize, other: &Self, other_at: usize) -> f32 {
        (squared_distance(self.row(at), other.row(other_at)) * self.per_point()).sqrt()
    }

    /// One over the number of points in a row.
    pub fn per_point(&self) -> f32 {
        3.0 / self.n_dims.max(1) as f32
    }

    /// A copy of these rows.
    #[must_use]
    pub fn slice(&self, range: std::ops::Range<usize>) -> Self {
        Self {
            n_dims: self.n_dims,
            values: self.values[range.start * self.n_dims..range.end * self.n_dims].to_vec(),
        }
    }

    /// Rows at any moments, blended between neighbours; before the first and after the last row those hold.
    #[must_use]
    pub fn at(&self, moments: &[f64]) -> Self {
        let last = self.len().saturating_sub(1);
        let mut values = Vec::with_capacity(moments.len() * self.n_dims);
        for moment in moments {
            let moment = moment.clamp(0.0, last as f64);
            let before = moment as usize;
            let share = moment.fract() as f32;
            let after = self.row((before + 1).min(last));
            let pairs = self.row(before).iter().zip(after);
            values.extend(pairs.map(|(a, b)| a + (b - a) * share));
        }
        Self {
            n_dims: self.n_dims,
            values,
        }
    }

    /// `n` rows at equal steps from the first to the last.
    #[must_use]
    pub fn resampled(&self, n: usize) -> Self {
        let last = self.len().saturating_sub(1) as f64;
        let steps = n.saturating_sub(1).max(1) as f64;
        let moments: Vec<f64> = (0..n).map(|i| i as f64 * last / steps).collect();
        self.at(&moments)
    }

    /// Means of `block` rows each, beginning with row `first`; a last block that is not whole is left out.
    #[must_use]
    pub fn block_means(&self, block: usize, first: usize) -> Self {
        let block = block.max(1);
        let n = self.len().saturating_sub(first) / block;
        let mut values = vec![0.0; n * self.n_dims];
        let share = 1.0 / block as f32;
        for (i, mean) in values.chunks_exact_mut(self.n_dims.max(1)).enumerate() {
            for at in 0..block {
                for (m, v) in mean.iter_mut().zip(self.row(first + i * block + at)) {
                    *m += v * share;
                }
            }
        }
        Self {
            n_dims: self.n_dims,
            values,
        }
    }
}

/// Sum of squared differences. Twelve sums run side by side, which the compiler turns into vector instructions.
pub fn squared_distance(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 12;
    let mut sums = [0.0_f32; LANES];
    let (a_chunks, b_chunks) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f32 = a_chunks
        .remainder()
        .iter()
        .zip(b_chunks.remainder())
        .map(|(x, y)| (x - y) * (x - y))
        .sum();
    for (x, y) in a_chunks.zip(b_chunks) {
        for lane in 0..LANES {
            let d = x[lane] - y[lane];
            sums[lane] += d * d;
        }
    }
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_any_width_are_exact() {
        for n in 0..40_usize {
            let a: Vec<f32> = (0..n).map(|i| i as f32).collect();
            let b: Vec<f32> = (0..n).map(|i| 2.0 * i as f32 + 1.0).collect();
            let truth: f32 = (0..n).map(|i| ((i + 1) * (i + 1)) as f32).sum();
            assert_eq!(squared_distance(&a, &b), truth, "width {n}");
        }
        let rows = Rows::new(
            6,
            vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 3.0, 4.0, 0.0, 1.0, 1.0, 1.0],
        );
        // Two points, one of them 5 away: sqrt(25 / 2).
        assert!(
            (rows.distance(0, &rows, 1) - 12.5_f32.sqrt()).abs() < 1e-6,
            "root mean square"
        );
    }

    #[test]
    fn blending_blocks_and_edges() {
        let rows = Rows::new(1, vec![0.0, 2.0, 4.0, 10.0, 99.0]);
        assert_eq!(
            rows.at(&[-1.0, 0.5, 3.0, 9.0]),
            Rows::new(1, vec![0.0, 1.0, 10.0, 99.0])
        );
        assert_eq!(rows.resampled(3), Rows::new(1, vec![0.0, 4.0, 99.0]));
        assert_eq!(rows.block_means(2, 1), Rows::new(1, vec![3.0, 54.5]));
        assert_eq!(rows.block_means(9, 0).len(), 0, "no whole block");
        assert_eq!(Rows::new(0, vec![1.0]).len(), 0, "no width, no rows");
    }
}
