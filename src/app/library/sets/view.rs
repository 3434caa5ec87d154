//! What the panel of sets remembers.

use std::sync::Arc;

use crate::app::shell::clips::similarity::ClipComparison;
use crate::document::SetId;

/// What the panel remembers.
#[derive(Debug, Default)]
pub struct SetsView {
    /// The set that is looked at.
    pub open: Option<SetId>,
    /// What a look at it found.
    pub look: Option<Arc<ClipComparison>>,
    /// Which curve is drawn: three for each part of the body.
    pub curve: Option<usize>,
    /// Whether the 3D view shows the clips of the set in step.
    pub shows_in_step: bool,
    pub(super) renames: Option<(SetId, String)>,
}
