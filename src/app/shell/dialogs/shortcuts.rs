//! All keys, each to be changed.

use egui::{Event, Key, KeyboardShortcut};

use crate::app::shell::actions::{ALL, Action, Menu};
use crate::app::shell::context::UiContext;
use crate::app::shell::shortcuts::{give, in_words, keys_of};

pub(in crate::app) fn shortcuts_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    listening: &mut Option<Action>,
) -> bool {
    ui.weak("Click on keys and press new ones. Backspace takes them away.");
    hear(ui, cx, listening);
    egui::ScrollArea::vertical()
        .max_height(420.0)
        .min_scrolled_height(420.0)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            for menu in Menu::ALL {
                ui.add_space(6.0);
                ui.strong(menu.name());
                egui::Grid::new(("shortcuts", menu.name()))
                    .num_columns(2)
                    .min_col_width(150.0)
                    .show(ui, |ui| menu_ui(ui, cx, menu, listening));
            }
        });
    ui.add_space(6.0);
    let mut stays = true;
    ui.horizontal(|ui| {
        let has_changes = !cx.preferences.keys.is_empty();
        let reset = ui.add_enabled(has_changes, egui::Button::new("Reset to defaults"));
        if reset.on_hover_text("Forgets all changes").clicked() {
            cx.preferences.keys.clear();
        }
        stays = !ui.button("Close").clicked();
    });
    stays
}

fn menu_ui(ui: &mut egui::Ui, cx: &UiContext, menu: Menu, listening: &mut Option<Action>) {
    for entry in ALL.iter().filter(|entry| entry.menu == menu) {
        ui.label(entry.text).on_hover_text(entry.tip);
        let keys = keys_of(&cx.preferences, entry);
        let is_listening = *listening == Some(entry.action);
        let words = match keys {
            _ if is_listening => "press keys".to_owned(),
            Some(keys) => in_words(keys),
            None => "none".to_owned(),
        };
        let button =
            egui::Button::selectable(is_listening, words.as_str()).min_size([130.0, 0.0].into());
        let response = ui.add(button);
        response.widget_info(|| {
            let mut info = egui::WidgetInfo::labeled(egui::Role::Button, true, "");
            info.label = Some(format!("Keys of {}", entry.text));
            info.current_text_value = Some(words.clone());
            info
        });
        if response.clicked() {
            *listening = Some(entry.action);
        }
        ui.end_row();
    }
}

/// Takes the next keys for the action that waits for them.
fn hear(ui: &egui::Ui, cx: &mut UiContext, listening: &mut Option<Action>) {
    let Some(action) = *listening else {
        return;
    };
    let heard = ui.input_mut(|input| {
        let at = input
            .events
            .iter()
            .position(|event| matches!(event, Event::Key { pressed: true, .. }))?;
        match input.events.remove(at) {
            Event::Key { key, modifiers, .. } => Some((modifiers, key)),
            _ => None,
        }
    });
    let Some((modifiers, key)) = heard else {
        return;
    };
    *listening = None;
    match key {
        Key::Escape => {}
        Key::Backspace => give(&mut cx.preferences, action.entry(), None),
        key => {
            let mut modifiers = modifiers;
            if modifiers.command {
                // One of the two names of the same key, as in the table of actions.
                modifiers.ctrl = false;
                modifiers.mac_cmd = false;
            }
            let keys = KeyboardShortcut::new(modifiers, key);
            give(&mut cx.preferences, action.entry(), Some(keys));
        }
    }
}
