//! Onto which skeleton clips are brought.

use std::sync::{Arc, Mutex};

use crate::motion::Clip;

/// A skeleton, by a clip on it.
#[derive(Debug, Clone)]
pub struct Target {
    /// Of the clip or the file.
    pub name: String,
    /// Any clip on it: its frames tell what a rest pose does not.
    pub clip: Arc<Clip>,
}

impl Target {
    /// The skeleton of a clip.
    pub fn of(clip: &Arc<Clip>) -> Self {
        Self {
            name: clip.info.name.clone(),
            clip: Arc::clone(clip),
        }
    }
}

/// Where a file that was read arrives.
pub(super) type Slot = Arc<Mutex<Option<Result<Target, String>>>>;

/// A choice of target, while it is being made.
#[derive(Debug, Clone, Default)]
pub struct TargetChoice {
    /// The skeleton that is chosen; none before a choice.
    pub target: Option<Target>,
    /// Whether a path is being typed.
    pub(in crate::app::shell::retarget) wants_file: bool,
    pub(in crate::app::shell::retarget) path: String,
    /// Why the last file gave none.
    pub(in crate::app::shell::retarget) refused: Option<String>,
    pub(in crate::app::shell::retarget) arriving: Slot,
}
