//! What the pad for strokes remembers.

use std::collections::BTreeSet;

use crate::app::library::strokes::StrokeFamily;
use crate::document::StrokeId;

/// What the panel remembers.
#[derive(Debug, Default)]
pub struct StrokesView {
    /// The strokes that are selected.
    pub selection: BTreeSet<StrokeId>,
    /// What a model makes of them.
    pub family: StrokeFamily,
    /// The stroke under the pen: seconds, x, y.
    pub(super) drawn: Vec<[f64; 3]>,
    pub(super) renames: Option<(StrokeId, String)>,
}
