//! The smoother of Whittaker (1923), which removes jitter from curves.
//!
//! Minimises `sum (z_t - y_t)^2 + stiffness_t (z_{t-1} - 2 z_t + z_{t+1})^2`, which passes slow changes as they are,
//! straight ones and parabolas almost exactly, and takes off what is faster than a frequency. The matrix has five
//! diagonals, so a whole motion costs a few multiplications per frame and coordinate.

/// The stiffness at which half of this frequency is taken off.
pub(super) fn stiffness(fps: f64, cutoff_hz: f64) -> f64 {
    // A second difference of a wave of frequency f has the gain (2 - 2 cos(2 pi f / fps))^2.
    let gain = 2.0 - 2.0 * (std::f64::consts::TAU * (cutoff_hz / fps).min(0.5)).cos();
    1.0 / (gain * gain)
}

/// The factored matrix for curves of one length; use it for all coordinates.
#[derive(Debug, Clone)]
pub(super) struct WhittakerSmoother {
    /// L D L' with two diagonals below the main one.
    pivots: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
}

impl WhittakerSmoother {
    /// Every frame counts as one. `stiffness` says for each frame how much the bend there costs; at the ends it means
    /// nothing.
    pub(super) fn new(stiffness: &[f64]) -> Self {
        let n = stiffness.len();
        let mut main = vec![1.0; n];
        let mut one = vec![0.0; n];
        let mut two = vec![0.0; n];
        for t in 1..n.saturating_sub(1) {
            let stiffness = stiffness[t];
            main[t - 1] += stiffness;
            main[t] += 4.0 * stiffness;
            main[t + 1] += stiffness;
            one[t] -= 2.0 * stiffness;
            one[t + 1] -= 2.0 * stiffness;
            two[t + 1] += stiffness;
        }
        // one[t] couples t and t-1, two[t] couples t and t-2.
        let mut pivots = vec![0.0; n];
        let (mut first, mut second) = (vec![0.0; n], vec![0.0; n]);
        for t in 0..n {
            let before = |v: &[f64], by: usize| if t >= by { v[t - by] } else { 0.0 };
            let l2 = if t >= 2 { two[t] / pivots[t - 2] } else { 0.0 };
            let scaled1 = one[t] - l2 * before(&pivots, 2) * before(&first, 1);
            let l1 = if t >= 1 { scaled1 / pivots[t - 1] } else { 0.0 };
            pivots[t] = main[t] - l1 * scaled1 - l2 * two[t];
            (first[t], second[t]) = (l1, l2);
        }
        Self {
            pivots,
            first,
            second,
        }
    }

    /// The smooth curves nearest to these, in place: one row of `width` values per frame, one curve per column.
    pub(super) fn smooth(&self, rows: &mut [f64], width: usize) {
        let n = self.pivots.len();
        for t in 0..n {
            let (before, here) = rows.split_at_mut(t * width);
            let here = &mut here[..width];
            for (back, share) in [(1, self.first[t]), (2, self.second[t])] {
                if t >= back {
                    take_off(here, share, &before[(t - back) * width..][..width]);
                }
            }
        }
        for (row, pivot) in rows.chunks_exact_mut(width).zip(&self.pivots) {
            for x in row {
                *x /= pivot;
            }
        }
        for t in (0..n).rev() {
            let (here, after) = rows.split_at_mut((t + 1) * width);
            let here = &mut here[t * width..];
            for (ahead, shares) in [(1, &self.first), (2, &self.second)] {
                if t + ahead < n {
                    let row = &after[(ahead - 1) * width..][..width];
                    take_off(here, shares[t + ahead], row);
                }
            }
        }
    }
}

fn take_off(from: &mut [f64], share: f64, row: &[f64]) {
    for (x, y) in from.iter_mut().zip(row) {
        *x -= share * y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(n: usize, fps: f64, hz: f64) -> Vec<f64> {
        (0..n)
            .map(|t| (std::f64::consts::TAU * hz * t as f64 / fps).sin())
            .collect()
    }

    #[test]
    fn slow_waves_pass_fast_ones_do_not() {
        let fps = 120.0;
        let smoother = WhittakerSmoother::new(&[stiffness(fps, 8.0); 600]);
        let left = |hz: f64| {
            let mut curve = wave(600, fps, hz);
            smoother.smooth(&mut curve, 1);
            curve[100..500].iter().fold(0.0_f64, |m, x| m.max(x.abs()))
        };
        assert!(left(2.0) > 0.99, "2 Hz: {}", left(2.0));
        assert!((left(8.0) - 0.5).abs() < 0.02, "8 Hz: {}", left(8.0));
        assert!(left(30.0) < 0.02, "30 Hz: {}", left(30.0));
    }

    #[test]
    fn straight_lines_and_short_clips_stay_as_they_are() {
        for n in 1..6 {
            let line: Vec<f64> = (0..n).map(|t| 3.0 - 2.0 * t as f64).collect();
            let mut curve = line.clone();
            WhittakerSmoother::new(&vec![1e4; n]).smooth(&mut curve, 1);
            for (a, b) in curve.iter().zip(&line) {
                assert!((a - b).abs() < 1e-9, "{n} frames: {a} {b}");
            }
        }
    }
}
