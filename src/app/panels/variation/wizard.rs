//! The similarity wizard: clips that are known to go together say which other clips go with them.

use std::sync::Arc;

use egui::{Align2, FontId, Sense, Stroke, pos2, vec2};
use egui_material_icons::icons::{ICON_CHECK_CIRCLE, ICON_DO_NOT_DISTURB_ON};

use super::choose::{choose_ui, list_ui};
use crate::app::studio::{Studio, counted};
use crate::app::theme::Colours;
use crate::app::work::variation::similar::{Findings, SIMILAR, Step};
use crate::document::ClipId;
use crate::motion::Clip;

/// Fewer say nothing about how much clips of one kind differ.
const FEWEST_KNOWN: usize = 3;

/// Draws the panel.
pub fn similar_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    let has_findings = studio.variation.wizard.findings.is_some();
    ui.horizontal_wrapped(|ui| {
        for step in Step::ALL {
            let is_open = studio.variation.wizard.step == step;
            let is_there = step < Step::Run || has_findings;
            let button = egui::Button::selectable(is_open, step.name());
            if ui.add_enabled(is_there, button).clicked() {
                studio.variation.wizard.step = step;
            }
        }
    });
    ui.separator();
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| match studio.variation.wizard.step {
            Step::Known => known_ui(ui, studio),
            Step::Candidates => candidates_ui(ui, studio),
            Step::Run | Step::Result => findings_ui(ui, studio),
        });
}

fn known_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    ui.weak("Clips that you know to go together, such as eight cycles of one walk. They say how much clips of one kind may differ.");
    if let Some(chosen) = choose_ui(ui, studio, "known") {
        studio.variation.wizard.known = chosen;
    }
    let clips = studio.clips_of(&studio.variation.wizard.known);
    if let Some(out) = list_ui(ui, &clips) {
        studio.variation.wizard.known.retain(|id| *id != out);
    }
    if clips.len() < FEWEST_KNOWN {
        ui.weak(format!(
            "At least {FEWEST_KNOWN} are needed; eight are good."
        ));
    }
    let next = ui.add_enabled(
        clips.len() >= FEWEST_KNOWN,
        egui::Button::new("Next: candidates"),
    );
    if next.clicked() {
        studio.variation.wizard.step = Step::Candidates;
    }
}

fn candidates_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    ui.weak("Clips to choose from. Those that are known already are left out.");
    if let Some(chosen) = choose_ui(ui, studio, "candidates") {
        studio.variation.wizard.candidates = chosen;
    }
    let known = &studio.variation.wizard.known;
    let mut clips: Vec<(ClipId, Arc<Clip>)> = studio.clips_of(&studio.variation.wizard.candidates);
    clips.retain(|(id, _)| !known.contains(id));
    let n_known = studio.clips_of(known).len();
    if let Some(out) = list_ui(ui, &clips) {
        studio.variation.wizard.candidates.retain(|id| *id != out);
    }
    let can_run = n_known >= FEWEST_KNOWN && !clips.is_empty();
    let is_running = studio.work.is_running(SIMILAR);
    let words = format!("Compare {}", counted(clips.len(), "candidate"));
    let button = ui.add_enabled(can_run && !is_running, egui::Button::new(words));
    if button
        .on_hover_text("Drops the least likely one, again and again, until all that are left fit")
        .clicked()
    {
        studio.find_similar();
    }
}

fn findings_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    let Some(findings) = studio.variation.wizard.findings.clone() else {
        return;
    };
    match studio.work.named(SIMILAR) {
        Some(running) => {
            ui.horizontal(|ui| {
                let bar = egui::ProgressBar::new(running.progress() as f32);
                ui.add(bar.desired_width(140.0).show_percentage());
                if ui.button("Cancel comparing").clicked() {
                    running.cancel();
                }
            });
        }
        None if !findings.is_over => {
            ui.weak("It was stopped before it ended; what is below is not the result.");
        }
        None => {}
    }
    let Some(selection) = &findings.selection else {
        ui.weak("Comparing the known clips with each other…");
        return;
    };
    let n_rounds = selection.rounds.len();
    ui.label(format!(
        "Round {n_rounds}; {} in, {} dropped",
        counted(selection.kept.len(), "candidate"),
        selection.dropped.len()
    ));
    plot_ui(ui, &findings);
    if findings.is_over {
        ui.horizontal_wrapped(|ui| {
            let tip = "The known clips and the candidates that fit";
            if ui
                .button("Keep these as a set")
                .on_hover_text(tip)
                .clicked()
            {
                studio.keep_similar();
            }
            let tip = "They become the takes of a model";
            if ui.button("Learn from these").on_hover_text(tip).clicked() {
                studio.learn_from_similar();
            }
        });
    }
    table_ui(ui, studio, &findings);
}

/// Likelihood of every clip against the threshold: the known ones above as a row of dots, the candidates below.
fn plot_ui(ui: &mut egui::Ui, findings: &Findings) {
    let Some(selection) = &findings.selection else {
        return;
    };
    let judged: Vec<(f64, bool)> = (0..findings.candidates.len())
        .filter_map(|candidate| findings.verdict(candidate))
        .map(|(judged, round)| (judged.likelihood, round.is_none()))
        .collect();
    let all = selection.reference.iter().map(|known| known.1);
    let all = all
        .chain(judged.iter().map(|j| j.0))
        .chain([selection.threshold]);
    let all = all.filter(|likelihood| likelihood.is_finite());
    let (low, high) = all.fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
    let size = vec2(ui.available_width(), 92.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Likelihoods"));
    let colours = Colours::of(ui);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, colours.sunken);
    let inner = rect.shrink2(vec2(12.0, 20.0));
    let wide = (high - low).max(1e-9);
    let across = |likelihood: f64| {
        let share = ((likelihood - low) / wide).clamp(0.0, 1.0) as f32;
        inner.left() + inner.width() * share
    };
    let threshold = across(selection.threshold);
    let line = [
        pos2(threshold, rect.top() + 14.0),
        pos2(threshold, rect.bottom() - 12.0),
    ];
    painter.extend(egui::Shape::dashed_line(
        &line,
        Stroke::new(1.0, colours.weak),
        4.0,
        3.0,
    ));
    for (_, likelihood) in &selection.reference {
        let at = pos2(across(*likelihood), inner.top() + 6.0);
        painter.circle_filled(at, 3.0, colours.given.gamma_multiply(0.6));
    }
    for (likelihood, is_in) in judged {
        let at = pos2(across(likelihood), inner.bottom() - 6.0);
        if is_in {
            painter.circle_filled(at, 4.0, colours.good);
        } else {
            // A cross, so that it is not colour alone.
            let stroke = Stroke::new(1.5, colours.error);
            painter.line_segment([at + vec2(-3.5, -3.5), at + vec2(3.5, 3.5)], stroke);
            painter.line_segment([at + vec2(-3.5, 3.5), at + vec2(3.5, -3.5)], stroke);
        }
    }
    let font = FontId::proportional(11.0);
    let corner = |at, align, words: &str| {
        painter.text(at, align, words, font.clone(), colours.weak);
    };
    corner(
        rect.left_top() + vec2(4.0, 1.0),
        Align2::LEFT_TOP,
        "known clips",
    );
    corner(
        rect.left_bottom() + vec2(4.0, -1.0),
        Align2::LEFT_BOTTOM,
        "candidates; likelier to the right",
    );
    let words = format!("threshold {:.2}", selection.threshold);
    corner(
        pos2(threshold, rect.top() + 1.0),
        Align2::CENTER_TOP,
        &words,
    );
}

/// One line for each candidate; under those that were dropped the reason, over the whole width.
fn table_ui(ui: &mut egui::Ui, studio: &mut Studio, findings: &Findings) {
    let colours = Colours::of(ui);
    for (candidate, (id, clip)) in findings.candidates.iter().enumerate() {
        let verdict = findings.verdict(candidate);
        let dropped = verdict.and_then(|(judged, round)| Some((judged, round?)));
        let (sign, colour) = if dropped.is_some() {
            (ICON_DO_NOT_DISTURB_ON, colours.error)
        } else {
            (ICON_CHECK_CIRCLE, colours.good)
        };
        ui.horizontal(|ui| {
            ui.label(sign.rich_text().color(colour));
            let name = ui.add(egui::Button::selectable(false, &clip.info.name));
            if name.on_hover_text("Selects it").clicked() {
                studio.session.select([*id]);
                studio.show_from_start();
            }
            let words = match (verdict, dropped) {
                (None, _) => "…".to_owned(),
                (Some((judged, _)), None) => format!("{:.2}, fits", judged.likelihood),
                (_, Some((judged, round))) => {
                    format!("{:.2}, dropped in round {round}", judged.likelihood)
                }
            };
            ui.label(words)
                .on_hover_text("Likelihood against the known clips");
        });
        if let Some((judged, _)) = dropped {
            ui.indent(("reason", candidate), |ui| {
                let words = format!("unlikely: {}", findings.reasons(judged));
                ui.add(egui::Label::new(egui::RichText::new(words).weak()).wrap());
            });
        }
    }
}
