//! Paths on the floor that actions follow.

use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::context::UiContext;

/// Draws the panel.
pub fn path_ui(ui: &mut egui::Ui, _cx: &mut UiContext, _sequence: &mut SequenceWorkspace) {
    ui.weak("Paths will be here.");
}
