//! Where one file is written to: a table or a picture that a panel made.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::dialog::FileBox;
use crate::app::shell::context::UiContext;
use crate::app::shell::dialogs::export::usual_folder;
use crate::app::shell::dialogs::main_button;
use crate::app::shell::files::contents::Contents;
use crate::app::shell::files::pick::Pick;
use crate::file::atomic::Overwrite;

impl FileBox {
    /// For a file of this name in the usual folder.
    pub fn new(cx: &UiContext, name: &str, contents: Contents) -> Self {
        let path = PathBuf::from(usual_folder(cx)).join(name);
        Self::at(&path, Arc::new(contents))
    }

    /// A dialog that starts with this path.
    pub(in crate::app) fn at(path: &Path, contents: Arc<Contents>) -> Self {
        Self {
            path: path.display().to_string(),
            contents,
            is_there: false,
            has_focus: false,
        }
    }

    pub(in crate::app) fn title(&self) -> &'static str {
        match *self.contents {
            Contents::Text(_) => "Export table",
            Contents::Page(_) => "Export report",
            Contents::Picture(_) => "Export picture",
        }
    }

    pub(in crate::app) fn file_ui(&mut self, ui: &mut egui::Ui, cx: &mut UiContext) -> bool {
        let label = ui.label("File");
        let edit = egui::TextEdit::singleline(&mut self.path).desired_width(f32::INFINITY);
        let response = ui.add(edit).labelled_by(label.id);
        if !self.has_focus {
            response.request_focus();
            self.has_focus = true;
        }
        // Another name, another question.
        self.is_there &= !response.changed();
        let is_entered =
            response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        if self.is_there {
            ui.colored_label(
                ui.visuals().warn_fg_color,
                "There is a file of this name already.",
            );
        }
        ui.add_space(6.0);
        let mut stays = true;
        ui.horizontal(|ui| {
            let path = PathBuf::from(self.path.trim());
            let is_ready = path.file_name().is_some();
            let (words, overwrite) = if self.is_there {
                ("Replace file", Overwrite::Replace)
            } else {
                ("Write file", Overwrite::Never)
            };
            if main_button(ui, is_ready, words) || (is_entered && is_ready) {
                cx.write_file(path.clone(), Arc::clone(&self.contents), overwrite);
                stays = false;
            }
            if ui.button("Browse folder…").clicked() {
                let contents = Arc::clone(&self.contents);
                cx.pick(Pick::Folder, move |shell, folders| {
                    if let (Some(folder), Some(name)) = (folders.first(), path.file_name()) {
                        let dialog = Self::at(&folder.join(name), contents);
                        shell.dialog = Some(crate::app::shell::dialogs::Dialog::File(dialog));
                    }
                });
            }
            stays &= !ui.button("Cancel").clicked();
        });
        stays
    }
}
