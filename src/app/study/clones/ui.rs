//! The panel of the clone finder.

use std::sync::Arc;

use egui_extras::{Column, TableBuilder};

use crate::app::shell::context::UiContext;
use crate::app::shell::previews::Preview;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::name_button;
use crate::app::shell::ui::running::running_ui;
use crate::app::shell::words::{counted, slide_cm};
use crate::app::study::clones::{FIND, Found};
use crate::app::study::state::StudyWorkspace;
use crate::study::clones::{CloneKind, ClonePair, NEAR};

/// Draws the panel that finds repeated motion in a set.
pub(in crate::app) fn clones_ui(ui: &mut egui::Ui, cx: &mut UiContext, study: &mut StudyWorkspace) {
    order_ui(ui, cx, study);
    let Some(found) = study.clones.found.clone() else {
        ui.separator();
        ui.weak("Finds stretches that come again, in a long sequence or in a crowd of clips: at any place, in any direction, from any moment on, nearer than real people repeat themselves.");
        return;
    };
    ui.separator();
    summary_ui(ui, &found);
    ui.horizontal_wrapped(|ui| {
        ui.checkbox(&mut study.clones.shows_within, "Within clips, too")
            .on_hover_text("Steps of one walk are like each other; without them only one clip in another is listed");
        let was = study.clones.is_overlaid;
        ui.checkbox(&mut study.clones.is_overlaid, "Overlay the pair")
            .on_hover_text("Both on one spot instead of side by side");
        let played = study.clones.played.as_ref().map(|played| played.pair);
        if let Some(pair) = played {
            if was != study.clones.is_overlaid {
                study.play_pair(cx, pair);
            }
            if ui.button("Stop showing the pair").clicked() {
                study.clones.played = None;
            }
        }
    });
    pairs_ui(ui, cx, study, &found);
    if let Some(played) = &study.clones.played {
        cx.previews.wish(Preview::Instead(played.clips.clone()));
    }
}

fn order_ui(ui: &mut egui::Ui, cx: &mut UiContext, study: &mut StudyWorkspace) {
    if let Some(running) = cx.work.named(FIND) {
        running_ui(ui, running, "Cancel the search");
        return;
    }
    let names: Vec<String> = study.sets.sets.iter().map(|set| set.name.clone()).collect();
    let view = &mut study.clones;
    view.set.take_if(|name| !names.contains(name));
    let n = cx.session.selection.len();
    let selected = counted(n, "selected clip");
    let mut is_asked = false;
    ui.horizontal_wrapped(|ui| {
        egui::ComboBox::from_id_salt("clones in")
            .selected_text(view.set.as_deref().unwrap_or(&selected))
            .show_ui(ui, |ui| {
                ui.selectable_value(&mut view.set, None, &selected);
                for name in names {
                    ui.selectable_value(&mut view.set, Some(name.clone()), name);
                }
            });
        let label = ui.weak("nearer than").id;
        let near = egui::DragValue::new(&mut view.near)
            .range(0.0..=0.1)
            .speed(0.0002)
            .max_decimals(4)
            .suffix(" heights");
        ui.add(near).labelled_by(label).on_hover_text(format!(
            "{NEAR} of a body height, or {:.1} cm on a body of 1.75 m, is three quarters of the least that real walks differ by",
            slide_cm(NEAR)
        ));
        let is_ready = view.set.is_some() || n > 0;
        let button = ui.add_enabled(is_ready, egui::Button::new("Find clones"));
        is_asked = button
            .on_hover_text("Looks for motion that comes again, in the background")
            .clicked();
    });
    if is_asked {
        study.find_clones(cx);
    }
}

fn summary_ui(ui: &mut egui::Ui, found: &Found) {
    let report = &found.report;
    let n = counted(found.members.len(), "motion");
    ui.label(format!(
        "{} ({n}): {:.1} % of all {:.1}-second stretches come again",
        found.name,
        100.0 * report.share,
        report.window_secs
    ));
    if let Some(median) = report.median {
        ui.weak(format!(
            "median distance of a stretch from the nearest other one: {median:.4} heights, {:.1} cm on a body of 1.75 m",
            slide_cm(median)
        ));
    }
}

/// The list of pairs; a click plays one.
fn pairs_ui(ui: &mut egui::Ui, cx: &mut UiContext, study: &mut StudyWorkspace, found: &Arc<Found>) {
    let shows = |pair: &ClonePair| study.clones.shows_within || pair.first.clip != pair.second.clip;
    let pairs = found.report.clones.iter().enumerate();
    let pairs: Vec<(usize, &ClonePair)> = pairs.filter(|(_, pair)| shows(pair)).collect();
    if pairs.is_empty() {
        ui.weak("Nothing comes again.");
        return;
    }
    let played = study.clones.played.as_ref().map(|played| played.pair);
    let mut clicked = None;
    TableBuilder::new(ui)
        .striped(true)
        .sense(egui::Sense::click())
        .column(Column::exact(42.0))
        .column(Column::remainder().clip(true))
        .column(Column::remainder().clip(true))
        .column(Column::exact(58.0))
        .header(20.0, |mut head| {
            for words in ["Like", "First", "Again", "Distance"] {
                head.col(|ui| {
                    ui.weak(words);
                });
            }
        })
        .body(|body| {
            body.rows(20.0, pairs.len(), |mut row| {
                let (at, pair) = pairs[row.index()];
                row.set_selected(played == Some(at));
                row.col(|ui| kind_ui(ui, pair.kind));
                row.col(|ui| {
                    ui.label(found.words(&pair.first));
                });
                row.col(|ui| {
                    ui.label(found.words(&pair.second));
                });
                row.col(|ui| {
                    ui.label(format!("{:.4}", pair.distance));
                });
                let response = row.response();
                name_button(&response, &format!("Pair {at}"));
                if response.on_hover_text("Plays both side by side").clicked() {
                    clicked = Some(at);
                }
            });
        });
    if let Some(at) = clicked {
        study.play_pair(cx, at);
    }
}

fn kind_ui(ui: &mut egui::Ui, kind: CloneKind) {
    let colours = Colours::of(ui);
    match kind {
        CloneKind::Exact => ui.colored_label(colours.error, "copy"),
        CloneKind::Near => ui.colored_label(colours.warning, "near"),
    };
}
