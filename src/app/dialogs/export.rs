//! What to write where, with the names shown before anything is written.

use std::path::PathBuf;

use super::main_button;
use crate::app::studio::{Request, Studio, counted};
use crate::app::work::export::{Export, file_names, format_words};
use crate::app::work::pick::Pick;
use crate::file::atomic::Overwrite;
use crate::file::export::Format;
use crate::file::preset::Preset;

/// The dialog.
#[derive(Debug, Clone)]
pub struct ExportBox {
    preset: Option<Preset>,
    format: Format,
    folder: String,
}

impl ExportBox {
    /// For the selected clips.
    pub fn of(studio: &Studio) -> Self {
        let beside = studio
            .projects
            .place
            .as_ref()
            .map(|place| place.path.clone());
        let beside = beside.and_then(|path| path.parent().map(|p| p.join("export")));
        let home = || directories::UserDirs::new().map(|dirs| dirs.home_dir().join("export"));
        Self {
            preset: None,
            format: Format::default(),
            folder: beside
                .or_else(home)
                .unwrap_or_default()
                .display()
                .to_string(),
        }
    }

    pub(super) fn export_ui(&mut self, ui: &mut egui::Ui, studio: &mut Studio) -> bool {
        egui::Grid::new("export").num_columns(2).show(ui, |ui| {
            let label = ui.label("For");
            let shown = self.preset.map_or("as it is", Preset::name);
            egui::ComboBox::from_id_salt("preset")
                .selected_text(shown)
                .show_ui(ui, |ui| {
                    ui.selectable_value(&mut self.preset, None, "as it is");
                    for preset in Preset::ALL {
                        ui.selectable_value(&mut self.preset, Some(preset), preset.name());
                    }
                })
                .response
                .labelled_by(label.id);
            ui.end_row();
            ui.label("Format");
            ui.horizontal(|ui| {
                for format in Format::ALL {
                    ui.selectable_value(&mut self.format, format, format_words(format));
                }
            });
            ui.end_row();
            let label = ui.label("Folder");
            let edit = egui::TextEdit::singleline(&mut self.folder).desired_width(f32::INFINITY);
            ui.add(edit).labelled_by(label.id);
            ui.end_row();
        });
        let clips = studio.selected_clips();
        let names = clips.iter().map(|(_, clip)| clip.info.name.as_str());
        let files = file_names(names, self.format);
        preview_ui(ui, &files);
        ui.add_space(6.0);
        let mut stays = true;
        ui.horizontal(|ui| {
            let is_ready = !self.folder.trim().is_empty() && !files.is_empty();
            if main_button(
                ui,
                is_ready,
                &format!("Export {}", counted(files.len(), "clip")),
            ) {
                let clips = clips.into_iter().map(|(_, clip)| clip);
                studio.ask(Request::Export(Export {
                    files: files.into_iter().zip(clips).collect(),
                    preset: self.preset,
                    format: self.format,
                    folder: PathBuf::from(self.folder.trim()),
                    overwrite: Overwrite::Never,
                }));
                stays = false;
            }
            if ui.button("Browse folder…").clicked() {
                let mut chosen = self.clone();
                studio.pick(Pick::Folder, move |studio, paths| {
                    if let Some(path) = paths.into_iter().next() {
                        chosen.folder = path.display().to_string();
                        studio.dialog = Some(super::Dialog::Export(chosen));
                    }
                });
            }
            stays &= !ui.button("Cancel").clicked();
        });
        stays
    }
}

fn preview_ui(ui: &mut egui::Ui, files: &[String]) {
    const SHOWN: usize = 4;
    ui.add_space(4.0);
    for file in files.iter().take(SHOWN) {
        ui.weak(file);
    }
    if files.len() > SHOWN {
        ui.weak(format!("and {} more", files.len() - SHOWN));
    }
}
