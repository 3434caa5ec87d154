//! Jitter beside a seam.
//!
//! A loop repeats its seam. Where it falls on frames with marker jitter, the jitter becomes a periodic twitch, however
//! well pose and velocity agree. So the frames beside the seam are drawn towards the parabola through their
//! neighbours on the circle (Savitzky-Golay, twice): fully at the seam, and less and less away from it. A parabola over
//! a twelfth of a second follows what a body can do (up to about 13 Hz) and nothing faster; at 30 frames a second it
//! runs through all its points and changes nothing.

use super::super::{Quat, Vec3};

/// Each frame is fitted to its neighbours within this time on each side, twice.
const NEIGHBOUR_SECS: f64 = 0.042;

/// How the frames beside a seam are smoothed.
pub(super) struct SeamSmoother {
    /// Weights of the neighbours from the earliest to the latest; they add up to 1.
    weights: Vec<f64>,
    /// Frames after which nothing is changed any more.
    fade: f64,
}

impl SeamSmoother {
    /// For a loop of so many frames, within `fade` frames of its seam.
    pub(super) fn new(fps: f64, n_frames: usize, fade: f64) -> Self {
        let reach = ((NEIGHBOUR_SECS * fps).round() as usize).min(n_frames.saturating_sub(1) / 8);
        Self {
            weights: twice(&parabola_weights(reach)),
            fade,
        }
    }

    /// Calms a curve of places that repeats, each time carried on from the cycle before: `on` says where a place of
    /// this cycle is in the next (1.0) or was in the last (-1.0).
    pub(super) fn places(&self, values: &[Vec3], on: impl Fn(&Vec3, f64) -> Vec3) -> Vec<Vec3> {
        self.each(values, on, |centre, neighbours, share| {
            let moved: Vec3 = neighbours.map(|(value, w)| (value - centre) * w).sum();
            centre + moved * share
        })
    }

    /// Smooths a closed curve of rotations, as rotation vectors from each one.
    pub(super) fn rotations(&self, values: &[Quat]) -> Vec<Quat> {
        self.each(
            values,
            |q, _| *q,
            |centre, neighbours, share| {
                let turned: Vec3 = neighbours
                    .map(|(value, w)| (centre.inverse() * value).scaled_axis() * w)
                    .sum();
                centre * Quat::from_scaled_axis(turned * share)
            },
        )
    }

    fn each<T: Copy>(
        &self,
        values: &[T],
        on: impl Fn(&T, f64) -> T,
        smoothed: impl Fn(&T, &mut dyn Iterator<Item = (T, f64)>, f64) -> T,
    ) -> Vec<T> {
        let (n, reach) = (values.len(), self.weights.len() / 2);
        let each = values.iter().enumerate().map(|(i, value)| {
            let from_seam = i.min(n - 1 - i) as f64 + 0.5;
            let share = 1.0 - smooth_step(from_seam / self.fade);
            if share <= 0.0 {
                return *value;
            }
            let neighbour = |k: usize| match i + k {
                at if at < reach => on(&values[at + n - reach], -1.0),
                at if at - reach < n => values[at - reach],
                at => on(&values[at - reach - n], 1.0),
            };
            let mut neighbours = (0..self.weights.len()).map(|k| (neighbour(k), self.weights[k]));
            smoothed(value, &mut neighbours, share)
        });
        each.collect()
    }
}

/// The value in the middle of the parabola that fits `2 * reach + 1` values best, as weights of these values.
fn parabola_weights(reach: usize) -> Vec<f64> {
    let r = reach as f64;
    let all = (2.0 * r - 1.0) * (2.0 * r + 1.0) * (2.0 * r + 3.0) / 3.0;
    let weight = |k: f64| (3.0 * r * (r + 1.0) - 1.0 - 5.0 * k * k) / all;
    match reach {
        0 => vec![1.0],
        _ => (0..=2 * reach).map(|i| weight(i as f64 - r)).collect(),
    }
}

/// The weights of doing the same to what came out.
fn twice(weights: &[f64]) -> Vec<f64> {
    let mut both = vec![0.0; 2 * weights.len() - 1];
    for (i, first) in weights.iter().enumerate() {
        for (j, second) in weights.iter().enumerate() {
            both[i + j] += first * second;
        }
    }
    both
}

/// From 0 at 0 to 1 at 1 and beyond, without a corner.
fn smooth_step(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_stays_and_its_tremble_goes() {
        for reach in 0..8 {
            let weights = parabola_weights(reach);
            let sum_with = |f: &dyn Fn(f64) -> f64| -> f64 {
                let offsets = (0..weights.len()).map(|i| i as f64 - reach as f64);
                offsets.zip(&weights).map(|(k, w)| f(k) * w).sum()
            };
            let kept = sum_with(&|k| 2.0 - 3.0 * k + 0.5 * k * k);
            assert!((kept - 2.0).abs() < 1e-12, "reach {reach}: {kept}");
            let trembling = sum_with(&|k| if k.rem_euclid(2.0) < 0.5 { 1.0 } else { -1.0 });
            assert!(
                reach < 2 || trembling.abs() < 0.5,
                "reach {reach}: {trembling} of 1 left"
            );
        }
    }

    #[test]
    fn a_steady_walk_stays_as_it_is() {
        let smoother = SeamSmoother::new(120.0, 100, 24.0);
        let steady: Vec<Vec3> = (0..100).map(|i| Vec3::z() * f64::from(i)).collect();
        let smoothed = smoother.places(&steady, |v, cycles| v + Vec3::z() * 100.0 * cycles);
        for (smoother, was) in smoothed.iter().zip(&steady) {
            assert!((smoother - was).norm() < 1e-9, "{was} moved to {smoother}");
        }
    }

    #[test]
    fn only_frames_beside_the_seam_change() {
        let smoother = SeamSmoother::new(120.0, 100, 24.0);
        let spiky: Vec<Vec3> = (0..100)
            .map(|i| Vec3::x() * f64::from(u8::from(i == 0 || i == 50)))
            .collect();
        let smoothed = smoother.places(&spiky, |v, _| *v);
        assert!(
            smoothed[0].x < 0.3,
            "the spike at the seam is {}",
            smoothed[0].x
        );
        assert!(
            smoothed[99].x > 0.05,
            "its neighbour across the seam follows"
        );
        assert_eq!(smoothed[24..76], spiky[24..76], "the middle is as it was");
        let turns: Vec<Quat> = spiky
            .iter()
            .map(|v| Quat::from_scaled_axis(v * 0.1))
            .collect();
        for (turned, place) in smoother.rotations(&turns).iter().zip(&smoothed) {
            let angle = turned.scaled_axis().x;
            assert!((angle - 0.1 * place.x).abs() < 1e-12, "{angle} for {place}");
        }
    }
}
