//! The join editor.

use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::context::UiContext;

/// Draws the panel.
pub fn join_ui(ui: &mut egui::Ui, _cx: &mut UiContext, _sequence: &mut SequenceWorkspace) {
    ui.weak("Click a transition on the strip to see how it was made.");
}
