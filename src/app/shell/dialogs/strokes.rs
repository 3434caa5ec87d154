//! Where strokes are written to.

use std::path::PathBuf;
use std::sync::Arc;

use super::dialog::StrokesBox;
use crate::app::shell::context::UiContext;
use crate::app::shell::dialogs::export::{preview_ui, usual_folder};
use crate::app::shell::dialogs::{is_entered, main_button};
use crate::app::shell::files::naming::file_names;
use crate::app::shell::files::order::{Export, Piece};
use crate::app::shell::requests::Request;
use crate::app::shell::words::counted;
use crate::file::atomic::Overwrite;
use crate::file::export::Format;
use crate::motion::Stroke;

impl StrokesBox {
    /// A dialog that writes these strokes.
    pub fn with(cx: &UiContext, strokes: Vec<Arc<Stroke>>) -> Self {
        Self {
            folder: usual_folder(cx),
            strokes,
        }
    }

    pub(in crate::app) fn strokes_ui(&mut self, ui: &mut egui::Ui, cx: &mut UiContext) -> bool {
        ui.weak("Each stroke becomes a CSV file with the columns t (seconds), x and y.");
        let label = ui.label("Folder");
        let edit = egui::TextEdit::singleline(&mut self.folder).desired_width(f32::INFINITY);
        ui.add(edit).labelled_by(label.id);
        let names = self.strokes.iter().map(|stroke| stroke.name());
        let files = file_names(names, Format::Csv.ending());
        preview_ui(ui, &files, false);
        ui.add_space(6.0);
        let mut stays = true;
        ui.horizontal(|ui| {
            let is_ready = !self.folder.trim().is_empty();
            let words = format!("Export {}", counted(files.len(), "stroke"));
            if main_button(ui, is_ready, &words) || (is_ready && is_entered(ui)) {
                let strokes = self.strokes.iter().map(|s| Piece::Stroke(Arc::clone(s)));
                cx.ask(Request::Export(Export {
                    files: files.into_iter().zip(strokes).collect(),
                    preset: None,
                    format: Format::Csv,
                    fps: None,
                    onto: None,
                    is_in_place: false,
                    has_manifest: false,
                    folder: PathBuf::from(self.folder.trim()),
                    overwrite: Overwrite::Never,
                    columns: None,
                }));
                stays = false;
            }
            stays &= !ui.button("Cancel").clicked();
        });
        stays
    }
}
