//! The transition graph as a picture.

use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::context::UiContext;

/// Draws the panel.
pub fn graph_view_ui(ui: &mut egui::Ui, _cx: &mut UiContext, _sequence: &mut SequenceWorkspace) {
    ui.weak("The transition graph will be here.");
}
