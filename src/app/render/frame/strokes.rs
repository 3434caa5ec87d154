//! Lines of constant width, small balls, and rings on the floor.

use super::stroke_instance::{BALL, MarkInstance, ROUND, ROUND_A, ROUND_B, StrokeInstance, bytes};
use super::{Frame, gizmo};
use crate::app::render::finite_f32;
use crate::app::render::scene::{Scene, Trail};
use crate::app::render::size::Size;
use crate::motion::Vec3;

pub(super) fn build(frame: &mut Frame, scene: &Scene, size: Size) {
    let target = scene.camera.target;
    frame.strokes.clear();
    frame.overlay.clear();
    frame.marks.clear();
    for trail in &scene.trails {
        let faintest = scene.backdrop.faintest;
        push_trail(&mut frame.strokes, trail, &target, faintest);
    }
    let up = scene.ground.up.vector();
    frame.marks.extend(scene.marks.iter().map(|mark| {
        let over = mark.place.dot(&up) - scene.ground.height;
        let centre = mark.place - up * over - target;
        MarkInstance {
            centre: [centre.x, centre.y, centre.z, mark.radius].map(finite_f32),
            colour: mark.colour.with_alpha(0.9),
        }
    }));
    for handle in &scene.handles {
        let place = relative(&handle.place, &target);
        let colour = bytes(handle.colour, 1.0);
        frame.overlay.push(StrokeInstance {
            a: place,
            b: place,
            width_px: 2.0 * handle.radius_px,
            kind: BALL | ROUND,
            colour_a: colour,
            colour_b: colour,
        });
    }
    if scene.shows_axes {
        gizmo::push(&mut frame.overlay, &scene.camera, size);
    }
}

/// A trail fades over this many points away from now, and never quite out.
const FADE_POINTS: f32 = 60.0;

/// Longer trails are drawn with every second, third... point.
const MOST_POINTS: usize = 50_000;

fn push_trail(strokes: &mut Vec<StrokeInstance>, trail: &Trail, target: &Vec3, faintest: f32) {
    let alpha = |at: usize| match trail.now {
        None => 0.9,
        Some(now) => {
            let away = at.abs_diff(now) as f32 / FADE_POINTS;
            faintest + (0.95 - faintest) * (1.0 - away).max(0.0)
        }
    };
    let stride = trail.points.len().div_ceil(MOST_POINTS).max(1);
    let points = || trail.points.iter().enumerate().step_by(stride);
    let first = strokes.len();
    for ((at, from), (next, to)) in points().zip(points().skip(1)) {
        strokes.push(StrokeInstance {
            a: relative(from, target),
            b: relative(to, target),
            width_px: trail.width_px,
            kind: 0,
            colour_a: bytes(trail.colour, alpha(at)),
            colour_b: bytes(trail.colour, alpha(next)),
        });
    }
    // Only the ends are round: where lines meet, lids would show as beads.
    if let [from, .., to] = &mut strokes[first..] {
        from.kind = ROUND_A;
        to.kind = ROUND_B;
    } else if let [only] = &mut strokes[first..] {
        only.kind = ROUND;
    }
}

fn relative(place: &Vec3, target: &Vec3) -> [f32; 3] {
    let v = place - target;
    [v.x, v.y, v.z].map(finite_f32)
}
