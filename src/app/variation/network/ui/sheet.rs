//! The sheet on which the network is drawn.

use egui::Vec2;

use crate::app::variation::network::ui::view::NetworkView;

/// A place for a drawing of the network, which can be pointed at, clicked and moved.
pub(super) fn sheet_ui(
    ui: &mut egui::Ui,
    view: &mut NetworkView,
    (size, name): (Vec2, &str),
) -> egui::Response {
    let (_, response) = ui.allocate_exact_size(size, egui::Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, name));
    view.is_under_pointer = response.contains_pointer();
    response
}
