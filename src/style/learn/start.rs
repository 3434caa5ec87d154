//! Where learning starts: the principal components of the standardised features.
//!
//! Standardised, because raw features let the shoulders decide alone; on a walk of 500 frames that start ends 3 500
//! nats worse.

use nalgebra::DMatrix;

use super::training::standardised;

/// Latent points, row by row, centred; the first coordinate varies by one, the others by less. There are fewer
/// coordinates than wanted where poses do not vary in as many ways.
pub(super) fn principal(rows: &[f64], width: usize, n_latent: usize) -> (Vec<f64>, usize) {
    let n = rows.len() / width;
    let scaled = DMatrix::from_row_slice(n, width, &standardised(rows, width));
    let covariance = scaled.tr_mul(&scaled) / n as f64;
    let eigen = covariance.symmetric_eigen();
    let mut order: Vec<usize> = (0..width).collect();
    order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
    let widest = eigen.eigenvalues[order[0]].max(f64::MIN_POSITIVE);
    order.retain(|&c| eigen.eigenvalues[c] > 1e-6 * widest);
    order.truncate(n_latent);
    let mut latent = vec![0.0; n * order.len()];
    for (a, &component) in order.iter().enumerate() {
        let axis = eigen.eigenvectors.column(component);
        // The sign is arbitrary; fix it so that results do not depend on the solver.
        let sign = axis[axis.iamax()].signum();
        let along = &scaled * axis * (sign / widest.sqrt());
        for i in 0..n {
            latent[i * order.len() + a] = along[i];
        }
    }
    (latent, order.len())
}
