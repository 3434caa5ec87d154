//! The strip as a timeline.

use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::context::UiContext;
use crate::app::shell::words::counted;

/// Draws it.
pub fn strip_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    let n = sequence
        .chosen_sequence(cx)
        .map_or(0, |(_, s)| s.actions.entries.len());
    ui.weak(counted(n, "action"));
}
