//! Clips as standardised curves at one rate.

use super::super::Clip;
use super::super::chart::DofChart;
use super::{MetricError, moments};
use crate::numerics::rows::Rows;

/// The curves of one clip: each degree of freedom in standard deviations of the inputs.
pub(super) struct Table {
    pub(super) n_dofs: usize,
    /// Row by row.
    pub(super) values: Vec<f64>,
    /// The frame of the clip at each row.
    pub(super) frames: Vec<usize>,
}

impl Table {
    pub(super) fn of(chart: &DofChart, clip: &Clip, fps: f64) -> Result<Self, MetricError> {
        let mut curves = chart.curves(clip)?;
        chart.standardise(curves.values_mut());
        let n_dofs = curves.n_dofs();
        let last = curves.n_frames() - 1;
        let moments = moments(clip, fps);
        let mut values = Vec::with_capacity(moments.len() * n_dofs);
        for &moment in &moments {
            let at = (moment as usize).min(last);
            if moment.fract() == 0.0 {
                values.extend_from_slice(curves.row(at));
                continue;
            }
            let near = [
                at.saturating_sub(1),
                at,
                (at + 1).min(last),
                (at + 2).min(last),
            ];
            let rows = near.map(|f| curves.row(f));
            let t = moment.fract();
            values.extend((0..n_dofs).map(|d| between(rows.map(|r| r[d]), t)));
        }
        Ok(Self {
            n_dofs,
            values,
            frames: moments.iter().map(|m| m.round() as usize).collect(),
        })
    }

    pub(super) fn len(&self) -> usize {
        self.frames.len()
    }

    pub(super) fn get(&self, row: usize, dof: usize) -> f64 {
        self.values[row * self.n_dofs + dof]
    }

    pub(super) fn column(&self, dof: usize) -> Vec<f64> {
        (0..self.len()).map(|row| self.get(row, dof)).collect()
    }

    /// For searching.
    pub(super) fn rows(&self) -> Rows {
        Rows::new(self.n_dofs, self.values.iter().map(|&v| v as f32).collect())
    }

    /// At any row, blended.
    pub(super) fn at(&self, row: f64, dof: usize) -> f64 {
        let before = row as usize;
        let after = (before + 1).min(self.len() - 1);
        let (a, b) = (self.get(before, dof), self.get(after, dof));
        a + (b - a) * row.fract()
    }
}

/// Between the middle two of four values along a smooth curve (Catmull-Rom); straight lines would add jerk.
fn between([a, b, c, d]: [f64; 4], t: f64) -> f64 {
    let (m, n) = (0.5 * (c - a), 0.5 * (d - b));
    let (t2, t3) = (t * t, t * t * t);
    b * (2.0 * t3 - 3.0 * t2 + 1.0)
        + m * (t3 - 2.0 * t2 + t)
        + c * (3.0 * t2 - 2.0 * t3)
        + n * (t3 - t2)
}
