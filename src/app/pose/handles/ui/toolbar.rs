//! Tools over the 3D view: move or turn, alone or both sides, pins.

use egui::{Align, Layout, Rect, UiBuilder, vec2};
use egui_material_icons::icons::{
    ICON_ACCOUNT_TREE, ICON_FLIP, ICON_MOVIE, ICON_OPEN_WITH, ICON_PUSH_PIN, ICON_ROTATE_RIGHT,
    ICON_SYNC_ALT,
};

use crate::app::shell::actions::Action;
use crate::app::shell::context::UiContext;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::icon_button_ui;

/// The switches in the corner of the view: FK mode, symmetry and the like.
pub(in crate::app::pose) fn toolbar_ui(ui: &mut egui::Ui, cx: &mut UiContext, rect: Rect) {
    let corner = rect.shrink2(vec2(6.0, 5.0));
    let layout = Layout::left_to_right(Align::Min);
    let mut bar = ui.new_child(UiBuilder::new().max_rect(corner).layout(layout));
    bar.spacing_mut().item_spacing.x = 3.0;
    bar.set_max_height(26.0);
    // Legible over heads and photos, too.
    let ground = bar.painter().add(egui::Shape::Noop);
    for (action, icon) in [
        (Action::MoveTool, ICON_OPEN_WITH),
        (Action::TurnTool, ICON_ROTATE_RIGHT),
        (Action::SingleJoints, ICON_ACCOUNT_TREE),
        (Action::Symmetric, ICON_SYNC_ALT),
        (Action::PinPlace, ICON_PUSH_PIN),
        (Action::MirrorPose, ICON_FLIP),
        (Action::ShowClips, ICON_MOVIE),
    ] {
        icon_button_ui(&mut bar, cx, action, icon);
    }
    let shade = Colours::of(&bar).ground.gamma_multiply(0.7);
    let around = bar.min_rect().expand(2.0);
    let shape = egui::Shape::rect_filled(around, 5.0, shade);
    bar.painter().set(ground, shape);
}
