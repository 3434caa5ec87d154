//! What a right click on clips offers: their actions, tags and sets.

use crate::app::library::state::LibraryWorkspace;
use crate::app::shell::actions::{ALL, Action, Entry, Menu};
use crate::app::shell::context::UiContext;
use crate::app::shell::requests::Request;
use crate::app::shell::ui::menu::entries_ui;
use crate::document::{ClipId, Command};

/// More lines than these would not fit on a screen.
const MOST_LINES: usize = 24;

pub(in crate::app::library) fn clip_menu_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    library: &mut LibraryWorkspace,
) {
    let of_clips = |entry: &&Entry| entry.menu == Menu::Clip || entry.action == Action::Export;
    entries_ui(ui, cx, ALL.iter().filter(of_clips));
    ui.separator();
    ui.menu_button("Add tag", |ui| add_tag_ui(ui, cx, library));
    ui.menu_button("Add to set", |ui| add_to_set_ui(ui, cx));
}

fn selected(cx: &UiContext) -> Vec<ClipId> {
    cx.selected_clips().into_iter().map(|(id, _)| id).collect()
}

fn add_tag_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace) {
    let tags: Vec<String> = library.listing.tags().to_vec();
    if tags.is_empty() {
        ui.weak("Type the first tag in the inspector.");
    }
    for tag in tags.into_iter().take(MOST_LINES) {
        if ui.button(&tag).clicked() {
            let clips = selected(cx);
            cx.ask(Request::Edit(Command::AddTag { clips, tag }));
            ui.close();
        }
    }
}

fn add_to_set_ui(ui: &mut egui::Ui, cx: &mut UiContext) {
    let sets = cx.document().sets().iter().take(MOST_LINES);
    let sets: Vec<_> = sets.map(|set| (set.id, set.name.clone())).collect();
    for (id, name) in sets {
        if ui.button(&name).clicked() {
            let clips = selected(cx);
            cx.ask(Request::Edit(Command::AddToSet { id, clips }));
            ui.close();
        }
    }
    if ui.button("A new set").clicked() {
        cx.ask(Request::Do(Action::NewSet));
        ui.close();
    }
}
