//! A few poses that stand for many: each next one is the farthest from all that were taken.
//!
//! Takes at 120 frames a second repeat nearly the same pose again and again, and most of a take may be standing around.
//! Picking the farthest (Gonzalez 1985) covers what the takes reach, at a cost of one distance per pose and pick.

use rayon::prelude::*;

/// Poses nearer than this (squared, in standard deviations summed over features) are the same pose.
const SAME: f64 = 1e-12;

/// Places of at most `n_picks` different rows, the first of them the nearest to the middle; fewer if the rest are
/// copies. Rows are compared as they are, so scale them first.
pub(super) fn spread(rows: &[f64], width: usize, n_picks: usize) -> Vec<usize> {
    let n = rows.len() / width;
    if n == 0 {
        return Vec::new();
    }
    let mean = crate::style::gaussian::column_means(rows, width);
    let to_mean: Vec<f64> = rows
        .chunks_exact(width)
        .map(|row| squared(row, &mean))
        .collect();
    let first = (0..n).min_by(|&a, &b| to_mean[a].total_cmp(&to_mean[b]));
    let mut picks = vec![first.unwrap_or(0)];
    let mut nearest = vec![f64::INFINITY; n];
    while picks.len() < n_picks.min(n) {
        let last = &rows[picks[picks.len() - 1] * width..][..width];
        nearest
            .par_iter_mut()
            .zip(rows.par_chunks_exact(width))
            .with_min_len(512)
            .for_each(|(near, row)| *near = near.min(squared(row, last)));
        let farthest = (0..n).max_by(|&a, &b| nearest[a].total_cmp(&nearest[b]));
        match farthest {
            Some(pick) if nearest[pick] > SAME => picks.push(pick),
            _ => break,
        }
    }
    picks
}

fn squared(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_cover_and_copies_are_left_out() {
        // A crowd at 0, one at 10, two copies at -4.
        let rows = [0.0, 0.1, -0.1, 0.2, 10.0, -4.0, -4.0];
        let picks = spread(&rows, 1, 3);
        assert_eq!(picks.len(), 3);
        let copies = picks.iter().filter(|&&p| p == 5 || p == 6).count();
        assert!(picks.contains(&4) && copies == 1, "{picks:?}");
        assert_eq!(spread(&rows, 1, 100).len(), 6, "copies count once");
        assert_eq!(spread(&[2.0; 12], 3, 4).len(), 1, "all the same");
    }
}
