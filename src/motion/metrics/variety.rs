//! How much a set of clips differs within itself, and how its rhythms compare with another set's.

use super::table::StandardisedCurves;
use crate::numerics::spectrum::{overlap, power, shift_between};

/// Clips are compared at so many equal parts of their length.
const PHASES: usize = 64;
/// Rhythms are looked at over at most so many seconds.
const LONGEST_SECS: f64 = 4.0;

/// Root mean square distance between two clips of the set at equal phase, over all pairs and degrees of freedom;
/// `None` for fewer than two clips. Phase is the share of a clip's time that has passed.
pub(super) fn diversity(tables: &[StandardisedCurves]) -> Option<f64> {
    if tables.len() < 2 {
        return None;
    }
    let n = tables.len() as f64;
    let n_dofs = tables[0].n_dofs;
    let mut sum = 0.0;
    for phase in 0..PHASES {
        let share = phase as f64 / (PHASES - 1) as f64;
        for dof in 0..n_dofs {
            let value = |t: &StandardisedCurves| t.at(share * (t.len() - 1) as f64, dof);
            let mean = tables.iter().map(value).sum::<f64>() / n;
            let squares: f64 = tables.iter().map(|t| (value(t) - mean).powi(2)).sum();
            // The mean square over all pairs is twice the variance.
            sum += 2.0 * squares / (n - 1.0);
        }
    }
    Some((sum / PHASES as f64 * tables[0].per_dof).sqrt())
}

/// How the power of two sets is shared out among frequencies.
pub(super) struct Rhythm {
    /// Share of power at the same frequencies, 0 to 1.
    pub(super) overlap: f64,
    /// By how much power is shifted on average.
    pub(super) shift_hz: f64,
}

/// Compares the spectra of two sets; degrees of freedom count by their power in the first.
pub(super) fn rhythm(
    first: &[StandardisedCurves],
    second: &[StandardisedCurves],
    fps: f64,
) -> Option<Rhythm> {
    let shortest = first
        .iter()
        .chain(second)
        .map(StandardisedCurves::len)
        .min()?;
    let n_window = shortest.min((LONGEST_SECS * fps) as usize).max(4);
    let n_dofs = first.first()?.n_dofs;
    second.first()?;
    let (mut shared, mut shifted, mut weights) = (0.0, 0.0, 0.0);
    for dof in 0..n_dofs {
        let [a, b] = [first, second].map(|set| {
            let mut sum = vec![0.0; n_window / 2 + 1];
            for table in set {
                for (s, p) in sum.iter_mut().zip(power(&table.column(dof), n_window)) {
                    *s += p / set.len() as f64;
                }
            }
            sum
        });
        let weight: f64 = a.iter().sum();
        shared += weight * overlap(&a, &b);
        shifted += weight * shift_between(&a, &b);
        weights += weight;
    }
    if weights <= 0.0 {
        return None;
    }
    Some(Rhythm {
        overlap: shared / weights,
        shift_hz: shifted / weights * fps / n_window as f64,
    })
}
