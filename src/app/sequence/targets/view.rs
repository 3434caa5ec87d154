//! What the panel of targets remembers.

use std::sync::Arc;

use crate::document::TargetAction;
use crate::motion::Vec3;
use crate::sequence::{EntryId, ReachHit};
use crate::transition::parametric::ParametricAction;

/// What is drawn of targets.
#[derive(Debug, Default)]
pub struct TargetView {
    /// Where an action reaches, in its own frame.
    pub(super) region: Option<(Arc<ParametricAction>, Arc<[Vec3]>)>,
    /// How far from the target the pointer took hold of it, in pixels.
    pub(super) held: Option<egui::Vec2>,
    /// An action that was given a target, which is looked at as soon as the action is made for it.
    pub(in crate::app::sequence) to_see: Option<EntryId>,
}

/// The selected action that reaches for a point.
pub(in crate::app::sequence) struct Selected {
    pub(in crate::app::sequence) entry: EntryId,
    /// As it is, or as it would become while it is dragged.
    pub(in crate::app::sequence) action: TargetAction,
    /// How near it comes; none until it is made.
    pub(in crate::app::sequence) hit: Option<ReachHit>,
}
