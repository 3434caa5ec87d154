//! What was made for a play and is kept for the next time: variants, and actions that reach.

use std::sync::Arc;

use super::reach::Reach;
use super::step::{Due, Planned};
use super::{EntryId, JoinChoice, Trim};
use crate::motion::Vec3;
use crate::motion::join::JoinClip;
use crate::transition::parametric::ParametricAction;
use crate::variation::ClipModel;

/// A variant that was made for a repetition.
#[derive(Debug)]
pub(super) struct MadeVariant {
    pub(super) model: Arc<ClipModel>,
    pub(super) entry: EntryId,
    pub(super) repeat: usize,
    pub(super) seed: u64,
    pub(super) clip: Arc<JoinClip>,
}

/// An action that was made for its target, and what it depends on.
#[derive(Debug, Clone)]
pub(super) struct MadeReach {
    pub(super) action: Arc<ParametricAction>,
    pub(super) target: Vec3,
    pub(super) of: (EntryId, usize, u64),
    pub(super) trim: Trim,
    pub(super) choice: JoinChoice,
    /// All that comes before it.
    pub(super) before: Option<u64>,
    pub(super) planned: Planned,
}

impl MadeReach {
    pub(super) fn is_of(&self, due: &Due, reach: &Reach, before: Option<u64>) -> bool {
        Arc::ptr_eq(&self.action, &reach.action)
            && self.target == reach.target
            && self.of == (due.entry, due.repeat, due.seed)
            && (self.trim, self.choice) == (due.trim, due.choice)
            && self.before == before
    }
}
