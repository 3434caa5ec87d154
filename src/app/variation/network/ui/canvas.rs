//! The graph in its panel: nodes that are pointed at, clicked and connected.

use std::sync::Arc;

use egui::{Rect, Sense, Vec2};

use crate::app::shell::context::UiContext;
use crate::app::shell::pane::Pane;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::lens::{Lens, navigate};
use crate::app::shell::words::counted;
use crate::app::variation::network::ui::graph::Graph;
use crate::app::variation::network::ui::paint::Sheet;
use crate::app::variation::network::ui::{Frame, NetworkView, sheet_ui};
use crate::app::variation::network::{Link, part_of};
use crate::app::variation::state::VariationWorkspace;
use crate::variation::ClipModel;

/// Draws the graph and answers the pointer.
pub(in crate::app::variation) fn graph_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    model: &Arc<ClipModel>,
    graph: &Graph,
    size: Vec2,
) {
    let view = &mut variation.network;
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
    let matching = view.matching(model, graph);
    let pointed = dots_ui(ui, view, graph, model, (panel, lens));
    view.hovered = pointed.over;
    let sheet = Sheet {
        graph,
        model,
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
    if let Some(to) = view.selected.filter(|_| joins) {
        variation.try_link(cx, Link { from: dot, to });
    } else {
        view.selected = Some(dot);
        cx.wanted_pane = Some(Pane::Node);
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
    model: &ClipModel,
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
        let words = || format!("Node {}", model.node_name(dot));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, words()));
        if response.hovered() {
            pointed.over = Some(dot);
        }
        if response.clicked() {
            pointed.clicked = Some(dot);
        }
        response.on_hover_ui(|ui| tip_ui(ui, view, graph, model, dot));
    }
    pointed
}

fn tip_ui(ui: &mut egui::Ui, view: &NetworkView, graph: &Graph, model: &ClipModel, node: usize) {
    ui.strong(model.node_name(node));
    ui.weak(part_of(model, node));
    let n_parents = graph.n_parents(node);
    let n_children = graph.children(node).count();
    ui.label(format!(
        "depends on its own last two frames and {}",
        counted(n_parents, "other")
    ));
    for line in graph.parents(node).take(4) {
        let name = model.node_name(line.link.from);
        match line.worth {
            Some(worth) => ui.label(format!("   {name}: {worth:+.1} nats")),
            None => ui.label(format!("   {name}")),
        };
    }
    if n_parents > 4 {
        ui.weak(format!("   and {} more", n_parents - 4));
    }
    ui.label(format!("{} from here", counted(n_children, "edge")));
    if let Some(selected) = view.selected.filter(|s| *s != node) {
        let name = model.node_name(selected);
        ui.weak(format!("Shift+click: edge to {name} on or off"));
    }
}
