//! Smoothing of curves over time: Gaussian weights, running means, and the triweight kernel.

use nalgebra::DMatrix;

/// How a curve goes on beyond its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// As its first and last sample.
    Hold,
    /// The end leads to the beginning.
    Wrap,
}

/// Every sample averaged with those around it, by a normal distribution of this standard deviation in samples.
pub fn smoothed(curve: &[f64], deviation: f64, ends: Ends) -> Vec<f64> {
    if deviation <= 0.0 || curve.len() < 2 {
        return curve.to_vec();
    }
    let n = curve.len().cast_signed();
    let weights = gaussian_weights(deviation);
    let reach = weights.len().cast_signed() - 1;
    let kernel: Vec<f64> = (-reach..=reach)
        .map(|away| weights[away.unsigned_abs()])
        .collect();
    let total: f64 = kernel.iter().sum();
    let inside = |at: isize| match ends {
        Ends::Hold => at.clamp(0, n - 1) as usize,
        Ends::Wrap => at.rem_euclid(n) as usize,
    };
    (0..n)
        .map(|at| {
            let terms = kernel.iter().zip(at - reach..);
            terms.map(|(w, from)| w * curve[inside(from)]).sum::<f64>() / total
        })
        .collect()
}

/// Every row of a matrix, whose columns are frames, averaged with Gaussian weights of this deviation in frames. At the
/// ends only what is there counts.
pub fn gaussian(frames: &DMatrix<f64>, deviation: f64) -> DMatrix<f64> {
    if deviation <= 0.0 {
        return frames.clone();
    }
    let weights = gaussian_weights(deviation);
    let reach = weights.len() - 1;
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

/// Weights of a sample and of those to one side of it, up to three standard deviations.
fn gaussian_weights(deviation: f64) -> Vec<f64> {
    let reach = (3.0 * deviation).ceil() as usize;
    (0..=reach)
        .map(|i| (-0.5 * (i as f64 / deviation).powi(2)).exp())
        .collect()
}

/// The mean over `reach` samples to either side. Towards the ends the window shrinks, so that these stay and a rising
/// curve goes on rising.
pub fn running_mean(curve: &[f64], reach: usize) -> Vec<f64> {
    let n = curve.len();
    (0..n)
        .map(|i| {
            let r = reach.min(i).min(n - 1 - i);
            curve[i - r..=i + r].iter().sum::<f64>() / (2 * r + 1) as f64
        })
        .collect()
}

/// The triweight kernel: 1 at 0, and zero with two derivatives at -1 and 1 and beyond.
pub fn triweight(u: f64) -> f64 {
    (1.0 - u * u).max(0.0).powi(3)
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

    #[test]
    fn smoothing_keeps_constants_and_wraps_where_asked() {
        assert!(
            smoothed(&[2.0; 9], 1.5, Ends::Hold)
                .iter()
                .all(|x| (x - 2.0).abs() < 1e-12)
        );
        let mut spike = vec![0.0; 20];
        spike[0] = 1.0;
        let round = smoothed(&spike, 1.0, Ends::Wrap);
        assert!((round[19] - round[1]).abs() < 1e-12, "both sides of it");
    }

    #[test]
    fn running_means_keep_their_ends_and_their_order() {
        let steps = [0.0, 0.0, 0.0, 9.0, 9.0, 12.0];
        let mean = running_mean(&steps, 2);
        assert_eq!((mean[0], mean[5]), (0.0, 12.0));
        assert!(mean.windows(2).all(|w| w[0] <= w[1]), "{mean:?}");
        assert_eq!(running_mean(&[], 3), [0.0; 0]);
    }
}
