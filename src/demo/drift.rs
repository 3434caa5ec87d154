//! Unintended variation: slow, small drift of every part of the body, so that no two takes are the same.
//!
//! Each channel is a sum of three slow sines with random frequencies, phases and weights: smooth, without end, and
//! of variance one. Recipes scale it to degrees or centimetres.

use std::f64::consts::TAU;

use crate::numerics::random::Stream;

const WAVES: usize = 3;

/// One slowly varying channel.
#[derive(Debug, Clone, Copy)]
struct Wander {
    /// Radians a second, radians, weight.
    waves: [(f64, f64, f64); WAVES],
}

impl Wander {
    fn new(stream: &mut Stream, fastest_hz: f64) -> Self {
        let mut waves = [(0.0, 0.0, 0.0); WAVES];
        for wave in &mut waves {
            let hz = stream.between(0.2 * fastest_hz, fastest_hz);
            *wave = (hz * TAU, stream.between(0.0, TAU), stream.between(0.5, 1.0));
        }
        // A sine of amplitude a has the mean square a^2 / 2.
        let power: f64 = waves.iter().map(|w| 0.5 * w.2 * w.2).sum();
        for wave in &mut waves {
            wave.2 /= power.sqrt();
        }
        Self { waves }
    }

    fn at(&self, secs: f64) -> f64 {
        let waves = self.waves.iter();
        waves
            .map(|(w, phase, a)| a * (w * secs + phase).sin())
            .sum()
    }
}

/// Wandering numbers for every part of the body.
#[derive(Debug, Clone)]
pub(super) struct Drift {
    channels: Vec<Wander>,
}

/// Which part wanders. Arms take their left channel; the right one follows it in the list.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    PelvisX,
    PelvisZ,
    PelvisYaw,
    PelvisPitch,
    PelvisRoll,
    ChestYaw,
    ChestPitch,
    ChestRoll,
    HeadYaw,
    HeadPitch,
    HeadRoll,
    ArmFlex,
    ArmAbduct = 13,
    ArmTurn = 15,
    Elbow = 17,
    Wrist = 19,
}

const CHANNELS: usize = 21;

impl Drift {
    pub(super) fn new(stream: &mut Stream, fastest_hz: f64) -> Self {
        let channels = (0..CHANNELS)
            .map(|_| Wander::new(stream, fastest_hz))
            .collect();
        Self { channels }
    }

    /// Mean 0, variance 1 over a long time.
    pub(super) fn at(&self, part: Part, secs: f64) -> f64 {
        self.channels[part as usize].at(secs)
    }

    /// The same for a part that is there twice.
    pub(super) fn at_side(&self, part: Part, side: usize, secs: f64) -> f64 {
        self.channels[part as usize + side].at(secs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wandering_has_mean_zero_and_variance_one() {
        let drift = Drift::new(&mut Stream::named(1, &[]), 1.0);
        for part in [Part::PelvisX, Part::HeadRoll, Part::ArmFlex, Part::Wrist] {
            for side in 0..2 {
                let n = 40_000;
                let values = (0..n).map(|i| drift.at_side(part, side, f64::from(i) * 0.05));
                let (sum, squares) = values.fold((0.0, 0.0), |(s, q), v| (s + v, q + v * v));
                assert!((sum / f64::from(n)).abs() < 0.02, "mean of {part:?}");
                assert!((squares / f64::from(n) - 1.0).abs() < 0.05, "{part:?}");
            }
        }
    }
}
