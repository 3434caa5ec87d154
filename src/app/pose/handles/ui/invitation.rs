//! What to do first: words and a button over the 3D view of a pose workspace that shows clips.

use egui::{Align, Align2, Layout, Rect, UiBuilder};

use crate::app::pose::requests::Request as PoseRequest;
use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::context::UiContext;
use crate::app::shell::preferences::Workspace;

/// Draws it, where it is wanted: without a character, or to find the way back to it.
pub(in crate::app) fn invitation_ui(
    ui: &mut egui::Ui,
    cx: &UiContext,
    pose: &mut PoseWorkspace,
    rect: Rect,
) {
    let has_preview = cx.previews.shown().is_some();
    if cx.preferences.workspace != Workspace::Pose || has_preview {
        return;
    }
    let size = egui::vec2(330.0_f32.min(rect.width() - 20.0), 104.0);
    let place = Align2::CENTER_BOTTOM.anchor_size(rect.center_bottom(), size);
    let layout = Layout::bottom_up(Align::Center);
    let place = place.translate(egui::vec2(0.0, -12.0));
    let mut corner = ui.new_child(UiBuilder::new().max_rect(place).layout(layout));
    egui::Frame::popup(corner.style()).show(&mut corner, |ui| words_ui(ui, cx, pose));
}

/// From the bottom upwards, so that the frame is as tall as its words.
fn words_ui(ui: &mut egui::Ui, cx: &UiContext, pose: &mut PoseWorkspace) {
    let has_character = pose.active_posed(cx).is_some();
    if has_character && ui.button("Back to the character").clicked() {
        pose.shows_clips = false;
    }
    let has_clip = cx.active_clip().is_some();
    let button = egui::Button::new("New character from this clip");
    let tip = "Puts a character on stage in this pose, with handles to drag";
    let response = ui.add_enabled(has_clip, button).on_hover_text(tip);
    let none = "Select a clip first";
    if response.on_disabled_hover_text(none).clicked() {
        pose.requests.ask(PoseRequest::NewCharacter);
    }
    if !has_character {
        ui.label("Find a moment of a clip on the timeline to begin with.");
        ui.strong("Pose a character");
    }
}
