//! A small figure of a frame: bones as lines, seen a little from the side. It is drawn with egui alone, so that dozens
//! of them may move at once.

use egui::{Color32, Painter, Pos2, Rect, Stroke};

use crate::motion::heading::{forward, left};
use crate::motion::{Clip, Vec3, WorldPose};

/// How much of the card a standing body fills.
const FILLED: f64 = 0.8;
/// Where from: between the front and the left side, which shows kicks as well as turns.
const FROM_SIDE: (f64, f64) = (0.6, 0.8);

/// Draws a frame of a clip in the middle of a card.
pub(super) fn paint_figure(
    painter: &Painter,
    card: Rect,
    (clip, frame): (&Clip, usize),
    colour: Color32,
) {
    let skeleton = clip.skeleton();
    let up = clip.info.up;
    let world = WorldPose::of(skeleton, clip.frame(frame.min(clip.n_frames() - 1)));
    // The bones themselves say how large a body is: whoever lies is not blown up.
    let reach: f64 = skeleton.joints().iter().map(|j| j.offset.norm()).sum();
    let tall = (0.32 * reach).max(1e-9);
    let across: Vec3 = left(up) * FROM_SIDE.0 - forward(up) * FROM_SIDE.1;
    let heights = world.positions.iter().map(|p| up.along(p));
    let low = heights.clone().fold(f64::INFINITY, f64::min);
    let high = heights.fold(f64::NEG_INFINITY, f64::max);
    let tall = tall.max(high - low);
    let middle: f64 = {
        let all = world.positions.iter().map(|p| across.dot(p));
        all.sum::<f64>() / world.positions.len().max(1) as f64
    };
    let scale = FILLED * f64::from(card.size().min_elem()) / tall;
    let foot = f64::from(card.bottom()) - 0.1 * f64::from(card.height());
    let seen = |place: &Vec3| {
        let x = f64::from(card.center().x) + scale * (across.dot(place) - middle);
        Pos2::new(x as f32, (foot - scale * (up.along(place) - low)) as f32)
    };
    let stroke = Stroke::new((0.03 * card.height()).clamp(1.2, 3.0), colour);
    for (joint, bone) in skeleton.joints().iter().enumerate() {
        if let Some(parent) = bone.parent {
            let ends = [&world.positions[parent], &world.positions[joint]];
            painter.line_segment(ends.map(seen), stroke);
        }
    }
}
