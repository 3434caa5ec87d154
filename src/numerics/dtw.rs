//! Dynamic time warping: how one series of rows runs along another, faster here and slower there.
//!
//! Sakoe and Chiba 1978, with their slope limit P = 1: never more than two frames of one on one frame of the other, so
//! that no moment is frozen or skipped over. Costs are root mean square distances of the points in a row.
//!
//! [`align`] pins both ends. Its steps are weighted by the frames they advance (symmetric form), so the weights of
//! every path add up to the same sum and the cheapest path is also the one of least mean cost. [`Subsequence`] leaves
//! the ends of the series free; there each frame of the query weighs the same (asymmetric form), for the same reason.

use super::rows::{Rows, squared_distance};

/// How a path came to a cell.
const FROM_START: u8 = 0;
const BOTH: u8 = 1;
const TWO_OF_B: u8 = 2;
const TWO_OF_A: u8 = 3;

/// More cells than these are refused: a byte each is kept to find the way back.
pub const MAX_CELLS: usize = 1 << 28;

/// Which row of one series goes with which row of the other.
#[derive(Debug, Clone, PartialEq)]
pub struct WarpPath {
    /// Pairs of rows, from the first of both to the last of both; each step advances by one or two rows in all.
    pub pairs: Vec<(usize, usize)>,
    /// Mean distance along the path.
    pub cost: f64,
}

/// The series cannot be warped onto each other.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DtwError {
    /// One of them has no row.
    #[error("nothing to align: a series without rows")]
    Empty,
    /// The rows have different numbers.
    #[error("rows of {a} numbers cannot be compared with rows of {b}")]
    Width {
        /// Numbers in a row of the first.
        a: usize,
        /// Numbers in a row of the second.
        b: usize,
    },
    /// One is more than twice as long.
    #[error("{a} frames cannot be warped onto {b}: time may run at most twice as fast or slow")]
    Lengths {
        /// Rows of the first.
        a: usize,
        /// Rows of the second.
        b: usize,
    },
    /// Too many pairs to look at.
    #[error("{a} frames against {b} are too many to align; use a lower frame rate")]
    TooLong {
        /// Rows of the first.
        a: usize,
        /// Rows of the second.
        b: usize,
    },
}

/// The cheapest way through both, first rows together, last rows together.
pub fn align(a: &Rows, b: &Rows) -> Result<WarpPath, DtwError> {
    let (n, m) = (a.len(), b.len());
    if n == 0 || m == 0 {
        return Err(DtwError::Empty);
    }
    if a.n_dims() != b.n_dims() {
        return Err(DtwError::Width {
            a: a.n_dims(),
            b: b.n_dims(),
        });
    }
    if n - 1 > 2 * (m - 1) || m - 1 > 2 * (n - 1) {
        return Err(DtwError::Lengths { a: n, b: m });
    }
    if n.saturating_mul(m) > MAX_CELLS {
        return Err(DtwError::TooLong { a: n, b: m });
    }
    let (came, total) = fill(a, b);
    Ok(WarpPath {
        pairs: way_back(&came, n, m),
        cost: total / (n + m) as f64,
    })
}

/// The rows of `b` that a row of `a` can meet, given that both ends are pinned and slopes are limited.
fn reachable(i: usize, n: usize, m: usize) -> std::ops::RangeInclusive<usize> {
    let left = n - 1 - i;
    let low = i.div_ceil(2).max((m - 1).saturating_sub(2 * left));
    let high = (2 * i).min(m - 1 - left.div_ceil(2).min(m - 1));
    low..=high
}

fn fill(a: &Rows, b: &Rows) -> (Vec<u8>, f64) {
    let (n, m) = (a.len(), b.len());
    let per_point = a.per_point();
    let distance =
        |i: usize, j: usize| f64::from((squared_distance(a.row(i), b.row(j)) * per_point).sqrt());
    let mut came = vec![FROM_START; n * m];
    // Sums and distances of this row of cells and the two before it.
    let mut sums = [
        vec![f64::INFINITY; m],
        vec![f64::INFINITY; m],
        vec![f64::INFINITY; m],
    ];
    let mut near = [vec![0.0; m], vec![0.0; m]];
    for i in 0..n {
        sums.rotate_right(1);
        near.rotate_right(1);
        let [now, before, before_that] = &mut sums;
        let [near_now, near_before] = &mut near;
        now.fill(f64::INFINITY);
        let range = reachable(i, n, m);
        // One more to the left: a step over two rows of `b` passes it.
        for j in range.start().saturating_sub(1)..=*range.end() {
            near_now[j] = distance(i, j);
        }
        for j in range {
            if i == 0 && j == 0 {
                now[0] = 2.0 * near_now[0];
                continue;
            }
            if i == 0 || j == 0 {
                continue;
            }
            let here = near_now[j];
            let mut best = (before[j - 1] + 2.0 * here, BOTH);
            if j >= 2 {
                let sum = before[j - 2] + 1.5 * (near_now[j - 1] + here);
                if sum < best.0 {
                    best = (sum, TWO_OF_B);
                }
            }
            // Where the row before did not reach, its distance is stale, but then so is the sum before it: infinite.
            if i >= 2 && before_that[j - 1].is_finite() {
                let passed = if reachable(i - 1, n, m).contains(&j) {
                    near_before[j]
                } else {
                    distance(i - 1, j)
                };
                let sum = before_that[j - 1] + 1.5 * (passed + here);
                if sum < best.0 {
                    best = (sum, TWO_OF_A);
                }
            }
            now[j] = best.0;
            came[i * m + j] = best.1;
        }
    }
    let total = sums[0][m - 1];
    (came, total)
}

fn way_back(came: &[u8], n: usize, m: usize) -> Vec<(usize, usize)> {
    let (mut i, mut j) = (n - 1, m - 1);
    let mut pairs = vec![(i, j)];
    loop {
        match came[i * m + j] {
            BOTH => (i, j) = (i - 1, j - 1),
            TWO_OF_B => {
                pairs.push((i, j - 1));
                (i, j) = (i - 1, j - 2);
            }
            TWO_OF_A => {
                pairs.push((i - 1, j));
                (i, j) = (i - 2, j - 1);
            }
            _ => break,
        }
        pairs.push((i, j));
    }
    pairs.reverse();
    pairs
}

/// A stretch of the series that runs like the query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SubsequenceMatch {
    /// First row of the match in the series.
    pub first: usize,
    /// Last row of the match, included.
    pub last: usize,
    /// Mean distance over the rows of the query.
    pub cost: f64,
}

/// Looks for a query everywhere in a series (the SPRING algorithm of Sakurai et al. 2007, with slope limits).
#[derive(Debug)]
pub struct Subsequence<'a> {
    query: &'a Rows,
    columns: [CostColumn; 3],
}

#[derive(Debug, Clone)]
struct CostColumn {
    sums: Vec<f32>,
    starts: Vec<u32>,
    near: Vec<f32>,
}

impl<'a> Subsequence<'a> {
    /// Room for searches of one query.
    pub fn new(query: &'a Rows) -> Self {
        let column = CostColumn {
            sums: vec![f32::INFINITY; query.len()],
            starts: vec![0; query.len()],
            near: vec![0.0; query.len()],
        };
        Self {
            query,
            columns: [column.clone(), column.clone(), column],
        }
    }

    /// For every row of the series (of the same width) the best stretch that ends there, if there is one.
    pub fn scan(&mut self, series: &Rows, mut visit: impl FnMut(SubsequenceMatch)) {
        let m = self.query.len();
        if m == 0 || series.n_dims() != self.query.n_dims() {
            return;
        }
        for column in &mut self.columns {
            column.sums.fill(f32::INFINITY);
        }
        let per_point = self.query.per_point();
        for (j, row) in series.iter().enumerate() {
            self.columns.rotate_right(1);
            let [now, before, before_that] = &mut self.columns;
            for (near, query_row) in now.near.iter_mut().zip(self.query.iter()) {
                *near = (squared_distance(query_row, row) * per_point).sqrt();
            }
            step(now, before, before_that, j as u32);
            let cost = now.sums[m - 1];
            if cost.is_finite() {
                visit(SubsequenceMatch {
                    first: now.starts[m - 1] as usize,
                    last: j,
                    cost: f64::from(cost) / m as f64,
                });
            }
        }
    }
}

/// One more row of the series.
fn step(now: &mut CostColumn, before: &CostColumn, before_that: &CostColumn, j: u32) {
    now.sums[0] = now.near[0];
    now.starts[0] = j;
    for i in 1..now.sums.len() {
        let here = now.near[i];
        let mut best = (before.sums[i - 1] + here, before.starts[i - 1]);
        let skipped = before_that.sums[i - 1] + 0.5 * (before.near[i] + here);
        if skipped < best.0 {
            best = (skipped, before_that.starts[i - 1]);
        }
        let twice = now.near[i - 1] + here;
        let held = match i {
            1 => (twice, j),
            _ => (before.sums[i - 2] + twice, before.starts[i - 2]),
        };
        if held.0 < best.0 {
            best = held;
        }
        (now.sums[i], now.starts[i]) = best;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(values: impl IntoIterator<Item = f32>) -> Rows {
        Rows::new(3, values.into_iter().flat_map(|x| [x, 0.0, 0.0]).collect())
    }

    /// Some numbers without order.
    fn wild(n: usize, seed: u64) -> Rows {
        let mut state = seed;
        let mut next = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 40) as f32 / 1e6
        };
        Rows::new(3, (0..3 * n).map(|_| next()).collect())
    }

    /// Every allowed path, by brute force.
    fn cheapest(a: &Rows, b: &Rows, i: usize, j: usize) -> f64 {
        let d = |i: usize, j: usize| f64::from(a.distance(i, b, j));
        if i == 0 && j == 0 {
            return 2.0 * d(0, 0);
        }
        let mut best = f64::INFINITY;
        if i >= 1 && j >= 1 {
            best = best.min(cheapest(a, b, i - 1, j - 1) + 2.0 * d(i, j));
        }
        if i >= 1 && j >= 2 {
            best = best.min(cheapest(a, b, i - 1, j - 2) + 1.5 * (d(i, j - 1) + d(i, j)));
        }
        if i >= 2 && j >= 1 {
            best = best.min(cheapest(a, b, i - 2, j - 1) + 1.5 * (d(i - 1, j) + d(i, j)));
        }
        best
    }

    #[test]
    fn no_path_is_cheaper_than_the_one_found() {
        for (n, m, seed) in [
            (1, 1, 1),
            (7, 7, 2),
            (8, 5, 3),
            (5, 9, 4),
            (9, 8, 5),
            (3, 2, 6),
        ] {
            let (a, b) = (wild(n, seed), wild(m, seed + 100));
            let path = align(&a, &b).unwrap();
            let truth = cheapest(&a, &b, n - 1, m - 1) / (n + m) as f64;
            assert!(
                (path.cost - truth).abs() < 1e-9,
                "{n} x {m}: {} against {truth}",
                path.cost
            );
            assert_eq!(path.pairs[0], (0, 0));
            assert_eq!(path.pairs[path.pairs.len() - 1], (n - 1, m - 1));
            for w in path.pairs.windows(2) {
                let (di, dj) = (w[1].0 - w[0].0, w[1].1 - w[0].1);
                assert!(di <= 1 && dj <= 1 && di + dj > 0, "{:?}", path.pairs);
            }
        }
    }

    #[test]
    fn a_known_warp_is_found() {
        let wave = |t: f64| (t * 6.0).sin() as f32 + t as f32;
        let warp = |t: f64| t + 0.1 * (t * std::f64::consts::TAU).sin() / 2.0;
        let a = rows((0..200).map(|i| wave(f64::from(i) / 199.0)));
        let b = rows((0..260).map(|i| wave(warp(f64::from(i) / 259.0))));
        let path = align(&a, &b).unwrap();
        assert!(path.cost < 0.01, "same curve, other timing: {}", path.cost);
        let worst = path
            .pairs
            .iter()
            .map(|&(i, j)| (i as f64 / 199.0 - warp(j as f64 / 259.0)).abs())
            .fold(0.0, f64::max);
        assert!(worst < 0.03, "off by {worst} of the whole");
    }

    #[test]
    fn every_refusal() {
        let some = |n: u16| rows((0..n).map(f32::from));
        assert_eq!(align(&some(0), &some(1)), Err(DtwError::Empty));
        assert_eq!(
            align(&some(10), &some(5)),
            Err(DtwError::Lengths { a: 10, b: 5 })
        );
        assert_eq!(
            align(&some(1), &some(2)),
            Err(DtwError::Lengths { a: 1, b: 2 })
        );
        assert!(align(&some(9), &some(5)).is_ok(), "exactly twice as fast");
        let narrow = Rows::new(2, vec![0.0; 4]);
        assert_eq!(
            align(&narrow, &some(2)),
            Err(DtwError::Width { a: 2, b: 3 })
        );
        let long = rows(std::iter::repeat_n(0.0, 20_000));
        assert!(
            matches!(align(&long, &long), Err(DtwError::TooLong { .. })),
            "memory is kept in bounds"
        );
    }

    #[test]
    fn a_query_is_found_where_it_was_planted() {
        let query = rows((0..40_u8).map(|i| (f32::from(i) * 0.2).sin() * 3.0));
        let mut series = vec![10.0; 300];
        for (i, value) in series[100..148].iter_mut().enumerate() {
            *value = (i as f32 * 39.0 / 47.0 * 0.2).sin() * 3.0;
        }
        let mut best: Option<SubsequenceMatch> = None;
        let series = rows(series);
        Subsequence::new(&query).scan(&series, |s| {
            if best.is_none_or(|b| s.cost < b.cost) {
                best = Some(s);
            }
        });
        let best = best.unwrap();
        assert!(
            best.first.abs_diff(100) <= 1 && best.last.abs_diff(147) <= 1,
            "{best:?}"
        );
        assert!(best.cost < 0.1, "{best:?}");
    }
}
