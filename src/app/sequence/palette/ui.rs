//! Actions that can be put on the strip.

use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::context::UiContext;

/// Draws the panel.
pub fn palette_ui(ui: &mut egui::Ui, _cx: &mut UiContext, _sequence: &mut SequenceWorkspace) {
    ui.weak("Actions that can be put on the strip will be here.");
}
