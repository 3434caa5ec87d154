//! Gaussian mixtures by expectation and maximisation: which frames of motion are alike.
//!
//! Gao and Hong 2007, section 2.1: normal densities (Eq. 1) with weights, fitted so that the likelihood of all rows
//! (Eq. 2) grows with each round: the expected memberships z (E-step), then the weights, means and covariances that
//! maximise Eq. (3) given them (M-step). Eq. (1) lacks a minus sign in the exponent of 2 pi as printed.
//!
//! Degrees of freedom of a body are nearly dependent, so covariances have a floor: no variance, in any direction for
//! full covariances, is lower. Raising what is below the floor to it, rather than adding the floor to everything, is
//! the maximum of Eq. (3) among all covariances above the floor, so the likelihood still never falls.
//!
//! The start is k-means++ (Arthur and Vassilvitskii 2007) and some rounds of Lloyd. Rows are summed in blocks whose
//! bounds and order do not depend on the number of threads: the same bytes come out everywhere.

mod covariances;
mod gather;
mod model;
mod scores;
mod start;
mod update;

use std::ops::ControlFlow;

use self::gather::{Membership, gather};
use self::scores::Scores;
use super::em::Rounds;
use covariances::Covariances;

pub use covariances::Covariance;
pub use model::{Mixture, MixtureSettings};

/// Why a mixture could not be fitted.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum MixtureError {
    /// There are no rows.
    #[error("a mixture needs at least one row of at least one number")]
    NoRows,
    /// The last row is not whole.
    #[error("{len} numbers are not whole rows of {width}")]
    NotWhole {
        /// How many numbers were given.
        len: usize,
        /// Numbers in a row.
        width: usize,
    },
    /// Not a number, or one too large to be squared.
    #[error("row {0} has a number that is not finite or far too large")]
    NotFinite(usize),
    /// No component was asked for.
    #[error("a mixture needs at least one component")]
    NoComponents,
    /// Covariances could become singular.
    #[error("the floor of the variances must be above zero, not {0}")]
    Floor(f64),
}

/// Numbers beyond this overflow in products of four.
const LARGEST: f64 = 1e70;

impl Mixture {
    /// Fits a mixture to rows of `width` numbers, and tells the mean log-likelihood of a row (Eq. 2) for the start and
    /// after each round; the last one is that of the mixture returned.
    ///
    /// `on_round` hears each of them, from round 0 which is the start, and may end the fit there.
    pub fn fit(
        rows: &[f64],
        width: usize,
        settings: &MixtureSettings,
        on_round: impl FnMut(usize, f64) -> ControlFlow<()>,
    ) -> Result<(Self, Vec<f64>), MixtureError> {
        check(rows, width, settings)?;
        let mut mixture = start::start(rows, width, settings);
        let mut rounds = Rounds::new(settings.max_rounds, settings.least_gain, on_round);
        loop {
            let mut gathered = gather(rows, &mixture.scores, settings.covariance, Membership::Soft);
            if let Some(revived) = update::revive(&mixture, rows, &gathered) {
                mixture = revived;
                gathered = gather(rows, &mixture.scores, settings.covariance, Membership::Soft);
            }
            if !rounds.goes_on(gathered.mean_log_density()) {
                return Ok((mixture, rounds.history));
            }
            mixture = update::maximise(&gathered, mixture.scores.center(), settings);
        }
    }

    /// Puts the parts together.
    fn new(weights: Vec<f64>, means: Vec<f64>, spread: Covariances, center: &[f64]) -> Self {
        let scores = Scores::new(&weights, &means, &spread, center);
        Self {
            width: center.len(),
            weights,
            means,
            spread,
            scores,
        }
    }

    /// The number of components.
    pub fn n_components(&self) -> usize {
        self.weights.len()
    }

    /// Numbers in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Shares of the components; their sum is 1.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The middle of a component.
    pub fn mean(&self, component: usize) -> &[f64] {
        &self.means[component * self.width..][..self.width]
    }

    /// Variances of the columns in a component.
    pub fn variances(&self, component: usize) -> Vec<f64> {
        match &self.spread {
            Covariances::Tied(all) => all.clone(),
            Covariances::Diagonal(all) => all[component * self.width..][..self.width].to_vec(),
            Covariances::Full(all) => all[component].variances(),
        }
    }

    /// The component that a row most likely comes from; the first of equals.
    pub fn most_likely(&self, row: &[f64]) -> usize {
        gather::most_likely(row, &self.scores)[0]
    }

    /// The same for many rows, in parallel.
    pub fn most_likely_each(&self, rows: &[f64]) -> Vec<usize> {
        gather::most_likely(rows, &self.scores)
    }

    /// ln of the density of the mixture at a row.
    pub fn log_density(&self, row: &[f64]) -> f64 {
        self.memberships(row).1
    }

    /// How likely a row comes from each of the components, the expected z of Eq. (3), and ln of its density.
    fn memberships(&self, row: &[f64]) -> (Vec<f64>, f64) {
        assert_eq!(row.len(), self.width, "one row of the width of the fit");
        let (mut values, common) = self.scores.of_row(row);
        let density = gather::soften(&mut values) + common;
        (values, density)
    }
}

fn check(rows: &[f64], width: usize, settings: &MixtureSettings) -> Result<(), MixtureError> {
    if rows.is_empty() || width == 0 {
        return Err(MixtureError::NoRows);
    }
    if !rows.len().is_multiple_of(width) {
        let len = rows.len();
        return Err(MixtureError::NotWhole { len, width });
    }
    if settings.n_components == 0 {
        return Err(MixtureError::NoComponents);
    }
    if !(settings.floor > 0.0 && settings.floor.is_finite()) {
        return Err(MixtureError::Floor(settings.floor));
    }
    let usable = |x: &f64| x.abs() < LARGEST;
    match rows.iter().position(|x| !usable(x)) {
        Some(at) => Err(MixtureError::NotFinite(at / width)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
