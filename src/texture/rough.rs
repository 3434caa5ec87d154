//! Joins that are rougher than those of the clips.

use super::player::PlayedJoin;
use super::search::Rough;
use crate::motion::join::report::Norms;

/// What a jump costs that does so by the size of a limit; a usual one costs an eighth.
const ROUGH_COST: f64 = 1.0;

/// Joins that break limits, as a search avoids them, and by how much they do.
pub(super) fn rough_joins(joins: &[PlayedJoin], norms: &Norms) -> Vec<(Rough, f64)> {
    let each = joins.iter().map(|join| {
        let excess = join.report.excess(norms);
        let rough = Rough {
            from: join.from,
            to: join.to,
            cost: ROUGH_COST * excess.min(1.0),
        };
        (rough, excess)
    });
    each.filter(|(_, excess)| *excess > 0.0).collect()
}
