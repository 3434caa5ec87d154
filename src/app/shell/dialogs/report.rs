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
    let heights: Vec<f32> = order
        .iter()
        .enumerate()
        .map(|(at, file)| row_height(ui, at, file))
        .collect();
    TableBuilder::new(ui)
        .id_salt("import report")
        .striped(true)
        .max_scroll_height(360.0)
        .min_scrolled_height(360.0)
        .column(Column::exact(SIGNS))
        .column(Column::initial(NAMES).resizable(true).clip(true))
        .column(Column::remainder().clip(true))
        .body(|body| {
            body.heterogeneous_rows(heights.into_iter(), |mut row| {
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
                    let label = egui::Label::new(words.join("; ")).show_tooltip_when_elided(false);
                    let label = if file.result.is_err() {
                        label.wrap()
                    } else {
                        label.truncate()
                    };
                    ui.add(label).on_hover_text(words.join("\n"));
                });
            });
        });
    ui.add_space(6.0);
    !ui.button("Close").clicked()
}

const SIGNS: f32 = 22.0;
const NAMES: f32 = 190.0;

/// Why a file could not be read is told to its end, where there are not too many of them; notes take a line.
fn row_height(ui: &egui::Ui, at: usize, file: &FileReport) -> f32 {
    const MOST: usize = 200;
    let line = ui.text_style_height(&egui::TextStyle::Body);
    let height = match &file.result {
        Err(why) if at < MOST => {
            let gaps = 3.0 * ui.spacing().item_spacing.x;
            let wide = (ui.available_width() - SIGNS - NAMES - gaps).max(100.0);
            let font = egui::TextStyle::Body.resolve(ui.style());
            let colour = ui.visuals().text_color();
            let galley = ui
                .ctx()
                .fonts_mut(|fonts| fonts.layout(why.clone(), font, colour, wide));
            galley.size().y.min(4.0 * line)
        }
        _ => line,
    };
    height + 6.0
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
