//! Edges by hand: what is tried, what it would bring, and the way to add one.

use std::sync::Arc;

use super::graph::{Graph, Line};
use crate::app::studio::Studio;
use crate::app::theme::Colours;
use crate::app::work::variation::network::{Link, Network, TRY};
use crate::variation::ClipModel;

/// An edge that is being chosen.
#[derive(Debug, Default)]
pub(super) struct Adding {
    filter: String,
    /// t instead of t+1; in the prior network the change instead of the first frame.
    is_other: bool,
}

/// What is being tried, what was, or why it cannot be; nothing if nothing is.
pub(super) fn trial_ui(ui: &mut egui::Ui, studio: &mut Studio, model: &Arc<ClipModel>) {
    let dofs = model.chart().dofs();
    let colours = Colours::of(ui);
    if let Some(refusal) = studio.variation.network.refusal.clone() {
        card_ui(ui, |ui| {
            ui.colored_label(colours.warning, format!("Refused: {refusal}"));
            if ui.button("All right").clicked() {
                studio.variation.network.refusal = None;
            }
        });
        return;
    }
    let running = studio.work.named(TRY);
    let running = running.map(|running| (running.progress(), running.told()));
    if let (Some(link), Some((progress, told))) = (studio.variation.network.trying, running) {
        let is_there = link.is_in(model.model().structure());
        card_ui(ui, |ui| {
            ui.label(words(link, !is_there, dofs));
            if let [before, after] = told[..] {
                scores_ui(ui, before, after);
            }
            ui.horizontal(|ui| {
                ui.add(egui::ProgressBar::new(progress as f32).desired_width(140.0));
                if ui.button("Cancel the trial").clicked() {
                    studio.drop_trial();
                }
            });
        });
        return;
    }
    let Some(trial) = studio.variation.network.trial.clone() else {
        return;
    };
    let is_current = studio
        .chosen_model()
        .is_some_and(|(id, model)| trial.is_of(id, &model));
    if !is_current {
        studio.variation.network.trial = None;
        return;
    }
    card_ui(ui, |ui| {
        ui.label(words(trial.link, trial.adds, dofs));
        scores_ui(ui, trial.before, trial.after);
        ui.horizontal(|ui| {
            let fill = ui.visuals().selection.bg_fill;
            let apply = ui.add(egui::Button::new("Apply edge").fill(fill));
            let tip = "Puts the changed model in the place of the old one; undo brings it back. The variant you look at follows; the list of variants offers to make the others again";
            if apply.on_hover_text(tip).clicked() {
                studio.apply_trial();
            }
            if ui.button("Discard edge").clicked() {
                studio.drop_trial();
            }
        });
    });
}

fn card_ui(ui: &mut egui::Ui, add: impl FnOnce(&mut egui::Ui)) {
    let colours = Colours::of(ui);
    egui::Frame::NONE
        .fill(colours.raised)
        .stroke(egui::Stroke::new(1.0, colours.line))
        .corner_radius(4.0)
        .inner_margin(6.0)
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            add(ui);
        });
}

fn words(link: Link, adds: bool, dofs: &[crate::motion::chart::Dof]) -> String {
    let edge = link.words(dofs);
    if adds {
        format!("Add {edge}")
    } else {
        format!("Remove {edge}")
    }
}

/// Before and after, with a word that says which is better.
fn scores_ui(ui: &mut egui::Ui, before: f64, after: f64) {
    let colours = Colours::of(ui);
    let change = after - before;
    let (colour, word) = match change {
        _ if change.abs() < 5e-5 => (colours.text, "the same"),
        _ if change > 0.0 => (colours.good, "better"),
        _ => (colours.warning, "worse"),
    };
    let text = format!("Score {before:.4} before, {after:.4} after: {change:+.4}, {word}");
    ui.colored_label(colour, text).on_hover_text(
        "Mean log-likelihood of a value when each take is re-made from the others: higher is better",
    );
}

/// Parents of a node with what each brings, and ways to take them out and to add others.
pub(super) fn parents_ui(
    ui: &mut egui::Ui,
    studio: &mut Studio,
    model: &ClipModel,
    graph: &Graph,
    node: usize,
) {
    let dofs = model.chart().dofs();
    let network = studio.variation.network.network;
    let colours = Colours::of(ui);
    ui.horizontal(|ui| {
        ui.strong("Parents");
        ui.weak(match network {
            Network::Transition => "beside its own last two frames",
            Network::Prior => "drawn before it",
        });
    });
    let mut out = None;
    egui::Grid::new("parents")
        .num_columns(3)
        .striped(true)
        .show(ui, |ui| {
            for line in graph.parents(node) {
                let name = network.source_name(line.link.from, dofs);
                let go = ui.add(egui::Label::new(&name).sense(egui::Sense::click()));
                let go = go.on_hover_text("Click: look at this node");
                if go.clicked() {
                    studio.variation.network.selected = Some(graph.node_of(line.link.from));
                }
                worth_ui(ui, line, &colours);
                let button = ui.small_button(egui_material_icons::icons::ICON_CLOSE);
                super::super::name_button(&button, &format!("Remove edge from {name}"));
                if button
                    .on_hover_text("Tries the model without this edge")
                    .clicked()
                {
                    out = Some(line.link);
                }
                ui.end_row();
            }
        });
    if graph.n_parents(node) == 0 {
        ui.weak("none");
    }
    if let Some(link) = out {
        studio.try_link(link);
    }
    add_ui(ui, studio, model, node);
}

fn worth_ui(ui: &mut egui::Ui, line: &Line, colours: &Colours) {
    ui.horizontal(|ui| {
        let Some(worth) = line.worth else {
            ui.weak("…");
            return;
        };
        let (rect, _) = ui.allocate_exact_size(egui::vec2(46.0, 8.0), egui::Sense::hover());
        ui.painter().rect_filled(rect, 2.0, colours.sunken);
        let filled = rect.with_max_x(rect.left() + line.strength * rect.width());
        ui.painter().rect_filled(filled, 2.0, colours.given);
        let colour = if line.is_harmful {
            colours.warning
        } else {
            colours.text
        };
        // What is nothing has no sign that would look like harm.
        let rounded = (1e3 * worth).round() / 1e3 + 0.0;
        ui.colored_label(colour, format!("{rounded:+.3}")).on_hover_text(
            "By how much the mean log-likelihood of this node would fall without the edge; below zero it does harm",
        );
    });
}

fn add_ui(ui: &mut egui::Ui, studio: &mut Studio, model: &ClipModel, node: usize) {
    let dofs = model.chart().dofs();
    let structure = model.model().structure();
    let network = studio.variation.network.network;
    let mut chosen = None;
    ui.horizontal(|ui| {
        let adding = &mut studio.variation.network.adding;
        egui::ComboBox::from_id_salt("add parent")
            .selected_text("add a parent…")
            .width(170.0)
            .height(320.0)
            .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
            .show_ui(ui, |ui| {
                let edit = egui::TextEdit::singleline(&mut adding.filter);
                ui.add(edit.hint_text("filter").desired_width(150.0));
                let wanted = adding.filter.trim().to_lowercase();
                for (dof, known) in dofs.iter().enumerate() {
                    let offset = if is_second(network, adding.is_other) {
                        dofs.len()
                    } else {
                        0
                    };
                    let link = Link {
                        network,
                        from: dof + offset,
                        to: node,
                    };
                    let is_own = match network {
                        Network::Transition => dof == node,
                        Network::Prior => link.from == node,
                    };
                    let is_wanted = known.name.to_lowercase().contains(&wanted);
                    if is_own || !is_wanted || link.is_in(structure) {
                        continue;
                    }
                    if ui.selectable_label(false, &known.name).clicked() {
                        chosen = Some(link);
                        ui.close();
                    }
                }
            });
        let (first, second) = match network {
            Network::Transition => ("at t+1", "at t"),
            Network::Prior => ("first frame", "first change"),
        };
        ui.selectable_value(&mut adding.is_other, false, first);
        ui.selectable_value(&mut adding.is_other, true, second);
    });
    if let Some(link) = chosen {
        studio.try_link(link);
    }
}

/// Whether the source is among the second half: t+1, or changes.
const fn is_second(network: Network, is_other: bool) -> bool {
    match network {
        Network::Transition => !is_other,
        Network::Prior => is_other,
    }
}
