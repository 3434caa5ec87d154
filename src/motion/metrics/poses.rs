//! How near poses are to poses that were given.

use rayon::prelude::*;

use super::table::StandardisedCurves;
use crate::numerics;
use crate::numerics::projection::NearestPoint;
use crate::numerics::rows::{Rows, squared_distance};

/// Up to so many rows are scanned: that is quicker than to sort them first.
const SCANNED: usize = 400;

/// Distance of each row to the nearest of others: root mean square over the degrees of freedom.
pub(super) fn nearest(table: &StandardisedCurves, others: &[&StandardisedCurves]) -> Vec<f64> {
    let total: usize = others.iter().map(|t| t.len()).sum();
    if total == 0 || table.n_dofs == 0 {
        return vec![0.0; table.len()];
    }
    let values = others
        .iter()
        .flat_map(|t| t.values.iter().map(|&v| v as f32));
    let others = Rows::new(table.n_dofs, values.collect());
    let index = (others.len() > SCANNED)
        .then(|| NearestPoint::among(others.len(), |at| others.row(at).to_vec()));
    let rows = table.rows();
    (0..rows.len())
        .into_par_iter()
        .map(|i| {
            let row = rows.row(i);
            let to = |at: usize| squared_distance(row, others.row(at)).sqrt();
            let least = match &index {
                Some(index) => index.nearest(row, |at, _| to(at)).map_or(0.0, |n| n.1),
                None => (0..others.len()).map(to).fold(f32::INFINITY, f32::min),
            };
            f64::from(least) * table.per_dof.sqrt()
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
