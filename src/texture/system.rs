//! How motions that pass through the same poses differ, as a linear dynamical system.
//!
//! Gao and Hong 2007 fit `X[t+1] = A1 X[t] + A2 X[t-1] + W` (Eq. 4) to the frames of a cluster. On real clips four of
//! five such systems are unstable, and bounding them kills the motion. Here Eq. (4) is fitted to what differs from
//! take to take:
//!
//! ```text
//! X[t] = M[t] + D[t],   D[t+1] = A1 D[t] + A2 D[t-1] + W,   W from N(0, Q)
//! ```
//!
//! with M the path of a section of a clip, and D the deviation from it. A system predicts another take that passes
//! (its deviation is known and goes on by A1, A2), draws a new one (D is drawn), and compares two slices by the same
//! A1, A2, Q (Eqs. 8-12). Differences of takes that pass through a cluster's sections are its samples; half of their
//! covariance is that of one take about the mean of takes, and that is the size of D.

use nalgebra::{DMatrix, DVector};

use super::error::TextureError;
use crate::numerics::cholesky::Cholesky;
use crate::numerics::linear_system::Ar2;
use crate::numerics::linear_system::ridge::SystemPrior;
use crate::numerics::linear_system::state_space::{EmSettings, StateSpace};
use crate::numerics::random::Stream;

/// Deviations are forgotten with this time constant at the slowest: takes of one label do not drift apart for ever.
/// Without a bound one system in three would let them.
const FORGOTTEN_SECS: f64 = 2.2;
/// The corpus system counts like so many seconds of differences of takes.
const PRIOR_SECS: f64 = 20.0;
/// That velocities die away at once, which is thought of a corpus before anything is seen, counts like so much:
/// captured velocities tremble, and a system that trusts them predicts worse.
const CORPUS_PRIOR_SECS: f64 = 10.0;
/// Variances of a step below this share of the mean variance are rounding.
const FLOOR: f64 = 1e-6;

/// The dynamics of a cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct System {
    /// A1, A2 and Q of the deviation; stable.
    pub dynamics: Ar2,
    /// Lower factor of the covariance of `[D[t]; D[t-1]]` in the long run.
    start: DMatrix<f64>,
    /// Lower factor of Q.
    noise: DMatrix<f64>,
}

/// The deviation of a motion that is being made.
#[derive(Debug, Clone, PartialEq)]
pub struct Deviation {
    /// The deviation of the last frame, `D[t]`.
    pub last: DVector<f64>,
    /// The deviation of the frame before, `D[t-1]`.
    pub before: DVector<f64>,
}

impl Deviation {
    /// No deviation at all, in this many dimensions.
    pub fn none(n_dims: usize) -> Self {
        Self {
            last: DVector::zeros(n_dims),
            before: DVector::zeros(n_dims),
        }
    }
}

impl System {
    /// From differences of takes, drawn towards a system that is known already.
    pub(super) fn fit(
        differences: &[DMatrix<f64>],
        prior: &Ar2,
        fps: f64,
    ) -> Result<Self, TextureError> {
        Self::drawn_towards(prior, PRIOR_SECS, differences, fps)
    }

    /// The prior counts like so many seconds of differences. It says how deviations go on, not how large they are;
    /// where nothing was seen, it says both.
    pub(super) fn drawn_towards(
        prior: &Ar2,
        secs: f64,
        differences: &[DMatrix<f64>],
        fps: f64,
    ) -> Result<Self, TextureError> {
        let n = prior.n_dims();
        let n_seen: usize = differences.iter().map(DMatrix::ncols).sum();
        let long_run = stationary(prior);
        let prior_trace = long_run.view((0, 0), (n, n)).trace();
        let trace = if n_seen > 0 {
            let seen: f64 = differences.iter().map(DMatrix::norm_squared).sum();
            seen / n_seen as f64
        } else {
            2.0 * prior_trace
        };
        // In units of its spread every dimension is drawn alike; else the ridge would leave those that vary little at
        // the prior.
        let size = (trace / prior_trace.max(f64::MIN_POSITIVE)).sqrt();
        let scales = DVector::from_fn(n, |i, _| {
            (long_run[(i, i)].sqrt() * size).max(f64::MIN_POSITIVE)
        });
        let mut known = prior.clone();
        known.q *= size * size;
        let scaled: Vec<DMatrix<f64>> = differences
            .iter()
            .map(|d| unscaled_by(d, &scales))
            .collect();
        let sequences: Vec<&[f64]> = scaled.iter().map(DMatrix::as_slice).collect();
        let weight = secs * fps;
        let prior = SystemPrior {
            system: in_units(&known, &scales),
            ridge: weight,
            pseudo_count: weight,
        };
        let fitted = Ar2::fit(&sequences, &prior, FLOOR)?;
        let mut dynamics = in_units(&fitted, &scales.map(f64::recip));
        // Deviations have no drift of their own.
        dynamics.offset.fill(0.0);
        Self::stable(dynamics, 0.5 * trace, fps)
    }

    /// The same dynamics with noise as large as these differences say.
    pub(super) fn sized_as(&self, differences: &[DMatrix<f64>]) -> Result<Self, TextureError> {
        let n = self.n_dims();
        let n_seen: usize = differences.iter().map(DMatrix::ncols).sum();
        let seen: f64 = differences.iter().map(DMatrix::norm_squared).sum();
        let long_run = stationary(&self.dynamics).view((0, 0), (n, n)).trace();
        let mut dynamics = self.dynamics.clone();
        dynamics.q *= 0.5 * seen / (n_seen.max(1) as f64 * long_run.max(f64::MIN_POSITIVE));
        Self::of(dynamics)
    }

    /// Some rounds of expectation maximisation: differences are taken as noisy observations of hidden ones. On real
    /// clips this changes next to nothing (`resources/texture.md`), so none is the default.
    pub(super) fn refined(
        self,
        differences: &[DMatrix<f64>],
        rounds: usize,
        fps: f64,
    ) -> Result<Self, TextureError> {
        let n = self.n_dims();
        let n_seen: usize = differences.iter().map(DMatrix::ncols).sum();
        if rounds == 0 || n_seen == 0 {
            return Ok(self);
        }
        let sequences: Vec<&[f64]> = differences.iter().map(DMatrix::as_slice).collect();
        let seen: f64 = differences.iter().map(DMatrix::norm_squared).sum();
        let trace = seen / n_seen as f64;
        let pseudo = PRIOR_SECS * fps;
        let prior = SystemPrior {
            ridge: pseudo * trace / n as f64,
            pseudo_count: pseudo,
            system: self.dynamics,
        };
        let floor = (FLOOR * trace / n as f64).max(f64::MIN_POSITIVE);
        let start = StateSpace::start(&sequences, DMatrix::identity(n, n), &prior, floor, floor)?;
        let settings = EmSettings {
            max_rounds: rounds,
            least_gain: 0.0,
            fix_observation: true,
            floor,
            noise_floor: floor,
            prior: Some(prior),
        };
        let go_on = |_: usize, _: f64| std::ops::ControlFlow::Continue(());
        let (fitted, _) = start.fit(&sequences, &settings, go_on)?;
        let mut dynamics = fitted.dynamics;
        dynamics.offset.fill(0.0);
        Self::stable(dynamics, 0.5 * trace, fps)
    }

    /// The system of a whole corpus, from which nothing is known yet.
    pub(super) fn corpus(
        differences: &[DMatrix<f64>],
        n_dims: usize,
        fps: f64,
    ) -> Result<Self, TextureError> {
        let decay = (-1.0 / (FORGOTTEN_SECS * fps)).exp();
        let unit = DMatrix::identity(n_dims, n_dims);
        let start = Ar2 {
            a1: &unit * decay,
            a2: &unit * 0.0,
            offset: DVector::zeros(n_dims),
            q: unit * (1.0 - decay * decay),
        };
        Self::drawn_towards(&start, CORPUS_PRIOR_SECS, differences, fps)
    }

    /// Shrinks what would last too long, and sets the noise so that the long run has this total variance.
    fn stable(mut dynamics: Ar2, variance: f64, fps: f64) -> Result<Self, TextureError> {
        let most = (-1.0 / (FORGOTTEN_SECS * fps)).exp();
        let radius = dynamics.spectral_radius();
        if radius > most {
            // Every eigenvalue of the companion matrix by the same factor.
            dynamics.a1 *= most / radius;
            dynamics.a2 *= (most / radius).powi(2);
        }
        let n = dynamics.n_dims();
        let long_run = stationary(&dynamics).view((0, 0), (n, n)).trace();
        dynamics.q *= variance / long_run.max(f64::MIN_POSITIVE);
        Self::of(dynamics)
    }

    /// From stable dynamics as they are.
    pub fn of(dynamics: Ar2) -> Result<Self, TextureError> {
        let start = Cholesky::with_jitter(&stationary(&dynamics))?
            .lower()
            .clone();
        let noise = Cholesky::with_jitter(&dynamics.q)?.lower().clone();
        Ok(Self {
            dynamics,
            start,
            noise,
        })
    }

    /// Numbers of a state.
    pub fn n_dims(&self) -> usize {
        self.dynamics.n_dims()
    }

    /// A deviation as it may be at any moment, so many times as large.
    pub fn draw(&self, amount: f64, stream: &mut Stream) -> Deviation {
        let n = self.n_dims();
        let both = &self.start * normals(2 * n, stream) * amount;
        Deviation {
            last: both.rows(0, n).into_owned(),
            before: both.rows(n, n).into_owned(),
        }
    }

    /// One frame on, as expected.
    pub fn advance(&self, deviation: &mut Deviation) {
        let mut next = &self.dynamics.a1 * &deviation.last;
        next.gemv(1.0, &self.dynamics.a2, &deviation.before, 1.0);
        deviation.before = std::mem::replace(&mut deviation.last, next);
    }

    /// One frame on, with noise so many times as large.
    pub fn advance_drawing(&self, deviation: &mut Deviation, amount: f64, stream: &mut Stream) {
        self.advance(deviation);
        let noise = normals(self.n_dims(), stream);
        deviation.last.gemv(amount, &self.noise, &noise, 1.0);
    }
}

/// A system whose states are divided by these scales.
fn in_units(system: &Ar2, scales: &DVector<f64>) -> Ar2 {
    let per = |matrix: &DMatrix<f64>| {
        DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |i, j| {
            matrix[(i, j)] * scales[j] / scales[i]
        })
    };
    Ar2 {
        a1: per(&system.a1),
        a2: per(&system.a2),
        offset: system.offset.component_div(scales),
        q: DMatrix::from_fn(scales.len(), scales.len(), |i, j| {
            system.q[(i, j)] / (scales[i] * scales[j])
        }),
    }
}

/// States divided by these scales.
fn unscaled_by(states: &DMatrix<f64>, scales: &DVector<f64>) -> DMatrix<f64> {
    let mut states = states.clone();
    for mut column in states.column_iter_mut() {
        column.component_div_assign(scales);
    }
    states
}

fn normals(n: usize, stream: &mut Stream) -> DVector<f64> {
    DVector::from_fn(n, |_, _| stream.normal())
}

/// Covariance of `[x[t]; x[t-1]]` in the long run, by doubling: after k rounds noise of the last 2^k frames is in it.
fn stationary(system: &Ar2) -> DMatrix<f64> {
    /// 2^11 frames are more than a minute at 30 a second, and 30 time constants.
    const ROUNDS: usize = 11;
    let n = system.n_dims();
    let mut covariance = DMatrix::zeros(2 * n, 2 * n);
    covariance.view_mut((0, 0), (n, n)).copy_from(&system.q);
    let mut power = system.companion();
    for _ in 0..ROUNDS {
        let carried = &power * &covariance * power.transpose();
        covariance += carried;
        power = &power * &power;
    }
    (&covariance + covariance.transpose()) * 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Differences that a known system makes.
    fn planted(n_windows: usize) -> (System, Vec<DMatrix<f64>>) {
        let a1 = DMatrix::from_row_slice(2, 2, &[1.5, 0.1, -0.1, 1.4]);
        let dynamics = Ar2 {
            a1,
            a2: DMatrix::from_diagonal_element(2, 2, -0.6),
            offset: DVector::zeros(2),
            q: DMatrix::from_diagonal(&DVector::from_vec(vec![0.02, 0.05])),
        };
        let system = System::of(dynamics).unwrap();
        let mut stream = Stream::named(3, &[]);
        let windows = (0..n_windows).map(|_| {
            let mut d = system.draw(1.0, &mut stream);
            let columns: Vec<DVector<f64>> = (0..30)
                .map(|_| {
                    system.advance_drawing(&mut d, 1.0, &mut stream);
                    d.last.clone()
                })
                .collect();
            DMatrix::from_columns(&columns)
        });
        let windows = windows.collect();
        (system, windows)
    }

    #[test]
    fn planted_dynamics_are_found_and_have_half_the_spread() {
        let (planted, windows) = planted(6000);
        let found = System::corpus(&windows, 2, 30.0).unwrap();
        let error = (&found.dynamics.a1 - &planted.dynamics.a1).amax();
        assert!(error < 0.06, "{error}");
        let spread = |s: &System| stationary(&s.dynamics).view((0, 0), (2, 2)).trace();
        let ratio = spread(&found) / spread(&planted);
        assert!((ratio - 0.5).abs() < 0.06, "{ratio}");
    }

    #[test]
    fn few_windows_keep_to_the_prior_but_for_their_size() {
        let (_, windows) = planted(400);
        let corpus = System::corpus(&windows, 2, 30.0).unwrap();
        let small: Vec<DMatrix<f64>> = windows[..1].iter().map(|w| w * 0.1).collect();
        let found = System::fit(&small, &corpus.dynamics, 30.0).unwrap();
        let error = (&found.dynamics.a1 - &corpus.dynamics.a1).amax();
        assert!(error < 0.2, "{error}");
        let size = found.dynamics.q.trace() / corpus.dynamics.q.trace();
        assert!(size < 0.05, "a hundredth of the variance, or so: {size}");
    }

    #[test]
    fn a_long_run_neither_dies_nor_blows_up() {
        let (_, windows) = planted(50);
        // Differences that grow: a second-order fit of these alone is unstable.
        let growing: Vec<DMatrix<f64>> = windows
            .iter()
            .map(|w| DMatrix::from_fn(2, 30, |r, c| w[(r, c)] * 1.1_f64.powf(c as f64)))
            .collect();
        let system = System::corpus(&growing, 2, 30.0).unwrap();
        let mut stream = Stream::named(4, &[]);
        let mut d = system.draw(1.0, &mut stream);
        let spread = stationary(&system.dynamics).view((0, 0), (2, 2)).trace();
        let mut mean = 0.0;
        for _ in 0..100_000 {
            system.advance_drawing(&mut d, 1.0, &mut stream);
            mean += d.last.norm_squared() / 100_000.0;
        }
        assert!((mean / spread - 1.0).abs() < 0.3, "{mean} of {spread}");
    }
}
