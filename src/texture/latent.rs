//! The state of Eq. (5): what the systems know of a pose.
//!
//! Y = C X + V: the columns of C are the principal components of the standardised degrees of freedom, so that X has
//! some 36 numbers instead of 60. What C leaves out (V: 1 to 2 % of the variance, mostly tremor) is not made up but
//! stays as it was recorded. Joints beyond the wrist are left out altogether: fingers are rarely captured, and flip.

use std::ops::Range;

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use crate::motion::chart::{Dof, DofChart, DofKind};
use crate::motion::{Body, Curves};

/// The share of the variance that states hold.
const HELD: f64 = 0.98;
/// More numbers than these make systems that cannot be told from so many frames.
const MOST: usize = 40;

/// A deviation takes a joint out of the range of the clips by less than this; radians. Joins may do so by five degrees.
const GIVE_RAD: f64 = 0.04;

/// From degrees of freedom to states and back.
#[derive(Debug, Clone, PartialEq)]
pub struct Latent {
    /// Columns of the curves that are modelled.
    dofs: Vec<usize>,
    /// Of the standardised values.
    mean: DVector<f64>,
    /// C: a row for each modelled degree of freedom, orthonormal columns.
    basis: DMatrix<f64>,
}

impl Latent {
    /// Principal components of all frames that `is_clean` marks, clip by clip.
    pub(super) fn learn(chart: &DofChart, dofs: Vec<usize>, clips: &[(&Curves, &[bool])]) -> Self {
        let n = dofs.len();
        let mut rows = clips.iter().flat_map(|(curves, is_clean)| {
            let clean = curves
                .rows()
                .zip(is_clean.iter())
                .filter(|(_, clean)| **clean);
            clean.map(|(row, _)| standardised(chart, &dofs, row))
        });
        let (mut sum, mut squares, mut count) = (DVector::zeros(n), DMatrix::zeros(n, n), 0.0);
        rows.by_ref().for_each(|row: DVector<f64>| {
            squares.ger(1.0, &row, &row, 1.0);
            sum += row;
            count += 1.0;
        });
        let mean = sum / f64::max(count, 1.0);
        let covariance = squares / f64::max(count, 1.0) - &mean * mean.transpose();
        let eigen = SymmetricEigen::new(covariance);
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
        let total: f64 = eigen.eigenvalues.iter().sum();
        let mut held = 0.0;
        let wanted = order.iter().take_while(|&&i| {
            let more = held < HELD * total;
            held += eigen.eigenvalues[i];
            more
        });
        let n_dims = wanted.count().clamp(1.min(n), MOST);
        let columns: Vec<DVector<f64>> = order[..n_dims]
            .iter()
            .map(|&i| oriented(eigen.eigenvectors.column(i).into_owned()))
            .collect();
        let basis = if columns.is_empty() {
            DMatrix::zeros(n, 0)
        } else {
            DMatrix::from_columns(&columns)
        };
        Self { dofs, mean, basis }
    }

    /// Numbers of a state.
    pub fn n_dims(&self) -> usize {
        self.basis.ncols()
    }

    /// The columns of the curves that states know of.
    pub fn dofs(&self) -> &[usize] {
        &self.dofs
    }

    /// The states of a clip, a column for each frame.
    pub fn states(&self, chart: &DofChart, curves: &Curves) -> DMatrix<f64> {
        let mut states = DMatrix::zeros(self.n_dims(), curves.n_frames());
        for (row, mut state) in curves.rows().zip(states.column_iter_mut()) {
            let centred = standardised(chart, &self.dofs, row) - &self.mean;
            state.gemv_tr(1.0, &self.basis, &centred, 0.0);
        }
        states
    }

    /// As [`Self::add`], but joints hardly leave what the clips show of them: beyond, they give way, without a corner.
    pub fn add_within(
        &self,
        chart: &DofChart,
        deviation: &DVector<f64>,
        ranges: &[Range<f64>],
        row: &mut [f64],
    ) {
        self.add(chart, deviation, row);
        for &dof in &self.dofs {
            let range = &ranges[dof];
            if matches!(chart.dofs()[dof].kind, DofKind::Turn { .. }) {
                let over = (row[dof] - range.end).max(0.0) - (range.start - row[dof]).max(0.0);
                // A hinge that is bent backwards would stay so when its foot is put down.
                let give = if is_hinge(chart, dof) {
                    0.0
                } else {
                    GIVE_RAD * (over / GIVE_RAD).tanh()
                };
                row[dof] -= over - give;
            }
        }
    }

    /// Changes the values of a frame by a deviation of its state. Speeds, turn rate and height of the root stay:
    /// summed up they would lead astray, and feet would not meet the floor ([`crate::motion::stance`]).
    pub fn add(&self, chart: &DofChart, deviation: &DVector<f64>, row: &mut [f64]) {
        let change = &self.basis * deviation;
        for (&dof, change) in self.dofs.iter().zip(change.iter()) {
            let Dof { kind, scale, .. } = &chart.dofs()[dof];
            if !kind.is_rate() && *kind != DofKind::Height {
                row[dof] += change * scale;
            }
        }
    }
}

/// Whether a degree of freedom is all that its joint has.
pub(super) fn is_hinge(chart: &DofChart, dof: usize) -> bool {
    let joint = chart.dofs()[dof].joint;
    chart.dofs().iter().filter(|d| d.joint == joint).count() == 1
}

/// Degrees of freedom of all joints but those beyond a wrist.
pub(super) fn modelled(chart: &DofChart) -> Vec<usize> {
    let skeleton = chart.skeleton();
    let body = Body::of(skeleton);
    let beyond_wrist = |joint: usize| {
        let mut above = skeleton.ancestors(joint).skip(1);
        above.any(|a| body.arms.iter().any(|arm| arm.end == a))
    };
    let dofs = chart.dofs().iter().enumerate();
    dofs.filter(|(_, dof)| !beyond_wrist(dof.joint))
        .map(|(at, _)| at)
        .collect()
}

fn standardised(chart: &DofChart, dofs: &[usize], row: &[f64]) -> DVector<f64> {
    let values = dofs.iter().map(|&d| chart.dofs()[d].standardise(row[d]));
    DVector::from_iterator(dofs.len(), values)
}

/// An eigenvector has no sign of its own: its largest number is made positive, so that the same clips give the same
/// states.
fn oriented(vector: DVector<f64>) -> DVector<f64> {
    let largest = vector[vector.iamax()];
    if largest < 0.0 { -vector } else { vector }
}
