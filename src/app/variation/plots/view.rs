//! What the plots remember.

use std::sync::Arc;

use crate::app::variation::plots::curves::PlotData;
use crate::app::viewport::snapshot::Snapshot;

/// What is plotted against what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PlotKind {
    /// Degrees of freedom over time.
    #[default]
    OverTime,
    /// One degree of freedom against another.
    Against,
    /// Along the directions in which the takes move most.
    Directions,
}

/// What the panel remembers.
#[derive(Debug, Default)]
pub struct PlotsView {
    /// What is plotted against what.
    pub kind: PlotKind,
    /// The degrees of freedom over time; empty for the one that moves most.
    pub dofs: Vec<usize>,
    /// Those that are plotted against each other; twice the same for those that move most.
    pub pair: (usize, usize),
    /// Curves of the shown motions, once they are made.
    pub data: Option<Arc<PlotData>>,
    /// Whether they are being worked out.
    pub is_looking: bool,
    /// A picture of the plots that is waited for.
    pub snapshot: Snapshot,
    pub(super) wants_picture: bool,
}

/// What a click in a plot meant.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Picked {
    /// The curve of a variant, by its place.
    Variant(usize),
    /// The curve of a take, by its name.
    Take(String),
    /// No curve, but a moment.
    Moment(f64),
}
