//! The M-step: weights, means and covariances that maximise Eq. (3), and what becomes of empty components.

use nalgebra::DMatrix;
use rayon::prelude::*;

use super::covariances::{Covariance, Covariances, FullCovariance};
use super::gather::Gathered;
use super::model::{Mixture, MixtureSettings};

/// A component with fewer rows than this is empty: taking it away does not change the likelihood noticeably.
const EMPTY: f64 = 1e-8;

/// The mixture that maximises Eq. (3) given the memberships.
pub(super) fn maximise(gathered: &Gathered, center: &[f64], settings: &MixtureSettings) -> Mixture {
    let width = center.len();
    let n_rows = gathered.log_densities.len() as f64;
    let kept: Vec<usize> = (0..gathered.counts.len())
        .filter(|&k| gathered.counts[k] >= EMPTY)
        .collect();
    let weights: Vec<f64> = kept.iter().map(|&k| gathered.counts[k] / n_rows).collect();
    // Relative to the centre; moved to where the rows are at the end.
    let relative: Vec<Vec<f64>> = kept.iter().map(|&k| gathered.mean(k, width)).collect();
    let spread = match settings.covariance {
        Covariance::TiedDiagonal => {
            Covariances::Tied(tied(gathered, &weights, &relative, settings.floor))
        }
        Covariance::Diagonal => {
            let of = |(&k, mean): (&usize, &Vec<f64>)| gathered.diagonal(k, mean, settings.floor);
            Covariances::Diagonal(kept.iter().zip(&relative).flat_map(of).collect())
        }
        Covariance::Full => {
            let pairs: Vec<(usize, &Vec<f64>)> = kept.iter().copied().zip(&relative).collect();
            let of = |(k, mean): (usize, &Vec<f64>)| {
                FullCovariance::new(gathered.full(k, mean), settings.floor)
            };
            Covariances::Full(pairs.into_par_iter().map(of).collect())
        }
    };
    let place =
        |mean: &Vec<f64>| -> Vec<f64> { mean.iter().zip(center).map(|(m, c)| m + c).collect() };
    let means = relative.iter().flat_map(place).collect();
    Mixture::new(weights, means, spread, center)
}

impl Gathered {
    /// Relative to the centre.
    pub(super) fn mean(&self, component: usize, width: usize) -> Vec<f64> {
        let sums = self.sums.row(component);
        sums.iter()
            .take(width)
            .map(|sum| sum / self.counts[component])
            .collect()
    }

    fn diagonal(&self, component: usize, mean: &[f64], floor: f64) -> Vec<f64> {
        let width = mean.len();
        let of = |i: usize| {
            let square = self.sums[(component, width + i)] / self.counts[component];
            (square - mean[i] * mean[i]).max(floor)
        };
        (0..width).map(of).collect()
    }

    fn full(&self, component: usize, mean: &[f64]) -> DMatrix<f64> {
        let width = mean.len();
        let mut sample = DMatrix::zeros(width, width);
        let mut at = width;
        for i in 0..width {
            for j in i..width {
                let product = self.sums[(component, at)] / self.counts[component];
                sample[(i, j)] = product - mean[i] * mean[j];
                sample[(j, i)] = sample[(i, j)];
                at += 1;
            }
        }
        sample
    }
}

/// Variances around the means of the components, over all of them.
fn tied(gathered: &Gathered, weights: &[f64], means: &[Vec<f64>], floor: f64) -> Vec<f64> {
    let n_rows = gathered.log_densities.len() as f64;
    let of = |(i, square): (usize, &f64)| {
        let between = weights.iter().zip(means).map(|(w, m)| w * m[i] * m[i]);
        (square / n_rows - between.sum::<f64>()).max(floor)
    };
    gathered.squares.iter().enumerate().map(of).collect()
}

/// The rows that the mixture explains worst, worst first, no two of them equal.
pub(super) fn worst_rows(
    rows: &[f64],
    width: usize,
    log_densities: &[f64],
    n: usize,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..log_densities.len()).collect();
    order.sort_by(|&a, &b| {
        log_densities[a]
            .total_cmp(&log_densities[b])
            .then(a.cmp(&b))
    });
    let row = |at: usize| &rows[at * width..][..width];
    let mut worst: Vec<usize> = Vec::new();
    for at in order {
        if worst.len() == n {
            break;
        }
        if worst.iter().all(|&other| row(other) != row(at)) {
            worst.push(at);
        }
    }
    worst
}

/// Sets empty components on the rows that are explained worst, where that raises the likelihood, and drops the others.
/// None if no component is empty.
pub(super) fn revive(mixture: &Mixture, rows: &[f64], gathered: &Gathered) -> Option<Mixture> {
    let (filled, empty): (Vec<usize>, Vec<usize>) =
        (0..mixture.n_components()).partition(|&k| gathered.counts[k] >= EMPTY);
    if empty.is_empty() {
        return None;
    }
    let width = mixture.width;
    let variances = pooled(mixture, &filled);
    let ln_peak: f64 = -0.5
        * variances
            .iter()
            .map(|v| (v * std::f64::consts::TAU).ln())
            .sum::<f64>();
    // m components of weight 1/n each cost at most n ln(1 - m/n) everywhere and gain ln(1 + peak / ((n - m) p)) at
    // their own row, where p is the density so far.
    let (n, m) = (gathered.log_densities.len() as f64, empty.len() as f64);
    let cost = -(n / m) * (-m / n).ln_1p();
    let mut rows_taken = worst_rows(rows, width, &gathered.log_densities, empty.len());
    rows_taken.retain(|&at| {
        let ratio = ln_peak - gathered.log_densities[at] - (n - m).max(1.0).ln();
        // ln(1 + e^ratio) without overflow; what overflows is worth it.
        ratio > 100.0 || ratio.exp().ln_1p() > cost
    });
    let share = 1.0 / n;
    let rest = 1.0 - share * rows_taken.len() as f64;
    let total: f64 = filled.iter().map(|&k| mixture.weights[k]).sum();
    let mut weights: Vec<f64> = filled
        .iter()
        .map(|&k| mixture.weights[k] * rest / total)
        .collect();
    let mut means: Vec<f64> = filled
        .iter()
        .flat_map(|&k| mixture.mean(k))
        .copied()
        .collect();
    for &at in &rows_taken {
        weights.push(share);
        means.extend(&rows[at * width..][..width]);
    }
    let spread = mixture.spread.with(&filled, rows_taken.len(), &variances);
    Some(Mixture::new(
        weights,
        means,
        spread,
        mixture.scores.center(),
    ))
}

/// Variances within components, averaged by weight.
fn pooled(mixture: &Mixture, filled: &[usize]) -> Vec<f64> {
    let total: f64 = filled.iter().map(|&k| mixture.weights[k]).sum();
    let mut pooled = vec![0.0; mixture.width];
    for &k in filled {
        for (sum, variance) in pooled.iter_mut().zip(mixture.variances(k)) {
            *sum += variance * mixture.weights[k] / total;
        }
    }
    pooled
}

impl Covariances {
    /// The covariances of these components, then `n_more` with these variances.
    fn with(&self, kept: &[usize], n_more: usize, variances: &[f64]) -> Self {
        let width = variances.len();
        match self {
            Self::Tied(all) => Self::Tied(all.clone()),
            Self::Diagonal(all) => {
                let old = kept.iter().flat_map(|&k| &all[k * width..][..width]);
                let new = variances.iter().cycle().take(n_more * width);
                Self::Diagonal(old.chain(new).copied().collect())
            }
            Self::Full(all) => {
                let old = kept.iter().map(|&k| all[k].clone());
                let new = std::iter::repeat_n(FullCovariance::diagonal(variances), n_more);
                Self::Full(old.chain(new).collect())
            }
        }
    }
}
