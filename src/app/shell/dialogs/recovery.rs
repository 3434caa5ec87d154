//! What a crash left: newest first, with when, how much and where from.

use std::path::Path;

use crate::app::shell::context::UiContext;
use crate::app::shell::dialogs::main_button;
use crate::app::shell::requests::{Request, Then};
use crate::app::shell::words::{counted, data_size, moment};
use crate::file::project::Recovery;

/// Draws the list; whether the dialog stays open.
pub(in crate::app) fn recovery_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    found: &mut Vec<Recovery>,
) -> bool {
    let (older, newer): (Vec<&Recovery>, Vec<&Recovery>) =
        found.iter().partition(|recovery| recovery.is_superseded);
    let mut answer = None;
    egui::ScrollArea::vertical()
        .max_height(0.6 * ui.ctx().content_rect().height())
        .show(ui, |ui| {
            if !newer.is_empty() {
                ui.label("Kinfolk closed unexpectedly. This work was not saved:");
                list_ui(ui, &newer, &mut answer);
            }
            if !older.is_empty() {
                let title = format!("Older than what was saved since ({})", older.len());
                egui::CollapsingHeader::new(title)
                    .default_open(newer.is_empty())
                    .show(ui, |ui| list_ui(ui, &older, &mut answer));
            }
        });
    let mut stays = true;
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let later = ui.button("Ask again next time");
        stays &= !later.clicked();
        if ui.button("Discard all").clicked() {
            cx.ask(Request::Discard(found.clone()));
            stays = false;
        }
    });
    match answer {
        Some(Answer::Recover(recovery)) => {
            cx.ask(Request::Leave(Then::Recover(recovery)));
            return false;
        }
        Some(Answer::Discard(recovery)) => {
            found.retain(|other| *other != recovery);
            cx.ask(Request::Discard(vec![recovery]));
        }
        None => {}
    }
    stays && !found.is_empty()
}

enum Answer {
    Recover(Recovery),
    Discard(Recovery),
}

fn list_ui(ui: &mut egui::Ui, found: &[&Recovery], answer: &mut Option<Answer>) {
    for recovery in found {
        ui.separator();
        ui.horizontal(|ui| {
            ui.strong(&recovery.name);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let name = format!("Recover {}", recovery.name);
                let discard = ui.button("Discard");
                discard.widget_info(|| {
                    let words = format!("Discard {}", recovery.name);
                    egui::WidgetInfo::labeled(egui::Role::Button, true, words)
                });
                if discard.clicked() {
                    *answer = Some(Answer::Discard((*recovery).clone()));
                }
                if main_button(ui, true, &name) {
                    *answer = Some(Answer::Recover((*recovery).clone()));
                }
            });
        });
        ui.weak(about(recovery));
    }
}

fn about(recovery: &Recovery) -> String {
    let place = recovery.project.as_deref().map(Path::display);
    format!(
        "{}; {}, {}; {}",
        moment(recovery.written_unix_secs),
        counted(recovery.n_clips, "clip"),
        data_size(recovery.n_bytes),
        place.map_or_else(|| "never saved".to_owned(), |place| place.to_string()),
    )
}
