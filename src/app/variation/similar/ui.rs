//! The similarity wizard: clips that are known to go together say which other clips go with them.

use std::sync::Arc;

use egui_material_icons::icons::{
    ICON_CHECK_CIRCLE, ICON_DO_NOT_DISTURB_ON, ICON_HELP, ICON_PENDING,
};

use crate::app::shell::context::UiContext;
use crate::app::shell::retarget::offer_ui::one_skeleton_ui;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::choose::{choose_ui, list_ui};
use crate::app::shell::ui::running::running_ui;
use crate::app::shell::words::counted;
use crate::app::variation::similar::likelihoods_ui::{Standing, likelihoods_ui};
use crate::app::variation::similar::{Findings, SIMILAR, Step};
use crate::app::variation::state::{Request, VariationWorkspace};
use crate::document::ClipId;
use crate::motion::Clip;

/// Fewer say nothing about how much clips of one kind differ.
const FEWEST_KNOWN: usize = 3;

/// Draws the wizard, step by step.
pub(in crate::app) fn similar_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
) {
    let has_findings = variation.wizard.findings.is_some();
    ui.horizontal_wrapped(|ui| {
        for step in Step::ALL {
            let is_open = variation.wizard.step == step;
            let is_there = step < Step::Run || has_findings;
            let button = egui::Button::selectable(is_open, step.name());
            if ui.add_enabled(is_there, button).clicked() {
                variation.wizard.step = step;
            }
        }
    });
    ui.separator();
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| match variation.wizard.step {
            Step::Known => known_ui(ui, cx, variation),
            Step::Candidates => candidates_ui(ui, cx, variation),
            Step::Run | Step::Result => findings_ui(ui, cx, variation),
        });
}

fn known_ui(ui: &mut egui::Ui, cx: &mut UiContext, variation: &mut VariationWorkspace) {
    ui.weak("Clips that you know to go together, such as eight cycles of one walk. They say how much clips of one kind may differ.");
    if let Some(chosen) = choose_ui(ui, cx, "known") {
        variation.wizard.known = chosen;
    }
    let clips = VariationWorkspace::clips_of(cx, &variation.wizard.known);
    let is_refused = one_skeleton_ui(ui, cx, &clips);
    if clips.len() < FEWEST_KNOWN {
        ui.weak(format!(
            "Select them under Clips. At least {FEWEST_KNOWN} are needed; eight are good."
        ));
    }
    // Above the list, so that it is seen however long that is.
    let next = ui.add_enabled(
        clips.len() >= FEWEST_KNOWN && !is_refused,
        egui::Button::new("Next: candidates"),
    );
    if next.clicked() {
        variation.wizard.step = Step::Candidates;
    }
    if let Some(out) = list_ui(ui, &clips) {
        variation.wizard.known.retain(|id| *id != out);
    }
}

fn candidates_ui(ui: &mut egui::Ui, cx: &mut UiContext, variation: &mut VariationWorkspace) {
    ui.weak("Clips to choose from. Those that are known already are left out.");
    if let Some(chosen) = choose_ui(ui, cx, "candidates") {
        variation.wizard.candidates = chosen;
    }
    let known = &variation.wizard.known;
    let mut clips: Vec<(ClipId, Arc<Clip>)> =
        VariationWorkspace::clips_of(cx, &variation.wizard.candidates);
    clips.retain(|(id, _)| !known.contains(id));
    let mut all = VariationWorkspace::clips_of(cx, known);
    let n_known = all.len();
    all.extend(clips.iter().cloned());
    let is_refused = one_skeleton_ui(ui, cx, &all);
    if n_known < FEWEST_KNOWN {
        ui.weak(format!("First choose {FEWEST_KNOWN} or more known ones."));
    } else if clips.is_empty() {
        ui.weak("Select them under Clips, all of them if you like.");
    }
    let can_run = n_known >= FEWEST_KNOWN && !clips.is_empty() && !is_refused;
    let is_running = cx.work.is_running(SIMILAR);
    let words = format!("Compare {}", counted(clips.len(), "candidate"));
    let button = ui.add_enabled(can_run && !is_running, egui::Button::new(words));
    if button
        .on_hover_text("Drops the least likely one, again and again, until all that are left fit")
        .clicked()
    {
        variation.find_similar(cx);
    }
    if let Some(out) = list_ui(ui, &clips) {
        variation.wizard.candidates.retain(|id| *id != out);
    }
}

fn findings_ui(ui: &mut egui::Ui, cx: &mut UiContext, variation: &mut VariationWorkspace) {
    let Some(findings) = variation.wizard.findings.clone() else {
        return;
    };
    match cx.work.named(SIMILAR) {
        Some(running) => {
            running_ui(ui, running, "Cancel comparing");
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
    ui.label(if findings.is_over {
        let rounds = counted(n_rounds, "round");
        let (n_in, n_all) = (findings.n_in(), findings.candidates.len());
        let kept = counted(n_in, "candidate");
        format!("After {rounds}: {kept} kept, {} dropped", n_all - n_in)
    } else {
        let kept = counted(selection.kept.len(), "candidate");
        let n_dropped = selection.dropped.len();
        format!("Round {n_rounds}: {kept} in, {n_dropped} dropped so far")
    });
    likelihoods_ui(ui, &findings);
    if findings.is_over {
        ui.horizontal_wrapped(|ui| {
            let tip = "The known clips and the ticked candidates";
            if ui
                .button("Keep these as a set")
                .on_hover_text(tip)
                .clicked()
            {
                variation.requests.ask(Request::KeepSimilar);
            }
            let tip = "The known clips and the ticked candidates become the takes of a model, which is learned at once";
            if ui.button("Learn from these").on_hover_text(tip).clicked() {
                variation.learn_from_similar(cx);
            }
        });
    }
    if let Some((candidate, is_in)) = table_ui(ui, cx, &findings)
        && let Some(findings) = &mut variation.wizard.findings
    {
        findings.overrule(candidate, is_in);
    }
}

/// One line for each candidate; under those that were dropped the reason, over the whole width. The one that was ticked
/// or unticked.
fn table_ui(ui: &mut egui::Ui, cx: &mut UiContext, findings: &Findings) -> Option<(usize, bool)> {
    let colours = Colours::of(ui);
    let mut overruled = None;
    for (candidate, (id, clip)) in findings.candidates.iter().enumerate() {
        let verdict = findings.verdict(candidate);
        let dropped = verdict.and_then(|(_, dropped)| dropped);
        let standing = Standing::of(findings, dropped);
        let sign = match standing {
            Standing::Fits => ICON_CHECK_CIRCLE,
            Standing::Open => ICON_PENDING,
            Standing::NearMiss => ICON_HELP,
            Standing::Dropped => ICON_DO_NOT_DISTURB_ON,
        };
        ui.horizontal(|ui| {
            if findings.is_over {
                let mut is_in = findings.is_in(candidate);
                let tick = ui.checkbox(&mut is_in, "");
                tick.widget_info(|| {
                    let words = format!("Keep candidate {}", clip.info.name);
                    egui::WidgetInfo::selected(egui::Role::CheckBox, true, is_in, words)
                });
                if tick.on_hover_text("In the result or not").changed() {
                    overruled = Some((candidate, is_in));
                }
            }
            ui.label(sign.rich_text().color(standing.colour(&colours)));
            let name = ui.add(egui::Button::selectable(false, &clip.info.name));
            if name.on_hover_text("Selects it").clicked() {
                cx.session.select([*id]);
                cx.show_from_start();
            }
            let words = match (verdict, dropped) {
                (None, _) => "…".to_owned(),
                (Some((judged, _)), None) if findings.is_over => {
                    format!("{:.2}, fits", judged.likelihood)
                }
                (Some((judged, _)), None) => format!("{:.2} so far", judged.likelihood),
                (Some((judged, _)), Some(dropped)) if dropped.is_near => {
                    format!("{:.2}, near miss", judged.likelihood)
                }
                (Some((judged, _)), Some(dropped)) => {
                    format!("{:.2}, out in round {}", judged.likelihood, dropped.round)
                }
            };
            ui.label(words)
                .on_hover_text("Likelihood against the known clips");
        });
        if let Some(dropped) = dropped {
            ui.indent(("reason", candidate), |ui| {
                let words = findings.reasons(dropped);
                ui.add(egui::Label::new(egui::RichText::new(words).weak()).wrap());
            });
        }
    }
    overruled
}
