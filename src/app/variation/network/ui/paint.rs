//! Draws a laid-out network; only looks, so that a picture for a file is drawn by the same words as the panel.

use egui::epaint::{PathStroke, TextShape};
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

use crate::app::shell::theme::Colours;
use crate::app::shell::ui::lens::Lens;
use crate::app::variation::network::ui::Edges;
use crate::app::variation::network::ui::graph::{Graph, Line};
use crate::app::variation::network::ui::rows::Sign;
use crate::variation::ClipModel;

/// Rows lower than this are not named one by one.
const NAMED_ROW: f32 = 9.0;
/// Edges that bring less than this share of the strongest are not strong.
const STRONG: f32 = 0.35;

/// What is drawn, and how.
pub(in crate::app::variation) struct Sheet<'a> {
    pub(in crate::app::variation) graph: &'a Graph,
    pub(in crate::app::variation) model: &'a ClipModel,
    pub(in crate::app::variation) lens: Lens,
    pub(in crate::app::variation) panel: Rect,
    pub(in crate::app::variation) colours: Colours,
    /// The node whose edges are lit: the hovered one, or else the selected one.
    pub(in crate::app::variation) focus: Option<usize>,
    pub(in crate::app::variation) selected: Option<usize>,
    /// By node: whether the filters let it through.
    pub(in crate::app::variation) matching: &'a [bool],
    pub(in crate::app::variation) edges: Edges,
}

impl Sheet<'_> {
    pub(in crate::app::variation) fn paint(&self, painter: &Painter) {
        painter.rect_filled(self.panel, 3.0, self.colours.sunken);
        self.bands(painter);
        self.background(painter);
        let lit = self.lit();
        if let Some(focus) = self.focus {
            self.edges_of(painter, focus);
        }
        self.dots(painter, &lit);
        self.names(painter, &lit);
        if let Some(focus) = self.focus {
            self.tags(painter, focus);
        }
        self.titles(painter);
    }

    pub(in crate::app::variation) fn at(&self, place: Pos2) -> Pos2 {
        self.lens.at(self.panel, place)
    }

    /// Half the size of a dot on the screen.
    pub(in crate::app::variation) fn radius(&self) -> f32 {
        (3.3 * self.lens.zoom).clamp(1.6, 8.0)
    }

    /// How each dot is lit.
    fn lit(&self) -> Vec<Option<Color32>> {
        let mut lit = vec![None; self.graph.dots.len()];
        let Some(focus) = self.focus else {
            return lit;
        };
        for line in self.graph.children(focus) {
            lit[line.link.to] = Some(self.colours.generated);
        }
        for line in self.graph.parents(focus) {
            lit[line.link.from] = Some(self.colours.given);
        }
        lit[focus] = Some(self.colours.selected);
        lit
    }

    fn bands(&self, painter: &Painter) {
        let (left, right) = (self.graph.bounds.left(), self.graph.bounds.right());
        for band in &self.graph.bands {
            let rect = Rect::from_min_max(
                self.at(pos2(left, band.top - 1.0)),
                self.at(pos2(right, band.bottom + 1.0)),
            );
            painter.rect_filled(rect, 3.0, self.colours.panel);
            // The name of the part stands in the column at the right, if it is high enough for a word.
            let x = self.at(pos2(right - 58.0, 0.0)).x;
            let line = self.colours.line;
            painter.vline(x, rect.y_range().shrink(2.0), Stroke::new(1.5, line));
            if rect.height() >= 10.0 {
                let size = (10.5 * self.lens.zoom).clamp(9.5, 14.0);
                let at = pos2(x + 5.0, rect.center().y);
                let font = FontId::proportional(size);
                painter.text(at, Align2::LEFT_CENTER, &band.name, font, self.colours.weak);
            }
        }
        if self.graph.rows.len() > 1 && 14.0 * self.lens.zoom >= NAMED_ROW {
            let right = self.at(pos2(right - 62.0, 0.0)).x;
            let left = self.at(pos2(-6.0, 0.0)).x;
            for (_, y) in &self.graph.rows {
                let y = self.at(pos2(0.0, *y)).y;
                let stroke = Stroke::new(0.5, self.colours.line.gamma_multiply(0.5));
                painter.hline(left..=right, y, stroke);
            }
        }
    }

    /// Edges behind those of the node that is looked at, fainter while there is one.
    fn background(&self, painter: &Painter) {
        let fade = if self.focus.is_some() { 0.35 } else { 1.0 };
        let colour = |alpha: f32| self.colours.text.gamma_multiply(fade * alpha);
        if self.edges == Edges::OfNode {
            return;
        }
        for line in &self.graph.lines {
            let is_shown = self.matching[line.link.to]
                && (self.edges != Edges::Strongest || line.strength >= STRONG);
            if is_shown {
                let stroke = Stroke::new(0.5 + line.strength, colour(0.12 + 0.4 * line.strength));
                self.edge(painter, line, stroke);
            }
        }
    }

    fn edge(&self, painter: &Painter, line: &Line, stroke: Stroke) {
        let from = self.at(self.graph.dots[line.link.from].place);
        let to = self.at(self.graph.dots[line.link.to].place);
        curve(painter, from, to, stroke);
    }

    /// Parents come with an arrow, children end in a ring.
    fn edges_of(&self, painter: &Painter, focus: usize) {
        let radius = self.radius();
        let colour = self.colours.generated.gamma_multiply(0.7);
        for line in self.graph.children(focus) {
            self.edge(painter, line, Stroke::new(0.9, colour));
        }
        let mut parents: Vec<&Line> = self.graph.parents(focus).collect();
        parents.reverse();
        for line in parents {
            let colour = if line.is_harmful {
                self.colours.warning
            } else {
                self.colours.given
            };
            let width = 1.0 + 2.4 * line.strength;
            self.edge(painter, line, Stroke::new(width, colour));
            let to = self.at(self.graph.dots[line.link.to].place);
            let tip = to - vec2(radius + 1.0, 0.0);
            let size = 3.0 + width;
            let back = tip - vec2(1.6 * size, 0.0);
            let points = vec![
                tip,
                back + vec2(0.0, 0.7 * size),
                back - vec2(0.0, 0.7 * size),
            ];
            painter.add(Shape::convex_polygon(points, colour, Stroke::NONE));
        }
    }

    fn dots(&self, painter: &Painter, lit: &[Option<Color32>]) {
        let radius = self.radius();
        for (dot, known) in self.graph.dots.iter().enumerate() {
            let at = self.at(known.place);
            if !self.panel.expand(radius).contains(at) {
                continue;
            }
            let strength = if self.matching[dot] { 0.85 } else { 0.15 };
            let colour = lit[dot].unwrap_or_else(|| self.colours.text.gamma_multiply(strength));
            let radius = if lit[dot].is_some() {
                radius + 0.8
            } else {
                radius
            };
            paint_sign(painter, known.sign, at, radius, colour);
            if lit[dot] == Some(self.colours.generated) {
                painter.circle_stroke(at, radius + 2.0, Stroke::new(1.0, self.colours.generated));
            }
            if self.selected == Some(dot) {
                let stroke = Stroke::new(1.6, self.colours.selected);
                painter.circle_stroke(at, radius + 3.5, stroke);
            }
        }
    }

    /// Names of joints at the left, those of lit rows stronger.
    fn names(&self, painter: &Painter, lit: &[Option<Color32>]) {
        let row_px = 14.0 * self.lens.zoom;
        let lit_heights: Vec<f32> = self
            .graph
            .dots
            .iter()
            .zip(lit)
            .filter(|(_, lit)| lit.is_some_and(|c| c != self.colours.generated))
            .map(|(dot, _)| dot.place.y)
            .collect();
        let size = (10.5 * self.lens.zoom).clamp(8.5, 14.0);
        // Zoomed in, names stay at the edge of the panel instead of leaving it.
        let x = self.at(pos2(-7.0, 0.0)).x.max(self.panel.left() + 78.0);
        for (name, y) in &self.graph.rows {
            let is_lit = lit_heights.iter().any(|other| (other - y).abs() < 7.0);
            if row_px < NAMED_ROW && !is_lit {
                continue;
            }
            let at = pos2(x, self.at(pos2(0.0, *y)).y);
            let colour = if is_lit {
                self.colours.text
            } else {
                self.colours.weak
            };
            let font = FontId::proportional(size);
            painter.text(at, Align2::RIGHT_CENTER, name, font, colour);
        }
    }

    /// The full names of the parents of a node and of itself, beside their dots; each name once, and none over another.
    fn tags(&self, painter: &Painter, focus: usize) {
        const MOST: usize = 10;
        let mut taken: Vec<Rect> = Vec::new();
        let parents = self.graph.parents(focus).map(|line| line.link.from);
        for dot in std::iter::once(focus).chain(parents) {
            let colour = if dot == focus {
                self.colours.selected
            } else {
                self.colours.given
            };
            let font = FontId::proportional(10.5);
            let galley = painter.layout_no_wrap(self.model.node_name(dot), font, colour);
            let at = self.at(self.graph.dots[dot].place) + vec2(0.0, -self.radius() - 3.0);
            // To the right, where they cover no name of a joint.
            let place = if dot == focus {
                Align2::CENTER_BOTTOM.anchor_size(at, galley.size())
            } else {
                Align2::LEFT_BOTTOM.anchor_size(at, galley.size())
            };
            let ground = place.expand2(vec2(3.0, 0.0));
            if taken.len() > MOST || taken.iter().any(|other| other.intersects(ground)) {
                continue;
            }
            let fill = self.colours.raised.gamma_multiply(0.92);
            painter.rect_filled(ground, 2.0, fill);
            painter.add(TextShape::new(place.min, galley, colour));
            taken.push(ground);
        }
    }

    /// Names of the columns, at the top of the panel whatever is in view below.
    fn titles(&self, painter: &Painter) {
        let y = self.panel.top() + 3.0;
        for (name, x) in &self.graph.columns {
            let at = pos2(self.at(pos2(*x, 0.0)).x, y);
            let font = FontId::proportional(11.0);
            let galley = painter.layout_no_wrap((*name).to_owned(), font, self.colours.text);
            let place = Align2::CENTER_TOP.anchor_size(at, galley.size());
            let fill = self.colours.raised.gamma_multiply(0.9);
            painter.rect_filled(place.expand2(vec2(5.0, 1.0)), 3.0, fill);
            painter.add(TextShape::new(place.min, galley, self.colours.text));
        }
    }
}

/// Paints a node by the sign of its kind of motion.
pub(in crate::app::variation) fn paint_sign(
    painter: &Painter,
    sign: Sign,
    at: Pos2,
    radius: f32,
    colour: Color32,
) {
    let (fill, stroke) = (colour, Stroke::NONE);
    let polygon = |points: Vec<Pos2>| Shape::convex_polygon(points, fill, PathStroke::from(stroke));
    let shape = match sign {
        Sign::Circle => {
            painter.circle(at, radius, fill, stroke);
            return;
        }
        Sign::Square => {
            let rect = Rect::from_center_size(at, vec2(1.7, 1.7) * radius);
            painter.rect(rect, 0.0, fill, stroke, egui::StrokeKind::Middle);
            return;
        }
        Sign::Diamond => polygon(
            [(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)]
                .map(|(x, y)| at + vec2(x, y) * radius)
                .to_vec(),
        ),
        Sign::Triangle => polygon(
            [(0.0, -1.1), (1.1, 0.85), (-1.1, 0.85)]
                .map(|(x, y)| at + vec2(x, y) * radius)
                .to_vec(),
        ),
    };
    painter.add(shape);
}

/// A line that leaves and arrives level.
pub(in crate::app::variation) fn curve(painter: &Painter, from: Pos2, to: Pos2, stroke: Stroke) {
    // Bends are smooth on paper, too, and short ones cheap.
    let pieces = ((to - from).length() / 12.0).clamp(8.0, 28.0) as usize;
    let reach = vec2(0.45 * (to.x - from.x).abs().max(20.0), 0.0);
    let (a, b) = (from + reach, to - reach);
    let point = |i: usize| {
        let t = i as f32 / pieces as f32;
        let s = 1.0 - t;
        let sum = from.to_vec2() * (s * s * s)
            + a.to_vec2() * (3.0 * s * s * t)
            + b.to_vec2() * (3.0 * s * t * t)
            + to.to_vec2() * (t * t * t);
        sum.to_pos2()
    };
    painter.add(Shape::line((0..=pieces).map(point).collect(), stroke));
}
