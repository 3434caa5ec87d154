//! Styles: learned from clips, chosen for the character, compared.

use crate::app::studio::Studio;

/// Draws the panel.
pub fn styles_ui(ui: &mut egui::Ui, _studio: &mut Studio) {
    ui.weak("No styles yet. A style learns from clips which poses are natural.");
}
