//! Normalised power spectrum similarity: whether a motion has its power at the frequencies of another.
//!
//! Gopalakrishnan et al. 2019 ("A Neural Temporal Model for Human Motion Prediction", section 4.2): for each feature the power of the discrete Fourier transform
//! is divided by its sum; two spectra are as far apart as the earth mover's distance of the shares, the sum of the absolute differences of their running sums; features count by their total power
//! in the reference. 0 is the same, smaller is better. Features here are joint angles.
//!
//! The published measure compares a prediction with what really followed. A variant follows nothing, so it is compared with every input
//! over as many frames as both have, and the mean is taken.

/// Longer motions are compared by their first frames, up to this number.
pub(super) const MOST_FRAMES: usize = 256;

/// Spectra of the features of a motion.
pub(super) struct Spectra {
    /// The power spectrum of each feature.
    powers: Vec<Vec<f64>>,
}

impl Spectra {
    /// Of the first `n` values of curves.
    pub(super) fn of(curves: &[Vec<f64>], n: usize) -> Self {
        let n = n.min(MOST_FRAMES);
        let turns: Vec<(f64, f64)> = (0..n)
            .map(|i| (std::f64::consts::TAU * i as f64 / n as f64).sin_cos())
            .collect();
        Self {
            powers: curves
                .iter()
                .map(|curve| power(&curve[..n], &turns))
                .collect(),
        }
    }
}

/// Squared magnitudes of all Fourier coefficients of a real curve; the upper half mirrors the lower one.
fn power(curve: &[f64], turns: &[(f64, f64)]) -> Vec<f64> {
    let n = curve.len();
    let mut power = vec![0.0; n];
    for k in 0..=n / 2 {
        let (mut re, mut im) = (0.0, 0.0);
        for (i, x) in curve.iter().enumerate() {
            let (sin, cos) = turns[i * k % n];
            re += x * cos;
            im -= x * sin;
        }
        let value = re * re + im * im;
        if let Some(slot) = power.get_mut(k) {
            *slot = value;
        }
        if k > 0 {
            power[n - k] = value;
        }
    }
    power
}

/// NPSS of a motion against a reference of as many frames; none if the reference does not move.
pub(super) fn npss(reference: &Spectra, motion: &Spectra) -> Option<f64> {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (real, own) in reference.powers.iter().zip(&motion.powers) {
        let weight: f64 = real.iter().sum();
        let total: f64 = own.iter().sum();
        if weight <= 0.0 {
            continue;
        }
        let (mut ahead, mut emd) = (0.0, 0.0);
        for (x, y) in real.iter().zip(own) {
            // A feature that does not move at all has all its power at no frequency.
            ahead += x / weight - if total > 0.0 { y / total } else { 0.0 };
            emd += f64::abs(ahead);
        }
        sum += weight * emd;
        weights += weight;
    }
    (weights > 0.0).then(|| sum / weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curves(f: impl Fn(f64) -> [f64; 2]) -> Vec<Vec<f64>> {
        let rows: Vec<[f64; 2]> = (0..48).map(|t| f(f64::from(t))).collect();
        (0..2)
            .map(|d| rows.iter().map(|r| r[d]).collect())
            .collect()
    }

    /// Worked out with NumPy 2.4 by the definition: `P = abs(fft(x))**2`, `emd = sum(abs(cumsum(P/sum P) - cumsum(G/sum G)))`,
    /// `average(emd, weights=sum G)`.
    #[test]
    fn values_are_those_of_an_independent_program() {
        let turn = std::f64::consts::TAU / 48.0;
        let a = curves(|t| {
            [
                (3.0 * turn * t).sin() + 0.3 * (7.0 * turn * t).cos() + 0.1,
                0.5 * (5.0 * turn * t + 0.4).sin() + 0.02 * t,
            ]
        });
        let b = curves(|t| {
            [
                (4.0 * turn * t + 1.0).sin() + 0.2,
                0.5 * (5.0 * turn * t).sin() - 0.01 * t + 0.05 * (20.0 * turn * t).cos(),
            ]
        });
        let (a, b) = (Spectra::of(&a, 48), Spectra::of(&b, 48));
        assert!(
            (npss(&a, &b).unwrap() - 4.491938722849277).abs() < 1e-9,
            "a, b"
        );
        assert!(
            (npss(&b, &a).unwrap() - 3.7851351419170283).abs() < 1e-9,
            "b, a"
        );
        assert!(npss(&a, &a).unwrap() < 1e-12, "itself");
        let still = Spectra::of(&[vec![0.0; 48], vec![0.0; 48]], 48);
        assert_eq!(npss(&still, &a), None);
    }
}
