//! Named groups of clips: what a model learns from, what is exported together.

use super::ClipId;
use super::ids::SetId;

/// Clips that belong together. A clip may be in many sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClipSet {
    /// Stays when the set is renamed.
    pub id: SetId,
    /// Shown in the list of sets.
    pub name: String,
    /// Each once, in the order that was chosen.
    pub clips: Vec<ClipId>,
}
