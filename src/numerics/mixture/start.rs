//! Where EM begins: k-means++, some rounds of Lloyd, and a first M-step from whole memberships.

use rayon::prelude::*;

use super::gather::{Gathered, Membership, gather};
use super::scores::Scores;
use super::update::{maximise, worst_rows};
use super::{Covariance, Mixture, MixtureSettings};
use crate::numerics::random::Stream;

pub(super) fn start(rows: &[f64], width: usize, settings: &MixtureSettings) -> Mixture {
    let center = mean_row(rows, width);
    let mut means = spread_out(rows, width, settings);
    let tied = Covariance::TiedDiagonal;
    for _ in 0..settings.lloyd_rounds {
        let scores = Scores::nearest(&means, &center);
        let gathered = gather(rows, &scores, tied, Membership::Hard);
        let moved = moved_means(rows, &gathered, &center);
        if moved == means {
            break;
        }
        means = moved;
    }
    let scores = Scores::nearest(&means, &center);
    let gathered = gather(rows, &scores, settings.covariance, Membership::Hard);
    maximise(&gathered, &center, settings)
}

fn mean_row(rows: &[f64], width: usize) -> Vec<f64> {
    let n_rows = (rows.len() / width) as f64;
    let mut mean = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        for (sum, x) in mean.iter_mut().zip(row) {
            *sum += x / n_rows;
        }
    }
    mean
}

/// k-means++: each further row is drawn by its squared distance to the nearest one so far. Ends early when all rows
/// lie on those that were drawn.
fn spread_out(rows: &[f64], width: usize, settings: &MixtureSettings) -> Vec<f64> {
    let mut stream = Stream::named(settings.seed, &[]);
    let n_rows = rows.len() / width;
    let mut means: Vec<f64> = Vec::new();
    let mut distances = vec![f64::INFINITY; n_rows];
    let mut next = stream.below(n_rows);
    for _ in 0..settings.n_components.min(n_rows) {
        let drawn = &rows[next * width..][..width];
        means.extend(drawn);
        distances
            .par_iter_mut()
            .zip(rows.par_chunks_exact(width))
            .with_min_len(1024)
            .for_each(|(least, row)| *least = least.min(squared_distance(row, drawn)));
        let total: f64 = distances.iter().sum();
        let mut left = stream.uniform() * total;
        let beyond = distances.iter().position(|distance| {
            left -= distance;
            left < 0.0
        });
        // Rounding may leave a little beyond the last row.
        let farthest = || (0..n_rows).max_by(|&a, &b| distances[a].total_cmp(&distances[b]));
        match beyond.or_else(farthest) {
            Some(at) if distances[at] > 0.0 => next = at,
            _ => break,
        }
    }
    means
}

/// In four sums, so that it becomes vector instructions.
fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    let (a_fours, a_rest) = a.as_chunks::<4>();
    let (b_fours, b_rest) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (x, y) in a_fours.iter().zip(b_fours) {
        for i in 0..4 {
            let difference = x[i] - y[i];
            sums[i] += difference * difference;
        }
    }
    let rest = a_rest.iter().zip(b_rest).map(|(x, y)| (x - y) * (x - y));
    sums.iter().sum::<f64>() + rest.sum::<f64>()
}

/// Means of the rows nearest to each; a mean with no row moves to the row that is farthest from its own, if any is off
/// it.
fn moved_means(rows: &[f64], gathered: &Gathered, center: &[f64]) -> Vec<f64> {
    let width = center.len();
    let mut means = Vec::new();
    let mut n_empty = 0;
    for (component, &count) in gathered.counts.iter().enumerate() {
        if count > 0.0 {
            let mean = gathered.mean(component, width);
            means.extend(mean.iter().zip(center).map(|(m, c)| m + c));
        } else {
            n_empty += 1;
        }
    }
    if n_empty > 0 {
        for at in worst_rows(rows, width, &gathered.log_densities, n_empty) {
            // Minus half of the squared distance, within rounding.
            if gathered.log_densities[at] < 0.0 {
                means.extend(&rows[at * width..][..width]);
            }
        }
    }
    means
}
