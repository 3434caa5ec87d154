//! One node: what it is drawn from at the playhead, its curve, its parents and children.

use std::sync::Arc;

use crate::app::shell::context::UiContext;
use crate::app::variation::network::part_of;
use crate::app::variation::network::ui::graph::Graph;
use crate::app::variation::network::ui::moment::{Moment, Subject};
use crate::app::variation::network::ui::{curve, edit, shown};
use crate::app::variation::state::VariationWorkspace;
use crate::motion::Clip;
use crate::variation::ClipModel;

/// Draws what is known about the selected node or edge.
pub(in crate::app) fn node_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
) {
    let Some((model, graph)) = shown(cx, variation) else {
        ui.weak("Shows one node of a model's network. Choose takes and learn from them.");
        return;
    };
    let Some(node) = variation.network.selected else {
        ui.weak("Click a node in the Network panel: what it is drawn from at the playhead, and what each of its parents is worth.");
        return;
    };
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.heading(model.node_name(node));
            ui.horizontal(|ui| {
                ui.weak(part_of(&model, node));
                let mut is_over = !variation.network.is_off_body;
                let tip = "Draws the edges of this node from joint to joint in the 3D view";
                if ui
                    .checkbox(&mut is_over, "Edges over the body")
                    .on_hover_text(tip)
                    .changed()
                {
                    variation.network.is_off_body = !is_over;
                }
            });
            edit::trial_ui(ui, cx, variation, &model);
            ui.separator();
            moment_ui(ui, cx, variation, &model, node);
            edit::parents_ui(ui, cx, variation, &model, &graph, node);
            ui.add_space(4.0);
            children_ui(ui, variation, &model, &graph, node);
        });
}

/// Draws the numbers and the curve of a node at the playhead.
fn moment_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    model: &Arc<ClipModel>,
    node: usize,
) {
    let Some(moment) = variation.moment(cx, model, node) else {
        ui.weak("Working out the curves…");
        return;
    };
    subject_ui(ui, cx, variation, model, &moment);
    numbers_ui(ui, &moment);
    let data = variation.plots.data.clone();
    let now_secs = cx.stage_secs();
    if let Some(secs) = curve::curve_ui(ui, model, &moment, data.as_ref(), now_secs) {
        cx.session.is_playing = false;
        cx.session.playhead_secs = secs;
    }
}

/// Whose moment it is.
fn subject_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    model: &ClipModel,
    moment: &Moment,
) {
    let examples = model.model().examples();
    let variants: Vec<Arc<Clip>> = variation.chosen_model(cx).map_or_else(Vec::new, |(id, _)| {
        let batch = variation.batches.get(&id);
        let made = batch.map_or(&[][..], |batch| &batch.made);
        made.iter().map(|made| Arc::clone(&made.clip)).collect()
    });
    let name = |subject: Subject| match subject {
        Subject::Take(take) => format!("take {}", examples.name(take)),
        Subject::Variant(at) => {
            let clip = variants.get(at);
            clip.map_or_else(String::new, |clip| clip.info.name.clone())
        }
    };
    ui.horizontal(|ui| {
        ui.strong("At the playhead of");
        let looked_at = variation
            .chosen_model(cx)
            .and_then(|(id, _)| variation.batches.get(&id)?.looked_at);
        egui::ComboBox::from_id_salt("subject")
            .selected_text(name(moment.subject))
            .width(150.0)
            .show_ui(ui, |ui| {
                let takes = (0..examples.n_takes()).map(Subject::Take);
                let variant = looked_at.map(Subject::Variant);
                for subject in variant.into_iter().chain(takes) {
                    let is_on = subject == moment.subject;
                    if ui.selectable_label(is_on, name(subject)).clicked() {
                        // The variant that is looked at is followed when another one is.
                        let is_take = matches!(subject, Subject::Take(_));
                        variation.network.subject = is_take.then_some(subject);
                    }
                }
            });
    });
}

fn numbers_ui(ui: &mut egui::Ui, moment: &Moment) {
    let explained = match &moment.explained {
        Ok(explained) => explained,
        Err(why) => {
            ui.colored_label(ui.visuals().warn_fg_color, why);
            return;
        }
    };
    let unit = moment.unit();
    let off = (explained.value - explained.mean) / explained.sigma.abs().max(1e-9);
    let off = if off.abs() < 100.0 {
        format!("{off:+.1} sigma")
    } else {
        "far off".to_owned()
    };
    let place = |value: f64| format!("{:.2} {unit}", moment.shown(value));
    let sigma = format!(
        "{:.3} {unit}",
        moment.shown_difference(explained.sigma).abs()
    );
    let rows = [
        [
            (
                "frame",
                moment.frame.to_string(),
                "Counted from 0, at the model's rate",
            ),
            (
                "value",
                place(explained.value),
                "In this motion, without detail",
            ),
        ],
        [
            (
                "mean of the takes",
                place(explained.usual),
                "At the same phase",
            ),
            (
                "expected",
                place(explained.mean),
                "Given its parents now and its own past",
            ),
        ],
        [
            ("sigma", sigma, "Standard deviation about what is expected"),
            (
                "in the motion",
                off,
                "How far what came is from what was expected",
            ),
        ],
    ];
    egui::Grid::new("numbers").num_columns(4).show(ui, |ui| {
        for row in rows {
            for (words, value, tip) in row {
                ui.weak(words).on_hover_text(tip);
                ui.label(value);
            }
            ui.end_row();
        }
    });
}

/// Who depends on this node.
fn children_ui(
    ui: &mut egui::Ui,
    variation: &mut VariationWorkspace,
    model: &ClipModel,
    graph: &Graph,
    node: usize,
) {
    const MOST: usize = 12;
    let mut children: Vec<usize> = graph.children(node).map(|line| line.link.to).collect();
    children.sort_unstable();
    children.dedup();
    ui.strong("Children");
    if children.is_empty() {
        ui.weak("no node depends on it");
        return;
    }
    ui.horizontal_wrapped(|ui| {
        for child in children.iter().take(MOST) {
            let name = model.node_name(*child);
            if ui
                .small_button(name)
                .on_hover_text("Look at this node")
                .clicked()
            {
                variation.network.selected = Some(*child);
            }
        }
        if children.len() > MOST {
            ui.weak(format!("and {} more", children.len() - MOST));
        }
    });
}
