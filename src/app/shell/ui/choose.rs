//! Choosing clips for something: the selected ones, those of a set, or those with a tag.

use std::sync::Arc;

use egui_material_icons::icons::ICON_CLOSE;

use crate::app::shell::context::UiContext;
use crate::app::shell::ui::name_button;
use crate::app::shell::words::counted;
use crate::document::ClipId;
use crate::motion::Clip;

/// Buttons that fill the list. The clips that were chosen, if any were.
pub(in crate::app) fn choose_ui(
    ui: &mut egui::Ui,
    cx: &UiContext,
    salt: &str,
) -> Option<Vec<ClipId>> {
    /// Of both lists, side by side.
    const LISTS_WIDTH: f32 = 225.0;
    let mut chosen = None;
    ui.horizontal_wrapped(|ui| {
        let selected: Vec<ClipId> = cx.selected_clips().iter().map(|clip| clip.0).collect();
        let words = format!("Use {}", counted(selected.len(), "selected clip"));
        let button = ui.add_enabled(!selected.is_empty(), egui::Button::new(words));
        if button
            .on_hover_text("The clips that are selected in the table")
            .clicked()
        {
            chosen = Some(selected);
        }
        // Lists do not wrap by themselves.
        if ui.available_size_before_wrap().x < LISTS_WIDTH {
            ui.end_row();
        }
        let sets = cx.document().sets();
        ui.add_enabled_ui(!sets.is_empty(), |ui| {
            egui::ComboBox::from_id_salt(("set", salt))
                .selected_text("from a set")
                .show_ui(ui, |ui| {
                    for set in sets {
                        let words = format!("{} ({})", set.name, set.clips.len());
                        if ui.selectable_label(false, words).clicked() {
                            chosen = Some(set.clips.clone());
                        }
                    }
                });
        });
        let tags = cx.document().tags();
        ui.add_enabled_ui(!tags.is_empty(), |ui| {
            egui::ComboBox::from_id_salt(("tag", salt))
                .selected_text("with a tag")
                .show_ui(ui, |ui| {
                    for tag in tags {
                        if ui.selectable_label(false, tag).clicked() {
                            let clips = cx.document().clips();
                            let tagged = clips.filter(|(_, clip)| clip.info.tags.contains(tag));
                            chosen = Some(tagged.map(|(id, _)| id).collect());
                        }
                    }
                });
        });
    });
    chosen
}

/// The list, each with a way out. The one to take out, if one was clicked.
pub(in crate::app) fn list_ui(ui: &mut egui::Ui, clips: &[(ClipId, Arc<Clip>)]) -> Option<ClipId> {
    const MOST: usize = 200;
    let mut out = None;
    egui::Grid::new("chosen clips")
        .num_columns(4)
        .striped(true)
        .show(ui, |ui| {
            for (id, clip) in clips.iter().take(MOST) {
                ui.label(&clip.info.name);
                ui.weak(format!("{:.2} s", clip.seconds()));
                ui.weak(format!("{} frames, {:.0} fps", clip.n_frames(), clip.fps()));
                let button = ui.small_button(ICON_CLOSE);
                name_button(&button, &format!("Remove {}", clip.info.name));
                if button.on_hover_text("Takes it out of this list").clicked() {
                    out = Some(*id);
                }
                ui.end_row();
            }
        });
    if clips.len() > MOST {
        ui.weak(format!("and {} more", clips.len() - MOST));
    }
    out
}
