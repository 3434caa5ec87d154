//! Strokes drawn by hand, beside the clips.

use std::sync::Arc;

use super::ids::StrokeId;
use crate::motion::Stroke;

/// All strokes in the order in which they were drawn, so also by number.
pub(super) type Strokes = Arc<Vec<(StrokeId, Arc<Stroke>)>>;
