//! Lines and circles of a sheet as one mesh, made again only when the sheet is moved: thousands of lines a frame would
//! cost more than the rest of the window.

use std::sync::Arc;

use egui::epaint::Mesh;
use egui::{Color32, Pos2, Rect, Shape, Vec2, vec2};

use crate::app::sequence::graph_view::layout::Drawing;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::lens::Lens;

/// Of more lines only the busiest are drawn.
const MOST_LINES: usize = 6000;
/// Corners of a circle.
const CORNERS: usize = 18;

/// The mesh, and what it was made from.
#[derive(Default)]
pub(super) struct SheetMesh {
    made_of: Option<(Arc<Drawing>, Rect, Lens, Color32)>,
    mesh: Arc<Mesh>,
}

impl SheetMesh {
    /// The sheet as a shape.
    pub(super) fn shape(
        &mut self,
        drawing: &Arc<Drawing>,
        (panel, lens): (Rect, Lens),
        colours: &Colours,
    ) -> Shape {
        let is_same = self.made_of.as_ref().is_some_and(|(d, p, l, c)| {
            Arc::ptr_eq(d, drawing) && *p == panel && *l == lens && *c == colours.ground
        });
        if !is_same {
            self.mesh = Arc::new(mesh(drawing, panel, lens, colours));
            self.made_of = Some((Arc::clone(drawing), panel, lens, colours.ground));
        }
        Shape::Mesh(Arc::clone(&self.mesh))
    }
}

fn mesh(drawing: &Drawing, panel: Rect, lens: Lens, colours: &Colours) -> Mesh {
    let mut mesh = Mesh::default();
    let most = drawing.lines.last().map_or(1, |line| line.traffic).max(1) as f32;
    let from = drawing.lines.len().saturating_sub(MOST_LINES);
    for line in &drawing.lines[from..] {
        let ends = [line.from, line.to].map(|at| lens.at(panel, drawing.nodes[at].place));
        if !panel.intersects(Rect::from_two_pos(ends[0], ends[1])) {
            continue;
        }
        let share = (line.traffic as f32).ln_1p() / most.ln_1p();
        let colour = colours.weak.gamma_multiply(0.25 + 0.5 * share);
        add_line(&mut mesh, ends, 0.8 + 2.2 * share, colour);
    }
    for node in &drawing.nodes {
        let centre = lens.at(panel, node.place);
        let radius = (node.radius * lens.zoom).max(1.5);
        if panel.expand(radius).contains(centre) {
            add_circle(&mut mesh, centre, radius + 1.0, colours.ground);
            add_circle(&mut mesh, centre, radius, hue(node.action, colours));
        }
    }
    mesh
}

/// A colour for each action; neighbours in the list are told apart.
pub(super) fn hue(action: usize, colours: &Colours) -> Color32 {
    let is_dark = colours.ground.r() < 128;
    let hue = (0.58 + action as f32 * 0.618_034).fract();
    let (saturation, value) = if is_dark { (0.75, 0.6) } else { (0.75, 0.5) };
    egui::ecolor::Hsva::new(hue, saturation, value, 1.0).into()
}

fn add_line(mesh: &mut Mesh, [from, to]: [Pos2; 2], width: f32, colour: Color32) {
    let along = (to - from).normalized();
    let aside = vec2(-along.y, along.x) * (0.5 * width);
    let first = mesh.vertices.len() as u32;
    for at in [from + aside, from - aside, to - aside, to + aside] {
        mesh.colored_vertex(at, colour);
    }
    mesh.add_triangle(first, first + 1, first + 2);
    mesh.add_triangle(first, first + 2, first + 3);
}

fn add_circle(mesh: &mut Mesh, centre: Pos2, radius: f32, colour: Color32) {
    let first = mesh.vertices.len() as u32;
    mesh.colored_vertex(centre, colour);
    for corner in 0..CORNERS {
        let angle = corner as f32 * std::f32::consts::TAU / CORNERS as f32;
        mesh.colored_vertex(centre + radius * Vec2::angled(angle), colour);
    }
    for corner in 0..CORNERS as u32 {
        let next = (corner + 1) % CORNERS as u32;
        mesh.add_triangle(first, first + 1 + corner, first + 1 + next);
    }
}
