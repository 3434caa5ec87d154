//! Curves by their values at knots: the slow part of what differs between takes, which the network is about.
//!
//! What is left between the curve and its knots is *detail*.

use nalgebra::DMatrix;

use crate::numerics::interpolate::spline_weights;

/// Time from one knot to the next: up to 4 Hz go through the network.
const KNOT_SECS: f64 = 1.0 / 8.0;
/// Fewer say nothing about memory.
const FEWEST: usize = 4;

/// How much bends of a curve cost against its distance: the coefficients at its ends are told by few phases.
const STIFFNESS: f64 = 0.1;
/// Knots over some phases: coefficients of a cubic B-spline, with one more before the first and one after the last.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::variation) struct Knots {
    /// Phases from one knot to the next.
    spacing: f64,
    n_phases: usize,
    /// Phases in a cycle; none if the motion has an end.
    period: Option<usize>,
    /// From phases to knots, by least squares.
    to_knots: DMatrix<f64>,
    /// From knots to phases.
    to_phases: DMatrix<f64>,
}

impl Knots {
    /// Over so many phases of so much time each; with a period they go round.
    pub(in crate::variation) fn new(
        n_phases: usize,
        phase_secs: f64,
        period: Option<usize>,
    ) -> Self {
        let last = (n_phases - 1) as f64;
        let n = ((last * phase_secs / KNOT_SECS).round() as usize)
            .clamp(FEWEST.min(n_phases - 1), n_phases - 1);
        let spacing = last / n as f64;
        let n_knots = n + 3;
        let mut to_phases = DMatrix::zeros(n_phases, n_knots);
        for phase in 0..n_phases {
            let at = phase as f64 / spacing;
            let base = (at as usize).min(n - 1);
            for (i, weight) in spline_weights(at - base as f64).into_iter().enumerate() {
                to_phases[(phase, base + i)] += weight;
            }
        }
        let mut normal = to_phases.transpose() * &to_phases;
        for knot in 1..n_knots - 1 {
            bend(&mut normal, [knot - 1, knot, knot + 1], spacing);
        }
        let right = to_phases.transpose();
        let to_knots = normal
            .cholesky()
            .map_or_else(|| right.clone(), |factor| factor.solve(&right));
        Self {
            spacing,
            n_phases,
            period,
            to_knots,
            to_phases,
        }
    }

    /// How many knots have passed at a phase, counted from the first; on and on for cycles, held at the ends of other motions.
    pub(in crate::variation) fn at(&self, phase: isize) -> f64 {
        let phase = match self.period {
            Some(_) => phase,
            None => phase.clamp(0, self.n_phases.cast_signed() - 1),
        };
        phase as f64 / self.spacing
    }

    /// The phase at which so many knots have passed, within one run or round.
    pub(in crate::variation) fn phase_at(&self, knots: f64) -> f64 {
        let last = (self.n_phases - 1) as f64;
        let phase = knots * self.spacing;
        match self.period {
            Some(period) => phase.rem_euclid(period as f64).min(last),
            None => phase.clamp(0.0, last),
        }
    }

    /// How many knots there are.
    pub(in crate::variation) fn len(&self) -> usize {
        self.to_phases.ncols()
    }

    /// The values at knots whose spline is nearest to these curves.
    pub(in crate::variation) fn slow(&self, curves: &DMatrix<f64>) -> DMatrix<f64> {
        &self.to_knots * curves
    }

    /// The curves of the spline through these values at knots.
    pub(in crate::variation) fn curves(&self, slow: &DMatrix<f64>) -> DMatrix<f64> {
        &self.to_phases * slow
    }

    /// Values at knots, and what curves through them leave.
    pub(in crate::variation) fn split(
        &self,
        curves: &DMatrix<f64>,
    ) -> (DMatrix<f64>, DMatrix<f64>) {
        let slow = self.slow(curves);
        let detail = curves - self.curves(&slow);
        (slow, detail)
    }
}

/// Adds what a bend at the second of three knots costs.
fn bend(normal: &mut DMatrix<f64>, knots: [usize; 3], spacing: f64) {
    let cost = knots.into_iter().zip([1.0, -2.0, 1.0]);
    for (a, x) in cost.clone() {
        for (b, y) in cost.clone() {
            normal[(a, b)] += STIFFNESS * spacing * x * y;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_curves_go_through_knots_and_quick_ones_are_detail() {
        let knots = Knots::new(80, 1.0 / 60.0, None);
        assert_eq!(knots.len(), 14, "eight a second, and one beyond each end");
        let wave = |hertz: f64| {
            DMatrix::from_fn(80, 1, |p, _| {
                (p as f64 / 60.0 * hertz * std::f64::consts::TAU).sin()
            })
        };
        let power = |m: &DMatrix<f64>| m.norm_squared();
        let (_, detail) = knots.split(&wave(1.0));
        assert!(power(&detail) < 0.03 * power(&wave(1.0)), "slow");
        let (slow, detail) = knots.split(&wave(12.0));
        assert!(power(&detail) > 0.9 * power(&wave(12.0)), "quick");
        assert!(power(&slow) < 3.0, "{}", power(&slow));
    }
}
