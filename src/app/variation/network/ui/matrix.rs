//! The same edges as a table: a row for each node, a column for each that it may depend on.

use std::sync::Arc;

use egui::epaint::TextShape;
use egui::{Align2, FontId, Mesh, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};

use crate::app::shell::context::UiContext;
use crate::app::shell::pane::Pane;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::lens::{Lens, navigate};
use crate::app::variation::network::Link;
use crate::app::variation::network::ui::graph::Graph;
use crate::app::variation::network::ui::sheet_ui;
use crate::app::variation::state::VariationWorkspace;
use crate::variation::ClipModel;

const CELL: f32 = 10.0;
/// Room for the names of rows and columns.
const MARGIN: f32 = 62.0;
/// Cells smaller than this are not named one by one.
const NAMED_CELL: f32 = 8.5;

/// Rows and columns in the order of the body.
struct BodyOrder {
    /// Nodes from top to bottom; columns are the same from left to right.
    nodes: Vec<usize>,
    /// The place of each node in that order.
    place: Vec<usize>,
    /// Names of parts and where they begin and end.
    parts: Vec<(String, usize, usize)>,
}

impl BodyOrder {
    fn of(graph: &Graph) -> Self {
        let mut nodes = Vec::new();
        let mut parts = Vec::new();
        for part in &graph.parts {
            let begin = nodes.len();
            let of_part = part.rows.iter().flat_map(|row| &row.nodes);
            nodes.extend(of_part.map(|(node, _)| *node));
            parts.push((part.name.clone(), begin, nodes.len()));
        }
        let mut place = vec![0; nodes.len()];
        for (at, node) in nodes.iter().enumerate() {
            place[*node] = at;
        }
        Self {
            nodes,
            place,
            parts,
        }
    }

    /// With room for names, which stay as large when all is scaled down to fit the panel: without it they lay over the first rows.
    fn bounds(&self, panel: Vec2) -> Rect {
        let side = CELL * self.nodes.len() as f32;
        let zoom = (panel.min_elem() - MARGIN) / side.max(1.0);
        let margin = MARGIN / zoom.clamp(0.1, 1.0);
        Rect::from_min_max(pos2(-margin, -margin), pos2(side, side))
    }

    /// Where an edge is.
    fn cell(&self, link: Link) -> Rect {
        let [row, column] = [link.to, link.from].map(|node| self.place[node] as f32 * CELL);
        Rect::from_min_size(pos2(column, row), vec2(CELL, CELL))
    }

    /// The edge whose place this is.
    fn link_at(&self, at: Pos2) -> Option<Link> {
        let index = |x: f32| (x >= 0.0).then_some((x / CELL) as usize);
        let (row, column) = (index(at.y)?, index(at.x)?);
        Some(Link {
            from: *self.nodes.get(column)?,
            to: *self.nodes.get(row)?,
        })
    }
}

/// Draws the matrix and answers the pointer.
pub(in crate::app::variation) fn matrix_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    model: &Arc<ClipModel>,
    graph: &Graph,
    size: Vec2,
) {
    let view = &mut variation.network;
    let response = sheet_ui(ui, view, (size, "Network matrix"));
    let panel = response.rect;
    let order = BodyOrder::of(graph);
    if view.framing.take().is_some() {
        view.matrix_lens = None;
    }
    let lens = navigate(
        ui,
        &response,
        &mut view.matrix_lens,
        order.bounds(panel.size()),
    );
    let pointer = response.hover_pos();
    let pointed = pointer.and_then(|at| order.link_at(lens.place(panel, at)));
    view.hovered = pointed.map(|link| link.to);
    let drawn = Drawn {
        graph,
        order: &order,
        model,
        lens,
        panel,
        colours: Colours::of(ui),
        matching: &view.matching(model, graph),
        selected: view.selected,
        pointed,
    };
    drawn.paint(&ui.painter_at(panel));
    let Some(link) = pointed else {
        return;
    };
    let (is_clicked, is_double) = (response.clicked(), response.double_clicked());
    response.on_hover_ui_at_pointer(|ui| tip_ui(ui, graph, link, model));
    if is_double {
        variation.try_link(cx, link);
    } else if is_clicked {
        variation.network.selected = Some(link.to);
        cx.wanted_pane = Some(Pane::Node);
    }
}

/// How large all of it is when it is not scaled.
pub(in crate::app::variation) fn bounds(graph: &Graph) -> Rect {
    BodyOrder::of(graph).bounds(Vec2::INFINITY)
}

/// Only draws, with nothing under the pointer.
pub(in crate::app::variation) fn paint(
    painter: &Painter,
    (graph, model): (&Graph, &ClipModel),
    (lens, panel, colours): (Lens, Rect, Colours),
    selected: Option<usize>,
) {
    let drawn = Drawn {
        graph,
        order: &BodyOrder::of(graph),
        model,
        lens,
        panel,
        colours,
        matching: &vec![true; model.n_nodes()],
        selected,
        pointed: None,
    };
    drawn.paint(painter);
}

fn tip_ui(ui: &mut egui::Ui, graph: &Graph, link: Link, model: &ClipModel) {
    ui.strong(link.words(model));
    let line = graph.parents(link.to).find(|line| line.link == link);
    match line {
        _ if link.from == link.to => ui.weak("Every node depends on its own last two frames"),
        Some(line) => {
            if let Some(worth) = line.worth {
                ui.label(format!("worth {worth:+.1} nats on takes left out"));
            }
            ui.weak("Double-click: try without it")
        }
        None => ui.weak("No edge. Double-click: try one"),
    };
}

struct Drawn<'a> {
    graph: &'a Graph,
    order: &'a BodyOrder,
    model: &'a ClipModel,
    lens: Lens,
    panel: Rect,
    colours: Colours,
    matching: &'a [bool],
    selected: Option<usize>,
    pointed: Option<Link>,
}

impl Drawn<'_> {
    fn at(&self, place: Pos2) -> Pos2 {
        self.lens.at(self.panel, place)
    }

    fn rect(&self, rect: Rect) -> Rect {
        Rect::from_min_max(self.at(rect.min), self.at(rect.max))
    }

    fn paint(&self, painter: &Painter) {
        painter.rect_filled(self.panel, 3.0, self.colours.sunken);
        let side = CELL * self.order.nodes.len() as f32;
        let all = self.rect(Rect::from_min_size(Pos2::ZERO, Vec2::splat(side)));
        painter.rect_filled(all, 0.0, self.colours.panel);
        self.cells(painter);
        for (_, begin, end) in &self.order.parts {
            let stroke = Stroke::new(0.8, self.colours.line);
            for edge in [*begin, *end] {
                let at = self.at(Pos2::ZERO + Vec2::splat(CELL * edge as f32));
                painter.hline(all.x_range(), at.y, stroke);
                painter.vline(at.x, all.y_range(), stroke);
            }
        }
        self.cross(painter, all);
        self.names(painter);
    }

    /// One mesh for all: a thousand cells cost no more than their corners.
    fn cells(&self, painter: &Painter) {
        let mut mesh = Mesh::default();
        let gap = if self.lens.zoom > 0.7 { 0.4 } else { 0.0 };
        // What needs no edge: everybody's own.
        let own = self.colours.line;
        for at in 0..self.order.nodes.len() {
            let place = Pos2::ZERO + Vec2::splat(CELL * at as f32);
            let rect = Rect::from_min_size(place, Vec2::splat(CELL));
            mesh.add_colored_rect(self.rect(rect).shrink(gap), own);
        }
        for line in &self.graph.lines {
            let colour = if line.is_harmful {
                self.colours.warning.gamma_multiply(0.8)
            } else {
                self.colours
                    .given
                    .gamma_multiply(0.45 + 0.55 * line.strength)
            };
            let faint = if self.matching[line.link.to] {
                1.0
            } else {
                0.2
            };
            let rect = self.rect(self.order.cell(line.link)).shrink(gap);
            if rect.intersects(self.panel) {
                mesh.add_colored_rect(rect, colour.gamma_multiply(faint));
            }
        }
        painter.add(Shape::mesh(mesh));
    }

    /// The selected row and column, and those under the pointer.
    fn cross(&self, painter: &Painter, all: Rect) {
        let strip = |node: usize| {
            let place = self.order.place[node];
            let at = self.at(Pos2::ZERO + Vec2::splat(CELL * place as f32));
            (at, Vec2::splat(CELL * self.lens.zoom))
        };
        if let Some((at, size)) = self.selected.map(strip) {
            let row = Rect::from_min_max(pos2(all.left(), at.y), pos2(all.right(), at.y + size.y));
            let stroke = Stroke::new(1.2, self.colours.selected);
            painter.rect_stroke(row, 0.0, stroke, egui::StrokeKind::Outside);
        }
        let Some(link) = self.pointed else {
            return;
        };
        let fill = self.colours.text.gamma_multiply(0.09);
        let (row, size) = strip(link.to);
        let cell = self.rect(self.order.cell(link));
        let rows = Rect::from_min_max(pos2(all.left(), row.y), pos2(all.right(), row.y + size.y));
        let columns = Rect::from_x_y_ranges(cell.x_range(), all.y_range());
        painter.rect_filled(rows, 0.0, fill);
        painter.rect_filled(columns, 0.0, fill);
        let stroke = Stroke::new(1.0, self.colours.selected);
        painter.rect_stroke(cell, 0.0, stroke, egui::StrokeKind::Outside);
    }

    /// Names stay at the edges of the panel when the matrix is moved; single nodes are named where there is room.
    fn names(&self, painter: &Painter) {
        let corner = self.at(Pos2::ZERO);
        let corner = pos2(
            corner.x.max(self.panel.left() + 60.0),
            corner.y.max(self.panel.top() + 60.0),
        );
        let ground = self.colours.sunken;
        let (panel, cell) = (self.panel, CELL * self.lens.zoom);
        painter.rect_filled(panel.with_max_x(corner.x - 1.0), 0.0, ground);
        painter.rect_filled(panel.with_max_y(corner.y - 1.0), 0.0, ground);
        let is_named = cell >= NAMED_CELL;
        let mut names: Vec<(String, f32)> = Vec::new();
        if is_named {
            for (at, node) in self.order.nodes.iter().enumerate() {
                let name = self.model.node_name(*node);
                names.push((name, CELL * (at as f32 + 0.5)));
            }
        } else {
            for (name, begin, end) in &self.order.parts {
                if (end - begin) as f32 * cell >= 9.0 {
                    names.push((name.clone(), 0.5 * CELL * (begin + end) as f32));
                }
            }
        }
        let size = if is_named {
            cell.clamp(8.5, 12.0)
        } else {
            10.5
        };
        for (name, middle) in names {
            let at = self.at(pos2(middle, middle));
            let galley =
                painter.layout_no_wrap(name, FontId::proportional(size), self.colours.text);
            if at.y > corner.y && at.y < panel.bottom() {
                let place = pos2(corner.x - 5.0, at.y);
                let rect = Align2::RIGHT_CENTER.anchor_size(place, galley.size());
                painter.add(TextShape::new(
                    rect.min,
                    Arc::clone(&galley),
                    self.colours.text,
                ));
            }
            if at.x > corner.x && at.x < panel.right() {
                let start = pos2(at.x - 0.5 * galley.size().y, corner.y - 5.0);
                let text = TextShape::new(start, galley, self.colours.text);
                painter.add(text.with_angle(-std::f32::consts::FRAC_PI_2));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::variation::network::links;
    use crate::app::variation::quick_jumps;

    #[test]
    fn every_edge_is_found_where_it_is_drawn() {
        let model = quick_jumps();
        let graph = Graph::new(&model, None);
        let order = BodyOrder::of(&graph);
        assert_eq!(order.parts.last().unwrap().2, order.nodes.len());
        for link in links(&model) {
            let middle = order.cell(link).center();
            assert_eq!(order.link_at(middle), Some(link));
        }
        assert_eq!(order.link_at(pos2(-1.0, 5.0)), None);
        assert_eq!(
            order.link_at(order.bounds(Vec2::INFINITY).max + vec2(1.0, 1.0)),
            None
        );
    }
}
