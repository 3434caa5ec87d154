//! One node: what it goes by at the playhead, its curve, its parents and children.

use std::sync::Arc;

use super::graph::Graph;
use super::moment::{Moment, Subject};
use super::{curve, edit, shown};
use crate::app::studio::Studio;
use crate::app::work::variation::network::Network;
use crate::motion::Clip;
use crate::variation::{ClipModel, Neighbour};

/// Draws the panel.
pub fn node_ui(ui: &mut egui::Ui, studio: &mut Studio) {
    let Some((model, graph)) = shown(studio) else {
        ui.weak("Shows one node of a model's network. Choose takes and learn from them.");
        return;
    };
    let Some(node) = studio.variation.network.selected else {
        ui.weak("Click a node in the Network panel: what it goes by at the playhead, what each of its parents brings, and the frames it draws from.");
        return;
    };
    let dofs = model.chart().dofs();
    let network = studio.variation.network.network;
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.heading(network.node_name(node, dofs));
            let dof = &dofs[node % dofs.len()];
            ui.horizontal(|ui| {
                ui.weak(format!("{}, in {}", dof.part, dof.kind.unit()));
                let mut is_over = !studio.variation.network.is_off_body;
                let tip = "Draws the edges of this node from joint to joint in the 3D view";
                if ui
                    .checkbox(&mut is_over, "Edges over the body")
                    .on_hover_text(tip)
                    .changed()
                {
                    studio.variation.network.is_off_body = !is_over;
                }
            });
            edit::trial_ui(ui, studio, &model);
            ui.separator();
            let moment = moment_ui(ui, studio, &model, node);
            edit::parents_ui(ui, studio, &model, &graph, node);
            ui.add_space(4.0);
            children_ui(ui, studio, &model, &graph, node);
            if let Some(moment) = moment {
                ui.add_space(4.0);
                neighbours_ui(ui, &model, &moment);
            }
        });
}

/// Numbers and curve; what they are, once that is known.
fn moment_ui(
    ui: &mut egui::Ui,
    studio: &mut Studio,
    model: &Arc<ClipModel>,
    node: usize,
) -> Option<Arc<Moment>> {
    let Some(moment) = studio.moment(model, node) else {
        ui.weak("Working out the curves…");
        return None;
    };
    subject_ui(ui, studio, model, &moment);
    numbers_ui(ui, &moment);
    let data = studio.variation.plots.data.clone();
    let now_secs = studio.stage_secs();
    if let Some(secs) = curve::curve_ui(ui, model, &moment, data.as_ref(), now_secs) {
        studio.session.is_playing = false;
        studio.session.playhead_secs = secs;
    }
    Some(moment)
}

/// Whose moment it is.
fn subject_ui(ui: &mut egui::Ui, studio: &mut Studio, model: &ClipModel, moment: &Moment) {
    let examples = model.model().examples();
    let variants: Vec<Arc<Clip>> = studio.chosen_model().map_or_else(Vec::new, |(id, _)| {
        let batch = studio.variation.batches.get(&id);
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
        ui.strong(match studio.variation.network.network {
            Network::Transition => "At the playhead of",
            Network::Prior => "At the beginning of",
        });
        let looked_at = studio
            .chosen_model()
            .and_then(|(id, _)| studio.variation.batches.get(&id)?.looked_at);
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
                        studio.variation.network.subject = is_take.then_some(subject);
                    }
                }
            })
            .response
            .on_hover_text(
                "A take is left out of what it is compared with, as when the model was judged",
            );
    });
}

fn numbers_ui(ui: &mut egui::Ui, moment: &Moment) {
    let regression = match &moment.regression {
        Ok(regression) => regression,
        Err(why) => {
            ui.colored_label(ui.visuals().warn_fg_color, why);
            return;
        }
    };
    let unit = moment.dof().kind.unit();
    let [now, next] = moment.values.map(|v| moment.dof().kind.display(v));
    let sigma = moment.shown(regression.sigma);
    let mean = if moment.tells_values() {
        moment.expected()
    } else {
        moment.shown(regression.mean)
    };
    let is = if moment.tells_values() {
        now
    } else {
        next - now
    };
    let off = (is - mean) / sigma.abs().max(1e-9);
    egui::Grid::new("numbers").num_columns(4).show(ui, |ui| {
        let mut pair = |words: &str, value: String, tip: &str| {
            ui.weak(words).on_hover_text(tip);
            ui.label(value);
        };
        let frame = format!("{}", moment.frame);
        pair("frame", frame, "Counted from 0, at the model's rate");
        pair("value", format!("{now:.2} {unit}"), "In this motion, now");
        ui.end_row();
        let mut pair = |words: &str, value: String, tip: &str| {
            ui.weak(words).on_hover_text(tip);
            ui.label(value);
        };
        let mean_tip = "Mean over the moments it goes by, by weight, Eq. (6)";
        if moment.tells_values() {
            pair("mean", format!("{mean:.2} {unit}"), mean_tip);
        } else {
            pair("mean change", format!("{mean:+.3} {unit}"), mean_tip);
        }
        pair(
            "sigma",
            format!("{sigma:.3} {unit}"),
            "How much those moments differ",
        );
        ui.end_row();
        let mut pair = |words: &str, value: String, tip: &str| {
            ui.weak(words).on_hover_text(tip);
            ui.label(value);
        };
        pair(
            "expected",
            format!("{:.2} {unit}", moment.expected()),
            "What comes next by the mean",
        );
        let off = if off.abs() < 100.0 {
            format!("{off:+.1} sigma")
        } else {
            "far off".to_owned()
        };
        pair(
            "in the motion",
            off,
            "How far what really comes is from the mean",
        );
        ui.end_row();
    });
}

impl Moment {
    /// What comes next by the mean, in the unit that is shown.
    pub(super) fn expected(&self) -> f64 {
        let Ok(regression) = &self.regression else {
            return f64::NAN;
        };
        let dof = self.dof();
        if self.tells_values() {
            return dof.kind.display(dof.destandardise(regression.mean));
        }
        dof.kind.display(self.values[0]) + self.shown(regression.mean)
    }
}

/// The moments that it goes by, the heaviest first.
fn neighbours_ui(ui: &mut egui::Ui, model: &ClipModel, moment: &Moment) {
    const MOST: usize = 6;
    let Ok(regression) = &moment.regression else {
        return;
    };
    let examples = model.model().examples();
    let n = regression.neighbours.len();
    let heavy: Vec<&Neighbour> = regression.neighbours.iter().take(MOST).collect();
    let shown: f64 = heavy.iter().map(|n| n.weight).sum();
    egui::Grid::new("neighbours")
        .num_columns(4)
        .striped(true)
        .show(ui, |ui| {
            ui.strong("It draws from");
            ui.weak("frame");
            ui.weak("weight");
            ui.weak(if moment.tells_values() {
                "value"
            } else {
                "change"
            });
            ui.end_row();
            for neighbour in heavy {
                ui.label(examples.name(neighbour.take));
                ui.label(neighbour.frame.to_string());
                ui.label(format!("{:.1} %", 100.0 * neighbour.weight));
                let dof = moment.dof();
                ui.label(if moment.tells_values() {
                    format!(
                        "{:.2}",
                        dof.kind.display(dof.destandardise(neighbour.change))
                    )
                } else {
                    format!("{:+.3}", moment.shown(neighbour.change))
                });
                ui.end_row();
            }
        });
    if n > MOST {
        let rest = 100.0 * (1.0 - shown);
        ui.weak(format!(
            "and {} more moments with {rest:.0} % together",
            n - MOST
        ));
    }
}

/// Who listens to this node.
fn children_ui(
    ui: &mut egui::Ui,
    studio: &mut Studio,
    model: &ClipModel,
    graph: &Graph,
    node: usize,
) {
    const MOST: usize = 12;
    let dofs = model.chart().dofs();
    let network = studio.variation.network.network;
    let mut children: Vec<usize> = graph.children(node).map(|line| line.link.to).collect();
    children.sort_unstable();
    children.dedup();
    ui.strong("Children");
    if children.is_empty() {
        ui.weak("nobody listens to it");
        return;
    }
    if children.len() + 1 >= network.n_nodes(dofs.len()) {
        ui.weak("everybody listens to it");
        return;
    }
    ui.horizontal_wrapped(|ui| {
        for child in children.iter().take(MOST) {
            let name = network.node_name(*child, dofs);
            if ui
                .small_button(name)
                .on_hover_text("Look at this node")
                .clicked()
            {
                studio.variation.network.selected = Some(*child);
            }
        }
        if children.len() > MOST {
            ui.weak(format!("and {} more", children.len() - MOST));
        }
    });
}
