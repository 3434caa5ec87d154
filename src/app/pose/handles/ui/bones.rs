//! A small figure of a pose: bones as lines, seen from one side and fitted into a card.

use egui::{Painter, Pos2, Rect, Stroke};

use crate::motion::{Axis, PoseRef, Skeleton, Vec3, WorldPose};

/// How much of the card the figure fills.
const FILLED: f32 = 0.82;

/// Draws it; `across` is what points to the right, of length 1.
pub(in crate::app::pose) fn paint_bones(
    painter: &Painter,
    card: Rect,
    (skeleton, pose): (&Skeleton, PoseRef<'_>),
    (across, up): (Vec3, Axis),
    stroke: Stroke,
) {
    let world = WorldPose::of(skeleton, pose);
    // From the root, since half as many digits are left, and a body may be far from the origin.
    let root = world.positions.first().copied().unwrap_or_default();
    let flat = |place: &Vec3| {
        let place = place - root;
        Pos2::new(across.dot(&place) as f32, -up.along(&place) as f32)
    };
    let flat: Vec<Pos2> = world.positions.iter().map(flat).collect();
    let bounds = Rect::from_points(&flat);
    let scale = FILLED * card.size().min_elem() / bounds.size().max_elem().max(1e-6);
    let seen = |joint: usize| card.center() + scale * (flat[joint] - bounds.center());
    for (joint, bone) in skeleton.joints().iter().enumerate() {
        if let Some(parent) = bone.parent {
            painter.line_segment([seen(parent), seen(joint)], stroke);
        }
    }
}
