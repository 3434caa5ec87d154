//! Strokes drawn by hand, beside the clips.

use std::sync::Arc;

use crate::motion::Stroke;

/// Names a stroke for as long as the project lives. Never used again for another stroke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StrokeId(pub u64);

impl std::fmt::Display for StrokeId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// All strokes in the order in which they were drawn, so also by number.
pub(super) type Strokes = Arc<Vec<(StrokeId, Arc<Stroke>)>>;
