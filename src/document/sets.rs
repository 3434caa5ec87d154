//! Named groups of clips: what a model learns from, what is exported together.

use super::ClipId;

/// Names a set for as long as the project lives. Never used again for another set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetId(pub u64);

impl std::fmt::Display for SetId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

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
