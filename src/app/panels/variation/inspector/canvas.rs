//! The graph in its panel: nodes that are pointed at, clicked and connected.

use std::sync::Arc;

use egui::{Rect, Sense, Vec2};

use super::graph::Graph;
use super::lens::{Lens, navigate};
use super::paint::Sheet;
use super::{Frame, NetworkView, sheet_ui};
use crate::app::docks::Pane;
use crate::app::studio::{Studio, counted};
use crate::app::theme::Colours;
use crate::app::work::variation::network::{Link, Network};
use crate::motion::chart::Dof;
use crate::variation::ClipModel;

/// Draws the graph and answers the pointer.
pub(super) fn graph_ui(
    ui: &mut egui::Ui,
    studio: &mut Studio,
    model: &Arc<ClipModel>,
    graph: &Graph,
    size: Vec2,
) {
    let view = &mut studio.variation.network;
    let response = sheet_ui(ui, view, (size, "Network graph"));
    let panel = response.rect;
    match view.framing.take() {
        Some(Frame::Selection) if view.selected.is_some() => {
            let node = view.selected.unwrap_or_default();
            view.lens = Some(Lens::fitting(graph.around(node), panel));
        }
        Some(_) => view.lens = None,
        None => {}
    }
    let lens = navigate(ui, &response, &mut view.lens, graph.bounds);
    let dofs = model.chart().dofs();
    let matching = view.matching(model, graph);
    let pointed = dots_ui(ui, view, graph, dofs, (panel, lens));
    view.hovered = pointed.over.map(|dot| graph.node_of(dot));
    let sheet = Sheet {
        graph,
        dofs,
        lens,
        panel,
        colours: Colours::of(ui),
        focus: view.hovered.or(view.selected),
        selected: view.selected,
        matching: &matching,
        edges: view.edges,
    };
    sheet.paint(&ui.painter_at(panel));
    if response.clicked() {
        view.selected = None;
    }
    let Some(dot) = pointed.clicked else {
        return;
    };
    let joins = ui.input(|input| input.modifiers.shift);
    let ends = graph.source_of(dot).zip(view.selected);
    if let Some((from, to)) = ends.filter(|_| joins) {
        let network = view.network;
        studio.try_link(Link { network, from, to });
    } else {
        view.selected = Some(graph.node_of(dot));
        studio.library.wanted_pane = Some(Pane::Node);
    }
}

/// Dots under the pointer.
#[derive(Default)]
struct Pointed {
    over: Option<usize>,
    clicked: Option<usize>,
}

fn dots_ui(
    ui: &egui::Ui,
    view: &NetworkView,
    graph: &Graph,
    dofs: &[Dof],
    (panel, lens): (Rect, Lens),
) -> Pointed {
    let mut pointed = Pointed::default();
    let side = (10.0 * lens.zoom).clamp(7.0, 22.0);
    for (dot, known) in graph.dots.iter().enumerate() {
        let at = lens.at(panel, known.place);
        if !panel.contains(at) {
            continue;
        }
        let rect = Rect::from_center_size(at, Vec2::splat(side)).intersect(panel);
        let id = ui.scope_id().with(("node", dot));
        let response = ui.interact(rect, id, Sense::click());
        let words = || format!("Node {}", dot_name(view.network, dot, dofs));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, words()));
        if response.hovered() {
            pointed.over = Some(dot);
        }
        if response.clicked() {
            pointed.clicked = Some(dot);
        }
        response.on_hover_ui(|ui| tip_ui(ui, view, graph, dofs, dot));
    }
    pointed
}

/// "`LeftLeg` bend at t+1".
fn dot_name(network: Network, dot: usize, dofs: &[Dof]) -> String {
    match network {
        Network::Transition if dot >= 2 * dofs.len() => {
            format!("{} at t+2", dofs[dot - 2 * dofs.len()].name)
        }
        _ => network.source_name(dot, dofs),
    }
}

fn tip_ui(ui: &mut egui::Ui, view: &NetworkView, graph: &Graph, dofs: &[Dof], dot: usize) {
    let node = graph.node_of(dot);
    ui.strong(dot_name(view.network, dot, dofs));
    ui.weak(dofs[graph.dots[dot].dof].part.to_string());
    let n_parents = graph.n_parents(node);
    let n_children = graph.children(node).count();
    let listens = match view.network {
        Network::Transition => "the next frame listens to its own last two and",
        Network::Prior => "listens to",
    };
    ui.label(format!("{listens} {}", counted(n_parents, "other")));
    for line in graph.parents(node).take(4) {
        let name = view.network.source_name(line.link.from, dofs);
        match line.worth {
            Some(worth) => ui.label(format!("   {name}: {worth:+.3}")),
            None => ui.label(format!("   {name}")),
        };
    }
    if n_parents > 4 {
        ui.weak(format!("   and {} more", n_parents - 4));
    }
    ui.label(format!("{} from here", counted(n_children, "edge")));
    let selected = view.selected.filter(|_| graph.source_of(dot).is_some());
    if let Some(selected) = selected.filter(|s| *s != node) {
        let name = view.network.node_name(selected, dofs);
        ui.weak(format!("Shift+click: edge to {name} on or off"));
    }
}
