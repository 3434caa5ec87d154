//! How unlike two slices of motion are, by what their systems would do from their states.
//!
//! Gao and Hong 2007, section 3.1.1. A system that starts from two known states makes a normal distribution over its
//! next t frames (Eqs. 9-11); the distance of two slices is the relative entropy D(1 || 2) of two such distributions,
//! which the paper calls cross entropy.
//!
//! **Eq. (8) is misprinted.** It reads, for normal densities with means m and covariances K,
//! `D(1 || 2) = 1/2 [ln|K1| - ln|K2| + sum_ij (K1^-1)_ij (K2^-1)_ij + (m1 - m2)^T K1^-1 (m1 - m2) - d]`.
//! With two inverses in the sum that is not a distance: it is not zero for equal densities, and changes with the units.
//! With K2 itself in the place of its inverse the sum is `tr(K1^-1 K2)`, and the whole is D(2 || 1). What D(1 || 2)
//! means everywhere else, and here, is
//! `1/2 [ln|K2| - ln|K1| + tr(K2^-1 K1) + (m1 - m2)^T K2^-1 (m1 - m2) - d]`.
//! The tests hold these claims against an integral.
//!
//! **No covariance of t d numbers is built.** By the chain rule the relative entropy is a sum over frames of that of
//! the next frame given the ones before: the inverse of K2 has a band of three blocks made of Q, A1 and A2. What
//! remains is
//! - a part that depends on the two systems and t only: determinants of Q, and a trace from the summed covariances
//!   of `[x[t]; x[t-1]]` in the first system ([`SliceSpread`]);
//! - the part of the means, `1/2 sum |e[t] - A1 e[t-1] - A2 e[t-2]|^2` in the metric of Q^-1, with A1, A2, Q of the
//!   second system and e the difference of the means, zero before the slice ([`SliceMetric`]). Rows that are whitened
//!   beforehand make it half of a squared Euclidean distance.
//!
//! Where Eq. (12) has observations, this takes states: an observation adds noise that both systems share and can only
//! lower the distance.

use nalgebra::{DMatrix, DMatrixView};

use super::{Ar2, symmetrise};
use crate::numerics::cholesky::{Cholesky, NotPositive};

/// A system, ready to be compared over slices of a number of frames.
#[derive(Debug, Clone, PartialEq)]
pub struct SliceModel {
    /// For the part in which it is the first.
    pub spread: SliceSpread,
    /// For the part in which it is the second.
    pub metric: SliceMetric,
}

impl SliceModel {
    /// For slices of `n_frames`. Fails if Q is not positive.
    pub fn new(system: &Ar2, n_frames: usize) -> Result<Self, NotPositive> {
        Ok(Self {
            spread: SliceSpread::new(system, n_frames)?,
            metric: SliceMetric::new(system)?,
        })
    }

    /// The part of it that is the same for all slices of two systems.
    pub fn symmetric_constant(&self, other: &Self) -> f64 {
        0.5 * (other.metric.constant(&self.spread) + self.metric.constant(&other.spread))
    }

    /// The part of it that is the slices' own.
    pub fn symmetric_mean_term(&self, mean: &[f64], other: &Self, other_mean: &[f64]) -> f64 {
        let there = other.metric.mean_term(mean, other_mean);
        0.5 * (there + self.metric.mean_term(mean, other_mean))
    }
}

/// How far a system strays from its mean over a slice: what the trace of the first system needs.
#[derive(Debug, Clone, PartialEq)]
pub struct SliceSpread {
    n_frames: usize,
    /// The transition matrices `[A1 A2]` side by side.
    both: DMatrix<f64>,
    noise: Cholesky,
    /// Covariances of `[x[i-1]; x[i-2]]` summed over the frames i of the slice.
    total: DMatrix<f64>,
}

impl SliceSpread {
    /// Of the frames that follow two known states.
    pub fn new(system: &Ar2, n_frames: usize) -> Result<Self, NotPositive> {
        let n = system.n_dims();
        let companion = system.companion();
        let across = companion.transpose();
        // Eq. (10): K_t = F K_{t-1} F^T + Q, from zero as the first states are known.
        let mut covariance = DMatrix::zeros(2 * n, 2 * n);
        let mut total = DMatrix::zeros(2 * n, 2 * n);
        for _ in 1..n_frames {
            covariance = &companion * covariance * &across;
            let mut corner = covariance.view_mut((0, 0), (n, n));
            corner += &system.q;
            symmetrise(&mut covariance);
            total += &covariance;
        }
        Ok(Self {
            n_frames,
            both: companion.rows(0, n).into_owned(),
            noise: Cholesky::with_jitter(&system.q)?,
            total,
        })
    }
}

/// A metric on differences of mean slices: the inverse covariance of a system's slice.
#[derive(Debug, Clone, PartialEq)]
pub struct SliceMetric {
    ln_determinant: f64,
    /// W = L^-1 with L L^T = Q, so that |W e|^2 = e^T Q^-1 e.
    whiten: DMatrix<f64>,
    /// W A1 and W A2 side by side.
    both: DMatrix<f64>,
}

impl SliceMetric {
    /// Fails if Q is not positive.
    pub fn new(system: &Ar2) -> Result<Self, NotPositive> {
        let noise = Cholesky::with_jitter(&system.q)?;
        let whiten = noise.inverse_lower();
        let companion = system.companion();
        Ok(Self {
            ln_determinant: noise.ln_determinant(),
            both: &whiten * companion.rows(0, system.n_dims()),
            whiten,
        })
    }

    /// The part of D(first || this) that does not depend on the means.
    pub fn constant(&self, first: &SliceSpread) -> f64 {
        let n_frames = first.n_frames as f64;
        let n = self.whiten.nrows() as f64;
        let determinants = self.ln_determinant - first.noise.ln_determinant();
        // A frame given the two before it has, around what this system expects, the covariance Q1 + D P D^T with
        // D = [A1 A2] of the first less that of this, P that of the two frames.
        let fresh = (&self.whiten * first.noise.lower()).norm_squared();
        let drift = &self.whiten * &first.both - &self.both;
        let carried = (&drift * &first.total).dot(&drift);
        0.5 * (n_frames * (determinants - n + fresh) + carried)
    }

    /// The part that the means make: `1/2 (m1 - m2)^T K^-1 (m1 - m2)` with K the covariance of a slice of this system.
    ///
    /// Means are rows of frames, as many in one as in the other. Each may be of another system: which of them is this
    /// one's does not matter.
    pub fn mean_term(&self, mean: &[f64], other_mean: &[f64]) -> f64 {
        assert_eq!(mean.len(), other_mean.len(), "slices of equal length");
        let pairs = mean.iter().zip(other_mean);
        let difference: Vec<f64> = pairs.map(|(a, b)| a - b).collect();
        0.5 * self.whitened_slice(&difference).norm_squared()
    }

    /// A mean slice in coordinates in which [`Self::mean_term`] is half of the squared Euclidean distance: for many
    /// slices against many.
    pub fn whitened(&self, mean: &[f64]) -> Vec<f64> {
        self.whitened_slice(mean).data.into()
    }

    fn whitened_slice(&self, slice: &[f64]) -> DMatrix<f64> {
        let n = self.whiten.nrows();
        let n_frames = slice.len() / n;
        let frames = DMatrixView::from_slice(slice, n, n_frames);
        let mut white = &self.whiten * frames;
        for (lag, block) in [(1, 0), (2, n)] {
            let Some(n_late) = n_frames.checked_sub(lag).filter(|&n| n > 0) else {
                break;
            };
            let mut late = white.columns_mut(lag, n_late);
            let early = frames.columns(0, n_late);
            late.gemm(-1.0, &self.both.columns(block, n), &early, 1.0);
        }
        white
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::DVector;

    use super::super::tests::turning;
    use super::*;
    use crate::numerics::random::Stream;

    impl SliceModel {
        /// D(this || other), given the expected frames of both (as of [`Ar2::predict`]).
        fn relative_entropy(&self, mean: &[f64], other: &Self, other_mean: &[f64]) -> f64 {
            other.metric.constant(&self.spread) + other.metric.mean_term(mean, other_mean)
        }

        /// Mean of the relative entropies both ways, which unlike either does not depend on which comes first.
        fn symmetric_entropy(&self, mean: &[f64], other: &Self, other_mean: &[f64]) -> f64 {
            self.symmetric_constant(other) + self.symmetric_mean_term(mean, other, other_mean)
        }
    }

    const N_FRAMES: usize = 5;

    /// A normal density with everything written out.
    #[derive(Clone)]
    struct Dense {
        mean: DVector<f64>,
        covariance: DMatrix<f64>,
    }

    /// Eqs. (10) and (11), of the second order by the companion matrix.
    fn dense(system: &Ar2, last: &[f64], before: &[f64]) -> Dense {
        let n = system.n_dims();
        let companion = system.companion();
        let mut covariance = DMatrix::zeros(N_FRAMES * n, N_FRAMES * n);
        let mut of_state = DMatrix::zeros(2 * n, 2 * n);
        for i in 0..N_FRAMES {
            of_state = &companion * &of_state * companion.transpose();
            let mut corner = of_state.view_mut((0, 0), (n, n));
            corner += &system.q;
            let mut later = of_state.clone();
            for j in i..N_FRAMES {
                let block = later.view((0, 0), (n, n)).into_owned();
                covariance
                    .view_mut((j * n, i * n), (n, n))
                    .copy_from(&block);
                covariance
                    .view_mut((i * n, j * n), (n, n))
                    .copy_from(&block.transpose());
                later = &companion * later;
            }
        }
        Dense {
            mean: DVector::from_vec(system.predict(last, before, N_FRAMES)),
            covariance,
        }
    }

    impl Dense {
        /// Eq. (12): the same density after the observation matrix and its noise.
        fn observed(&self, c: &DMatrix<f64>, noise: f64) -> Self {
            let (p, n) = c.shape();
            let mut stacked = DMatrix::zeros(N_FRAMES * p, N_FRAMES * n);
            for i in 0..N_FRAMES {
                stacked.view_mut((i * p, i * n), (p, n)).copy_from(c);
            }
            let mut covariance = &stacked * &self.covariance * stacked.transpose();
            for i in 0..N_FRAMES * p {
                covariance[(i, i)] += noise;
            }
            Self {
                mean: stacked * &self.mean,
                covariance,
            }
        }

        /// The textbook's D(this || other).
        fn relative_entropy(&self, other: &Self) -> f64 {
            let (k1, k2) = (&self.covariance, &other.covariance);
            let inverse = k2.clone().try_inverse().unwrap();
            let e = &self.mean - &other.mean;
            let determinants = k2.determinant().ln() - k1.determinant().ln();
            let d = e.len() as f64;
            0.5 * (determinants + (&inverse * k1).trace() + e.dot(&(&inverse * &e)) - d)
        }

        /// Eq. (8) letter by letter, and the same with the second inverse left out.
        fn printed(&self, other: &Self) -> (f64, f64) {
            let (k1, k2) = (&self.covariance, &other.covariance);
            let inverse1 = k1.clone().try_inverse().unwrap();
            let inverse2 = k2.clone().try_inverse().unwrap();
            let e = &self.mean - &other.mean;
            let determinants = k1.determinant().ln() - k2.determinant().ln();
            let rest = determinants + e.dot(&(&inverse1 * &e)) - e.len() as f64;
            let (both, one) = (inverse1.dot(&inverse2), inverse1.dot(k2));
            (0.5 * (rest + both), 0.5 * (rest + one))
        }
    }

    fn two_systems() -> (Ar2, Ar2) {
        let mut second = turning(0.5, 0.8);
        let mut stream = Stream::named(21, &[]);
        for x in second.a1.iter_mut().chain(second.a2.iter_mut()) {
            *x += 0.1 * stream.normal();
        }
        let root = DMatrix::from_fn(3, 3, |_, _| 0.1 * stream.normal());
        second.q += &root * root.transpose();
        (turning(0.3, 1.05), second)
    }

    #[test]
    fn it_is_the_textbooks_with_covariances_built() {
        let (a, b) = two_systems();
        let states = [
            [0.3, 0.2, 0.1],
            [0.1, 0.1, 0.0],
            [0.5, 0.1, 0.3],
            [0.2, 0.0, -0.1],
        ];
        let dense_a = dense(&a, &states[0], &states[1]);
        let dense_b = dense(&b, &states[2], &states[3]);
        let model_a = SliceModel::new(&a, N_FRAMES).unwrap();
        let model_b = SliceModel::new(&b, N_FRAMES).unwrap();
        let (mean_a, mean_b) = (dense_a.mean.as_slice(), dense_b.mean.as_slice());
        let known = [
            dense_a.relative_entropy(&dense_b),
            dense_b.relative_entropy(&dense_a),
        ];
        let found = [
            model_a.relative_entropy(mean_a, &model_b, mean_b),
            model_b.relative_entropy(mean_b, &model_a, mean_a),
        ];
        for (known, found) in known.into_iter().zip(found) {
            assert!(known > 1.0, "the case has something to tell: {known}");
            assert!((found / known - 1.0).abs() < 1e-9, "{found}, not {known}");
        }
        let both = model_a.symmetric_entropy(mean_a, &model_b, mean_b);
        assert!((both - 0.5 * (found[0] + found[1])).abs() < 1e-9, "mean");
        let back = model_b.symmetric_entropy(mean_b, &model_a, mean_a);
        assert!((both - back).abs() < 1e-9, "the same from either side");
        let same = model_a.relative_entropy(mean_a, &model_a, mean_a);
        assert!(same.abs() < 1e-9, "none to itself: {same}");
        let (white_a, white_b) = (
            model_b.metric.whitened(mean_a),
            model_b.metric.whitened(mean_b),
        );
        let apart: f64 = white_a
            .iter()
            .zip(&white_b)
            .map(|(x, y)| (x - y).powi(2))
            .sum();
        let term = model_b.metric.mean_term(mean_a, mean_b);
        assert!((0.5 * apart - term).abs() < 1e-9 * term, "whitened");
    }

    #[test]
    fn the_printed_formula_has_one_inverse_too_many() {
        let (a, b) = two_systems();
        let dense_a = dense(&a, &[0.3; 3], &[0.1; 3]);
        let dense_b = dense(&b, &[0.5; 3], &[0.2; 3]);
        let (printed_same, corrected_same) = dense_a.printed(&dense_a);
        assert!(printed_same > 100.0, "equal densities: {printed_same}");
        assert!(corrected_same.abs() < 1e-6, "{corrected_same}");
        let (_, corrected) = dense_a.printed(&dense_b);
        let swapped = dense_b.relative_entropy(&dense_a);
        assert!(
            (corrected / swapped - 1.0).abs() < 1e-9,
            "{corrected}, not {swapped}"
        );
    }

    #[test]
    fn it_is_the_integral() {
        let system = |a1: f64, a2: f64, offset: f64, variance: f64| Ar2 {
            a1: DMatrix::from_element(1, 1, a1),
            a2: DMatrix::from_element(1, 1, a2),
            offset: DVector::from_element(1, offset),
            q: DMatrix::from_element(1, 1, variance),
        };
        let (a, b) = (system(0.9, -0.3, 0.1, 0.5), system(0.4, 0.2, -0.2, 0.9));
        let (start_a, start_b) = ([0.4, 0.1], [-0.3, 0.5]);
        // ln of the density of two frames after the start, by Eq. (9) twice.
        let ln_density = |system: &Ar2, [last, before]: [f64; 2], x: f64, y: f64| {
            let step = |next: f64, last: f64, before: f64| {
                let mean = system.a1[0] * last + system.a2[0] * before + system.offset[0];
                let q = system.q[0];
                -0.5 * ((next - mean).powi(2) / q + (std::f64::consts::TAU * q).ln())
            };
            step(x, last, before) + step(y, x, last)
        };
        let (step, mut integral) = (0.05, 0.0);
        for i in -160..160 {
            for j in -160..160 {
                let (x, y) = (f64::from(i) * step, f64::from(j) * step);
                let ln_a = ln_density(&a, start_a, x, y);
                integral += ln_a.exp() * (ln_a - ln_density(&b, start_b, x, y)) * step * step;
            }
        }
        let mean_a = a.predict(&start_a[..1], &start_a[1..], 2);
        let mean_b = b.predict(&start_b[..1], &start_b[1..], 2);
        let model = |system| SliceModel::new(system, 2).unwrap();
        let found = model(&a).relative_entropy(&mean_a, &model(&b), &mean_b);
        assert!((found - integral).abs() < 1e-9, "{found}, not {integral}");
    }

    #[test]
    fn observations_only_lower_it() {
        let (a, b) = two_systems();
        let dense_a = dense(&a, &[0.3; 3], &[0.1; 3]);
        let dense_b = dense(&b, &[0.5; 3], &[0.2; 3]);
        let of_states = dense_a.relative_entropy(&dense_b);
        let mut stream = Stream::named(22, &[]);
        let mut before = of_states;
        for noise in [1e-9, 1e-3, 0.1, 1.0] {
            let c = DMatrix::identity(3, 3);
            let observed = dense_a
                .observed(&c, noise)
                .relative_entropy(&dense_b.observed(&c, noise));
            assert!(observed < before, "noise {noise}: {observed}, {before}");
            before = observed;
        }
        let c = DMatrix::from_fn(3, 3, |_, _| stream.normal());
        let exact = dense_a
            .observed(&c, 1e-10)
            .relative_entropy(&dense_b.observed(&c, 1e-10));
        assert!(
            (exact / of_states - 1.0).abs() < 1e-3,
            "{exact}, {of_states}"
        );
    }

    #[test]
    fn no_noise_is_refused_and_short_slices_answered() {
        let (mut a, b) = two_systems();
        let one = SliceModel::new(&b, 1).unwrap();
        let term = one.relative_entropy(&[1.0, 0.0, 0.0], &one, &[0.0; 3]);
        let inverse = b.q.clone().try_inverse().unwrap();
        assert!((term - 0.5 * inverse[(0, 0)]).abs() < 1e-9, "{term}");
        let none = SliceModel::new(&b, 0).unwrap();
        assert_eq!(none.relative_entropy(&[], &none, &[]), 0.0);
        a.q.fill(0.0);
        assert!(SliceModel::new(&a, 3).is_err(), "no density");
    }
}
