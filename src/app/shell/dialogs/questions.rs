//! Short questions. Each says what will happen with either answer; returns whether it stays open.

use std::path::Path;

use crate::app::shell::clips::operations::Operation;
use crate::app::shell::context::UiContext;
use crate::app::shell::dialogs::{is_entered, main_button};
use crate::app::shell::files::order::Export;
use crate::app::shell::requests::Request;
use crate::app::shell::requests::Then;
use crate::app::shell::words::counted;
use crate::file::atomic::Overwrite;
use crate::file::project::Access;

pub(in crate::app) fn resample_ui(ui: &mut egui::Ui, cx: &mut UiContext, fps: &mut f64) -> bool {
    let n = counted(cx.session.selection.len(), "clip");
    ui.horizontal(|ui| {
        let label = ui.label("Frames per second");
        ui.add(egui::DragValue::new(fps).range(1.0..=1000.0).speed(0.5))
            .labelled_by(label.id);
        for usual in [24.0, 25.0, 30.0, 60.0, 120.0] {
            ui.selectable_value(fps, usual, format!("{usual}"));
        }
    });
    answers_ui(ui, &format!("Resample {n}"), || {
        cx.ask(Request::Operate(Operation::Resample { fps: *fps }));
    })
}

pub(in crate::app) fn replace_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    export: &Export,
    existing: &[String],
) -> bool {
    const SHOWN: usize = 8;
    let n = counted(existing.len(), "file");
    let folder = export.folder.display();
    ui.label(format!(
        "{n} would be replaced in {folder}. Nothing was written yet."
    ));
    for file in existing.iter().take(SHOWN) {
        ui.weak(file);
    }
    if existing.len() > SHOWN {
        ui.weak(format!("and {} more", existing.len() - SHOWN));
    }
    answers_ui(ui, &format!("Replace {n}"), || {
        cx.ask(Request::Export(Export {
            overwrite: Overwrite::Replace,
            ..export.clone()
        }));
    })
}

pub(in crate::app) fn replace_project_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    path: &Path,
) -> bool {
    ui.label(format!(
        "There is a project in {} already. Replacing it cannot be undone.",
        path.display()
    ));
    answers_ui(ui, "Replace the project", || {
        cx.ask(Request::SaveAs(path.to_owned(), Overwrite::Replace));
    })
}

pub(in crate::app) fn unsaved_ui(ui: &mut egui::Ui, cx: &mut UiContext, then: &Then) -> bool {
    let name = cx.document().name();
    ui.label(format!("\"{name}\" has changes that are not saved."));
    ui.add_space(6.0);
    let mut stays = true;
    ui.horizontal(|ui| {
        if main_button(ui, true, "Save") || is_entered(ui) {
            cx.ask(Request::SaveThen(then.clone()));
            stays = false;
        }
        if ui.button("Discard changes").clicked() {
            cx.ask(Request::LeaveUnsaved(then.clone()));
            stays = false;
        }
        stays &= !ui.button("Cancel").clicked();
    });
    stays
}

pub(in crate::app) fn in_use_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    path: &Path,
    owner: &str,
) -> bool {
    ui.label(format!("{} is open already: {owner}.", path.display()));
    ui.weak(
        "You can look at it meanwhile. If you take it over, the other window cannot save it any more.",
    );
    ui.add_space(6.0);
    let mut stays = true;
    ui.horizontal(|ui| {
        let open = |access| Request::LeaveUnsaved(Then::Open(path.to_owned(), access));
        if main_button(ui, true, "Open read-only") {
            cx.ask(open(Access::Read));
            stays = false;
        }
        if ui.button("Take over").clicked() {
            cx.ask(open(Access::TakeOver));
            stays = false;
        }
        stays &= !ui.button("Cancel").clicked();
    });
    stays
}

/// The one button that does it, and one that does not.
fn answers_ui(ui: &mut egui::Ui, yes: &str, act: impl FnOnce()) -> bool {
    ui.add_space(6.0);
    let mut stays = true;
    ui.horizontal(|ui| {
        if main_button(ui, true, yes) {
            act();
            stays = false;
        }
        stays &= !ui.button("Cancel").clicked();
    });
    stays
}
