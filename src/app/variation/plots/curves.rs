//! Takes and variants as curves for the plots, worked out in the background (Figs. 5 and 6 of Lau 2009).
//!
//! A cache, keyed by model and clips: what is known of a variant is not worked out again when another one comes.

use std::fmt::Write as _;
use std::sync::Arc;

use nalgebra::DMatrix;

use crate::file::csv::field;
use crate::motion::chart::Dof;
use crate::motion::{Clip, Curves};
use crate::variation::ClipModel;

/// One motion as curves.
#[derive(Debug, Clone)]
pub struct Line {
    /// The clip that the curves are of.
    pub clip: Arc<Clip>,
    /// Its place among the variants; none for a take.
    pub variant: Option<usize>,
    /// In the chart's own units.
    pub curves: Arc<Curves>,
    /// Its way through the two directions in which the takes move most.
    pub path: Arc<[[f64; 2]]>,
}

/// Directions in which the joints of the takes turn most. By angle, as in the paper: a thumb that trembles by a degree
/// would count as much as a leg if everything were standardised.
#[derive(Debug, Clone, Default)]
pub struct Directions {
    /// The first two, in degrees for one deviation of each degree of freedom.
    axes: Vec<[f64; 2]>,
    /// Shares of the variance, the largest first; all add up to 1.
    pub shares: Vec<f64>,
}

/// All that the plots draw.
#[derive(Debug)]
pub struct PlotData {
    pub(super) model: Arc<ClipModel>,
    /// The curves of all motions, takes first.
    pub lines: Vec<Line>,
    /// Principal directions of the takes, for plots by direction.
    pub directions: Arc<Directions>,
    /// Why a clip is missing.
    pub missing: Vec<String>,
    pub(super) n_wanted: usize,
}

impl PlotData {
    pub(super) fn is_of(
        &self,
        model: &Arc<ClipModel>,
        takes: &[Arc<Clip>],
        variants: &[Arc<Clip>],
    ) -> bool {
        let wanted = takes.iter().chain(variants);
        let mut lines = self.lines.iter();
        Arc::ptr_eq(&self.model, model)
            && self.n_wanted == takes.len() + variants.len()
            && (!self.missing.is_empty()
                || wanted.into_iter().all(|clip| {
                    lines
                        .next()
                        .is_some_and(|line| Arc::ptr_eq(&line.clip, clip))
                }))
    }

    /// Mean and standard deviation of a degree of freedom over the takes at equal shares of their time, in the unit
    /// that is shown: seconds, mean, deviation.
    pub fn band(&self, dof: usize) -> Vec<[f64; 3]> {
        const MOMENTS: usize = 120;
        let kind = self.model.chart().dofs()[dof].kind;
        let takes: Vec<&Curves> = self.takes().map(|line| &*line.curves).collect();
        let n = takes.len() as f64;
        let secs = takes
            .iter()
            .map(|t| (t.n_frames() - 1) as f64 * t.frame_secs);
        let mean_secs = secs.sum::<f64>() / n.max(1.0);
        let at = |share: f64| -> [f64; 3] {
            let values: Vec<f64> = takes
                .iter()
                .map(|take| value_at(take, dof, share))
                .collect();
            let values: Vec<f64> = values.into_iter().map(|v| kind.display(v)).collect();
            let mean = values.iter().sum::<f64>() / n;
            let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
            [
                share * mean_secs,
                mean,
                (squares / (n - 1.0).max(1.0)).sqrt(),
            ]
        };
        if takes.is_empty() {
            return Vec::new();
        }
        (0..=MOMENTS)
            .map(|i| at(i as f64 / MOMENTS as f64))
            .collect()
    }

    /// Pearson's correlation of two degrees of freedom, over the takes or over the variants; none if one is still.
    pub fn correlation(&self, (a, b): (usize, usize), is_of_variants: bool) -> Option<f64> {
        let lines = self
            .lines
            .iter()
            .filter(|l| l.variant.is_some() == is_of_variants);
        let pairs: Vec<(f64, f64)> = lines
            .flat_map(|line| line.curves.column(a).zip(line.curves.column(b)))
            .collect();
        let n = pairs.len() as f64;
        let (sum_a, sum_b) = pairs
            .iter()
            .fold((0.0, 0.0), |(x, y), p| (x + p.0, y + p.1));
        let (mean_a, mean_b) = (sum_a / n, sum_b / n);
        let mut sums = [0.0; 3];
        for (x, y) in pairs {
            let (x, y) = (x - mean_a, y - mean_b);
            sums[0] += x * y;
            sums[1] += x * x;
            sums[2] += y * y;
        }
        let spread = (sums[1] * sums[2]).sqrt();
        (spread > 0.0).then(|| sums[0] / spread)
    }

    fn takes(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| line.variant.is_none())
    }

    /// The curves of some degrees of freedom as a table for other programs.
    pub fn csv(&self, dofs: &[usize]) -> String {
        let names = self.model.chart().dofs();
        let mut text = "clip,kind,seconds".to_owned();
        for dof in dofs {
            let dof = &names[*dof];
            let head = format!("{} ({})", dof.name, dof.kind.unit());
            text.push(',');
            text.push_str(&field(head));
        }
        text.push('\n');
        for line in &self.lines {
            let kind = if line.variant.is_some() {
                "variant"
            } else {
                "take"
            };
            let name = field(line.clip.info.name.clone());
            for (frame, row) in line.curves.rows().enumerate() {
                let secs = frame as f64 * line.curves.frame_secs;
                write!(text, "{name},{kind},{secs:.6}").ok();
                for dof in dofs {
                    let value = names[*dof].kind.display(row[*dof]);
                    write!(text, ",{value:.6}").ok();
                }
                text.push('\n');
            }
        }
        text
    }
}

/// A curve at a share of its time.
fn value_at(curves: &Curves, dof: usize, share: f64) -> f64 {
    let last = curves.n_frames() - 1;
    let at = share * last as f64;
    let before = (at as usize).min(last);
    let after = (before + 1).min(last);
    let (a, b) = (curves.get(before, dof), curves.get(after, dof));
    a + (b - a) * (at - before as f64)
}

/// By how many degrees a deviation of each degree of freedom turns its joint; what is no angle counts nothing. A body
/// that has no angles is seen by deviations.
fn weights(model: &ClipModel) -> Vec<f64> {
    let dofs = model.chart().dofs();
    let is_turn = |dof: &Dof| dof.kind.is_angular() && !dof.kind.is_rate();
    let has_turns = dofs.iter().any(is_turn);
    let weight = |dof: &Dof| match (has_turns, is_turn(dof)) {
        (false, _) => 1.0,
        (true, true) => dof.kind.display(dof.scale),
        (true, false) => 0.0,
    };
    dofs.iter().map(weight).collect()
}

/// Principal directions of weighted rows.
pub(super) fn directions(model: &ClipModel) -> Directions {
    let examples = model.model().examples();
    let n = examples.n_dofs();
    let rows: Vec<&[f64]> = (0..examples.n_takes())
        .flat_map(|take| examples.take(take).chunks_exact(n))
        .collect();
    let weights = weights(model);
    let table = DMatrix::from_fn(rows.len(), n, |row, dof| weights[dof] * rows[row][dof]);
    let mean = table.row_mean();
    let centred = DMatrix::from_fn(rows.len(), n, |row, dof| table[(row, dof)] - mean[dof]);
    let eigen = (centred.tr_mul(&centred) / rows.len().max(1) as f64).symmetric_eigen();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
    let total: f64 = eigen.eigenvalues.iter().map(|v| v.max(0.0)).sum();
    let second = order.get(1).copied();
    let axes = (0..n).map(|dof| {
        let along = |place: Option<usize>| {
            place.map_or(0.0, |p| weights[dof] * eigen.eigenvectors[(dof, p)])
        };
        [along(order.first().copied()), along(second)]
    });
    let share = |place: &usize| eigen.eigenvalues[*place].max(0.0) / total.max(1e-300);
    Directions {
        axes: axes.collect(),
        shares: order.iter().map(share).collect(),
    }
}

pub(super) fn path(model: &ClipModel, directions: &Directions, curves: &Curves) -> Arc<[[f64; 2]]> {
    let dofs = model.chart().dofs();
    let rows = curves.rows().map(|row| {
        let mut place = [0.0; 2];
        for ((value, dof), axes) in row.iter().zip(dofs).zip(&directions.axes) {
            let value = dof.standardise(*value);
            place[0] += value * axes[0];
            place[1] += value * axes[1];
        }
        place
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::variation::models::known::takes_as_clips;
    use crate::app::variation::plots::look::plot_data;
    use crate::app::variation::quick_jumps;

    #[test]
    fn bands_directions_and_correlations_are_those_of_the_takes() {
        let model = quick_jumps();
        let takes = takes_as_clips(&model).unwrap();
        let data = plot_data(Arc::clone(&model), &takes, &takes[..1], None);
        assert_eq!((data.lines.len(), data.missing.len()), (4, 0));
        let total: f64 = data.directions.shares.iter().sum();
        assert!((total - 1.0).abs() < 1e-9, "shares add up to {total}");
        assert!(data.directions.shares.is_sorted_by(|a, b| a >= b), "sorted");
        // The first direction is where the ways spread most.
        let spread = |axis: usize| -> f64 {
            let all: Vec<f64> = data
                .takes()
                .flat_map(|l| l.path.iter().map(move |p| p[axis]))
                .collect();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            all.iter().map(|v| (v - mean).powi(2)).sum::<f64>()
        };
        let ratio = spread(1) / spread(0);
        let wanted = data.directions.shares[1] / data.directions.shares[0];
        assert!((ratio - wanted).abs() < 1e-6, "{ratio} and {wanted}");
        let own = data.correlation((0, 0), false).unwrap();
        assert!((own - 1.0).abs() < 1e-9, "with itself: {own}");
        let band = data.band(0);
        let first: Vec<f64> = data.takes().map(|line| line.curves.get(0, 0)).collect();
        let mean = first.iter().sum::<f64>() / 3.0;
        let wanted = model.chart().dofs()[0].kind.display(mean);
        assert!(
            (band[0][1] - wanted).abs() < 1e-9,
            "{:?}, not {wanted}",
            band[0]
        );
        let csv = data.csv(&[0]);
        let n_rows: usize = data.lines.iter().map(|line| line.curves.n_frames()).sum();
        assert_eq!(csv.lines().count(), n_rows + 1);
    }
}
