//! The table of clips with its search box: the first thing an animator sees, and the way to every clip.

use egui_material_icons::icons::{ICON_DELETE, ICON_DOWNLOAD, ICON_FLIP, ICON_SEARCH, ICON_UPLOAD};

use crate::app::library::state::LibraryWorkspace;
use crate::app::shell::actions::Action;
use crate::app::shell::context::UiContext;
use crate::app::shell::ui::{empty, icon_button_ui};
use crate::app::shell::words::counted;
use crate::document::ClipId;

/// Draws the table with its search box.
pub fn library_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace) {
    if cx.document().n_clips() == 0 {
        empty::no_clips_ui(ui, cx);
        return;
    }
    ui.horizontal(|ui| {
        ui.label(ICON_SEARCH.rich_text().weak());
        let width = (ui.available_width() - 236.0).max(60.0);
        let edit = egui::TextEdit::singleline(&mut cx.session.search)
            .hint_text("search names, tags, files")
            .desired_width(width);
        let response = ui.add(edit);
        response.widget_info(|| {
            let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Search clips");
            info.current_text_value = Some(cx.session.search.clone());
            info
        });
        response.on_hover_text("Every word has to fit; tag:calm looks among tags only");
        set_filter_ui(ui, cx, library);
        icon_button_ui(ui, cx, Action::Import, ICON_DOWNLOAD);
        icon_button_ui(ui, cx, Action::Export, ICON_UPLOAD);
        icon_button_ui(ui, cx, Action::Mirror, ICON_FLIP);
        icon_button_ui(ui, cx, Action::Delete, ICON_DELETE);
    });
    library.update_listing(cx);
    if let Some(id) = cx.session.reveal.take() {
        library.reveal(cx, id);
    }
    hidden_ui(ui, cx, library);
    if library.listing.rows().is_empty() {
        ui.horizontal(|ui| {
            ui.weak("No clip fits the search.");
            if ui.button("Clear search").clicked() {
                cx.session.search.clear();
                library.set = None;
            }
        });
        return;
    }
    crate::app::library::clips::table::table_ui(ui, cx, library);
}

impl LibraryWorkspace {
    /// Brings the rows up to date with document, search and sorting.
    pub fn update_listing(&mut self, cx: &UiContext) {
        let document = cx.document();
        self.set = self.set.filter(|id| document.set(*id).is_some());
        let search = &cx.session.search;
        self.listing.update(document, self.sort, search, self.set);
    }

    /// Brings the row of a clip into view; a search or a set that hides it is given up.
    fn reveal(&mut self, cx: &mut UiContext, id: ClipId) {
        if !self.listing.shows(id) {
            cx.session.search.clear();
            self.set = None;
            self.update_listing(cx);
        }
        self.scroll_to = self.listing.rows().iter().position(|row| *row == id);
        self.cursor = Some(id);
    }
}

fn set_filter_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace) {
    let document = cx.document();
    let shown = library.set.and_then(|id| document.set(id));
    let shown = shown.map_or("All clips", |set| set.name.as_str());
    let response = egui::ComboBox::from_id_salt("set filter")
        .width(80.0)
        .truncate()
        .selected_text(shown)
        .show_ui(ui, |ui| {
            ui.selectable_value(&mut library.set, None, "All clips");
            for set in document.sets() {
                ui.selectable_value(&mut library.set, Some(set.id), &set.name);
            }
        })
        .response;
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Clips of which set")
    });
    response.on_hover_text("Shows all clips, or those of one set");
}

/// Actions work on all selected clips, so those that the search hides are told of.
fn hidden_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace) {
    let rows = library.listing.rows();
    if rows.len() == cx.document().n_clips() {
        return;
    }
    // With thousands selected nobody counts, and every frame would.
    const MOST_COUNTED: usize = 2000;
    let selection = &cx.session.selection;
    let n_hidden = if selection.len() > MOST_COUNTED {
        0
    } else {
        let hidden = selection.iter().filter(|id| !library.listing.shows(**id));
        hidden.count()
    };
    ui.horizontal(|ui| {
        ui.weak(format!("{} shown", counted(rows.len(), "clip")));
        if n_hidden > 0 {
            let words = format!("{} not shown", counted(n_hidden, "selected clip"));
            ui.colored_label(ui.visuals().warn_fg_color, words);
            if ui.small_button("Deselect hidden").clicked() {
                let listing = &library.listing;
                cx.session.selection.retain(|id| listing.shows(*id));
            }
        }
    });
}
