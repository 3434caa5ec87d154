//! What an animator may ask of a join beyond its kind and length.

/// How slowly a blend begins and ends: 0 at an even pace, 1 from rest and to rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ease {
    /// At the source, 0 to 1.
    pub start: f64,
    /// At the destination, 0 to 1.
    pub end: f64,
}

impl Default for Ease {
    fn default() -> Self {
        Self {
            start: 1.0,
            end: 1.0,
        }
    }
}

impl Ease {
    /// How much of the destination is seen after this share of the time: a quintic without acceleration at either end
    /// and with slopes `1 - start` and `1 - end`. It never turns back, since it lies between three curves that do not:
    /// the one of least jerk and those with slope 1 at one end.
    pub fn share(&self, time: f64) -> f64 {
        let s = time.clamp(0.0, 1.0);
        let at_start = s - s.powi(3) * (6.0 - s * (8.0 - 3.0 * s));
        let at_end = -s.powi(3) * (4.0 - s * (7.0 - 3.0 * s));
        smootherstep(s) + (1.0 - self.start) * at_start + (1.0 - self.end) * at_end
    }
}

/// What of the place where the source ends the destination takes over; the rest it keeps as captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alignment {
    /// Whether it takes over the place along the floor.
    pub ground: bool,
    /// Whether it takes over the height above the floor.
    pub height: bool,
    /// Which way it faces.
    pub heading: bool,
}

impl Default for Alignment {
    fn default() -> Self {
        Self {
            ground: true,
            height: false,
            heading: true,
        }
    }
}

/// What an animator may ask of a join beyond its kind and length. By default nothing.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct JoinShape {
    /// How slowly the blend begins and ends.
    pub ease: Ease,
    /// The source keeps the pose at which it is left ("fixed") instead of moving on ("rolling").
    pub holds_source: bool,
    /// The destination waits in its first pose until the blend is over.
    pub holds_destination: bool,
    /// How far the destination is turned to the left beyond where it would face.
    pub angle_rad: f64,
    /// What of its place the destination takes over.
    pub alignment: Alignment,
}

impl JoinShape {
    /// Whether the outcome depends on where in the world the source ends.
    pub fn depends_on_world(&self) -> bool {
        self.alignment != Alignment::default()
    }
}

/// Zero with its first two derivatives at 0, one with them at 1: the curve of least jerk.
pub(in crate::motion) fn smootherstep(share: f64) -> f64 {
    let s = share.clamp(0.0, 1.0);
    s * s * s * (s * (6.0 * s - 15.0) + 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eases_go_from_the_least_jerk_to_an_even_pace_and_never_back() {
        for i in 0..=20 {
            let s = f64::from(i) / 20.0;
            let even = Ease {
                start: 0.0,
                end: 0.0,
            };
            assert!((even.share(s) - s).abs() < 1e-12, "even at {s}");
            assert!((Ease::default().share(s) - smootherstep(s)).abs() < 1e-12);
        }
        for (start, end) in [(0.0, 1.0), (1.0, 0.0), (0.3, 0.8), (0.0, 0.0)] {
            let ease = Ease { start, end };
            let shares: Vec<f64> = (0..=200)
                .map(|i| ease.share(f64::from(i) / 200.0))
                .collect();
            assert!(
                shares.windows(2).all(|two| two[0] <= two[1] + 1e-12),
                "{ease:?}"
            );
            assert!(
                shares[0].abs() < 1e-12 && (shares[200] - 1.0).abs() < 1e-12,
                "{ease:?}"
            );
            let slope = |from: usize| (shares[from + 1] - shares[from]) * 200.0;
            assert!((slope(0) - (1.0 - start)).abs() < 0.01, "{ease:?}");
            assert!((slope(199) - (1.0 - end)).abs() < 0.01, "{ease:?}");
        }
    }
}
