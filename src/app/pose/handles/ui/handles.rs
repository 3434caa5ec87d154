//! How handles look: the shape says how the place is held, a ring around it how the turn is.

use egui::{Color32, Painter, Pos2, Shape, Stroke, vec2};

use crate::app::pose::handles::rig::RigHandle;
use crate::app::pose::handles::ui::eye::Eye;
use crate::app::render::Backdrop;
use crate::app::shell::theme::Colours;
use crate::document::{Pin, PinMode, Posed};
use crate::motion::{Site, WorldPose};

/// A handle as it is seen.
#[derive(Debug, Clone)]
pub(in crate::app::pose) struct Spot {
    pub(in crate::app::pose) handle: RigHandle,
    pub(in crate::app::pose) pin: Option<Pin>,
    /// Its centre, in points of the window.
    pub(in crate::app::pose) at: Pos2,
}

/// A handle with a soft pin.
const SOFT: Color32 = Color32::from_rgb(0x59, 0xc8, 0xe6);
/// A handle with a hard pin.
const HARD: Color32 = Color32::from_rgb(0xf4, 0x5d, 0x8c);
/// A handle without a pin.
const FREE: Color32 = Color32::from_rgb(0xf2, 0xf2, 0xf2);
const INK: Color32 = Color32::from_rgb(0x12, 0x14, 0x18);

/// The colour of a way of holding.
pub(in crate::app::pose) const fn colour(mode: PinMode) -> Color32 {
    match mode {
        PinMode::Free => FREE,
        PinMode::Soft => SOFT,
        PinMode::Hard => HARD,
    }
}

/// All handles that can be seen.
pub(in crate::app::pose) fn spots(
    eye: &Eye,
    posed: &Posed,
    world: &WorldPose,
    all: Vec<RigHandle>,
) -> Vec<Spot> {
    let spot = |handle: RigHandle| {
        let place = world.site(&posed.skeleton, handle.site);
        Some(Spot {
            at: eye.seen(&place)?,
            pin: posed.pin(handle.site).copied(),
            handle,
        })
    };
    all.into_iter().filter_map(spot).collect()
}

/// The handle under a point of the window.
pub(in crate::app::pose) fn spot_at(spots: &[Spot], at: Pos2) -> Option<&Spot> {
    const NEAR: f32 = 11.0;
    let near = spots.iter().map(|spot| (spot.at.distance(at), spot));
    let near = near.filter(|(away, _)| *away < NEAR);
    near.min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, spot)| spot)
}

/// How a handle is to be drawn.
#[derive(Debug, Clone, Copy)]
pub(in crate::app::pose) struct Look {
    pub(in crate::app::pose) is_selected: bool,
    pub(in crate::app::pose) is_hovered: bool,
}

/// What shows that something is selected on the ground of this theme: pale yellow is lost on a light one.
pub(in crate::app::pose) fn selection_ink(painter: &Painter) -> Color32 {
    let is_dark = painter.ctx().theme() == egui::Theme::Dark;
    Backdrop::of(is_dark).ink.into()
}

/// A circle is free, a diamond is held softly, a square firmly; a thin ring holds the turn softly, a thick one firmly.
pub(in crate::app::pose) fn paint(painter: &Painter, at: Pos2, pin: Option<&Pin>, look: Look) {
    let position = pin.map_or(PinMode::Free, |pin| pin.position);
    let rotation = pin.map_or(PinMode::Free, |pin| pin.rotation);
    let size = if look.is_hovered { 7.0 } else { 5.5 };
    let fill = colour(position);
    let edge = Stroke::new(1.6, INK);
    if look.is_selected {
        let halo = selection_ink(painter);
        painter.circle(
            at,
            size + 5.5,
            halo.gamma_multiply(0.35),
            Stroke::new(2.0, halo),
        );
    }
    match rotation {
        PinMode::Free => {}
        PinMode::Soft => {
            painter.circle_stroke(at, size + 3.5, Stroke::new(3.0, INK));
            painter.circle_stroke(at, size + 3.5, Stroke::new(1.3, SOFT));
        }
        PinMode::Hard => {
            painter.circle_stroke(at, size + 3.5, Stroke::new(4.4, INK));
            painter.circle_stroke(at, size + 3.5, Stroke::new(2.8, HARD));
        }
    }
    match position {
        PinMode::Free => {
            painter.circle(
                at,
                size,
                Color32::from_black_alpha(120),
                Stroke::new(3.4, INK),
            );
            painter.circle_stroke(at, size, Stroke::new(1.8, fill));
        }
        PinMode::Soft => {
            let s = size + 1.5;
            let corners = [vec2(0.0, -s), vec2(s, 0.0), vec2(0.0, s), vec2(-s, 0.0)];
            let corners = corners.map(|corner| at + corner).to_vec();
            painter.add(Shape::convex_polygon(corners, fill, edge));
        }
        PinMode::Hard => {
            let square = egui::Rect::from_center_size(at, egui::Vec2::splat(2.0 * size));
            painter.rect(square, 1.0, fill, edge, egui::StrokeKind::Middle);
        }
    }
}

/// A line from where a held handle should be to where the body got, if that is not the same.
pub(in crate::app::pose) fn paint_missed(
    painter: &Painter,
    eye: &Eye,
    posed: &Posed,
    world: &WorldPose,
    of: &[Site],
) {
    /// Nearer than this in the window counts as reached.
    const REACHED_POINTS: f32 = 6.0;
    for pin in &posed.pins {
        let is_wanted = pin.position != PinMode::Free || of.contains(&pin.site);
        let got = eye.seen(&world.site(&posed.skeleton, pin.site));
        let (Some(target), Some(got)) = (eye.seen(&pin.place), got) else {
            continue;
        };
        if !is_wanted || target.distance(got) < REACHED_POINTS {
            continue;
        }
        let colour = colour(pin.position.max(PinMode::Soft));
        painter.line_segment(
            [got, target],
            Stroke::new(3.0, Color32::from_black_alpha(120)),
        );
        let dashes = Shape::dashed_line(&[got, target], Stroke::new(1.6, colour), 6.0, 4.0);
        painter.extend(dashes);
        for aside in [vec2(5.0, 5.0), vec2(5.0, -5.0)] {
            let cross = [target - aside, target + aside];
            painter.line_segment(cross, Stroke::new(3.6, INK));
            painter.line_segment(cross, Stroke::new(2.0, colour));
        }
    }
}

/// Joints that look odd glow, and so do the bones below them.
pub(in crate::app::pose) fn paint_odd(
    painter: &Painter,
    eye: &Eye,
    posed: &Posed,
    world: &WorldPose,
    odd: &[(usize, f64)],
    colours: &Colours,
) {
    for (joint, strength) in odd {
        let Some(from) = world
            .positions
            .get(*joint)
            .and_then(|place| eye.seen(place))
        else {
            continue;
        };
        let alpha = 0.25 + 0.45 * *strength as f32;
        let colour = colours.error.gamma_multiply(alpha);
        painter.circle_filled(from, 13.0, colour);
        for child in posed.skeleton.children(*joint) {
            if let Some(to) = eye.seen(&world.positions[child]) {
                painter.line_segment([from, to], Stroke::new(9.0, colour));
            }
        }
    }
}
