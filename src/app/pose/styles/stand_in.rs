//! A plain style for a character that has none.

use std::sync::Arc;

use crate::motion::Skeleton;
use crate::style::Style;

/// A plain style for the clips of one body; none if they are too few.
#[derive(Debug, Clone)]
pub struct StandIn {
    pub(super) skeleton: Arc<Skeleton>,
    pub(super) style: Option<Arc<Style>>,
}
