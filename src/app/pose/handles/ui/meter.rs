//! How natural the pose is, in a corner of the 3D view.

use egui::{Align2, FontId, Rect, pos2, vec2};

use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::theme::Colours;

/// Draws it once something is thought of the pose.
pub(in crate::app::pose) fn meter_ui(ui: &mut egui::Ui, pose: &PoseWorkspace, rect: Rect) {
    let Some(thought) = &pose.handles.thought else {
        return;
    };
    let judgement = &thought.judgement;
    let colours = Colours::of(ui);
    let colour = match judgement.level {
        l if l > 0.85 => colours.good,
        l if l > 0.25 => colours.warning,
        _ => colours.error,
    };
    let size = vec2(150.0, 8.0);
    let at = pos2(rect.right() - size.x - 14.0, rect.bottom() - 20.0);
    let bar = Rect::from_min_size(at, size);
    let painter = ui.painter().with_clip_rect(rect);
    // Legible over a photo, too.
    let whole = bar.expand2(vec2(6.0, 5.0)).with_min_y(bar.top() - 22.0);
    painter.rect_filled(whole, 5.0, colours.ground.gamma_multiply(0.7));
    painter.rect_filled(bar, 3.0, colours.line);
    let full = bar.with_max_x(bar.left() + bar.width() * judgement.level as f32);
    painter.rect_filled(full, 3.0, colour);
    let words = format!("Pose: {}", judgement.words());
    let font = FontId::proportional(12.5);
    let over = bar.right_top() - vec2(0.0, 4.0);
    painter.text(over, Align2::RIGHT_BOTTOM, &words, font, colours.text);
    let response = ui.interact(whole, ui.scope_id().with("meter"), egui::Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, words.as_str()));
    response.on_hover_ui(|ui| {
        ui.label("How much the pose is like those that the style was learned from.");
        let names = judgement.odd.iter().filter_map(|(joint, _)| {
            let joint = thought.of.skeleton.joints().get(*joint)?;
            Some(joint.name.as_str())
        });
        let names: Vec<&str> = names.take(8).collect();
        if !names.is_empty() {
            ui.label(format!("Unusual: {}", names.join(", ")));
        }
    });
}
