//! What the window shows. Panels draw and queue requests; they change nothing but the session.

pub(in crate::app) mod choose;
pub mod empty;
pub mod lens;
pub mod menu;
pub(in crate::app) mod rename;
pub(in crate::app) mod rows;
pub(in crate::app) mod running;
pub(in crate::app) mod similarity;
pub mod status;
pub(in crate::app) mod tints;
pub mod tour;
pub mod tour_step;

use egui_material_icons::MaterialIcon;

use crate::app::shell::actions::Action;
use crate::app::shell::context::UiContext;
use crate::app::shell::requests::Request;
use crate::app::shell::shortcuts::{in_words, keys_of};

/// A button of an action that shows only a sign; name, explanation and keys are in its tooltip.
pub fn icon_button_ui(ui: &mut egui::Ui, cx: &mut UiContext, action: Action, icon: MaterialIcon) {
    let entry = action.entry();
    let is_on = cx.actions.of(action).is_on.unwrap_or(false);
    let button = egui::Button::selectable(is_on, icon.rich_text().size(17.0)).frame(true);
    let response = ui.add_enabled(cx.actions.of(entry.action).is_enabled, button);
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::Button, ui.is_enabled(), is_on, entry.text)
    });
    let response = response.on_hover_ui(|ui| tip_ui(ui, cx, action));
    if response.clicked() {
        cx.ask(Request::Do(action));
    }
}

/// Name, explanation and keys of an action.
pub fn tip_ui(ui: &mut egui::Ui, cx: &UiContext, action: Action) {
    let entry = action.entry();
    ui.strong(entry.text);
    ui.label(entry.tip);
    if let Some(keys) = keys_of(&cx.preferences, entry) {
        ui.weak(in_words(keys));
    }
}

/// What a button that shows only a sign is called.
pub(in crate::app) fn name_button(response: &egui::Response, words: &str) {
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, words));
}

/// A rate with as many decimals as it needs: 30, 29.97.
pub fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_short() {
        for (number, words) in [
            (30.0, "30"),
            (29.97003, "29.97"),
            (119.88, "119.88"),
            (0.5, "0.5"),
        ] {
            assert_eq!(short(number), words);
        }
    }
}
