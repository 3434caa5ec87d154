//! What became of every file of an import.

use egui_extras::{Column, TableBuilder};
use egui_material_icons::icons::{ICON_BUILD, ICON_CHECK_CIRCLE, ICON_ERROR};

use crate::app::shell::context::UiContext;
use crate::app::shell::files::import_report::FileReport;
use crate::app::shell::theme::Colours;
use crate::app::shell::words::counted;

pub(in crate::app) fn report_ui(ui: &mut egui::Ui, cx: &UiContext) -> bool {
    let Some(report) = &cx.last_import else {
        return false;
    };
    let n_read = report.files.len() - report.n_failed();
    ui.label(format!(
        "{} read, {} repaired while reading, {} could not be read",
        counted(n_read, "file"),
        report.n_mended(),
        report.n_failed()
    ));
    ui.add_space(6.0);
    // Those that need a look come first.
    let mut order: Vec<&FileReport> = report.files.iter().collect();
    order.sort_by_key(|file| seriousness(file));
    let height = ui.text_style_height(&egui::TextStyle::Body) + 6.0;
    TableBuilder::new(ui)
        .id_salt("import report")
        .striped(true)
        .max_scroll_height(360.0)
        .min_scrolled_height(360.0)
        .column(Column::exact(22.0))
        .column(Column::initial(190.0).resizable(true).clip(true))
        .column(Column::remainder().clip(true))
        .body(|body| {
            body.rows(height, order.len(), |mut row| {
                let file = order[row.index()];
                row.col(|ui| sign_ui(ui, file));
                row.col(|ui| {
                    let name = file.path.file_name().unwrap_or(file.path.as_os_str());
                    let words = name.to_string_lossy();
                    ui.label(words)
                        .on_hover_text(file.path.display().to_string());
                });
                row.col(|ui| {
                    let words = words_of(file);
                    ui.add(
                        egui::Label::new(words.join("; "))
                            .truncate()
                            .show_tooltip_when_elided(false),
                    )
                    .on_hover_text(words.join("\n"));
                });
            });
        });
    ui.add_space(6.0);
    !ui.button("Close").clicked()
}

/// The more serious, the smaller.
fn seriousness(file: &FileReport) -> u8 {
    match &file.result {
        Err(_) => 0,
        Ok(imported) if imported.is_mended() => 1,
        Ok(_) => 2,
    }
}

fn sign_ui(ui: &mut egui::Ui, file: &FileReport) {
    let colours = Colours::of(ui);
    let (icon, colour) = match seriousness(file) {
        0 => (ICON_ERROR, colours.error),
        1 => (ICON_BUILD, colours.warning),
        _ => (ICON_CHECK_CIRCLE, colours.good),
    };
    ui.label(icon.rich_text().color(colour));
}

fn words_of(file: &FileReport) -> Vec<String> {
    match &file.result {
        Err(why) => vec![why.clone()],
        Ok(imported) => imported.notes().iter().map(ToString::to_string).collect(),
    }
}
