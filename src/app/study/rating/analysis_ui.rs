//! What raters said: means with intervals, boxes, analysis of variance; and the ways in and out.

use std::path::Path;

use crate::app::shell::context::UiContext;
use crate::app::shell::dialogs::export::usual_folder;
use crate::app::shell::files::contents::Contents;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::name_button;
use crate::app::shell::words::counted;
use crate::app::study::rating::boxes_ui::boxes_ui;
use crate::app::study::rating::view::PathFor;
use crate::app::study::state::StudyWorkspace;
use crate::document::RatingStudy;
use crate::file::study_ratings;
use crate::file::study_report::{analysis_csv, analysis_page, number, verdict};
use crate::study::anova::{CONFIDENCE, Summary, summarise};
use crate::study::session::{Analysis, analyse};

/// Draws the analysis of what raters said.
pub(in crate::app) fn analysis_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    study: &mut StudyWorkspace,
) {
    let Some((_, chosen)) = study.chosen_study(cx) else {
        ui.weak("No study yet. Make one under Rating; what raters answer is analysed here.");
        return;
    };
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.strong(chosen.plan().title());
            let analyses = analyse(&chosen.ratings);
            match analyses.first() {
                Some(analysis) => found_ui(ui, cx, &chosen, analysis),
                None => {
                    ui.weak("Nobody has rated yet. Rate here, or send the study to raters and read their ratings.");
                }
            }
            ui.separator();
            pack_ui(ui, cx, study);
            ui.add_space(4.0);
            read_ui(ui, cx, study);
        });
}

fn found_ui(ui: &mut egui::Ui, cx: &mut UiContext, chosen: &RatingStudy, analysis: &Analysis) {
    ui.weak(format!(
        "{} {} of {}",
        analysis.experiment.question(),
        counted(analysis.n_ratings, "rating"),
        counted(analysis.n_raters, "rater")
    ));
    match &analysis.anova {
        Ok(anova) => {
            ui.add(egui::Label::new(egui::RichText::new(verdict(anova)).strong()).wrap());
        }
        Err(why) => {
            ui.colored_label(Colours::of(ui).warning, format!("No comparison: {why}."));
        }
    }
    let groups: Vec<Summary> = analysis.groups.iter().map(summarise).collect();
    let height = (0.42 * ui.available_height()).clamp(150.0, 320.0);
    boxes_ui(ui, &groups, height);
    ui.weak(format!(
        "Boxes: quartiles, median and its notch, whiskers to the last score within one and a half boxes. Dots: means with {:.0} % intervals.",
        100.0 * CONFIDENCE
    ));
    groups_ui(ui, &groups);
    export_ui(ui, cx, chosen, analysis);
}

fn groups_ui(ui: &mut egui::Ui, groups: &[Summary]) {
    egui::Grid::new("groups")
        .num_columns(6)
        .striped(true)
        .show(ui, |ui| {
            for head in [
                "Condition",
                "Ratings",
                "Mean",
                "Interval",
                "Deviation",
                "Median",
            ] {
                ui.weak(head);
            }
            ui.end_row();
            for group in groups {
                ui.label(&group.name);
                ui.label(group.n.to_string());
                ui.label(number(group.mean));
                let interval = group.interval.map_or_else(
                    || "–".to_owned(),
                    |(low, high)| format!("{} – {}", number(low), number(high)),
                );
                ui.label(interval);
                // One score does not scatter.
                ui.label(match group.n {
                    0 | 1 => "–".to_owned(),
                    _ => number(group.deviation),
                });
                ui.label(number(group.box_plot.median));
                ui.end_row();
            }
        });
}

fn export_ui(ui: &mut egui::Ui, cx: &mut UiContext, chosen: &RatingStudy, analysis: &Analysis) {
    ui.horizontal_wrapped(|ui| {
        let button = ui.button("Ratings CSV…");
        name_button(&button, "Export ratings");
        if button
            .on_hover_text("Writes every rating to a table")
            .clicked()
        {
            let table = study_ratings::write(&chosen.ratings);
            let table = String::from_utf8_lossy(&table).into_owned();
            cx.ask_where_to_write("ratings.csv", Contents::Text(table));
        }
        let button = ui.button("Analysis CSV…");
        name_button(&button, "Export the analysis");
        if button
            .on_hover_text("Writes means, intervals, boxes, F and p to a table")
            .clicked()
        {
            let table = analysis_csv(std::slice::from_ref(analysis));
            cx.ask_where_to_write("analysis.csv", Contents::Text(table));
        }
        let button = ui.button("Report…");
        name_button(&button, "Export the analysis as a report");
        if button
            .on_hover_text("Writes a page with the plot")
            .clicked()
        {
            let page = analysis_page(&analysis.study, std::slice::from_ref(analysis));
            cx.ask_where_to_write("analysis.html", Contents::Page(page));
        }
    });
}

/// Offers to pack a study as a page, for raters elsewhere.
fn pack_ui(ui: &mut egui::Ui, cx: &mut UiContext, study: &mut StudyWorkspace) {
    ui.label("Raters elsewhere: a folder with a page that runs in any browser");
    if study.rating.files.folder.is_empty() {
        let folder = Path::new(&usual_folder(cx)).join("study");
        study.rating.files.folder = folder.display().to_string();
    }
    ui.horizontal(|ui| {
        path_ui(ui, &mut study.rating.files.folder, "Study folder");
        browse_ui(ui, cx, study, PathFor::Pack);
        let is_named = !study.rating.files.folder.trim().is_empty();
        let button = ui.add_enabled(is_named, egui::Button::new("Pack the study"));
        let tip =
            "Writes the folder: page/ is for raters, key.csv and study.ron say what was shown";
        if button.on_hover_text(tip).clicked() {
            study.pack_study(cx);
        }
    });
    ui.checkbox(
        &mut study.rating.files.replaces,
        "Replace files that are there",
    );
}

/// Reads ratings that came back from raters.
fn read_ui(ui: &mut egui::Ui, cx: &mut UiContext, study: &mut StudyWorkspace) {
    ui.label("Their ratings: a CSV file, or a folder of them");
    ui.horizontal(|ui| {
        path_ui(ui, &mut study.rating.files.ratings, "Ratings file");
        browse_ui(ui, cx, study, PathFor::Ratings);
        let is_named = !study.rating.files.ratings.trim().is_empty();
        let button = ui.add_enabled(is_named, egui::Button::new("Read ratings"));
        let tip = "Adds the ratings to this study; they must go with what it shows";
        if button.on_hover_text(tip).clicked() {
            study.read_ratings(cx);
        }
    });
}

fn path_ui(ui: &mut egui::Ui, text: &mut String, name: &str) {
    let width = (ui.available_width() - 190.0).clamp(80.0, 400.0);
    let response = ui.add(egui::TextEdit::singleline(text).desired_width(width));
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, name);
        info.current_text_value = Some(text.clone());
        info
    });
}

fn browse_ui(ui: &mut egui::Ui, cx: &mut UiContext, study: &mut StudyWorkspace, what: PathFor) {
    let button = ui.button("Browse…");
    name_button(
        &button,
        match what {
            PathFor::Pack => "Browse for a study folder",
            PathFor::Ratings => "Browse for ratings",
        },
    );
    if button.clicked() {
        study.browse(cx, what);
    }
}
