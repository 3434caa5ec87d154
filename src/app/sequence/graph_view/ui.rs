//! The panel: a sheet that is moved and zoomed like a node editor, nodes that are pointed at and picked.

use std::sync::Arc;

use egui::{Rect, Sense, Stroke, vec2};

use crate::app::sequence::figure::paint_figure;
use crate::app::sequence::graph_view::layout::Drawing;
use crate::app::sequence::graph_view::lower_ui::lower_ui;
use crate::app::sequence::graph_view::mesh::hue;
use crate::app::sequence::graph_view::{GraphLevel, GraphView};
use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::context::UiContext;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::lens::{Lens, navigate};
use crate::app::shell::words::counted;
use crate::motion::Clip;

/// Draws the transition graph, of poses or of actions, with the selected path.
pub fn graph_view_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    levels_ui(ui, sequence);
    let Some(drawing) = sequence.graph_drawing(cx) else {
        let words = match (sequence.graph_view.level, sequence.graph_view.is_laying_out) {
            (_, true) => "Laying out the graph…",
            (GraphLevel::Texture, _) => {
                "There is no motion texture yet: learn one in the panel Live or Path."
            }
            _ => {
                "There is no transition graph yet: select clips and build one in the panel Actions."
            }
        };
        ui.weak(words);
        return;
    };
    if let (GraphLevel::Texture, Some(system)) =
        (sequence.graph_view.level, sequence.graph_view.opened)
    {
        lower_ui(ui, cx, sequence, system);
        return;
    }
    if sequence.graph_view.picked.0.is_some() {
        egui::Panel::bottom("picked").show(ui, |ui| picked_ui(ui, sequence, &drawing));
    }
    sheet_ui(ui, cx, sequence, &drawing);
}

fn levels_ui(ui: &mut egui::Ui, sequence: &mut SequenceWorkspace) {
    ui.horizontal_wrapped(|ui| {
        let view = &mut sequence.graph_view;
        for (level, name, tip) in [
            (
                GraphLevel::Clusters,
                "Clusters",
                "Poses that are alike; lines are transitions of the clips",
            ),
            (
                GraphLevel::Actions,
                "Actions",
                "Clips, and how likely one follows another in random play",
            ),
            (
                GraphLevel::Texture,
                "Texture",
                "Systems of the motion texture; double-click one to see its frames",
            ),
        ] {
            let tab = ui.selectable_label(view.level == level, name);
            if tab.on_hover_text(tip).clicked() {
                view.show(level);
            }
        }
        if ui
            .small_button("Fit")
            .on_hover_text("Shows all of it")
            .clicked()
        {
            view.lens = None;
        }
    });
}

/// Draws the sheet with its nodes and edges, and answers the pointer.
fn sheet_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    sequence: &mut SequenceWorkspace,
    drawing: &Arc<Drawing>,
) {
    let size = ui.available_size().max(vec2(60.0, 60.0));
    let (panel, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Graph"));
    let colours = Colours::of(ui);
    let lens = navigate(ui, &response, &mut sequence.graph_view.lens, drawing.bounds);
    let painter = ui.painter_at(panel);
    painter.rect_filled(panel, 0.0, colours.ground);
    let shape = sequence
        .graph_view
        .mesh
        .shape(drawing, (panel, lens), &colours);
    painter.add(shape);
    let pointer = response.hover_pos();
    let under = pointer.and_then(|at| drawing.at(lens.place(panel, at), 4.0 / lens.zoom));
    let sheet = Sheet {
        drawing,
        panel,
        lens,
        colours,
    };
    sheet.probabilities(&painter, sequence, under);
    let lit = sequence.graph_view.lit;
    let way = sequence.candidate_paths(drawing).get(lit).cloned();
    if let Some(way) = way.filter(|_| sequence.graph_view.level == GraphLevel::Clusters) {
        let nodes = way.nodes.iter().filter_map(|n| drawing.node(*n as usize));
        sheet.way(&painter, &nodes.collect::<Vec<_>>(), colours.generated);
    }
    let (now, way) = sequence.lit_nodes(cx, drawing);
    sheet.way(&painter, &way, colours.selected);
    let picked = sequence.graph_view.picked;
    let rings = [
        (picked.0, colours.given, 2.5),
        (picked.1, colours.generated, 2.5),
        (under, colours.text, 1.5),
        (now, colours.selected, 3.5),
    ];
    for (node, colour, width) in rings {
        sheet.ring(&painter, node, Stroke::new(width, colour));
    }
    sheet.names(&painter, sequence.graph_view.level);
    if response.clicked() {
        let with_shift = ui.input(|input| input.modifiers.shift);
        let picked = &mut sequence.graph_view.picked;
        match (under, with_shift && picked.0.is_some()) {
            (Some(node), true) => picked.1 = Some(node),
            (node, _) => *picked = (node, None),
        }
    }
    if response.double_clicked()
        && let (GraphLevel::Texture, Some(node)) = (sequence.graph_view.level, under)
    {
        sequence.graph_view.opened = Some(drawing.nodes[node].number);
    }
    if let Some(node) = under {
        response.on_hover_ui_at_pointer(|ui| node_tip_ui(ui, cx, sequence, drawing, node));
    }
}

/// The painter of the sheet, and how its coordinates become points of the window.
struct Sheet<'a> {
    drawing: &'a Drawing,
    panel: Rect,
    lens: Lens,
    colours: Colours,
}

impl Sheet<'_> {
    fn ring(&self, painter: &egui::Painter, node: Option<usize>, stroke: Stroke) {
        if let Some(node) = node.and_then(|at| self.drawing.nodes.get(at)) {
            let radius = (node.radius * self.lens.zoom).max(3.0) + 2.0;
            painter.circle_stroke(self.lens.at(self.panel, node.place), radius, stroke);
        }
    }

    /// A way through nodes.
    fn way(&self, painter: &egui::Painter, nodes: &[usize], colour: egui::Color32) {
        let at = |node: usize| self.lens.at(self.panel, self.drawing.nodes[node].place);
        for pair in nodes.windows(2) {
            painter.arrow(
                at(pair[0]),
                at(pair[1]) - at(pair[0]),
                Stroke::new(2.5, colour),
            );
        }
        for node in nodes {
            self.ring(painter, Some(*node), Stroke::new(1.5, colour));
        }
    }

    /// How likely each action follows the one under the pointer, or the picked one.
    fn probabilities(
        &self,
        painter: &egui::Painter,
        sequence: &SequenceWorkspace,
        under: Option<usize>,
    ) {
        let GraphView { level, picked, .. } = &sequence.graph_view;
        let Some(from) = under.or(picked.0).filter(|_| *level == GraphLevel::Actions) else {
            return;
        };
        let shares = sequence.follow_shares(self.drawing, from);
        let at = |node: usize| self.lens.at(self.panel, self.drawing.nodes[node].place);
        for (to, share) in shares.into_iter().enumerate() {
            if share <= 0.0 || to == from {
                continue;
            }
            let colour = self
                .colours
                .generated
                .gamma_multiply(0.35 + 0.65 * share as f32);
            let stroke = Stroke::new(0.5 + 7.0 * share as f32, colour);
            painter.line_segment([at(from), at(to)], stroke);
            let middle = at(from) + 0.6 * (at(to) - at(from));
            let font = egui::FontId::proportional(11.0);
            let words = format!("{:.0} %", 100.0 * share);
            let centre = egui::Align2::CENTER_CENTER;
            painter.text(middle, centre, words, font, self.colours.text);
        }
    }

    /// Names of clips; of clusters there are too many.
    fn names(&self, painter: &egui::Painter, level: GraphLevel) {
        if level != GraphLevel::Actions {
            return;
        }
        for node in &self.drawing.nodes {
            let at = self.lens.at(self.panel, node.place);
            let below = at + vec2(0.0, node.radius * self.lens.zoom + 3.0);
            let font = egui::FontId::proportional(11.0);
            let name = &self.drawing.actions[node.action];
            painter.text(
                below,
                egui::Align2::CENTER_TOP,
                name,
                font,
                self.colours.text,
            );
        }
    }
}

impl SequenceWorkspace {
    /// How likely each clip follows one in random play, by the nodes of the drawing of actions.
    fn follow_shares(&self, drawing: &Drawing, from: usize) -> Vec<f64> {
        let id = |node: usize| self.clip_of_graph(drawing.nodes[node].number);
        let n = drawing.nodes.len();
        let weights: Vec<f64> = (0..n)
            .map(|to| match (id(from), id(to)) {
                (Some(from), Some(to)) => self.live.weight(from, to),
                _ => 0.0,
            })
            .collect();
        let total: f64 = weights.iter().sum();
        let even = 1.0 / n.max(1) as f64;
        let share = |w: f64| if total > 0.0 { w / total } else { even };
        weights.into_iter().map(share).collect()
    }
}

/// The pose at the middle of a node, and what is in it.
fn node_tip_ui(
    ui: &mut egui::Ui,
    cx: &UiContext,
    sequence: &SequenceWorkspace,
    drawing: &Drawing,
    node: usize,
) {
    let colours = Colours::of(ui);
    let shown = &drawing.nodes[node];
    if let Some((clip, frame)) = pose_of(cx, sequence, shown.number) {
        let (rect, _) = ui.allocate_exact_size(vec2(96.0, 96.0), Sense::hover());
        let colour = hue(shown.action, &colours);
        paint_figure(&ui.painter_at(rect), rect, (&clip, frame), colour);
    }
    ui.strong(&drawing.actions[shown.action]);
    ui.label(counted(shown.n_frames, "frame"));
    let leads = drawing.lines.iter();
    let leads: Vec<_> = leads.filter(|line| line.from == node).collect();
    if sequence.graph_view.level != GraphLevel::Actions {
        let traffic: usize = leads.iter().map(|line| line.traffic).sum();
        ui.label(format!(
            "leads to {} by {}",
            counted(leads.len(), "other"),
            counted(traffic, "transition")
        ));
    }
    ui.weak(match sequence.graph_view.level {
        GraphLevel::Clusters => "Click, then Shift+click another: candidate paths",
        GraphLevel::Actions => "Click: how likely each action follows it",
        GraphLevel::Texture => "Double-click: its frames and transitions",
    });
}

/// A frame that stands for a node.
fn pose_of(
    cx: &UiContext,
    sequence: &SequenceWorkspace,
    number: usize,
) -> Option<(Arc<Clip>, usize)> {
    match sequence.graph_view.level {
        GraphLevel::Clusters => {
            let graph = sequence.graph()?;
            let (clip, frame) = graph.clusters().get(number)?.centre;
            let found = graph.clips().find(|(at, _)| *at == clip);
            Some((Arc::clone(&found?.1.clip), frame))
        }
        GraphLevel::Actions => {
            let graph = sequence.graph()?;
            let found = graph.clips().find(|(at, _)| *at == number);
            let clip = &found?.1.clip;
            Some((Arc::clone(clip), clip.n_frames() / 2))
        }
        GraphLevel::Texture => {
            let (_, texture) = sequence.chosen_texture(cx)?;
            let mut sections = texture.sections().iter();
            let section = sections.find(|s| s.system == number)?;
            let clip = &texture.corpus().clips[section.clip].join.clip;
            let middle = section.frames.start + section.frames.len() / 2;
            Some((Arc::clone(clip), middle))
        }
    }
}

/// What there is to say about the picked nodes.
fn picked_ui(ui: &mut egui::Ui, sequence: &mut SequenceWorkspace, drawing: &Drawing) {
    ui.add_space(3.0);
    match sequence.graph_view.level {
        GraphLevel::Clusters => candidates_ui(ui, sequence, drawing),
        GraphLevel::Actions => weights_ui(ui, sequence, drawing),
        GraphLevel::Texture => {
            ui.weak("Double-click a system to see its frames and transitions.");
        }
    }
}

/// Candidate paths with their costs.
fn candidates_ui(ui: &mut egui::Ui, sequence: &mut SequenceWorkspace, drawing: &Drawing) {
    let (from, to) = sequence.graph_view.picked;
    if to.is_none() {
        ui.weak("Shift+click another cluster to see the candidate paths to it.");
        return;
    }
    let paths: Vec<(f64, usize)> = sequence
        .candidate_paths(drawing)
        .iter()
        .map(|path| (path.cost, path.nodes.len()))
        .collect();
    if paths.is_empty() && from == to {
        ui.weak("It is the same cluster.");
    } else if paths.is_empty() {
        ui.weak("No path leads there within the cost limit: an interpolation would be made.");
    }
    ui.horizontal_wrapped(|ui| {
        for (at, (cost, n)) in paths.into_iter().enumerate() {
            let words = format!("{} steps, cost {cost:.2}", n.saturating_sub(1));
            let lit = &mut sequence.graph_view.lit;
            ui.selectable_value(lit, at, words);
        }
    });
}

/// How likely one action follows another.
fn weights_ui(ui: &mut egui::Ui, sequence: &mut SequenceWorkspace, drawing: &Drawing) {
    let (Some(from), to) = sequence.graph_view.picked else {
        return;
    };
    let name = |node: usize| drawing.actions[drawing.nodes[node].action].clone();
    let id = |node: usize| sequence.clip_of_graph(drawing.nodes[node].number);
    let Some(to) = to else {
        ui.weak(format!(
            "Shift+click another action to say how likely it follows {}.",
            name(from)
        ));
        return;
    };
    let (Some(a), Some(b)) = (id(from), id(to)) else {
        return;
    };
    let mut weight = sequence.live.weight(a, b);
    let share = sequence.follow_shares(drawing, from)[to];
    ui.horizontal(|ui| {
        ui.label(format!("{} to {}", name(from), name(to)));
        let slider = egui::Slider::new(&mut weight, 0.0..=5.0).text("weight");
        if ui.add(slider).changed() {
            sequence.live.weights.insert((a, b), weight);
            sequence.weights_changed();
        }
        ui.label(format!("{:.0} %", 100.0 * share));
    });
}
