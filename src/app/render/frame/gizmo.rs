//! The cross of axes in the lower left corner, with letters, so that colour is not all there is to tell them apart.

use super::globals::axis_colour;
use super::stroke_instance::{BALL, ON_SCREEN, ROUND, StrokeInstance, bytes};
use crate::app::render::camera::Camera;
use crate::app::render::palette::Colour;
use crate::app::render::size::Size;
use crate::motion::{Axis, Dim};

/// A line of a letter, from and to, in a box from -1 to 1 with y down.
type LetterStroke = [[f64; 2]; 2];

const fn letter(dim: Dim) -> &'static [LetterStroke] {
    match dim {
        Dim::X => &[[[-0.8, -1.0], [0.8, 1.0]], [[0.8, -1.0], [-0.8, 1.0]]],
        Dim::Y => &[
            [[-0.8, -1.0], [0.0, 0.0]],
            [[0.8, -1.0], [0.0, 0.0]],
            [[0.0, 0.0], [0.0, 1.0]],
        ],
        Dim::Z => &[
            [[-0.8, -1.0], [0.8, -1.0]],
            [[0.8, -1.0], [-0.8, 1.0]],
            [[-0.8, 1.0], [0.8, 1.0]],
        ],
    }
}

pub(super) fn push(strokes: &mut Vec<StrokeInstance>, camera: &Camera, size: Size) {
    let length = (0.05 * f64::from(size.width.min(size.height))).clamp(14.0, 60.0);
    let frame = camera.frame();
    let centre = [1.7 * length, f64::from(size.height) - 1.7 * length];
    let mut arms: Vec<(f64, Axis, [f64; 2])> = Axis::all()
        .into_iter()
        .map(|axis| {
            let v = axis.vector();
            let tip = [
                centre[0] + length * v.dot(&frame.right),
                centre[1] - length * v.dot(&frame.up),
            ];
            (v.dot(&frame.back), axis, tip)
        })
        .collect();
    arms.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (towards, axis, tip) in arms {
        let colour = axis_colour(axis.dim);
        let alpha = 0.75 + 0.25 * towards as f32;
        if axis.negative {
            strokes.push(stroke(tip, tip, 0.22 * length, colour, 0.45 * alpha, BALL));
            continue;
        }
        strokes.push(stroke(centre, tip, 0.07 * length, colour, alpha, 0));
        strokes.push(stroke(tip, tip, 0.5 * length, colour, 1.0, BALL));
        let half = 0.105 * length;
        for [from, to] in letter(axis.dim) {
            let at = |p: &[f64; 2]| [tip[0] + p[0] * half, tip[1] + p[1] * half];
            let ink = Colour::rgb(0x14, 0x16, 0x1a);
            strokes.push(stroke(at(from), at(to), 0.055 * length, ink, 0.95, 0));
        }
    }
}

fn stroke(
    a: [f64; 2],
    b: [f64; 2],
    width_px: f64,
    colour: Colour,
    alpha: f32,
    kind: u32,
) -> StrokeInstance {
    let colour = bytes(colour, alpha);
    StrokeInstance {
        a: [a[0] as f32, a[1] as f32, 0.0],
        b: [b[0] as f32, b[1] as f32, 0.0],
        width_px: width_px as f32,
        kind: kind | ON_SCREEN | ROUND,
        colour_a: colour,
        colour_b: colour,
    }
}
