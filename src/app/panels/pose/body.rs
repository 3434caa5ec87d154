//! The posed character as a figure to click on, and what can be done to it.

use egui_material_icons::icons::ICON_DELETE;

use super::super::variation::name_button;
use crate::app::studio::{Request, Studio};
use crate::document::Command;

/// Draws the panel.
pub fn body_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            characters_ui(ui, studio);
        });
}

/// Which character is posed.
fn characters_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    let Some((active, posed)) = studio.posed_now() else {
        ui.weak(
            "No character yet. Find a pose of a clip on the timeline and make a character of it.",
        );
        return;
    };
    ui.horizontal(|ui| {
        let all: Vec<_> = studio.document().posed().to_vec();
        egui::ComboBox::from_id_salt("character")
            .selected_text(&posed.name)
            .show_ui(ui, |ui| {
                for (id, posed) in &all {
                    if ui.selectable_label(*id == active, &posed.name).clicked() {
                        studio.pose.active = Some(*id);
                    }
                }
            });
        let button = ui.small_button("New");
        name_button(&button, "New character");
        let tip = "One more, in the pose that the active clip has at the playhead";
        if button.on_hover_text(tip).clicked() {
            studio.new_character();
        }
        let button = ui.small_button(ICON_DELETE);
        name_button(&button, "Delete character");
        if button.on_hover_text("Takes this character away").clicked() {
            studio.ask(Request::Edit(Command::RemovePosed(active)));
        }
    });
}
