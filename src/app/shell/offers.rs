//! Motions that a workspace has made and that are no clips of the project yet, offered to workspaces that do not know
//! it. The window, which knows all of them, carries offers from one to the other.

use std::sync::Arc;

use crate::motion::Clip;
use crate::variation::ClipModel;

/// Motions that belong together, and what they were made from.
#[derive(Debug, Clone, Default)]
pub struct Offer {
    /// What they are called together, such as "stroll variants".
    pub name: String,
    /// The clips that were made and may be kept.
    pub clips: Vec<Arc<Clip>>,
    /// What it was made from, as far as that is known.
    pub inputs: Vec<Arc<Clip>>,
    /// The model that made them.
    pub model: Option<Arc<ClipModel>>,
}
