//! The menu behind "Export".

use crate::app::sequence::state::{Request, SequenceWorkspace};
use crate::app::sequence::strip::{Evaluated, Export};
use crate::app::shell::context::UiContext;
use crate::app::shell::files::contents::Contents;

/// The menu of what can be exported.
pub(super) fn export_menu_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    sequence: &mut SequenceWorkspace,
    shown: &Evaluated,
) {
    let tip = "Feet that stand do not slide in what is exported";
    ui.checkbox(&mut sequence.strip.locks_feet, "Foot lock")
        .on_hover_text(tip);
    ui.separator();
    let kinds = [
        (
            Export::Whole,
            "One motion…",
            "All actions and transitions in one file",
        ),
        (
            Export::Parts,
            "Actions and transitions apart…",
            "A file for each, numbered, with a list of them",
        ),
    ];
    for (what, words, tip) in kinds {
        if ui.button(words).on_hover_text(tip).clicked() {
            sequence.ask(Request::Export(what));
            ui.close();
        }
    }
    ui.separator();
    let table = ui.button("Table of joins (CSV)…");
    let tip = "A row for each join, with everything that was measured";
    if table.on_hover_text(tip).clicked() {
        cx.ask_where_to_write("joins.csv", Contents::Text(shown.joins_csv()));
        ui.close();
    }
}
