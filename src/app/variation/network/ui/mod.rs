//! The network inspector: who depends on whom in a model, and what becomes of it when that is changed by hand.
//!
//! *Network* shows the graph or the matrix of edges, *Node* what one node is drawn from at the playhead. Both only
//! look; edges are tried by `work::variation::network` of `app` and applied as one step.

pub(in crate::app) mod canvas;
pub(in crate::app) mod curve;
pub(in crate::app) mod edit;
pub(in crate::app) mod explain;
pub(in crate::app) mod graph;
pub(in crate::app) mod matrix;
pub(in crate::app) mod moment;
pub(in crate::app) mod node;
pub(in crate::app) mod over;
pub(in crate::app) mod paint;
pub(in crate::app) mod picture;
pub(in crate::app) mod rows;
mod sheet;
mod view;

use std::sync::Arc;

use egui::Vec2;

use crate::app::shell::context::UiContext;
use crate::app::shell::theme::Colours;
use crate::app::shell::words::counted;
use crate::app::variation::network::export::NetworkFile;
use crate::app::variation::network::ui::graph::Graph;
use crate::app::variation::network::ui::rows::Sign;
use crate::app::variation::network::{Change, links, part_of};
use crate::app::variation::state::VariationWorkspace;
use crate::variation::ClipModel;
use sheet::sheet_ui;

pub use view::{Edges, Frame, NetworkView};

/// Said where a model has no network to look into.
const NO_NETWORK: &str = "This model follows the paper's own regression, or was learned by an earlier version: it has no network to look into. Learn it again.";

/// The laid-out network of the chosen model, once something is chosen.
fn shown(
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
) -> Option<(Arc<ClipModel>, Arc<Graph>)> {
    let (_, model) = variation.chosen_model(cx)?;
    let worths = variation.worths_of(&model);
    let view = &mut variation.network;
    let n_nodes = model.n_nodes();
    view.selected = view.selected.filter(|node| *node < n_nodes);
    let graph = view.graph_of(&model, &worths);
    Some((model, graph))
}

/// Draws the network as graph or matrix, with its filters and what can be done.
pub fn network_ui(ui: &mut egui::Ui, cx: &mut UiContext, variation: &mut VariationWorkspace) {
    /// In a narrow panel it takes a second line.
    const LEGEND: f32 = 36.0;
    let Some((model, graph)) = shown(cx, variation) else {
        ui.weak("Shows who depends on whom in a model. Choose takes and learn from them.");
        return;
    };
    if model.model().network().is_none() {
        ui.weak(NO_NETWORK);
        return;
    }
    head_ui(ui, cx, variation, &model);
    filter_ui(ui, cx, variation, &model, &graph);
    edit::trial_ui(ui, cx, variation, &model);
    let view = &variation.network;
    let is_matrix = view.is_matrix;
    let size = Vec2::new(
        ui.available_width(),
        (ui.available_height() - LEGEND).max(120.0),
    );
    if is_matrix {
        matrix::matrix_ui(ui, cx, variation, &model, &graph, size);
    } else {
        canvas::graph_ui(ui, cx, variation, &model, &graph, size);
    }
    legend_ui(ui, is_matrix);
}

fn head_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    model: &Arc<ClipModel>,
) {
    ui.horizontal_wrapped(|ui| {
        parts_ui(ui, cx, variation, model);
        ui.separator();
        let view = &mut variation.network;
        ui.selectable_value(&mut view.is_matrix, false, "Graph")
            .on_hover_text("Nodes by joint, parents before children");
        ui.selectable_value(&mut view.is_matrix, true, "Matrix")
            .on_hover_text("A row for each node, a column for each possible parent");
        ui.separator();
        if !view.is_matrix {
            egui::ComboBox::from_id_salt("edges")
                .selected_text(format!("edges: {}", view.edges.words().0))
                .width(110.0)
                .show_ui(ui, |ui| {
                    for edges in Edges::ALL {
                        let (words, tip) = edges.words();
                        ui.selectable_value(&mut view.edges, edges, words)
                            .on_hover_text(tip);
                    }
                });
        }
    });
}

fn filter_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    model: &ClipModel,
    graph: &Graph,
) {
    ui.horizontal_wrapped(|ui| {
        let view = &mut variation.network;
        let hint = "filter by joint";
        let edit = egui::TextEdit::singleline(&mut view.filter).hint_text(hint);
        let response = ui.add(edit.desired_width(110.0));
        response.widget_info(|| {
            let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Filter nodes");
            info.current_text_value = Some(view.filter.clone());
            info
        });
        response.on_hover_text("Only nodes whose name holds this; others are faint");
        ui.weak("parents");
        let tip = "Only nodes with so many parents, beside their own last two frames";
        let least = egui::DragValue::new(&mut view.least_parents).range(0..=999);
        ui.add(least.prefix("≥ ").speed(0.1)).on_hover_text(tip);
        let mut most = view.most_parents.unwrap_or(999);
        let drag = egui::DragValue::new(&mut most).range(0..=999).speed(0.1);
        let drag = drag.custom_formatter(|n, _| {
            if n >= 999.0 {
                "any".to_owned()
            } else {
                format!("≤ {n}")
            }
        });
        if ui.add(drag).on_hover_text(tip).changed() {
            view.most_parents = (most < 999).then_some(most);
        }
        let matching = view.matching(model, graph);
        let n = matching.iter().filter(|is| **is).count();
        if n < matching.len() {
            ui.weak(format!("{n} of {}", counted(matching.len(), "node")));
            if ui.small_button("Clear").clicked() {
                view.filter.clear();
                (view.least_parents, view.most_parents) = (0, None);
            }
        }
        ui.menu_button("Export", |ui| {
            for file in NetworkFile::ALL {
                let (words, tip) = file.words();
                if ui.button(words).on_hover_text(tip).clicked() {
                    variation.export_network(cx, file);
                }
            }
        });
    });
}

/// Removes all edges between two parts of the body.
fn parts_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    model: &Arc<ClipModel>,
) {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for link in links(model) {
        let (a, b) = (part_of(model, link.from), part_of(model, link.to));
        let pair = if a <= b { (a, b) } else { (b, a) };
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    pairs.sort_unstable();
    ui.menu_button("Remove edges between parts", |ui| {
        for (a, b) in pairs {
            let words = if a == b {
                format!("within {a}")
            } else {
                format!("{a} and {b}")
            };
            if ui.button(words).clicked() {
                variation.try_change(cx, Change::Part(a, b));
                ui.close();
            }
        }
    })
    .response
    .on_hover_text("Tries the model without all edges between two parts of the body");
}

/// What signs mean, in words.
fn legend_ui(ui: &mut egui::Ui, is_matrix: bool) {
    let colours = Colours::of(ui);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(4.0, 0.0);
        let small = |words: &str| egui::RichText::new(words).size(10.5);
        if is_matrix {
            ui.label(small("rows depend on columns").color(colours.weak));
            ui.label(small("yellow: negative contribution").color(colours.warning));
            return;
        }
        for (sign, words) in [
            (Sign::Circle, "bend"),
            (Sign::Diamond, "sideways"),
            (Sign::Square, "twist"),
            (Sign::Triangle, "other"),
        ] {
            let (rect, _) = ui.allocate_exact_size(egui::vec2(9.0, 12.0), egui::Sense::hover());
            paint::paint_sign(ui.painter(), sign, rect.center(), 3.2, colours.weak);
            ui.label(small(words).color(colours.weak));
        }
        ui.label(small("arrows: parents").color(colours.given));
        ui.label(small("yellow: negative contribution").color(colours.warning));
        ui.label(small("rings: children").color(colours.generated));
    });
}
