//! The table of clips with its search box: the first thing an animator sees, and the way to every clip.

use egui_material_icons::icons::{ICON_DELETE, ICON_DOWNLOAD, ICON_FLIP, ICON_SEARCH, ICON_UPLOAD};

use crate::app::library::cleaning::ui::CleanView;
use crate::app::library::clips::listing::{Listing, Sort};
use crate::app::library::cutting::ui::CutView;
use crate::app::library::sets::ui::SetsView;
use crate::app::library::strokes::ui::StrokesView;
use crate::app::shell::actions::Action;
use crate::app::shell::docks::Pane;
use crate::app::shell::previews::Previews;
use crate::app::shell::studio::{Studio, counted};
use crate::app::shell::ui::{empty, icon_button_ui};
use crate::document::{ClipId, SetId};

/// How the library is looked at.
#[derive(Debug, Default)]
pub struct LibraryView {
    /// The rows of the table.
    pub listing: Listing,
    /// None shows the clips in the order of the library.
    pub sort: Option<Sort>,
    /// Only the clips of this set.
    pub set: Option<SetId>,
    /// Whether arrow keys belong to the table.
    pub has_keys: bool,
    /// Where the arrow keys are.
    pub cursor: Option<ClipId>,
    /// A row that should come into view.
    pub scroll_to: Option<usize>,
    /// A panel that should come to the front.
    pub wanted_pane: Option<Pane>,
    /// What the 3D view shows before it is done.
    pub previews: Previews,
    /// The panel for cutting.
    pub cut: CutView,
    /// The panel for cleaning.
    pub clean: CleanView,
    /// The panel of sets.
    pub sets: SetsView,
    /// The pad for strokes.
    pub strokes: StrokesView,
}

/// Draws the table with its search box.
pub fn library_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    if studio.document().n_clips() == 0 {
        empty::no_clips_ui(ui, studio);
        return;
    }
    ui.horizontal(|ui| {
        ui.label(ICON_SEARCH.rich_text().weak());
        let width = (ui.available_width() - 236.0).max(60.0);
        let edit = egui::TextEdit::singleline(&mut studio.session.search)
            .hint_text("search names, tags, files")
            .desired_width(width);
        let response = ui.add(edit);
        response.widget_info(|| {
            let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Search clips");
            info.current_text_value = Some(studio.session.search.clone());
            info
        });
        response.on_hover_text("Every word has to fit; tag:calm looks among tags only");
        set_filter_ui(ui, studio);
        icon_button_ui(ui, studio, Action::Import, ICON_DOWNLOAD);
        icon_button_ui(ui, studio, Action::Export, ICON_UPLOAD);
        icon_button_ui(ui, studio, Action::Mirror, ICON_FLIP);
        icon_button_ui(ui, studio, Action::Delete, ICON_DELETE);
    });
    update(studio);
    hidden_ui(ui, studio);
    if studio.library.listing.rows().is_empty() {
        ui.weak("No clip fits the search.");
        return;
    }
    crate::app::library::clips::table::table_ui(ui, studio);
}

/// Brings the rows up to date with document, search and sorting.
pub fn update(studio: &mut Studio) {
    let is_set = |id: &SetId| studio.history.document().set(*id).is_some();
    studio.library.set = studio.library.set.filter(is_set);
    let (sort, set) = (studio.library.sort, studio.library.set);
    let document = studio.history.document();
    let search = &studio.session.search;
    studio.library.listing.update(document, sort, search, set);
}

fn set_filter_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    let document = studio.history.document();
    let shown = studio.library.set.and_then(|id| document.set(id));
    let shown = shown.map_or("All clips", |set| set.name.as_str());
    let response = egui::ComboBox::from_id_salt("set filter")
        .width(80.0)
        .truncate()
        .selected_text(shown)
        .show_ui(ui, |ui| {
            ui.selectable_value(&mut studio.library.set, None, "All clips");
            for set in document.sets() {
                ui.selectable_value(&mut studio.library.set, Some(set.id), &set.name);
            }
        })
        .response;
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Clips of which set")
    });
    response.on_hover_text("Shows all clips, or those of one set");
}

/// Actions work on all selected clips, so those that the search hides are told of.
fn hidden_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    let rows = studio.library.listing.rows();
    if rows.len() == studio.document().n_clips() {
        return;
    }
    // With thousands selected nobody counts, and every frame would.
    const MOST_COUNTED: usize = 2000;
    let selection = &studio.session.selection;
    let n_hidden = if selection.len() > MOST_COUNTED {
        0
    } else {
        let hidden = selection
            .iter()
            .filter(|id| !studio.library.listing.shows(**id));
        hidden.count()
    };
    ui.horizontal(|ui| {
        ui.weak(format!("{} shown", counted(rows.len(), "clip")));
        if n_hidden > 0 {
            let words = format!("{} not shown", counted(n_hidden, "selected clip"));
            ui.colored_label(ui.visuals().warn_fg_color, words);
            if ui.small_button("Deselect hidden").clicked() {
                let listing = &studio.library.listing;
                studio.session.selection.retain(|id| listing.shows(*id));
            }
        }
    });
}
