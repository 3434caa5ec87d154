//! A path, typed or picked: works also where the system has no file dialog.

use std::path::PathBuf;

use super::dialog::{PathBox, PathPurpose};
use crate::app::shell::context::UiContext;
use crate::app::shell::dialogs::{Dialog, main_button};
use crate::app::shell::files::pick::Pick;
use crate::app::shell::requests::{Request, Then};
use crate::file::atomic::Overwrite;
use crate::file::project::Access;

impl PathBox {
    /// With this in the box.
    pub fn new(purpose: PathPurpose, text: String) -> Self {
        Self {
            purpose,
            text,
            has_focus: false,
        }
    }

    pub(in crate::app) fn path_ui(&mut self, ui: &mut egui::Ui, cx: &mut UiContext) -> bool {
        ui.weak(self.purpose.words());
        if self.purpose == PathPurpose::Import {
            ui.weak(if cx.is_on_wayland {
                "On Wayland nothing can be dropped on the window: type or pick a path here."
            } else {
                "Files and folders can also be dropped on the window."
            });
        }
        let label = ui.label("Path");
        let edit = egui::TextEdit::singleline(&mut self.text).desired_width(f32::INFINITY);
        let response = ui.add(edit).labelled_by(label.id);
        if !self.has_focus {
            response.request_focus();
            self.has_focus = true;
        }
        let is_entered =
            response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let mut stays = true;
        if self.purpose == PathPurpose::Import {
            let words = "Tag clips with the names of their folders";
            ui.checkbox(&mut cx.preferences.tags_folders, words)
                .on_hover_text("takes/walk/old/a.bvh gets the tags walk and old");
        }
        if self.purpose == PathPurpose::Open {
            stays &= !recent_ui(ui, cx);
        }
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            let is_filled = !self.text.trim().is_empty();
            if main_button(ui, is_filled, self.purpose.button()) || (is_entered && is_filled) {
                self.take(cx);
                stays = false;
            }
            self.browse_ui(ui, cx);
            if ui.button("Cancel").clicked() {
                cx.after_save = None;
                stays = false;
            }
        });
        stays
    }

    fn take(&self, cx: &mut UiContext) {
        let path = PathBuf::from(self.text.trim());
        cx.ask(match self.purpose {
            PathPurpose::Import => Request::Import(vec![path]),
            PathPurpose::Open => Request::Leave(Then::Open(path, Access::Write)),
            PathPurpose::SaveAs => Request::SaveAs(path, Overwrite::Never),
        });
    }

    fn browse_ui(&self, ui: &mut egui::Ui, cx: &mut UiContext) {
        let purpose = self.purpose;
        if purpose == PathPurpose::Import && ui.button("Browse files…").clicked() {
            cx.pick(Pick::Files, |shell, paths| {
                shell.dialog = None;
                shell.ask(Request::Import(paths));
            });
        }
        if ui.button("Browse folder…").clicked() {
            let file_name = PathBuf::from(self.text.trim());
            cx.pick(Pick::Folder, move |shell, paths| {
                let Some(mut path) = paths.into_iter().next() else {
                    return;
                };
                if purpose == PathPurpose::SaveAs
                    && let Some(name) = file_name.file_name()
                {
                    path.push(name);
                }
                let text = path.display().to_string();
                shell.dialog = Some(Dialog::Path(Self::new(purpose, text)));
            });
        }
    }
}

/// Whether one was chosen.
fn recent_ui(ui: &mut egui::Ui, cx: &mut UiContext) -> bool {
    let recent = cx.preferences.recent();
    let mut is_chosen = false;
    if !recent.projects().is_empty() {
        ui.add_space(6.0);
        ui.weak("Open before");
    }
    for project in recent.projects() {
        let path = project.folder.display().to_string();
        if ui.button(&project.name).on_hover_text(path).clicked() {
            let then = Then::Open(project.folder.clone(), Access::Write);
            cx.ask(Request::Leave(then));
            is_chosen = true;
        }
    }
    is_chosen
}
