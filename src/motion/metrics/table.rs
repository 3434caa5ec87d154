//! Clips as standardised curves at one rate.
//!
//! Degrees of freedom that are still in the inputs are kept: a variant that bends a knee sideways must not go unseen.
//! Their scale is the chart's floor. They add to distances, but not to the number that these are averaged over, and
//! they do not count where only moving ones make sense.

use super::super::Clip;
use super::super::body::uncaptured_fingers;
use super::super::chart::{ChartSettings, DofChart};
use super::{MetricError, moments};
use crate::numerics::interpolate::hermite_weights;
use crate::numerics::rows::Rows;

/// The coordinates that clips are compared in.
pub(super) struct Coordinates {
    /// All degrees of freedom, moving or not.
    pub(super) chart: DofChart,
    /// For each whether it moves in the inputs.
    is_moving: Vec<bool>,
}

impl Coordinates {
    pub(super) fn learn(inputs: &[&Clip], settings: &ChartSettings) -> Result<Self, MetricError> {
        // What was never captured is noise, and would be most of every distance.
        let fingers = inputs
            .first()
            .map_or_else(Vec::new, |clip| uncaptured_fingers(clip));
        let moving = DofChart::learn(inputs, settings)?.without_joints(&fingers);
        let all = ChartSettings {
            keep_still: true,
            ..settings.clone()
        };
        let chart = DofChart::learn(inputs, &all)?.without_joints(&fingers);
        let is_moving = chart
            .dofs()
            .iter()
            .map(|dof| moving.find(dof.kind, dof.joint).is_some())
            .collect();
        Ok(Self { chart, is_moving })
    }

    pub(super) fn n_moving(&self) -> usize {
        self.is_moving.iter().filter(|m| **m).count()
    }

    pub(super) fn moving(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.is_moving.len()).filter(|&dof| self.is_moving[dof])
    }
}

/// The curves of one clip: each degree of freedom in standard deviations of the inputs.
pub(super) struct StandardisedCurves {
    pub(super) n_dofs: usize,
    /// One over the number of moving degrees of freedom, for means over them.
    pub(super) per_dof: f64,
    /// All coordinates, row by row.
    pub(super) values: Vec<f64>,
    /// The frame of the clip at each row.
    pub(super) frames: Vec<usize>,
}

impl StandardisedCurves {
    pub(super) fn of(space: &Coordinates, clip: &Clip, fps: f64) -> Result<Self, MetricError> {
        let chart = &space.chart;
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
            per_dof: 1.0 / space.n_moving().max(1) as f64,
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

    /// The table in the form that nearest-neighbour searches take.
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
    let weights = hermite_weights(t);
    b * weights[0] + m * weights[1] + c * weights[2] + n * weights[3]
}
