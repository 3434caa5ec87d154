//! What to do first: words and a button over the 3D view of a pose workspace that shows clips.

use egui::{Align, Align2, Layout, Rect, UiBuilder};

use crate::app::shell::actions::Action;
use crate::app::shell::preferences::Workspace;
use crate::app::shell::studio::{Request, Studio};

/// Draws it, where it is wanted: without a character, or to find the way back to it.
pub(in crate::app) fn invitation_ui(ui: &mut egui::Ui, studio: &mut Studio, rect: Rect) {
    let has_preview = studio.library.previews.shown().is_some();
    if studio.preferences.workspace != Workspace::Pose || has_preview {
        return;
    }
    let size = egui::vec2(330.0_f32.min(rect.width() - 20.0), 104.0);
    let place = Align2::CENTER_BOTTOM.anchor_size(rect.center_bottom(), size);
    let layout = Layout::bottom_up(Align::Center);
    let place = place.translate(egui::vec2(0.0, -12.0));
    let mut corner = ui.new_child(UiBuilder::new().max_rect(place).layout(layout));
    egui::Frame::popup(corner.style()).show(&mut corner, |ui| words_ui(ui, studio));
}

/// From the bottom upwards, so that the frame is as tall as its words.
fn words_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    let has_character = studio.active_posed().is_some();
    if studio.document().n_clips() == 0 && !has_character {
        for (action, words) in [
            (Action::Demo, "Try the demo library"),
            (Action::Import, "Import clips…"),
        ] {
            if ui.button(words).clicked() {
                studio.ask(Request::Do(action));
            }
        }
        ui.strong("A character takes its body from a clip");
        return;
    }
    if has_character && ui.button("Back to the character").clicked() {
        studio.pose.shows_clips = false;
    }
    let has_clip = studio.active_clip().is_some();
    let button = egui::Button::new("New character from this clip");
    let tip = "Puts a character on stage in this pose, with handles to drag";
    let response = ui.add_enabled(has_clip, button).on_hover_text(tip);
    let none = "Select a clip first";
    if response.on_disabled_hover_text(none).clicked() {
        studio.new_character();
    }
    if !has_character {
        ui.label("Find a moment of a clip on the timeline to begin with.");
        ui.strong("Pose a character");
    }
}
