//! What is shown where nothing is yet: what to do about it.

use crate::app::shell::actions::Action;
use crate::app::shell::context::UiContext;
use crate::app::shell::requests::Request;

/// A library without clips.
pub fn no_clips_ui(ui: &mut egui::Ui, cx: &mut UiContext) {
    ui.vertical_centered(|ui| {
        ui.add_space(0.2 * ui.available_height());
        ui.heading("No clips yet");
        ui.weak(if cx.is_on_wayland {
            "On Wayland no files can be dropped on this window: import them"
        } else {
            "Drop .bvh, .fbx or .amc files, or folders, on this window, or"
        });
        ui.add_space(8.0);
        for (action, text) in [
            (Action::Import, "Import clips…"),
            (Action::Open, "Open a project…"),
            (Action::Demo, "Open the demo"),
        ] {
            let button = egui::Button::new(text).min_size(egui::vec2(180.0, 0.0));
            if ui.add(button).clicked() {
                cx.ask(Request::Do(action));
            }
        }
    });
}
