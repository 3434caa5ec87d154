//! Smoothing of curves over time.

use nalgebra::DMatrix;

/// Every row of a matrix, whose columns are frames, averaged with Gaussian weights of this deviation in frames. At the ends
/// only what is there counts.
pub fn gaussian(frames: &DMatrix<f64>, deviation: f64) -> DMatrix<f64> {
    if deviation <= 0.0 {
        return frames.clone();
    }
    let reach = (3.0 * deviation).ceil() as usize;
    let weights: Vec<f64> = (0..=reach)
        .map(|i| (-0.5 * (i as f64 / deviation).powi(2)).exp())
        .collect();
    let n = frames.ncols();
    let mut smooth = DMatrix::zeros(frames.nrows(), n);
    for (at, mut column) in smooth.column_iter_mut().enumerate() {
        let mut sum = 0.0;
        for other in at.saturating_sub(reach)..(at + reach + 1).min(n) {
            let weight = weights[at.abs_diff(other)];
            sum += weight;
            column.axpy(weight, &frames.column(other), 1.0);
        }
        column /= sum;
    }
    smooth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_and_ripples_go() {
        let wave = |f: usize| (f as f64 * std::f64::consts::PI).cos();
        let frames = DMatrix::from_fn(2, 60, |row, f| if row == 0 { 3.0 } else { wave(f) });
        let smooth = gaussian(&frames, 2.0);
        assert!(smooth.row(0).iter().all(|x| (x - 3.0).abs() < 1e-12));
        let middle = smooth.columns(10, 40).row(1).amax();
        // What the weights beyond three deviations would take away.
        assert!(middle < 2e-3, "a ripple of two frames: {middle}");
        assert_eq!(gaussian(&frames, 0.0), frames);
    }
}
