//! The poses that a style knows, as a map to walk in.

use crate::app::studio::Studio;

/// Draws the panel.
pub fn map_ui(ui: &mut egui::Ui, _studio: &mut Studio) {
    ui.weak("Learn a style to see its poses as a map.");
}
