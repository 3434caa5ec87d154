//! What to do first: words and a button over the 3D view of a pose workspace without a character.

use egui::{Align2, Rect};

use crate::app::actions::Action;
use crate::app::preferences::Workspace;
use crate::app::studio::{Request, Studio};

/// Draws it, where it is wanted.
pub(in crate::app::panels) fn invitation_ui(ui: &mut egui::Ui, studio: &mut Studio, rect: Rect) {
    let is_comparing = studio.library.previews.shown().is_some();
    let is_posing = studio.active_posed().is_some();
    if studio.preferences.workspace != Workspace::Pose || is_posing || is_comparing {
        return;
    }
    egui::Area::new(ui.scope_id().with("invitation"))
        .order(egui::Order::Middle)
        .pivot(Align2::CENTER_BOTTOM)
        .fixed_pos(rect.center_bottom() - egui::vec2(0.0, 16.0))
        .constrain_to(rect)
        .show(ui.ctx(), |ui| {
            egui::Frame::popup(ui.style()).show(ui, |ui| words_ui(ui, studio));
        });
}

fn words_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    ui.set_max_width(360.0);
    ui.vertical_centered(|ui| {
        if studio.document().n_clips() == 0 {
            ui.strong("A character takes its body from a clip");
            if ui.button("Import clips…").clicked() {
                studio.ask(Request::Do(Action::Import));
            }
            if ui.button("Try the demo library").clicked() {
                studio.ask(Request::Do(Action::Demo));
            }
            return;
        }
        ui.strong("Pose a character");
        ui.label("Find a moment of a clip on the timeline to begin with.");
        let has_clip = studio.active_clip().is_some();
        let button = egui::Button::new("New character from this clip");
        let tip = "Puts a character on stage in this pose, with handles to drag";
        let response = ui.add_enabled(has_clip, button).on_hover_text(tip);
        if response
            .on_disabled_hover_text("Select a clip first")
            .clicked()
        {
            studio.new_character();
        }
    });
}
