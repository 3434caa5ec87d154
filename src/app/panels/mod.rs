//! What the window shows. Panels draw and queue requests; they change nothing but the session.

pub mod cleaning;
pub mod cutting;
pub mod empty;
pub mod inspector;
pub mod library;
pub mod menu;
pub mod pins;
pub mod pose;
mod rename;
mod rows;
mod scene;
pub mod sets;
mod sights;
pub mod snapshot;
mod stage;
pub mod status;
pub mod strokes;
pub mod timeline;
mod tints;
pub mod transport;
pub mod variation;
pub mod viewport;

pub use stage::Stage;

use egui_material_icons::MaterialIcon;

use crate::app::actions::Action;
use crate::app::keys::keys_of;
use crate::app::studio::{Request, Studio};

/// A button of an action that shows only a sign; name, explanation and keys are in its tooltip.
pub fn icon_button_ui(ui: &mut egui::Ui, studio: &mut Studio, action: Action, icon: MaterialIcon) {
    let entry = action.entry();
    let is_on = action.is_on(studio).unwrap_or(false);
    let button = egui::Button::selectable(is_on, icon.rich_text().size(17.0)).frame(true);
    let response = ui.add_enabled((entry.is_enabled)(studio), button);
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::Button, ui.is_enabled(), is_on, entry.text)
    });
    let response = response.on_hover_ui(|ui| tip_ui(ui, studio, action));
    if response.clicked() {
        studio.ask(Request::Do(action));
    }
}

/// Name, explanation and keys of an action.
pub fn tip_ui(ui: &mut egui::Ui, studio: &Studio, action: Action) {
    let entry = action.entry();
    ui.strong(entry.text);
    ui.label(entry.tip);
    if let Some(keys) = keys_of(&studio.preferences, entry) {
        ui.weak(ui.ctx().format_shortcut(&keys));
    }
}
