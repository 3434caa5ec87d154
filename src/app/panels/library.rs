//! The table of clips: as many rows as are seen are drawn, however many there are.

use std::sync::Arc;

use egui_extras::{Column, TableBuilder, TableRow};
use egui_material_icons::icons::{
    ICON_BUILD, ICON_DELETE, ICON_DOWNLOAD, ICON_FLIP, ICON_INFO, ICON_SEARCH, ICON_UPLOAD,
};

use super::{empty, icon_button_ui, menu};
use crate::app::actions::{ALL, Action, Menu};
use crate::app::session::{Click, Rename};
use crate::app::studio::{Request, Studio};
use crate::app::theme::Colours;
use crate::document::{ClipId, Command, Document};
use crate::motion::{Clip, NoteKind};

/// Draws the table with its search box.
pub fn library_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    if studio.document().n_clips() == 0 {
        empty::no_clips_ui(ui, studio);
        return;
    }
    ui.horizontal(|ui| {
        ui.label(ICON_SEARCH.rich_text().weak());
        let hint = "search names, tags, files";
        let width = (ui.available_width() - 150.0).max(60.0);
        let edit = egui::TextEdit::singleline(&mut studio.session.search)
            .hint_text(hint)
            .desired_width(width);
        let response = ui.add(edit);
        response.widget_info(|| {
            let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Search clips");
            info.current_text_value = Some(studio.session.search.clone());
            info
        });
        icon_button_ui(ui, studio, Action::Import, ICON_DOWNLOAD);
        icon_button_ui(ui, studio, Action::Export, ICON_UPLOAD);
        icon_button_ui(ui, studio, Action::Mirror, ICON_FLIP);
        icon_button_ui(ui, studio, Action::Delete, ICON_DELETE);
    });
    let shown = found(studio.document(), &studio.session.search);
    if shown.is_empty() {
        ui.weak("No clip fits the search.");
        return;
    }
    table_ui(ui, studio, &shown);
}

/// The clips whose name, tags or file hold every word that is searched for.
fn found(document: &Document, search: &str) -> Vec<ClipId> {
    let search = search.to_lowercase();
    let words: Vec<&str> = search.split_whitespace().collect();
    if words.is_empty() {
        return document.clip_order().to_vec();
    }
    let holds = |text: &str, word: &str| text.to_lowercase().contains(word);
    let fits = |clip: &Clip, word: &str| {
        holds(&clip.info.name, word)
            || clip.info.tags.iter().any(|tag| holds(tag, word))
            || clip
                .info
                .file
                .as_ref()
                .is_some_and(|file| holds(&file.to_string_lossy(), word))
    };
    document
        .clips()
        .filter(|(_, clip)| words.iter().all(|word| fits(clip, word)))
        .map(|(id, _)| id)
        .collect()
}

fn table_ui(ui: &mut egui::Ui, studio: &mut Studio, shown: &[ClipId]) {
    let height = ui.text_style_height(&egui::TextStyle::Body) + 7.0;
    let column = |width: f32| Column::initial(width).resizable(true).clip(true);
    egui::ScrollArea::horizontal().show(ui, |ui| {
        TableBuilder::new(ui)
            .id_salt("clips")
            .striped(true)
            .sense(egui::Sense::click())
            .auto_shrink(false)
            .cell_layout(egui::Layout::left_to_right(egui::Align::Center))
            .column(column(128.0).at_least(60.0))
            .column(column(72.0))
            .column(column(54.0))
            .column(column(34.0))
            .column(column(48.0))
            .column(column(60.0))
            .column(column(42.0))
            .column(Column::remainder().clip(true).at_least(60.0))
            .header(height, |mut row| {
                for title in [
                    "Name", "Tags", "Seconds", "Fps", "Frames", "Skeleton", "Notes", "Source",
                ] {
                    row.col(|ui| {
                        ui.add(egui::Label::new(egui::RichText::new(title).weak()).truncate());
                    });
                }
            })
            .body(|body| {
                body.rows(height, shown.len(), |mut row| {
                    let id = shown[row.index()];
                    if let Some(clip) = studio.document().clip(id).map(Arc::clone) {
                        row_ui(&mut row, studio, shown, id, &clip);
                    }
                });
            });
    });
}

fn row_ui(
    row: &mut TableRow<'_, '_>,
    studio: &mut Studio,
    shown: &[ClipId],
    id: ClipId,
    clip: &Clip,
) {
    row.set_selected(studio.session.selection.contains(&id));
    let cell = |ui: &mut egui::Ui, text: String| {
        ui.add(egui::Label::new(text).truncate());
    };
    row.col(|ui| name_ui(ui, studio, id, clip));
    let tags: Vec<&str> = clip.info.tags.iter().map(String::as_str).collect();
    row.col(|ui| cell(ui, tags.join(", ")));
    row.col(|ui| cell(ui, format!("{:.2}", clip.seconds())));
    row.col(|ui| cell(ui, short(clip.fps())));
    row.col(|ui| cell(ui, clip.n_frames().to_string()));
    row.col(|ui| cell(ui, format!("{} joints", clip.skeleton().n_joints())));
    row.col(|ui| notes_ui(ui, clip));
    row.col(|ui| {
        let file = clip.info.file.as_ref();
        let name = file
            .and_then(|f| f.file_name())
            .map(|f| f.to_string_lossy().into_owned());
        cell(ui, name.unwrap_or_else(|| "made here".to_owned()));
    });
    let response = row.response();
    response.widget_info(|| {
        egui::WidgetInfo::selected(
            egui::Role::Row,
            true,
            studio.session.selection.contains(&id),
            format!("Clip {}", clip.info.name),
        )
    });
    if response.clicked()
        || (response.secondary_clicked() && !studio.session.selection.contains(&id))
    {
        let held = response.ctx.input(|input| input.modifiers);
        let click = if held.shift {
            Click::Through
        } else if held.command {
            Click::Toggle
        } else {
            Click::Only
        };
        let was_active = studio.session.active;
        studio.session.click(id, click, shown);
        if click == Click::Only && was_active != Some(id) {
            let is_playing = studio.session.is_playing;
            studio.show_from_start();
            studio.session.is_playing = is_playing;
        }
    }
    if response.double_clicked() {
        studio.ask(Request::Do(Action::Rename));
    }
    response.context_menu(|ui| {
        let of_clips = |entry: &&crate::app::actions::Entry| {
            entry.menu == Menu::Clip || entry.action == Action::Export
        };
        for entry in ALL.iter().filter(of_clips) {
            menu::action_ui(ui, studio, entry);
        }
    });
}

/// The name, or the box in which a new one is typed.
fn name_ui(ui: &mut egui::Ui, studio: &mut Studio, id: ClipId, clip: &Clip) {
    let Some(mut rename) = studio.session.rename.take_if(|rename| rename.clip == id) else {
        ui.add(egui::Label::new(&clip.info.name).truncate());
        return;
    };
    let edit = egui::TextEdit::singleline(&mut rename.text).desired_width(f32::INFINITY);
    let response = ui.add(edit);
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, "New name");
        info.current_text_value = Some(rename.text.clone());
        info
    });
    if rename.is_new {
        response.request_focus();
        rename.is_new = false;
        studio.session.rename = Some(rename);
        return;
    }
    if !response.lost_focus() {
        studio.session.rename = Some(rename);
        return;
    }
    let is_cancelled = ui.input(|input| input.key_pressed(egui::Key::Escape));
    let Rename { text, .. } = rename;
    if !is_cancelled && text != clip.info.name {
        studio.ask(Request::Edit(Command::RenameClip { id, name: text }));
    }
}

/// The most serious sign, with all notes in the tooltip.
fn notes_ui(ui: &mut egui::Ui, clip: &Clip) {
    let Some(kind) = clip.info.notes.iter().map(|note| note.kind).min() else {
        return;
    };
    let colours = Colours::of(ui);
    let (icon, colour) = match kind {
        NoteKind::Repaired => (ICON_BUILD, colours.warning),
        NoteKind::Guessed | NoteKind::Noticed => (ICON_INFO, colours.weak),
    };
    ui.label(icon.rich_text().color(colour)).on_hover_ui(|ui| {
        for note in &clip.info.notes {
            ui.label(note.to_string());
        }
    });
    ui.weak(clip.info.notes.len().to_string());
}

/// 30, 29.97.
pub(super) fn short(number: f64) -> String {
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

    #[test]
    fn searches_want_every_word() {
        let mut history = crate::document::History::default();
        let clips = crate::demo::Action::ALL.into_iter().take(3).map(|action| {
            let mut clip = crate::demo::make(action, 1, 0).clip;
            clip.info.name = format!("Take {}", action as usize);
            clip.info.tags = ["Walking".to_owned()].into();
            Arc::new(clip)
        });
        let added = history
            .apply(Command::AddClips(clips.collect()))
            .unwrap()
            .added;
        let search = |words| found(history.document(), words);
        assert_eq!(search("  ").len(), 3);
        assert_eq!(search("take WALK").len(), 3);
        assert_eq!(search("2 walk"), [added[2]]);
        assert_eq!(search("take run").len(), 0);
    }
}
