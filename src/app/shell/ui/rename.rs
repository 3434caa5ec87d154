//! A model's name while it is being changed.

use crate::app::shell::context::UiContext;
use crate::app::shell::requests::Request;
use crate::document::{Command, ModelId};

/// A box in place of the name; gives back what is in it until that is done with.
pub(in crate::app) fn rename_model_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    label: &'static str,
    (id, name): (ModelId, &str),
    mut text: String,
) -> Option<(ModelId, String)> {
    let response = ui.add(egui::TextEdit::singleline(&mut text).desired_width(160.0));
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, label);
        info.current_text_value = Some(text.clone());
        info
    });
    if !response.lost_focus() {
        if !response.has_focus() {
            response.request_focus();
        }
        return Some((id, text));
    }
    let is_cancelled = ui.input(|input| input.key_pressed(egui::Key::Escape));
    if !is_cancelled && text.trim() != name {
        cx.ask(Request::Edit(Command::RenameModel { id, name: text }));
    }
    None
}
