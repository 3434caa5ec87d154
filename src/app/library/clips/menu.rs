//! What a right click on clips offers: their actions, tags and sets.

use crate::app::shell::actions::{ALL, Action, Entry, Menu};
use crate::app::shell::studio::{Request, Studio};
use crate::app::shell::ui::menu::action_ui;
use crate::document::{ClipId, Command};

/// More lines than these would not fit on a screen.
const MOST_LINES: usize = 24;

pub(in crate::app::library) fn clip_menu_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    let of_clips = |entry: &&Entry| entry.menu == Menu::Clip || entry.action == Action::Export;
    for entry in ALL.iter().filter(of_clips) {
        action_ui(ui, studio, entry);
    }
    ui.separator();
    ui.menu_button("Add tag", |ui| add_tag_ui(ui, studio));
    ui.menu_button("Add to set", |ui| add_to_set_ui(ui, studio));
}

fn selected(studio: &Studio) -> Vec<ClipId> {
    studio
        .selected_clips()
        .into_iter()
        .map(|(id, _)| id)
        .collect()
}

fn add_tag_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    let tags: Vec<String> = studio.library.listing.tags().to_vec();
    if tags.is_empty() {
        ui.weak("Type the first tag in the inspector.");
    }
    for tag in tags.into_iter().take(MOST_LINES) {
        if ui.button(&tag).clicked() {
            let clips = selected(studio);
            studio.ask(Request::Edit(Command::AddTag { clips, tag }));
            ui.close();
        }
    }
}

fn add_to_set_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    let sets = studio.document().sets().iter().take(MOST_LINES);
    let sets: Vec<_> = sets.map(|set| (set.id, set.name.clone())).collect();
    for (id, name) in sets {
        if ui.button(&name).clicked() {
            let clips = selected(studio);
            studio.ask(Request::Edit(Command::AddToSet { id, clips }));
            ui.close();
        }
    }
    if ui.button("A new set").clicked() {
        studio.ask(Request::Do(Action::NewSet));
        ui.close();
    }
}
