//! The rows and columns of the clips: as many rows as are seen are drawn, however many there are.

use std::sync::Arc;

use egui_extras::{Column as Width, TableBuilder, TableRow};
use egui_material_icons::icons::{ICON_ARROW_DOWNWARD, ICON_ARROW_UPWARD, ICON_BUILD, ICON_INFO};

use crate::app::library::clips::listing::{Column, Sort};
use crate::app::library::clips::menu;
use crate::app::library::state::LibraryWorkspace;
use crate::app::shell::actions::Action;
use crate::app::shell::context::UiContext;
use crate::app::shell::requests::Request;
use crate::app::shell::session::{Click, Rename};
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::rename::begin_typing;
use crate::document::{ClipId, Command};
use crate::motion::{Clip, NoteKind};

const fn width(column: Column) -> f32 {
    match column {
        Column::Name => 128.0,
        Column::Tags => 72.0,
        Column::Seconds => 62.0,
        Column::Fps => 42.0,
        Column::Frames => 56.0,
        Column::Skeleton => 66.0,
        Column::Notes => 50.0,
        Column::Source => 90.0,
    }
}

/// Draws the table of clips with its menus, and answers clicks and renames.
pub(in crate::app::library) fn table_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    library: &mut LibraryWorkspace,
) {
    let height = ui.text_style_height(&egui::TextStyle::Body) + 7.0;
    // Taken out while it is drawn, so that rows may change the library.
    let listing = std::mem::take(&mut library.listing);
    let scroll_to = library.scroll_to.take();
    let drawn = egui::ScrollArea::horizontal().show(ui, |ui| {
        let mut table = TableBuilder::new(ui)
            .id_salt("clips")
            .striped(true)
            .sense(egui::Sense::click())
            .auto_shrink(false)
            .cell_layout(egui::Layout::left_to_right(egui::Align::Center));
        for column in Column::ALL {
            let sized = match column {
                Column::Source => Width::remainder().at_least(60.0),
                Column::Name => Width::initial(width(column)).resizable(true).at_least(60.0),
                _ => Width::initial(width(column)).resizable(true),
            };
            table = table.column(sized.clip(true));
        }
        if let Some(row) = scroll_to {
            table = table.scroll_to_row(row, None);
        }
        table
            .header(height, |mut row| {
                for column in Column::ALL {
                    row.col(|ui| title_ui(ui, &mut library.sort, column));
                }
            })
            .body(|body| {
                body.rows(height, listing.rows().len(), |mut row| {
                    let id = listing.rows()[row.index()];
                    if let Some(clip) = cx.document().clip(id).map(Arc::clone) {
                        row_ui(&mut row, cx, library, listing.rows(), id, &clip);
                    }
                });
            });
    });
    library.listing = listing;
    let pressed = ui.input(|input| {
        let pos = input.pointer.interact_pos();
        pos.filter(|_| input.pointer.any_pressed())
    });
    if let Some(pos) = pressed {
        library.has_keys = drawn.inner_rect.contains(pos);
    }
}

/// A click sorts by the column, a second one the other way round, a third one as the library is.
fn title_ui(ui: &mut egui::Ui, sort: &mut Option<Sort>, column: Column) {
    let mine = sort.filter(|sort| sort.by == column);
    let mut words = egui::RichText::new(column.title());
    if mine.is_none() {
        words = words.weak();
    }
    ui.spacing_mut().item_spacing.x = 2.0;
    let label = egui::Label::new(words)
        .truncate()
        .sense(egui::Sense::click());
    let response = ui.add(label);
    response.widget_info(|| {
        let words = format!("Sort by {}", column.title());
        egui::WidgetInfo::labeled(egui::Role::ColumnHeader, true, words)
    });
    if let Some(sort) = mine {
        let icon = if sort.is_descending {
            ICON_ARROW_DOWNWARD
        } else {
            ICON_ARROW_UPWARD
        };
        ui.label(icon.rich_text().small());
    }
    let tip = "Click to sort; again for the other way, and once more for the order of the library";
    if response.on_hover_text(tip).clicked() {
        *sort = match mine {
            None => Some(Sort {
                by: column,
                is_descending: false,
            }),
            Some(Sort {
                is_descending: false,
                ..
            }) => Some(Sort {
                by: column,
                is_descending: true,
            }),
            Some(_) => None,
        };
    }
}

fn row_ui(
    row: &mut TableRow<'_, '_>,
    cx: &mut UiContext,
    library: &mut LibraryWorkspace,
    shown: &[ClipId],
    id: ClipId,
    clip: &Clip,
) {
    let is_selected = cx.session.selection.contains(&id);
    row.set_selected(is_selected);
    let cell = |ui: &mut egui::Ui, text: String| {
        ui.add(egui::Label::new(text).truncate());
    };
    row.col(|ui| name_ui(ui, cx, id, clip));
    let tags: Vec<&str> = clip.info.tags.iter().map(String::as_str).collect();
    row.col(|ui| cell(ui, tags.join(", ")));
    row.col(|ui| cell(ui, format!("{:.2}", clip.seconds())));
    row.col(|ui| cell(ui, crate::app::shell::ui::short(clip.fps())));
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
        let words = format!("Clip {}", clip.info.name);
        egui::WidgetInfo::selected(egui::Role::Row, true, is_selected, words)
    });
    if response.clicked() || (response.secondary_clicked() && !is_selected) {
        let held = response.ctx.input(|input| input.modifiers);
        let click = if held.shift {
            Click::Through
        } else if held.command {
            Click::Toggle
        } else {
            Click::Only
        };
        library.cursor = Some(id);
        library.has_keys = true;
        clicked(cx, id, click, shown);
    }
    if response.double_clicked() {
        cx.ask(Request::Do(Action::Rename));
    }
    response.context_menu(|ui| menu::clip_menu_ui(ui, cx, library));
}

/// Selects as the click says; another clip alone is shown from its start.
pub(in crate::app::library) fn clicked(
    cx: &mut UiContext,
    id: ClipId,
    click: Click,
    shown: &[ClipId],
) {
    let was_active = cx.session.active;
    cx.session.click(id, click, shown);
    if click == Click::Only && was_active != Some(id) {
        let is_playing = cx.session.is_playing;
        cx.show_from_start();
        cx.session.is_playing = is_playing;
    }
}

/// The name, or the box in which a new one is typed.
fn name_ui(ui: &mut egui::Ui, cx: &mut UiContext, id: ClipId, clip: &Clip) {
    let Some(mut rename) = cx.session.rename.take_if(|rename| rename.clip == id) else {
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
        begin_typing(&response, &rename.text);
        rename.is_new = false;
        cx.session.rename = Some(rename);
        return;
    }
    if !response.lost_focus() {
        cx.session.rename = Some(rename);
        return;
    }
    let is_cancelled = ui.input(|input| input.key_pressed(egui::Key::Escape));
    let Rename { text, .. } = rename;
    if !is_cancelled && text != clip.info.name {
        cx.ask(Request::Edit(Command::RenameClip { id, name: text }));
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
