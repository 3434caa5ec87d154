//! Endless play that listens to keys.

use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::context::UiContext;

/// Draws the panel.
pub fn live_ui(ui: &mut egui::Ui, _cx: &mut UiContext, _sequence: &mut SequenceWorkspace) {
    ui.weak("Live play will be here.");
}
