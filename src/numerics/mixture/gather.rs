//! One pass over all rows: memberships, and the sums over rows that the M-step needs.

use nalgebra::DMatrix;
use rayon::prelude::*;

use super::Covariance;
use super::scores::{Scores, n_features, write_features};

/// Rows of one matrix product: features and scores of so many fit into the second cache.
const BLOCK: usize = 256;
/// Rows are summed in at most this many parts, which are added in their order. Whatever the number of threads.
const PARTS: usize = 32;
/// Scores so far below the best give less than half a unit in the last place of the sum.
const NOTHING: f64 = -40.0;

/// How rows belong to components.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Membership {
    /// By their probabilities (E-step).
    Soft,
    /// Wholly to the best (Lloyd).
    Hard,
}

/// What a pass over the rows found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Gathered {
    /// Sum of memberships of each component.
    pub(super) counts: Vec<f64>,
    /// Features weighted by membership, component by feature.
    pub(super) sums: DMatrix<f64>,
    /// Numbers of a row squared, over all rows.
    pub(super) squares: Vec<f64>,
    /// ln density of each row; for hard memberships the best score.
    pub(super) log_densities: Vec<f64>,
}

impl Gathered {
    fn new(n_components: usize, n_features: usize, width: usize) -> Self {
        Self {
            counts: vec![0.0; n_components],
            sums: DMatrix::zeros(n_components, n_features),
            squares: vec![0.0; width],
            log_densities: Vec::new(),
        }
    }

    pub(super) fn mean_log_density(&self) -> f64 {
        self.log_densities.iter().sum::<f64>() / self.log_densities.len() as f64
    }

    fn add(&mut self, other: &Self) {
        add_to(&mut self.counts, &other.counts);
        add_to(&mut self.squares, &other.squares);
        self.sums += &other.sums;
        self.log_densities.extend(&other.log_densities);
    }
}

/// Scores all rows and sums the features of this kind of covariance by membership.
pub(super) fn gather(
    rows: &[f64],
    scores: &Scores,
    covariance: Covariance,
    membership: Membership,
) -> Gathered {
    let width = scores.center().len();
    let empty = || Gathered::new(scores.n_components(), n_features(covariance, width), width);
    let n_blocks = (rows.len() / width).div_ceil(BLOCK);
    let part_rows = n_blocks.div_ceil(PARTS).max(1) * BLOCK;
    let parts: Vec<Gathered> = rows
        .par_chunks(part_rows * width)
        .map(|part| {
            let mut sums = empty();
            for block in part.chunks(BLOCK * width) {
                let features = block_features(block, scores.center(), covariance);
                add_block(&mut sums, &features, scores, membership);
            }
            sums
        })
        .collect();
    let mut all = empty();
    for part in &parts {
        all.add(part);
    }
    all
}

/// The best component of each row.
pub(super) fn most_likely(rows: &[f64], scores: &Scores) -> Vec<usize> {
    let width = scores.center().len();
    let blocks = rows.par_chunks(BLOCK * width).map(|block| {
        let features = block_features(block, scores.center(), scores.covariance());
        let scored = scores.of_block(&features);
        let best = scored.column_iter().map(|column| column.argmax().0);
        best.collect::<Vec<usize>>()
    });
    blocks.flatten_iter().collect()
}

/// Turns scores into memberships; returns the logarithm of the sum of their exponentials.
pub(super) fn soften(scores: &mut [f64]) -> f64 {
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for score in scores.iter_mut() {
        let below = *score - best;
        *score = if below < NOTHING { 0.0 } else { below.exp() };
        sum += *score;
    }
    let scale = 1.0 / sum;
    for score in scores.iter_mut() {
        *score *= scale;
    }
    best + sum.ln()
}

/// Leaves 1 for the best score, 0 for the others; returns the best.
fn harden(scores: &mut [f64]) -> f64 {
    let mut best = 0;
    for (at, score) in scores.iter().enumerate() {
        if *score > scores[best] {
            best = at;
        }
    }
    let score = scores[best];
    scores.fill(0.0);
    scores[best] = 1.0;
    score
}

fn block_features(block: &[f64], center: &[f64], covariance: Covariance) -> DMatrix<f64> {
    let width = center.len();
    let n = n_features(covariance, width);
    let mut features = DMatrix::zeros(n, block.len() / width);
    let columns = features.as_mut_slice().chunks_exact_mut(n);
    for (row, out) in block.chunks_exact(width).zip(columns) {
        write_features(covariance, row, center, out);
    }
    features
}

fn add_block(
    sums: &mut Gathered,
    features: &DMatrix<f64>,
    scores: &Scores,
    membership: Membership,
) {
    let n_features = features.nrows();
    let n_components = scores.n_components();
    let mut scored = scores.of_block(features);
    let columns = scored.as_mut_slice().chunks_exact_mut(n_components);
    for (column, features) in columns.zip(features.as_slice().chunks_exact(n_features)) {
        let density = match membership {
            Membership::Soft => soften(column),
            Membership::Hard => harden(column),
        };
        sums.log_densities.push(density + scores.common(features));
        add_to(&mut sums.counts, column);
        for (sum, x) in sums.squares.iter_mut().zip(features) {
            *sum += x * x;
        }
    }
    sums.sums.gemm(1.0, &scored, &features.transpose(), 1.0);
}

fn add_to(sums: &mut [f64], values: &[f64]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}
