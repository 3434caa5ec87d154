//! Second-order linear dynamical systems: how a pose follows from the two before it.
//!
//! Gao and Hong 2007, section 2.2: `X[t+1] = A1 X[t] + A2 X[t-1] + W` (Eq. 4), `Y = C X + V` (Eq. 5). Here Eq. (4) has
//! an offset b too, so that a motion need not be centred on zero. W is normal with covariance Q, V with independent
//! variances R.
//!
//! [`Ar2`] is Eq. (4) alone, where the pose is the state. It is fitted in closed form towards a prior system
//! ([`ridge`]). [`state_space`] has the hidden state of Eq. (5), fitted by EM. [`cross_entropy`] compares what two
//! systems would do next.

pub mod cross_entropy;
pub mod ridge;
pub mod state_space;
#[cfg(test)]
mod switching;

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use super::cholesky::{Cholesky, NotPositive};
use super::random::Stream;

/// Eq. (4) with an offset: `x[t+1] = A1 x[t] + A2 x[t-1] + b + w`, with w from N(0, Q).
#[derive(Debug, Clone, PartialEq)]
pub struct Ar2 {
    /// A1, what the last state contributes.
    pub a1: DMatrix<f64>,
    /// A2, what the one before it contributes.
    pub a2: DMatrix<f64>,
    /// The constant `b` that each step adds.
    pub offset: DVector<f64>,
    /// Q, covariance of the noise of a step.
    pub q: DMatrix<f64>,
}

/// Squarings for the spectral radius: the power 2^30 of a matrix tells it to about 1e-8 (1e-5 for eigenvalues that
/// coincide, which rounding moves).
const SQUARINGS: i32 = 30;

impl Ar2 {
    /// Goes on as it went, `2 x[t] - x[t-1]`, with this variance of each number.
    pub fn constant_velocity(n_dims: usize, variance: f64) -> Self {
        let unit = DMatrix::identity(n_dims, n_dims);
        Self {
            a1: &unit * 2.0,
            a2: -&unit,
            offset: DVector::zeros(n_dims),
            q: unit * variance,
        }
    }

    /// Numbers of a state.
    pub fn n_dims(&self) -> usize {
        self.offset.len()
    }

    /// The `n_steps` expected states that follow `last`, which followed `before`; row by row.
    pub fn predict(&self, last: &[f64], before: &[f64], n_steps: usize) -> Vec<f64> {
        self.run(last, before, n_steps, |_| {})
    }

    /// [`Self::predict`] with noise drawn at every step.
    pub fn sample(
        &self,
        last: &[f64],
        before: &[f64],
        n_steps: usize,
        stream: &mut Stream,
    ) -> Result<Vec<f64>, NotPositive> {
        let noise = Cholesky::with_jitter(&self.q)?;
        let mut normal = DVector::zeros(self.n_dims());
        Ok(self.run(last, before, n_steps, |state| {
            normal.iter_mut().for_each(|x| *x = stream.normal());
            state.gemv(1.0, noise.lower(), &normal, 1.0);
        }))
    }

    fn run(
        &self,
        last: &[f64],
        before: &[f64],
        n_steps: usize,
        mut disturb: impl FnMut(&mut DVector<f64>),
    ) -> Vec<f64> {
        let mut last = DVector::from_column_slice(last);
        let mut before = DVector::from_column_slice(before);
        let mut states = Vec::with_capacity(n_steps * self.n_dims());
        for _ in 0..n_steps {
            let mut next = self.offset.clone();
            next.gemv(1.0, &self.a1, &last, 1.0);
            next.gemv(1.0, &self.a2, &before, 1.0);
            disturb(&mut next);
            states.extend(next.iter());
            before = std::mem::replace(&mut last, next);
        }
        states
    }

    /// The same system of first order on the stacked state `[x[t]; x[t-1]]`, without the offset.
    pub fn companion(&self) -> DMatrix<f64> {
        let n = self.n_dims();
        let mut companion = DMatrix::zeros(2 * n, 2 * n);
        companion.view_mut((0, 0), (n, n)).copy_from(&self.a1);
        companion.view_mut((0, n), (n, n)).copy_from(&self.a2);
        companion.view_mut((n, 0), (n, n)).fill_with_identity();
        companion
    }

    /// The largest absolute eigenvalue of the companion matrix: below 1 all motion dies away, above 1 it grows without
    /// bound.
    ///
    /// By Gelfand's formula, norm(F^n)^(1/n) for n = 2^30. Unlike an iteration for eigenvalues it cannot fail to
    /// converge, and it is never below the true value but by rounding.
    pub fn spectral_radius(&self) -> f64 {
        let mut power = self.companion();
        let mut ln_norm = 0.0;
        for squaring in 0..=SQUARINGS {
            let norm = power.norm();
            if norm == 0.0 {
                return 0.0;
            }
            ln_norm += norm.ln() * 0.5_f64.powi(squaring);
            power /= norm;
            power = &power * &power;
        }
        ln_norm.exp()
    }

    /// The coefficients `[A1 A2 b]` side by side.
    fn coefficients(&self) -> DMatrix<f64> {
        let n = self.n_dims();
        let mut all = DMatrix::zeros(n, 2 * n + 1);
        all.columns_mut(0, n).copy_from(&self.a1);
        all.columns_mut(n, n).copy_from(&self.a2);
        all.column_mut(2 * n).copy_from(&self.offset);
        all
    }

    fn from_coefficients(all: &DMatrix<f64>, q: DMatrix<f64>) -> Self {
        let n = all.nrows();
        Self {
            a1: all.columns(0, n).into_owned(),
            a2: all.columns(n, n).into_owned(),
            offset: all.column(2 * n).into_owned(),
            q,
        }
    }
}

/// X with X A = B, for symmetric positive A by its factor.
fn solve_right(factor: &Cholesky, b: &DMatrix<f64>) -> DMatrix<f64> {
    let why = "the diagonal of a Cholesky factor is positive";
    let mut x = b.transpose();
    assert!(factor.lower().solve_lower_triangular_mut(&mut x), "{why}");
    assert!(
        factor.lower().tr_solve_lower_triangular_mut(&mut x),
        "{why}"
    );
    x.transpose()
}

/// The nearest covariance that has no variance below the floor in any direction: where likelihood is to be maximised
/// given the sample covariance, that is where the maximum lies among covariances above the floor.
fn floored(mut sample: DMatrix<f64>, floor: f64) -> DMatrix<f64> {
    symmetrise(&mut sample);
    let mut above = sample.clone();
    for i in 0..above.nrows() {
        above[(i, i)] -= floor;
    }
    if Cholesky::new(above).is_ok() {
        return sample;
    }
    let mut eigen = SymmetricEigen::new(sample);
    eigen.eigenvalues.apply(|v| *v = v.max(floor));
    let mut raised = eigen.recompose();
    symmetrise(&mut raised);
    raised
}

/// Takes the mean of both triangles.
fn symmetrise(matrix: &mut DMatrix<f64>) {
    for i in 0..matrix.nrows() {
        for j in 0..i {
            let mean = 0.5 * (matrix[(i, j)] + matrix[(j, i)]);
            matrix[(i, j)] = mean;
            matrix[(j, i)] = mean;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A turning, dying motion in a plane, and a number that the turn drives.
    pub(super) fn turning(angle_rad: f64, radius: f64) -> Ar2 {
        let (sin, cos) = angle_rad.sin_cos();
        // x[t+1] = R x[t] would do; half of it through x[t-1] = R^-1 x[t].
        let turn = DMatrix::from_row_slice(2, 2, &[cos, -sin, sin, cos]) * radius;
        let mut a1 = DMatrix::zeros(3, 3);
        let mut a2 = DMatrix::zeros(3, 3);
        a1.view_mut((0, 0), (2, 2)).copy_from(&(&turn * 0.5));
        let twice = &turn * &turn * 0.5;
        a2.view_mut((0, 0), (2, 2)).copy_from(&twice);
        a1[(2, 0)] = 0.3;
        a2[(2, 2)] = -0.4;
        Ar2 {
            a1,
            a2,
            offset: DVector::from_vec(vec![0.1, -0.2, 0.3]),
            q: DMatrix::from_diagonal(&DVector::from_vec(vec![0.01, 0.02, 0.03])),
        }
    }

    #[test]
    fn prediction_follows_the_definition() {
        let system = turning(0.3, 0.9);
        let (last, before) = ([1.0, 2.0, 3.0], [0.5, 1.5, -1.0]);
        let states = system.predict(&last, &before, 2);
        let first = &system.a1 * DVector::from_column_slice(&last)
            + &system.a2 * DVector::from_column_slice(&before)
            + &system.offset;
        let second =
            &system.a1 * &first + &system.a2 * DVector::from_column_slice(&last) + &system.offset;
        assert_eq!(states.len(), 6);
        for (found, known) in states.iter().zip(first.iter().chain(second.iter())) {
            assert!((found - known).abs() < 1e-14, "{found}, not {known}");
        }
        let on = Ar2::constant_velocity(1, 1.0).predict(&[3.0], &[1.0], 3);
        assert_eq!(on, [5.0, 7.0, 9.0]);
    }

    #[test]
    fn noise_has_its_covariance_and_its_name() {
        let system = turning(0.3, 0.9);
        let still = [0.0; 3];
        let draw = |counter| {
            let mut stream = Stream::named(2, &[counter]);
            system.sample(&still, &still, 1, &mut stream).unwrap()
        };
        assert_eq!(draw(4), draw(4));
        let n = 4000;
        let mut variances = [0.0; 3];
        for counter in 0..n {
            for (i, x) in draw(counter).iter().enumerate() {
                variances[i] += (x - system.offset[i]).powi(2) / n as f64;
            }
        }
        for i in 0..3 {
            // Four standard errors of a variance.
            let ratio = variances[i] / system.q[(i, i)];
            assert!(
                (ratio - 1.0).abs() < 4.0 * (2.0 / n as f64).sqrt(),
                "{ratio}"
            );
        }
        let mut silent = system;
        silent.q.fill(0.0);
        let mut stream = Stream::named(2, &[]);
        assert_eq!(
            silent.sample(&still, &still, 1, &mut stream),
            Err(NotPositive)
        );
    }

    #[test]
    fn the_spectral_radius_is_that_of_the_eigenvalues() {
        for (angle, radius) in [(0.3, 0.9), (1.2, 1.0), (0.01, 1.1)] {
            let system = turning(angle, radius);
            let known = system.companion().complex_eigenvalues();
            let known = known.iter().map(|z| z.norm()).fold(0.0, f64::max);
            let found = system.spectral_radius();
            assert!((found - known).abs() < 1e-7, "{found}, not {known}");
        }
        // A double eigenvalue of 1, which rounding splits.
        let on = Ar2::constant_velocity(2, 1.0).spectral_radius();
        assert!((on - 1.0).abs() < 1e-5, "{on}");
        let mut none = Ar2::constant_velocity(2, 1.0);
        none.a1.fill(0.0);
        none.a2.fill(0.0);
        assert_eq!(none.spectral_radius(), 0.0);
    }

    #[test]
    fn a_floor_raises_only_what_is_below() {
        let sample = DMatrix::from_row_slice(2, 2, &[2.0, 2.0, 2.0, 2.0]);
        let eigen = floored(sample.clone(), 0.5).symmetric_eigenvalues();
        let (low, high) = (eigen.min(), eigen.max());
        assert!(
            (low - 0.5).abs() < 1e-12 && (high - 4.0).abs() < 1e-12,
            "{eigen}"
        );
        let round = DMatrix::identity(2, 2);
        assert_eq!(floored(round.clone(), 0.5), round);
    }
}
