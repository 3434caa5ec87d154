//! Sets of clips that belong together, and a quick look at the open one.

use egui_material_icons::icons::{ICON_DELETE, ICON_EDIT};

use crate::app::library::state::LibraryWorkspace;
use crate::app::shell::actions::Action;
use crate::app::shell::context::UiContext;
use crate::app::shell::requests::Request;
use crate::app::shell::ui::rename::begin_typing;
use crate::app::shell::words::counted;
use crate::document::{ClipId, ClipSet, Command};

/// Draws the list of clip sets, and what can be done with the chosen one.
pub fn sets_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace) {
    ui.horizontal(|ui| {
        let n = cx.session.selection.len();
        let words = format!("New set of {}", counted(n, "clip"));
        let response = ui.add_enabled(n > 0, egui::Button::new(words));
        let tip =
            "Makes a set of the selected clips: what models learn from, what is exported together";
        if response.on_hover_text(tip).clicked() {
            cx.ask(Request::Do(Action::NewSet));
        }
    });
    let sets: Vec<ClipSet> = cx.document().sets().to_vec();
    if sets.is_empty() {
        ui.weak("No sets yet. Select clips that belong together, such as eight cycles of one walk, and make a set of them.");
        return;
    }
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            for set in &sets {
                set_ui(ui, cx, library, set);
            }
            let open = sets.iter().find(|set| Some(set.id) == library.sets.open);
            if let Some(set) = open {
                ui.separator();
                members_ui(ui, cx, set);
                crate::app::library::sets::look_ui::look_ui(ui, cx, library);
            }
        });
}

fn set_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace, set: &ClipSet) {
    ui.horizontal(|ui| {
        let renames = library.sets.renames.take_if(|(id, _)| *id == set.id);
        if let Some((_, text)) = renames {
            rename_ui(ui, cx, library, set, text);
            return;
        }
        let is_open = library.sets.open == Some(set.id);
        let words = format!("{}  ({})", set.name, set.clips.len());
        let response = ui.add(egui::Button::selectable(is_open, words));
        response.widget_info(|| {
            let words = format!("Set {}", set.name);
            egui::WidgetInfo::selected(egui::Role::Button, true, is_open, words)
        });
        if response
            .on_hover_text("Selects its clips and looks at them")
            .clicked()
        {
            library.sets.open = Some(set.id);
            library.sets.curve = None;
            cx.session.select(set.clips.iter().copied());
            cx.show_from_start();
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let delete = ui.small_button(ICON_DELETE);
            name_button(&delete, &format!("Delete set {}", set.name));
            if delete
                .on_hover_text("Forgets the set; its clips stay")
                .clicked()
            {
                cx.ask(Request::Edit(Command::RemoveSet(set.id)));
            }
            let rename = ui.small_button(ICON_EDIT);
            name_button(&rename, &format!("Rename set {}", set.name));
            if rename
                .on_hover_text("Calls the set something else")
                .clicked()
            {
                library.sets.renames = Some((set.id, set.name.clone()));
            }
        });
    });
}

fn name_button(response: &egui::Response, words: &str) {
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, words));
}

fn rename_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    library: &mut LibraryWorkspace,
    set: &ClipSet,
    mut text: String,
) {
    let response = ui.add(egui::TextEdit::singleline(&mut text).desired_width(180.0));
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, "New set name");
        info.current_text_value = Some(text.clone());
        info
    });
    let is_cancelled = ui.input(|input| input.key_pressed(egui::Key::Escape));
    let is_done = response.lost_focus();
    if is_done && !is_cancelled && text.trim() != set.name {
        let (id, name) = (set.id, text);
        cx.ask(Request::Edit(Command::RenameSet { id, name }));
    } else if !is_done {
        if !response.has_focus() {
            begin_typing(&response, &text);
        }
        library.sets.renames = Some((set.id, text));
    }
}

fn members_ui(ui: &mut egui::Ui, cx: &mut UiContext, set: &ClipSet) {
    let selection = &cx.session.selection;
    let inside = |id: &ClipId| set.clips.contains(id);
    // Thousands are not told apart in every frame; the commands do what is meant with any clips.
    let few = selection.len() * set.clips.len() <= 1_000_000;
    let (inner, outer): (Vec<ClipId>, Vec<ClipId>) = if few {
        selection.iter().partition(|id| inside(id))
    } else {
        let all: Vec<ClipId> = selection.iter().copied().collect();
        (all.clone(), all)
    };
    ui.horizontal_wrapped(|ui| {
        let add = format!("Add {}", counted(outer.len(), "selected clip"));
        if ui
            .add_enabled(!outer.is_empty(), egui::Button::new(add))
            .clicked()
        {
            let (id, clips) = (set.id, outer.clone());
            cx.ask(Request::Edit(Command::AddToSet { id, clips }));
        }
        let take = format!("Remove {} from set", counted(inner.len(), "selected clip"));
        if ui
            .add_enabled(!inner.is_empty(), egui::Button::new(take))
            .clicked()
        {
            let (id, clips) = (set.id, inner.clone());
            cx.ask(Request::Edit(Command::TakeFromSet { id, clips }));
        }
        if ui.button("Export set…").clicked() {
            cx.export_set(set.id);
        }
    });
}
