//! What takes have beside their knots: impacts, the snap of a kick, the liveliness of capture.
//!
//! It is kept frame by frame as it was captured, and variants play it in its own time. Brought to the common phase, as it was at first,
//! it lost jerk and won it: quick tremor does not survive interpolation (walks kept 0.65 of their jerk), and a take that is hurried by
//! a third to be in step has two and a half times its jerk (jumps had 1.5). Played as captured, variants have the jerk of the takes
//! without any gain to be found.

use nalgebra::DMatrix;

use super::knots::Knots;
use crate::numerics::interpolate::sample;
use crate::numerics::smoothing::{Ends, smoothed};
use crate::variation::takes::root_path::Steps;
use crate::variation::takes::{Columns, NodeKind, Phases};

/// Time over which detail that takes have in common is told from tremor.
const MOMENT_SECS: f64 = 0.1;

/// Detail of one take.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::variation) struct Detail {
    n_dofs: usize,
    /// Frame by frame, in the units of the takes.
    rows: Vec<f64>,
    /// The frame at every phase.
    moments: Vec<f64>,
}

impl Detail {
    /// Of a take with the progress of its frames; `columns` are the same by phase, `common` what [`common`] found.
    pub(in crate::variation) fn of(
        (rows, progress): (&[f64], &[f64]),
        (columns, common): (&Columns, &Columns),
        phases: &Phases,
        knots: &Knots,
    ) -> Self {
        let moments = phases.moments(progress);
        let smooth = knots.curves(&knots.slow(columns)) + common;
        let slow = rows_along(&smooth, &phases_of_frames(&moments, progress.len()), phases);
        Self {
            n_dofs: phases.n_dofs(),
            rows: rows.iter().zip(slow).map(|(x, slow)| x - slow).collect(),
            moments,
        }
    }

    /// How many frames it has.
    pub(in crate::variation) fn n_frames(&self) -> usize {
        self.rows.len() / self.n_dofs
    }

    /// The frame at a phase; beyond the ends it goes on straight.
    pub(in crate::variation) fn frame_at(&self, phase: f64) -> f64 {
        sample(&self.moments, phase)
    }

    /// Detail that is known, of a take that runs evenly through so many phases.
    #[cfg(test)]
    pub(in crate::variation) fn known(n_dofs: usize, rows: Vec<f64>, n_phases: usize) -> Self {
        let last = (rows.len() / n_dofs - 1) as f64;
        let moment = |phase: usize| last * phase as f64 / (n_phases - 1) as f64;
        Self {
            n_dofs,
            rows,
            moments: (0..n_phases).map(moment).collect(),
        }
    }

    /// One number. Beyond its ends a take is turned about its last frame, so that it may fade away there.
    pub(in crate::variation) fn at(&self, frame: isize, dof: usize) -> f64 {
        let last = self.n_frames().cast_signed() - 1;
        let get = |frame: isize| self.rows[frame.clamp(0, last) as usize * self.n_dofs + dof];
        if frame < 0 {
            2.0 * get(0) - get(-frame)
        } else if frame > last {
            2.0 * get(last) - get(2 * last - frame)
        } else {
            get(frame)
        }
    }
}

/// What takes have in common beside their knots, by phase: that belongs to the mean and keeps its place there. Motions without
/// tremor have little else, and played a frame or two off their curve it would be jerk of its own.
///
/// The mean of the details of a few takes has a share of their tremor as well; what is left of it is what its square exceeds
/// that by, over a moment (Wiener). That is one share for the whole body: joints make up for each other in detail, and with a share for
/// each of them a hand or foot no longer stood as still in space as it was captured (jerk in space of kicks 1.22 against 1.13, of strokes
/// 1.28 against 1.13).
pub(in crate::variation) fn common(takes: &[Columns], phases: &Phases, knots: &Knots) -> Columns {
    let (n, size) = (takes.len() as f64, (phases.n, phases.width()));
    if takes.len() < 2 {
        return Columns::zeros(size.0, size.1);
    }
    let detail = |take: &Columns| {
        let mut detail = knots.split(take).1;
        for (node, kind) in phases.kinds.iter().enumerate() {
            if !matches!(kind, NodeKind::Dof(_)) {
                detail.column_mut(node).fill(0.0);
            }
        }
        detail
    };
    let squares = |detail: &Columns| -> Vec<f64> {
        let rows = detail.row_iter();
        rows.map(|row| row.norm_squared()).collect()
    };
    let mut mean = Columns::zeros(size.0, size.1);
    let mut all = vec![0.0; phases.n];
    for take in takes {
        let detail = detail(take);
        for (sum, square) in all.iter_mut().zip(squares(&detail)) {
            *sum += square / n;
        }
        mean += detail / n;
    }
    let deviation = MOMENT_SECS / phases.frame_secs;
    let [own, all] = [squares(&mean), all].map(|x| smoothed(&x, deviation, Ends::Hold));
    for (phase, mut row) in mean.row_iter_mut().enumerate() {
        let shared = (n * own[phase] - all[phase]) / (n - 1.0);
        row *= (shared / own[phase].max(1e-12)).clamp(0.0, 1.0);
    }
    mean
}

/// The phase at every frame: moments turned round.
fn phases_of_frames(moments: &[f64], n_frames: usize) -> Vec<f64> {
    let last = moments.len() - 1;
    (0..n_frames)
        .map(|frame| {
            let frame = frame as f64;
            let after = moments.partition_point(|&m| m < frame).clamp(1, last);
            let (low, high) = (moments[after - 1], moments[after]);
            let step = (high - low).max(1e-9);
            let rough = (after - 1) as f64 + (frame - low) / step;
            // Straight pieces have corners; the curve that phases are interpolated by has none.
            let better = rough + (frame - sample(moments, rough)) / step;
            better.clamp(rough - 0.5, rough + 0.5)
        })
        .collect()
}

/// A motion given by phase, at these phases one frame after the other.
fn rows_along(columns: &DMatrix<f64>, at: &[f64], phases: &Phases) -> Vec<f64> {
    let (n_nodes, n) = (columns.ncols(), phases.n_dofs());
    let curves = columns.as_slice().chunks_exact(columns.nrows());
    let mut cells = vec![0.0; at.len() * n_nodes];
    for (node, curve) in curves.enumerate() {
        for (frame, &phase) in at.iter().enumerate() {
            cells[frame * n_nodes + node] = sample(curve, phase);
        }
    }
    let mut steps = Steps::default();
    let mut before = at.first().copied().unwrap_or(0.0);
    let last = (phases.n - 1) as f64;
    let mut rows = Vec::with_capacity(at.len() * n);
    for (values, &phase) in cells.chunks_exact_mut(n_nodes).zip(at) {
        phases.unplace(values, &mut steps, (phase - before) / last);
        before = phase;
        rows.extend_from_slice(&values[..n]);
    }
    // Rates of the first frame are those of the second, as in every take.
    for dof in (0..n).filter(|&dof| phases.is_rate(dof) && at.len() > 1) {
        rows[dof] = rows[n + dof];
    }
    rows
}
