//! A motion as numbers: one row per frame, one column per degree of freedom.

use super::ChartError;
use crate::motion::Vec3;

/// Where a motion begins. Curves say how the body moves, not where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Start {
    /// World position of the body's root in the first frame. Its height is not used on the way back: that is a curve.
    pub position: Vec3,
    /// Heading about the up axis in radians.
    pub heading_rad: f64,
}

impl Start {
    /// Over the origin, facing forward.
    pub fn origin() -> Self {
        Self {
            position: Vec3::zeros(),
            heading_rad: 0.0,
        }
    }
}

/// The curves of one motion, in the order of [`super::DofChart::dofs`].
#[derive(Debug, Clone, PartialEq)]
pub struct Curves {
    /// Position and heading in the first frame.
    pub start: Start,
    /// Time from one frame to the next.
    pub frame_secs: f64,
    n_frames: usize,
    n_dofs: usize,
    /// Frame after frame; `n_frames * n_dofs` numbers.
    values: Vec<f64>,
}

impl Curves {
    /// Checks that the numbers fill the table.
    pub fn new(
        start: Start,
        frame_secs: f64,
        (n_frames, n_dofs): (usize, usize),
        values: Vec<f64>,
    ) -> Result<Self, ChartError> {
        if n_frames.checked_mul(n_dofs) == Some(values.len()) {
            Ok(Self {
                start,
                frame_secs,
                n_frames,
                n_dofs,
                values,
            })
        } else {
            Err(ChartError::Table {
                n_frames,
                n_dofs,
                n_values: values.len(),
            })
        }
    }

    /// The number of frames, which are the rows.
    pub fn n_frames(&self) -> usize {
        self.n_frames
    }

    /// Columns. May be zero: nothing moves.
    pub fn n_dofs(&self) -> usize {
        self.n_dofs
    }

    /// All numbers, frame after frame.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// All numbers, to be changed in place.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// All coordinates of one frame.
    pub fn row(&self, frame: usize) -> &[f64] {
        &self.values[frame * self.n_dofs..][..self.n_dofs]
    }

    /// One frame, to be changed in place.
    pub fn row_mut(&mut self, frame: usize) -> &mut [f64] {
        &mut self.values[frame * self.n_dofs..][..self.n_dofs]
    }

    /// All frames in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> + Clone {
        (0..self.n_frames).map(|frame| self.row(frame))
    }

    /// One degree of freedom over time.
    pub fn column(&self, dof: usize) -> impl ExactSizeIterator<Item = f64> + Clone + '_ {
        (0..self.n_frames).map(move |frame| self.get(frame, dof))
    }

    /// One coordinate at one frame.
    pub fn get(&self, frame: usize, dof: usize) -> f64 {
        self.row(frame)[dof]
    }
}
