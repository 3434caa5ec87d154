//! Questions and answers in windows of their own, one at a time.

pub(in crate::app) mod about;
mod buttons;
pub(in crate::app) mod dialog;
pub(in crate::app) mod export;
pub(in crate::app) mod file;
pub(in crate::app) mod guide;
pub(in crate::app) mod path;
pub(in crate::app) mod questions;
pub(in crate::app) mod recovery;
pub(in crate::app) mod report;
pub(in crate::app) mod shortcuts;
pub(in crate::app) mod strokes;

use crate::app::shell::context::UiContext;

pub(in crate::app::shell) use buttons::{is_entered, main_button};
pub use dialog::Dialog;

impl Dialog {
    fn title(&self) -> &'static str {
        match self {
            Self::Palette(_) => "Command palette",
            Self::Shortcuts { .. } => "Shortcuts",
            Self::Guide(_) => "Guide",
            Self::About => "About Kinfolk",
            Self::Path(path) => path.purpose.title(),
            Self::Export(_) => "Export clips",
            Self::Strokes(_) => "Export strokes",
            Self::File(file) => file.title(),
            Self::ImportReport => "Import report",
            Self::BoneMap(_) => "Bone map",
            Self::Resample { .. } => "Resample",
            Self::Replace { .. } => "Replace files?",
            Self::ReplaceProject { .. } => "Replace project?",
            Self::Unsaved { .. } => "Unsaved work",
            Self::InUse { .. } => "Project in use",
            Self::Recovery { .. } => "Recover unsaved work",
        }
    }

    const fn width(&self) -> f32 {
        match self {
            Self::BoneMap(_) => 1080.0,
            Self::ImportReport | Self::Shortcuts { .. } => 640.0,
            Self::Guide(_) => 900.0,
            Self::Recovery { .. } | Self::About => 560.0,
            Self::Export(_) | Self::Strokes(_) | Self::File(_) | Self::Path(_) => 520.0,
            _ => 440.0,
        }
    }

    fn dialog_ui(&mut self, ui: &mut egui::Ui, cx: &mut UiContext) -> bool {
        match self {
            Self::Palette(palette) => palette.palette_ui(ui, cx),
            Self::Shortcuts { listening } => shortcuts::shortcuts_ui(ui, cx, listening),
            Self::Guide(guide) => guide.guide_ui(ui),
            Self::About => about::about_ui(ui),
            Self::Path(path) => path.path_ui(ui, cx),
            Self::Export(export) => export.export_ui(ui, cx),
            Self::Strokes(strokes) => strokes.strokes_ui(ui, cx),
            Self::File(file) => file.file_ui(ui, cx),
            Self::ImportReport => report::report_ui(ui, cx),
            Self::BoneMap(map) => map.map_ui(ui, cx),
            Self::Resample { fps } => questions::resample_ui(ui, cx, fps),
            Self::Replace { export, existing } => questions::replace_ui(ui, cx, export, existing),
            Self::ReplaceProject { path } => questions::replace_project_ui(ui, cx, path),
            Self::Unsaved { then } => questions::unsaved_ui(ui, cx, then),
            Self::InUse { path, owner } => questions::in_use_ui(ui, cx, path, owner),
            Self::Recovery { found } => recovery::recovery_ui(ui, cx, found),
        }
    }
}

/// Draws the open dialog over everything else. Escape and a click beside it close it.
pub fn dialogs_ui(ctx: &egui::Context, cx: &mut UiContext) {
    let Some(mut dialog) = cx.dialog.take() else {
        return;
    };
    let frame = egui::Frame::popup(&ctx.global_style()).inner_margin(14);
    let modal = egui::Modal::new(egui::Id::unique("dialog")).frame(frame);
    let response = modal.show(ctx, |ui| {
        ui.set_width(dialog.width().min(ctx.content_rect().width() - 40.0));
        ui.heading(dialog.title());
        ui.add_space(4.0);
        dialog.dialog_ui(ui, cx)
    });
    let stays = response.inner && !response.should_close();
    // What was asked for may have opened another dialog, which then takes this one's place.
    if stays && cx.dialog.is_none() {
        cx.dialog = Some(dialog);
    }
}
