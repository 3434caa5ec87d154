//! How near poses are to poses that were given.

use rayon::prelude::*;

use super::table::StandardisedCurves;
use crate::numerics;
use crate::numerics::rows::{Rows, squared_distance};

/// Of longer tables only so many rows, evenly chosen, are looked at.
const MOST_ROWS: usize = 20_000;

/// Distance of each row to the nearest of others: root mean square over the degrees of freedom.
pub(super) fn nearest(table: &StandardisedCurves, others: &[&StandardisedCurves]) -> Vec<f64> {
    let total: usize = others.iter().map(|t| t.len()).sum();
    if total == 0 || table.n_dofs == 0 {
        return vec![0.0; table.len()];
    }
    let stride = total.div_ceil(MOST_ROWS);
    let others: Vec<Rows> = others.iter().map(|t| t.rows()).collect();
    let rows = table.rows();
    (0..rows.len())
        .into_par_iter()
        .map(|i| {
            let row = rows.row(i);
            let all = others.iter().flat_map(|o| o.iter().step_by(stride));
            let least = all
                .map(|o| squared_distance(row, o))
                .fold(f32::INFINITY, f32::min);
            (f64::from(least) * table.per_dof).sqrt()
        })
        .collect()
}

/// Each table against all the others.
pub(super) fn leave_one_out(tables: &[StandardisedCurves]) -> Vec<f64> {
    (0..tables.len())
        .flat_map(|i| {
            let others: Vec<&StandardisedCurves> = tables
                .iter()
                .enumerate()
                .filter(|(j, _)| *j != i)
                .map(|(_, t)| t)
                .collect();
            nearest(&tables[i], &others)
        })
        .collect()
}

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The value that a share of all stay below.
pub(super) fn quantile(values: &[f64], share: f64) -> f64 {
    numerics::quantile::quantile(&mut values.to_vec(), share).unwrap_or(0.0)
}
