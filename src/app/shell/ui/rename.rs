//! Names while they are being changed.

use egui::text::CCursorRange;
use egui::text_edit::TextEditState;

use crate::app::shell::context::UiContext;
use crate::app::shell::requests::Request;
use crate::document::{Command, ModelId};

/// Gives a box the keyboard with all of its text selected, so that typing replaces the old name, as everywhere.
pub(in crate::app) fn begin_typing(response: &egui::Response, text: &str) {
    let mut state = TextEditState::load(&response.ctx, response.id).unwrap_or_default();
    state
        .cursor
        .set_char_range(Some(CCursorRange::select_all_str(text)));
    state.store(&response.ctx, response.id);
    response.request_focus();
}

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
            begin_typing(&response, &text);
        }
        return Some((id, text));
    }
    let is_cancelled = ui.input(|input| input.key_pressed(egui::Key::Escape));
    if !is_cancelled && text.trim() != name {
        cx.ask(Request::Edit(Command::RenameModel { id, name: text }));
    }
    None
}
