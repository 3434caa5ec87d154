//! Whether joints of variants differ together as those of real clips do.
//!
//! At equal phase each clip differs from the mean of its set; the correlations of these differences between all pairs
//! of degrees of freedom are compared with those of real clips: by the correlation of the two lists, once for pairs
//! inside a limb or the trunk and once for pairs across the body. 1 is the same pattern, 0 none of it.

use super::super::chart::{Dof, Region};
use super::table::StandardisedCurves;

/// Clips are compared at so many equal parts of their length.
const PHASES: usize = 48;

/// Agreement of correlations inside limbs and between them; `None` where there are too few clips or pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CurveCorrelation {
    pub(super) inside: Option<f64>,
    pub(super) between: Option<f64>,
}

pub(super) fn agreement(
    variants: &[StandardisedCurves],
    real: &[StandardisedCurves],
    dofs: &[Dof],
    moving: &[usize],
) -> CurveCorrelation {
    let none = CurveCorrelation {
        inside: None,
        between: None,
    };
    if variants.len() < 3 || real.len() < 3 {
        return none;
    }
    let joints: Vec<usize> = moving
        .iter()
        .copied()
        .filter(|&dof| !dofs[dof].kind.is_rate())
        .collect();
    let (own, theirs) = (correlations(variants, &joints), correlations(real, &joints));
    let n = joints.len();
    let limb = |at: usize| {
        let part = dofs[joints[at]].part;
        let is_trunk = matches!(part.region, Region::Root | Region::Spine | Region::Head);
        (!is_trunk).then_some(part)
    };
    let (mut inside, mut between) = (Vec::new(), Vec::new());
    for a in 0..n {
        for b in 0..a {
            let pair = (own[a * n + b], theirs[a * n + b]);
            if limb(a) == limb(b) {
                inside.push(pair);
            } else {
                between.push(pair);
            }
        }
    }
    CurveCorrelation {
        inside: pearson(&inside),
        between: pearson(&between),
    }
}

/// Correlations of what clips differ in from their mean, pair by pair.
fn correlations(tables: &[StandardisedCurves], dofs: &[usize]) -> Vec<f64> {
    let n = dofs.len();
    let mut sums = vec![0.0; n * n];
    let count = tables.len() as f64;
    for phase in 0..PHASES {
        let share = phase as f64 / (PHASES - 1) as f64;
        let rows: Vec<Vec<f64>> = tables
            .iter()
            .map(|table| {
                let at = share * (table.len() - 1) as f64;
                dofs.iter().map(|&dof| table.at(at, dof)).collect()
            })
            .collect();
        let mean: Vec<f64> = (0..n)
            .map(|dof| rows.iter().map(|row| row[dof]).sum::<f64>() / count)
            .collect();
        for row in rows {
            let off: Vec<f64> = row.iter().zip(&mean).map(|(x, m)| x - m).collect();
            for a in 0..n {
                for b in 0..=a {
                    sums[a * n + b] += off[a] * off[b];
                }
            }
        }
    }
    let deviations: Vec<f64> = (0..n)
        .map(|at| sums[at * n + at].max(1e-12).sqrt())
        .collect();
    for a in 0..n {
        for b in 0..=a {
            sums[a * n + b] /= deviations[a] * deviations[b];
        }
    }
    sums
}

fn pearson(pairs: &[(f64, f64)]) -> Option<f64> {
    let n = pairs.len() as f64;
    if pairs.len() < 3 {
        return None;
    }
    let mean_a = pairs.iter().map(|p| p.0).sum::<f64>() / n;
    let mean_b = pairs.iter().map(|p| p.1).sum::<f64>() / n;
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (a, b) in pairs {
        ab += (a - mean_a) * (b - mean_b);
        aa += (a - mean_a).powi(2);
        bb += (b - mean_b).powi(2);
    }
    (aa > 0.0 && bb > 0.0).then(|| ab / (aa * bb).sqrt())
}
