//! One transition: how it was made, what else was tried, and what the animator chose about it.

mod grid_ui;
pub mod ui;

use egui::{Color32, TextureHandle};

use crate::app::shell::words::counted;
use crate::motion::join::JoinKind;
use crate::sequence::{DistanceGrid, EntryId};
use crate::transition::TransitionKind;

/// How an animator calls a transition, in a word or two.
pub(in crate::app::sequence) const fn short_name(kind: &TransitionKind) -> &'static str {
    match kind {
        TransitionKind::Direct(kind) => kind_name(Some(*kind)),
        TransitionKind::Path(_) => "path",
        TransitionKind::Bezier(_) => "curve",
        TransitionKind::Linear => "straight line",
    }
}

/// The same with what it goes through.
pub(in crate::app::sequence) fn long_name(kind: &TransitionKind) -> String {
    match kind {
        TransitionKind::Path(clusters) => format!("path, {}", counted(clusters.len(), "cluster")),
        TransitionKind::Bezier(centres) => format!("curve, {}", counted(centres.len(), "centre")),
        direct => short_name(direct).to_owned(),
    }
}

const fn kind_name(kind: Option<JoinKind>) -> &'static str {
    match kind {
        None => "measured",
        Some(JoinKind::Dead) => "dead blend",
        Some(JoinKind::Quintic) => "inertialized",
        Some(JoinKind::Fade) => "cross-fade",
    }
}

/// What the join editor remembers.
#[derive(Default)]
pub struct JoinView {
    /// The distance grid as a picture, on a ground of this colour.
    picture: Option<(DistanceGrid, Color32, TextureHandle)>,
    /// The transition that is looked at, by the entry and the repetition that it leads to.
    pub chosen: Option<(EntryId, usize)>,
}

impl std::fmt::Debug for JoinView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut view = f.debug_struct("JoinView");
        view.field("chosen", &self.chosen).finish_non_exhaustive()
    }
}
