//! Edges of the selected node over the character in the 3D view, from the joints it depends on.

use egui::{Align2, Color32, FontId, Painter, Pos2, Shape, Stroke, vec2};

use crate::app::render::Character;
use crate::app::shell::context::UiContext;
use crate::app::shell::preferences::Workspace;
use crate::app::shell::theme::Colours;
use crate::app::variation::network::ui::shown;
use crate::app::variation::state::VariationWorkspace;
use crate::app::viewport::ui::Drawn;

/// The colour of what is selected, as in the 3D view itself, which is the same in both themes.
const BRIGHT: Color32 = Colours::DARK.selected;

/// Draws them over the active character, if it has the model's skeleton.
pub(in crate::app) fn edges_over_body_ui(
    ui: &egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    drawn: &Drawn,
) {
    let Drawn {
        actors,
        scene,
        rect,
        size,
    } = drawn;
    let (rect, size) = (*rect, *size);
    let view = &variation.network;
    let is_wanted = cx.preferences.workspace == Workspace::Variation && !view.is_off_body;
    let Some(node) = view.selected.filter(|_| is_wanted) else {
        return;
    };
    let Some((model, graph)) = shown(cx, variation) else {
        return;
    };
    let skeleton = model.chart().skeleton();
    let lead = actors.iter().position(|actor| actor.is_active);
    let Some((actor, character)) =
        lead.and_then(|at| Some((actors.get(at)?, scene.characters.get(at)?)))
    else {
        return;
    };
    if !actor.clip.skeleton().same_structure(skeleton) {
        return;
    }
    let per_pixel = 1.0 / ui.ctx().pixels_per_point();
    let place = |joint: usize| -> Option<Pos2> {
        let seen = scene.camera.project(&joint_of(character, joint)?, size)?;
        Some(rect.min + vec2(seen.x as f32, seen.y as f32) * per_pixel)
    };
    let dofs = model.chart().dofs();
    // Timing and drift are the body's as a whole.
    let root = model.chart().parts().heading.root;
    let joint = |node: usize| model.node_dof(node).map_or(root, |dof| dofs[dof].joint);
    let Some(to) = place(joint(node)) else {
        return;
    };
    // One line for each joint, as strong as its strongest edge.
    let mut froms: Vec<(usize, f32)> = Vec::new();
    for line in graph.parents(node) {
        let from = joint(line.link.from);
        if from != joint(node) && froms.iter().all(|(other, _)| *other != from) {
            froms.push((from, line.strength));
        }
    }
    let painter = ui.painter().with_clip_rect(rect);
    let colours = Colours::of(ui);
    for (at, (from, strength)) in froms.iter().enumerate() {
        if let Some(from) = place(*from) {
            bow(&painter, (from, to), at, *strength);
        }
    }
    painter.circle_filled(to, 4.5, colours.selected);
    painter.circle_stroke(to, 7.0, Stroke::new(1.5, colours.selected));
    let name = model.node_name(node);
    let font = FontId::proportional(11.5);
    let galley = painter.layout_no_wrap(name, font, colours.selected);
    let at = Align2::LEFT_BOTTOM.anchor_size(to + vec2(9.0, -6.0), galley.size());
    painter.rect_filled(
        at.expand2(vec2(3.0, 1.0)),
        3.0,
        colours.ground.gamma_multiply(0.7),
    );
    painter.galley(at.min, galley, colours.selected);
}

fn joint_of(character: &Character, joint: usize) -> Option<crate::motion::Vec3> {
    let place = character.pose.positions.get(joint)?;
    Some(character.placement.apply(place))
}

/// A bowed arrow; neighbours bow to different sides, so that lines along one limb are told apart.
fn bow(painter: &Painter, (from, to): (Pos2, Pos2), at: usize, strength: f32) {
    const PIECES: usize = 14;
    let along = to - from;
    let length = along.length();
    if length < 2.0 {
        return;
    }
    let across = along.rot90() / length;
    let side = if at.is_multiple_of(2) { 1.0 } else { -1.0 };
    let bend = across * side * (0.12 * length + 10.0);
    let point = |i: usize| {
        let t = i as f32 / PIECES as f32;
        from + along * t + bend * (4.0 * t * (1.0 - t))
    };
    let width = 1.2 + 2.2 * strength;
    let points: Vec<Pos2> = (0..=PIECES).map(point).collect();
    // Dark around bright: seen on any body and on any floor.
    let around = Stroke::new(width + 2.5, Color32::from_black_alpha(150));
    painter.add(Shape::line(points.clone(), around));
    painter.add(Shape::line(points, Stroke::new(width, BRIGHT)));
    painter.circle_filled(from, 4.0, Color32::from_black_alpha(150));
    painter.circle_filled(from, 3.0, BRIGHT);
    let (back, tip) = (point(PIECES - 2), point(PIECES));
    let direction = (tip - back).normalized();
    let tip = tip - direction * 6.0;
    let wing = direction.rot90() * (2.5 + width);
    let base = tip - direction * (6.0 + width);
    let points = vec![tip, base + wing, base - wing];
    painter.add(Shape::convex_polygon(points, BRIGHT, Stroke::NONE));
}
