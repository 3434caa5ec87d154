//! How the energy of a curve is shared out among frequencies.

/// Power at 0, 1/T, 2/T... of a curve, T being `n_window` samples.
///
/// It is the mean over windows that overlap by half, each
/// freed of its mean and faded at both ends (Welch's method with Hann windows). A shorter curve fills the window with
/// zeros. The mean itself carries no motion, so the first entry is about zero.
pub fn power(curve: &[f64], n_window: usize) -> Vec<f64> {
    let n_window = n_window.max(2);
    let n_frequencies = n_window / 2 + 1;
    let mut power = vec![0.0; n_frequencies];
    if curve.is_empty() {
        return power;
    }
    let n = curve.len().min(n_window);
    let hop = (n / 2).max(1);
    let n_windows = (curve.len() - n) / hop + 1;
    let turns: Vec<(f64, f64)> = (0..n_window)
        .map(|i| (std::f64::consts::TAU * i as f64 / n_window as f64).sin_cos())
        .collect();
    let fade: Vec<f64> = (0..n)
        .map(|i| {
            let phase = std::f64::consts::TAU * (i as f64 + 0.5) / n as f64;
            0.5 - 0.5 * phase.cos()
        })
        .collect();
    for window in 0..n_windows {
        let part = &curve[window * hop..][..n];
        let mean = part.iter().sum::<f64>() / n as f64;
        for (k, sum) in power.iter_mut().enumerate() {
            let (mut re, mut im) = (0.0, 0.0);
            for (i, (x, f)) in part.iter().zip(&fade).enumerate() {
                let (sin, cos) = turns[i * k % n_window];
                re += (x - mean) * f * cos;
                im += (x - mean) * f * sin;
            }
            *sum += (re * re + im * im) / (n * n_windows) as f64;
        }
    }
    power
}

/// Share of the power that two spectra have at the same frequencies, whatever their sums: 1 for equal shapes, 0 for
/// none in common. Two curves without any power agree.
pub fn overlap(a: &[f64], b: &[f64]) -> f64 {
    let (sum_a, sum_b) = (a.iter().sum::<f64>(), b.iter().sum::<f64>());
    match (sum_a > 0.0, sum_b > 0.0) {
        (false, false) => 1.0,
        (true, true) => a
            .iter()
            .zip(b)
            .map(|(x, y)| (x / sum_a).min(y / sum_b))
            .sum(),
        _ => 0.0,
    }
}

/// How many steps of frequency one spectrum must be shifted on average to become the other, whatever their sums.
///
/// This is the earth mover's distance of the shares. A curve without any power is as far from all others as can be,
/// and zero from another such.
pub fn shift_between(a: &[f64], b: &[f64]) -> f64 {
    let (sum_a, sum_b) = (a.iter().sum::<f64>(), b.iter().sum::<f64>());
    let steps = a.len().saturating_sub(1) as f64;
    match (sum_a > 0.0, sum_b > 0.0) {
        (false, false) => return 0.0,
        (true, true) => {}
        _ => return steps,
    }
    let mut ahead = 0.0;
    let mut total = 0.0;
    for (x, y) in a.iter().zip(b) {
        ahead += x / sum_a - y / sum_b;
        total += f64::abs(ahead);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(cycles: f64, n: usize) -> Vec<f64> {
        let turn = std::f64::consts::TAU * cycles / 64.0;
        (0..n).map(|i| 7.0 + (turn * i as f64).sin()).collect()
    }

    #[test]
    fn a_wave_has_its_power_at_its_frequency() {
        for (cycles, n) in [(5.0, 64), (5.0, 400), (12.0, 200)] {
            let power = power(&wave(cycles, n), 64);
            let top = (0..power.len()).max_by(|&i, &j| power[i].total_cmp(&power[j]));
            assert_eq!(top, Some(cycles as usize), "{n} samples");
            // The power of a sine is 1/2; Hann windows keep 3/8 of it, in both halves of the spectrum.
            let sum: f64 = power.iter().sum();
            assert!((sum - 64.0 * 0.5 * 0.375 * 0.5).abs() < 0.2, "{sum}");
        }
    }

    #[test]
    fn the_shift_is_the_difference_of_frequencies() {
        let shift =
            |a: f64, b: f64| shift_between(&power(&wave(a, 640), 64), &power(&wave(b, 640), 64));
        assert!(shift(5.0, 5.0) < 1e-9, "same");
        assert!((shift(5.0, 9.0) - 4.0).abs() < 0.05, "{}", shift(5.0, 9.0));
        let shared = |a: f64, b: f64| overlap(&power(&wave(a, 640), 64), &power(&wave(b, 640), 64));
        assert!((shared(5.0, 5.0) - 1.0).abs() < 1e-9, "same");
        assert!(shared(5.0, 15.0) < 0.01, "nothing in common");
        let still = power(&[3.0; 100], 64);
        assert_eq!(shift_between(&still, &still), 0.0);
        assert_eq!(power(&[], 64).len(), 33, "no curve, no power");
        assert_eq!(power(&[1.0], 0), [0.0, 0.0], "one sample");
    }
}
