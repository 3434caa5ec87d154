//! Which poses a model keeps: each next one is where the model of those before it is most uncertain.
//!
//! The greedy choice of appendix B. Variances are kept up to date by one row of a Cholesky factor for each pick
//! (Lawrence, Seeger and Herbrich 2003), so that M of N poses cost N M^2 and not M times a new inverse.

use super::fit::LatentFit;

/// Places of at most `n_active` poses, in the order in which they were chosen; the first is the nearest to the middle.
pub(super) fn most_uncertain(fit: &LatentFit, n_active: usize) -> Vec<usize> {
    let (n, q) = (fit.n(), fit.n_latent);
    let point = |i: usize| &fit.latent[i * q..][..q];
    let size = |i: usize| point(i).iter().map(|x| x * x).sum::<f64>();
    let kernel = fit.kernel;
    let noise = 1.0 / kernel.beta;
    let mut variances = vec![kernel.alpha; n];
    let mut is_picked = vec![false; n];
    let mut picks: Vec<usize> = Vec::new();
    // Row by row: what each pick explains of every pose.
    let mut factors: Vec<Vec<f64>> = Vec::new();
    while picks.len() < n_active.min(n) {
        let open = (0..n).filter(|&i| !is_picked[i]);
        let pick = if picks.is_empty() {
            open.min_by(|&a, &b| size(a).total_cmp(&size(b)))
        } else {
            open.max_by(|&a, &b| variances[a].total_cmp(&variances[b]))
        };
        let Some(pick) = pick else { break };
        let scale = 1.0 / (variances[pick] + noise).sqrt();
        let row: Vec<f64> = (0..n)
            .map(|i| {
                let apart = point(i).iter().zip(point(pick));
                let squared: f64 = apart.map(|(a, b)| (a - b) * (a - b)).sum();
                let prior = kernel.alpha * (-0.5 * kernel.gamma * squared).exp();
                let known: f64 = factors.iter().map(|f| f[i] * f[pick]).sum();
                (prior - known) * scale
            })
            .collect();
        for (v, r) in variances.iter_mut().zip(&row) {
            *v = (*v - r * r).max(0.0);
        }
        is_picked[pick] = true;
        picks.push(pick);
        factors.push(row);
    }
    picks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::gplvm::Kernel;

    #[test]
    fn picks_are_those_of_the_definition() {
        let latent: Vec<f64> = (0..60)
            .map(|i| f64::from(i * 37 % 61) / 20.0 - 1.5)
            .collect();
        let kernel = Kernel {
            alpha: 1.0,
            beta: 20.0,
            gamma: 2.0,
        };
        let fit = LatentFit {
            rows: vec![0.0; 30],
            mean: vec![0.0],
            latent,
            n_latent: 2,
            kernel,
            scales: vec![1.0],
        };
        let picks = most_uncertain(&fit, 8);
        for n in 1..8 {
            // Eq. (5) with the poses picked so far, by a plain inverse.
            let mut matrix = kernel.lower_matrix(&fit.only(&picks[..n]).latent, 2);
            matrix.fill_upper_triangle_with_lower_triangle();
            let inverse = matrix.try_inverse().unwrap();
            let variance = |i: usize| {
                let similar = nalgebra::DVector::from_fn(n, |a, _| {
                    let apart =
                        (0..2).map(|c| fit.latent[i * 2 + c] - fit.latent[picks[a] * 2 + c]);
                    (-kernel.gamma / 2.0 * apart.map(|d| d * d).sum::<f64>()).exp()
                });
                1.0 - (similar.transpose() * &inverse * &similar)[(0, 0)]
            };
            let open = (0..30).filter(|i| !picks[..n].contains(i));
            let most = open.max_by(|&a, &b| variance(a).total_cmp(&variance(b)));
            assert_eq!(most, Some(picks[n]), "pick {n} of {picks:?}");
        }
    }
}
