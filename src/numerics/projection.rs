//! Points of many dimensions as a few numbers whose distance is never more than that of the points, and the nearest of
//! many by them.
//!
//! The numbers are coordinates along the directions of largest variance among some of the points: an orthogonal
//! projection, so it shortens every distance. Most candidates of a search are told apart by them
//! ([`super::box_tree`]).

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use super::box_tree::BoxTree;

/// Points that a projection is learned from, evenly chosen.
pub const SAMPLE: usize = 2000;
/// Numbers of a sketch; as `f32` they fill a cache line.
const SIZE: usize = 16;

/// An orthogonal projection onto `N` directions.
#[derive(Debug, Clone, PartialEq)]
pub struct Projection<const N: usize> {
    /// Row by row, one for each number of the full space.
    basis: Vec<[f32; N]>,
}

impl<const N: usize> Projection<N> {
    /// Onto the directions of largest variance among these points, which all have equally many numbers.
    pub fn learn(samples: &[Vec<f32>]) -> Self {
        let n = samples.first().map_or(0, Vec::len);
        if n == 0 {
            return Self { basis: Vec::new() };
        }
        let mut mean = DVector::<f64>::zeros(n);
        for sample in samples {
            mean += DVector::from_iterator(n, sample.iter().map(|x| f64::from(*x)));
        }
        mean /= samples.len().max(1) as f64;
        let centred = DMatrix::from_fn(n, samples.len(), |i, s| f64::from(samples[s][i]) - mean[i]);
        let eigen = SymmetricEigen::new(&centred * centred.transpose());
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
        let mut basis = vec![[0.0; N]; n];
        for (at, &column) in order.iter().take(N).enumerate() {
            for (row, value) in basis.iter_mut().zip(&eigen.eigenvectors.column(column)) {
                row[at] = *value as f32;
            }
        }
        Self { basis }
    }

    /// The coordinates of a point.
    pub fn of(&self, point: &[f32]) -> [f32; N] {
        let mut sketch = [0.0; N];
        for (value, axis) in point.iter().zip(&self.basis) {
            for (sum, axis) in sketch.iter_mut().zip(axis) {
                *sum += value * axis;
            }
        }
        sketch
    }
}

/// Points whose nearest is looked for by a distance that is at least Euclidean.
#[derive(Debug, Clone)]
pub struct NearestPoint {
    projection: Projection<SIZE>,
    tree: BoxTree<SIZE>,
    /// By how much sketches may be too far apart by rounding.
    room: f32,
}

impl NearestPoint {
    /// Over so many points, which are asked for one by one and not kept.
    pub fn among(n_points: usize, point: impl Fn(usize) -> Vec<f32>) -> Self {
        let stride = n_points.div_ceil(SAMPLE).max(1);
        let samples: Vec<Vec<f32>> = (0..n_points).step_by(stride).map(&point).collect();
        let projection = Projection::learn(&samples);
        let mut longest = 0.0_f32;
        let sketches = (0..n_points).map(|at| {
            let point = point(at);
            longest = longest.max(point.iter().map(|x| x * x).sum());
            projection.of(&point)
        });
        Self {
            tree: BoxTree::build(sketches),
            room: 1e-5 * longest.sqrt(),
            projection,
        }
    }

    /// The nearest point and its distance. `distance` is asked for that of one point and told a bound; beyond the
    /// bound it may return anything larger, and infinity for points that do not count.
    pub fn nearest(
        &self,
        query: &[f32],
        distance: impl FnMut(usize, f32) -> f32,
    ) -> Option<(usize, f32)> {
        let mut distance = distance;
        let sketch = self.projection.of(query);
        let found = self.tree.nearest(&sketch, None, self.room, |at, bound| {
            distance(at as usize, bound)
        });
        let (at, distance) = found?;
        distance.is_finite().then_some((at as usize, distance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::random::Stream;
    use crate::numerics::rows::{Rows, squared_distance};

    #[test]
    fn the_nearest_is_that_of_a_scan() {
        let mut stream = Stream::named(5, &[]);
        let n_dims = 40;
        // Points on a curved sheet with some noise, as poses of a motion are.
        let mut values = Vec::new();
        for _ in 0..700 {
            let (u, v) = (stream.normal(), stream.normal());
            let wave = |d: usize| (u * (1.0 + d as f64 * 0.1)).sin() + (v * d as f64 * 0.07).cos();
            values.extend((0..n_dims).map(|d| (wave(d) + 0.05 * stream.normal()) as f32));
        }
        let rows = Rows::new(n_dims, values);
        let index = NearestPoint::among(rows.len(), |at| rows.row(at).to_vec());
        let mut n_asked = 0;
        for query in (0..700).step_by(7) {
            let distance = |at: usize| match at {
                at if at == query => f32::INFINITY,
                at => squared_distance(rows.row(query), rows.row(at)).sqrt(),
            };
            let found = index.nearest(rows.row(query), |at, _| {
                n_asked += 1;
                distance(at)
            });
            let truth = (0..700).map(|at| (at, distance(at)));
            let truth = truth.min_by(|a, b| a.1.total_cmp(&b.1));
            assert_eq!(found, truth, "query {query}");
        }
        assert!(n_asked < 100 * 700 / 2, "asked {n_asked} times");
        let none = NearestPoint::among(0, |_| Vec::new());
        assert_eq!(none.nearest(&[0.0; 3], |_, _| 0.0), None);
        let alone = NearestPoint::among(1, |_| vec![1.0; 3]);
        assert_eq!(alone.nearest(&[0.0; 3], |_, _| f32::INFINITY), None);
    }
}
