//! Edges by hand: what is tried, what it would bring, and the way to add one.

use std::sync::Arc;

use crate::app::shell::context::UiContext;
use crate::app::shell::theme::Colours;
use crate::app::variation::network::ui::graph::{Graph, Line};
use crate::app::variation::network::{Link, TRY, structure_of};
use crate::app::variation::state::VariationWorkspace;
use crate::variation::ClipModel;

/// What is being tried, what was, or why it cannot be; nothing if nothing is.
pub(in crate::app::variation) fn trial_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    model: &Arc<ClipModel>,
) {
    let colours = Colours::of(ui);
    if let Some(refusal) = variation.network.refusal.clone() {
        card_ui(ui, |ui| {
            ui.colored_label(colours.warning, format!("Refused: {refusal}"));
            if ui.button("All right").clicked() {
                variation.network.refusal = None;
            }
        });
        return;
    }
    let running = cx.work.named(TRY);
    let running = running.map(|running| (running.progress(), running.told()));
    let trying = variation.network.trying.clone();
    if let (Some(change), Some((progress, told))) = (trying, running) {
        card_ui(ui, |ui| {
            ui.label(change.words(model));
            if let [before, after] = told[..] {
                scores_ui(ui, before, after);
            }
            ui.horizontal(|ui| {
                ui.add(egui::ProgressBar::new(progress as f32).desired_width(140.0));
                if ui.button("Cancel the trial").clicked() {
                    variation.drop_trial(cx);
                }
            });
        });
        return;
    }
    let Some(trial) = variation.network.trial.clone() else {
        return;
    };
    let is_current = variation
        .chosen_model(cx)
        .is_some_and(|(id, model)| trial.is_of(id, &model));
    if !is_current {
        variation.network.trial = None;
        return;
    }
    card_ui(ui, |ui| {
        ui.label(trial.change.words(model));
        scores_ui(ui, trial.before, trial.after);
        ui.horizontal(|ui| {
            ui.weak("Variant");
            let view = &mut variation.network;
            ui.selectable_value(&mut view.shows_after, false, "before")
                .on_hover_text("The variant you look at as the model makes it now");
            ui.selectable_value(&mut view.shows_after, true, "after")
                .on_hover_text("The same variant, the same random numbers, with the change: what the edge does. It stands alone until the trial ends");
        });
        ui.horizontal(|ui| {
            let fill = ui.visuals().selection.bg_fill;
            let apply = ui.add(egui::Button::new("Apply change").fill(fill));
            let tip = "Puts the changed model in the place of the old one; undo brings it back. The variant you look at follows; the list of variants offers to make the others again";
            if apply.on_hover_text(tip).clicked() {
                variation.apply_trial(cx);
            }
            if ui.button("Discard change").clicked() {
                variation.drop_trial(cx);
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
        "Mean log-likelihood of a value of takes left out, each judged by the others: higher is better",
    );
}

/// Parents of a node with what each brings, and ways to take them out and to add others.
pub(in crate::app::variation) fn parents_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    model: &ClipModel,
    graph: &Graph,
    node: usize,
) {
    let colours = Colours::of(ui);
    ui.horizontal(|ui| {
        ui.strong("Parents");
        ui.weak("beside its own last two frames");
    });
    let mut out = None;
    egui::Grid::new("parents")
        .num_columns(5)
        .striped(true)
        .show(ui, |ui| {
            for (words, tip) in [
                ("parent", "Click one to look at it"),
                (
                    "worth",
                    "By how many nats takes left out would be less likely without the edge",
                ),
                (
                    "coefficient",
                    "What a spread of the parent adds, in spreads of this node",
                ),
                (
                    "partial r",
                    "Correlation with this node when its other parents are known",
                ),
                ("", ""),
            ] {
                ui.weak(words).on_hover_text(tip);
            }
            ui.end_row();
            for line in graph.parents(node) {
                let name = model.node_name(line.link.from);
                let go = ui.add(egui::Label::new(&name).sense(egui::Sense::click()));
                let go = go.on_hover_text("Click: look at this node");
                if go.clicked() {
                    variation.network.selected = Some(line.link.from);
                }
                worth_ui(ui, line, &colours);
                numbers_ui(ui, model, line.link);
                let button = ui.small_button(egui_material_icons::icons::ICON_CLOSE);
                crate::app::shell::ui::name_button(&button, &format!("Remove edge from {name}"));
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
        variation.try_link(cx, link);
    }
    add_ui(ui, cx, variation, model, node);
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
        let rounded = (1e1 * worth).round() / 1e1 + 0.0;
        ui.colored_label(colour, format!("{rounded:+.1}")).on_hover_text(
            "By how many nats takes left out would be less likely without the edge; below zero they would be likelier",
        );
    });
}

/// Coefficient and partial correlation of an edge.
fn numbers_ui(ui: &mut egui::Ui, model: &ClipModel, link: Link) {
    let Some(network) = model.model().network() else {
        return;
    };
    let node = network.node(link.to);
    let at = node.parents.iter().position(|&p| p == link.from);
    let coefficient = at.map_or(0.0, |at| node.coefficients[at]);
    ui.label(format!("{coefficient:+.2}"));
    ui.label(format!(
        "{:+.2}",
        network.partial_correlation(link.from, link.to)
    ));
}

fn add_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    model: &ClipModel,
    node: usize,
) {
    let structure = structure_of(model);
    let mut chosen = None;
    ui.horizontal(|ui| {
        let adding = &mut variation.network.adding;
        egui::ComboBox::from_id_salt("add parent")
            .selected_text("add a parent…")
            .width(170.0)
            .height(320.0)
            .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
            .show_ui(ui, |ui| {
                let edit = egui::TextEdit::singleline(&mut adding.filter);
                ui.add(edit.hint_text("filter").desired_width(150.0));
                let wanted = adding.filter.trim().to_lowercase();
                for from in 0..model.n_nodes() {
                    let link = Link { from, to: node };
                    let name = model.node_name(from);
                    let is_wanted = name.to_lowercase().contains(&wanted);
                    if from == node || !is_wanted || link.is_in(&structure) {
                        continue;
                    }
                    if ui.selectable_label(false, &name).clicked() {
                        chosen = Some(link);
                        ui.close();
                    }
                }
            });
    });
    if let Some(link) = chosen {
        variation.try_link(cx, link);
    }
}
