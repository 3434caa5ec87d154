//! Mean and spread by phase, closed where a motion is a cycle.

use crate::variation::network::phase_model::PhaseModel;
use crate::variation::takes::{Columns, MotionType, NodeKind};

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
        let mut common = model.common.clone();
        let mut made = Self {
            mean: &model.mean - &mean_detail,
            spread: model.spread.clone(),
            mean_detail,
            pace_bounds: model.pace_bounds.clone(),
            is_cyclic,
        };
        if is_cyclic {
            let period = model.phases.period();
            close(&mut common, period);
            made.mean = model.knots.round(&model.mean, period) + common;
            close(&mut made.spread, period);
            close(&mut made.mean_detail, period);
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

/// Cuts columns to one period and bends them so that the end leads to the beginning.
fn close(columns: &mut Columns, period: usize) {
    let n = columns.nrows();
    for mut column in columns.column_iter_mut() {
        let first = column[0];
        // What would come after the last phase of the period.
        let after = if period < n {
            column[period]
        } else {
            2.0 * column[n - 1] - column[n - 2]
        };
        let gap = after - first;
        for phase in 0..period.min(n) {
            // Half of the gap goes to either end.
            column[phase] -= gap * (phase as f64 / period as f64 - 0.5);
        }
    }
    if period < n {
        *columns = columns.rows(0, period).into_owned();
    }
}
