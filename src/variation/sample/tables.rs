//! Mean and spread by phase, closed where a motion is a cycle.

use crate::variation::network::phase_model::PhaseModel;
use crate::variation::takes::{Columns, MotionType, NodeKind};

/// Value and slope at the ends of a cycle are told by three phases so far apart.
const SIDE_SECS: f64 = 0.035;
/// A gap of slopes is faded out within this time on both sides of the seam.
const FADE_SECS: f64 = 0.2;

/// What is known at each phase. Cycles go round without a seam; one-shot motions go on straight beyond their ends.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::variation) struct Tables {
    /// With the detail that all takes have, and no other.
    mean: Columns,
    spread: Columns,
    /// What else the mean has.
    mean_detail: Columns,
    pace_bounds: Vec<(f64, f64)>,
    is_cyclic: bool,
}

impl Tables {
    pub(in crate::variation) fn of(model: &PhaseModel) -> Self {
        let is_cyclic = model.phases.motion_type == MotionType::Cyclic;
        let (_, mut mean_detail) = model.knots.split(&model.mean);
        for (node, kind) in model.phases.kinds.iter().enumerate() {
            // Timing and drift are smooth, and have no detail.
            if !matches!(kind, NodeKind::Dof(_)) {
                mean_detail.column_mut(node).fill(0.0);
            }
        }
        mean_detail -= &model.common;
        let mut made = Self {
            mean: &model.mean - &mean_detail,
            spread: model.spread.clone(),
            mean_detail,
            pace_bounds: model.pace_bounds.clone(),
            is_cyclic,
        };
        if is_cyclic {
            let period = model.phases.period();
            let seam = Seam::of(period, model.phases.frame_secs);
            for columns in [&mut made.mean, &mut made.spread, &mut made.mean_detail] {
                seam.close(columns);
            }
            // What was closed may not fall below nothing.
            made.spread.iter_mut().for_each(|x| *x = x.max(1e-6));
        }
        made
    }

    fn n(&self) -> usize {
        self.mean.nrows()
    }

    /// The row of a phase, and how far beyond the ends that is.
    fn place(&self, phase: isize) -> (usize, f64) {
        let n = self.n().cast_signed();
        if self.is_cyclic {
            return (phase.rem_euclid(n) as usize, 0.0);
        }
        let inside = phase.clamp(0, n - 1);
        (inside as usize, (phase - inside) as f64)
    }

    /// A column at a phase; beyond the ends of a motion it goes on straight.
    fn at(&self, columns: &Columns, phase: isize, node: usize) -> f64 {
        let (row, beyond) = self.place(phase);
        let slope = if beyond < 0.0 {
            columns[(1, node)] - columns[(0, node)]
        } else if beyond > 0.0 {
            columns[(row, node)] - columns[(row - 1, node)]
        } else {
            0.0
        };
        columns[(row, node)] + beyond * slope
    }

    pub(in crate::variation) fn mean(&self, phase: isize, node: usize) -> f64 {
        self.at(&self.mean, phase, node)
    }

    pub(in crate::variation) fn spread(&self, phase: isize, node: usize) -> f64 {
        self.spread[(self.place(phase).0, node)]
    }

    /// What the mean has beside its knots.
    pub(in crate::variation) fn mean_detail(&self, phase: isize, node: usize) -> f64 {
        self.at(&self.mean_detail, phase, node)
    }

    /// A logarithm of time within what takes do at a phase, softly; `usual` is its mean there.
    pub(in crate::variation) fn bounded_pace(&self, phase: isize, time: f64, usual: f64) -> f64 {
        let (low, high) = self.pace_bounds[self.place(phase).0.min(self.pace_bounds.len() - 1)];
        if !(low.is_finite() && high.is_finite()) {
            return time;
        }
        let beyond = |x: f64| x.max(0.0) + (-x.abs()).exp().ln_1p();
        let soft = |end: f64| 0.25 * (usual - end).abs() + 0.003;
        let time = low + soft(low) * beyond((time - low) / soft(low));
        high - soft(high) * beyond((high - time) / soft(high))
    }
}

/// Where the end of a cycle leads into its beginning.
///
/// Mean and detail are closed in the same way, so that they still add up to what takes are: closed through knots of
/// their own, as the mean once was, it lacked what detail makes up for: smooth walks had 1.34 to 1.80 of their takes'
/// jerk, and have 1.15 to 1.49.
#[derive(Debug, Clone, Copy)]
struct Seam {
    period: usize,
    /// Phases from one of three that tell value and slope at an end to the next.
    side: usize,
    /// Phases within which a gap of slopes fades out.
    fade: f64,
}

impl Seam {
    fn of(period: usize, phase_secs: f64) -> Self {
        Self {
            period,
            side: ((SIDE_SECS / phase_secs).round() as usize).max(1),
            fade: (FADE_SECS / phase_secs).max(2.0),
        }
    }

    /// Cuts columns to one period and bends them so that the end leads to the beginning, without a step or a corner.
    /// Half of each gap goes to either end; a step is spread over the whole period, so that it changes no velocity by
    /// much.
    fn close(&self, columns: &mut Columns) {
        let n = columns.nrows();
        let period = self.period as f64;
        let beyond = self.period as f64 - (n - 1) as f64;
        let side = self.side.min((n - 1) / 2).max(1);
        for mut column in columns.column_iter_mut() {
            let at = |i: usize| column[i.min(n - 1)];
            let [first, begin, _] = parabola([0, 1, 2].map(|i| at(i * side)), side);
            let [last, back, bend] =
                parabola([0, 1, 2].map(|i| at(n - 1 - (i * side).min(n - 1))), side);
            let (end, slope) = (
                last - beyond * back + 0.5 * beyond * beyond * bend,
                beyond * bend - back,
            );
            let (step, corner) = (end - first, slope - begin);
            for phase in 0..n.min(self.period) {
                let away = (phase as f64).min(period - phase as f64);
                let faded = (1.0 - away / self.fade).max(0.0).powi(3);
                column[phase] += 0.5 * corner * away * faded - step * (phase as f64 / period - 0.5);
            }
        }
        if self.period < n {
            *columns = columns.rows(0, self.period).into_owned();
        }
    }
}

/// Value, slope and bend at the first of three samples, each so far from the next.
fn parabola([a, b, c]: [f64; 3], side: usize) -> [f64; 3] {
    let side = side as f64;
    let bend = (a - 2.0 * b + c) / (side * side);
    [a, (b - a) / side - 0.5 * side * bend, bend]
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    #[test]
    fn a_cycle_goes_round_without_a_step_or_a_corner() {
        let n = 80;
        let seam = Seam::of(n, 1.0 / 60.0);
        // Rises a little in each round, and is steep upwards at its beginning and downwards at its end.
        let open = Columns::from_fn(n, 1, |p, _| {
            let share = p as f64 / n as f64;
            (std::f64::consts::PI * share).sin() + 0.2 * share
        });
        let mut made = open.clone();
        seam.close(&mut made);
        let bend = |curve: &Columns, p: usize| {
            let at = |p: usize| curve[(p % n, 0)];
            (at(p) - 2.0 * at(p + 1) + at(p + 2)).abs()
        };
        let sharpest = |curve: &Columns| (0..n).map(|p| bend(curve, p)).fold(0.0, f64::max);
        assert!(sharpest(&open) > 0.1, "{}", sharpest(&open));
        assert!(sharpest(&made) < 0.03, "{}", sharpest(&made));
        // What is left of the rise is a straight line.
        for phase in 20..=n - 20 {
            let share = phase as f64 / n as f64;
            let meant = (std::f64::consts::PI * share).sin() + 0.1;
            assert!((made[(phase, 0)] - meant).abs() < 1e-3, "at {phase}");
        }
    }

    #[test]
    fn what_goes_round_already_stays() {
        for n in [60, 61] {
            let round = Columns::from_fn(n, 1, |p, _| (TAU * p as f64 / 60.0).sin());
            let mut made = round.clone();
            Seam::of(60, 1.0 / 60.0).close(&mut made);
            assert_eq!(made.nrows(), 60, "one period");
            let off = (&made - round.rows(0, 60)).amax();
            assert!(off < 5e-3, "{off} of {n} phases");
        }
    }
}
