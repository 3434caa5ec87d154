//! Arrows, squares and rings around the selected handles: where they are, what is under the pointer, how they look.

use egui::{Color32, Painter, Pos2, Shape, Stroke};

use crate::app::pose::handles::ui::eye::Eye;
use crate::app::render::Colour;
use crate::motion::{Axis, Dim, Vec3};

/// What of a gizmo is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app::pose) enum Grip {
    /// The handle itself: along the picture.
    View,
    /// An arrow, which moves along one axis.
    Along(Dim),
    /// On the plane square to one axis.
    Across(Dim),
    /// A ring, which rotates about one axis.
    About(Dim),
    /// About the line of sight.
    Roll,
}

/// One part of a gizmo, as points of the window.
#[derive(Debug, Clone)]
pub(in crate::app::pose) struct Piece {
    pub(in crate::app::pose) grip: Grip,
    points: Vec<Pos2>,
}

/// From the middle to the tip of an arrow, in points of the window.
const REACH: f32 = 62.0;
const DIMS: [Dim; 3] = [Dim::X, Dim::Y, Dim::Z];

fn unit(dim: Dim) -> Vec3 {
    Axis::positive(dim).vector()
}

fn others(dim: Dim) -> [Vec3; 2] {
    match dim {
        Dim::X => [unit(Dim::Y), unit(Dim::Z)],
        Dim::Y => [unit(Dim::Z), unit(Dim::X)],
        Dim::Z => [unit(Dim::X), unit(Dim::Y)],
    }
}

/// The parts of a gizmo around a place.
pub(in crate::app::pose) fn pieces(eye: &Eye, centre: &Vec3, is_turning: bool) -> Vec<Piece> {
    let reach = f64::from(REACH) * eye.length_per_point(centre);
    let line = |grip: Grip, places: Vec<Vec3>| {
        let points: Option<Vec<Pos2>> = places.iter().map(|place| eye.seen(place)).collect();
        points.map(|points| Piece { grip, points })
    };
    let back = eye.back();
    let mut pieces = Vec::with_capacity(7);
    for dim in DIMS {
        let [a, b] = others(dim);
        if is_turning {
            pieces.extend(line(Grip::About(dim), circle(centre, &a, &b, 0.85 * reach)));
            continue;
        }
        let axis = unit(dim);
        // An arrow that points at the eye cannot be dragged along.
        if axis.dot(&back).abs() < 0.97 {
            let arrow = vec![centre + axis * (0.25 * reach), centre + axis * reach];
            pieces.extend(line(Grip::Along(dim), arrow));
        }
        if axis.dot(&back).abs() > 0.25 {
            let (near, far) = (0.34 * reach, 0.54 * reach);
            let square = vec![
                centre + a * near + b * near,
                centre + a * far + b * near,
                centre + a * far + b * far,
                centre + a * near + b * far,
                centre + a * near + b * near,
            ];
            pieces.extend(line(Grip::Across(dim), square));
        }
    }
    if is_turning {
        let aside = back.cross(&eye.camera.up.vector());
        let aside = aside.try_normalize(1e-6).unwrap_or_else(|| unit(Dim::X));
        let over = aside.cross(&back);
        pieces.extend(line(Grip::Roll, circle(centre, &aside, &over, 1.1 * reach)));
    }
    pieces
}

fn circle(centre: &Vec3, a: &Vec3, b: &Vec3, radius: f64) -> Vec<Vec3> {
    const STEPS: usize = 48;
    let at = |i: usize| {
        let (sin, cos) = (std::f64::consts::TAU * i as f64 / STEPS as f64).sin_cos();
        centre + (a * cos + b * sin) * radius
    };
    (0..=STEPS).map(at).collect()
}

/// The part under a point of the window; arrows before squares before rings.
pub(in crate::app::pose) fn grip_at(pieces: &[Piece], at: Pos2) -> Option<Grip> {
    const NEAR: f32 = 7.0;
    let away = |piece: &Piece| match piece.grip {
        Grip::Across(_) => {
            let corners = &piece.points[..piece.points.len() - 1];
            let sum = corners
                .iter()
                .fold(egui::Vec2::ZERO, |sum, p| sum + p.to_vec2());
            (sum / corners.len() as f32).to_pos2().distance(at) - 3.0
        }
        _ => distance(&piece.points, at),
    };
    let near = pieces.iter().map(|piece| (away(piece), piece.grip));
    let near = near.filter(|(away, _)| *away < NEAR);
    near.min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, grip)| grip)
}

/// From a point to a line of several pieces.
fn distance(points: &[Pos2], at: Pos2) -> f32 {
    let pairs = points.windows(2).map(|two| {
        let way = two[1] - two[0];
        let share = ((at - two[0]).dot(way) / way.length_sq().max(1e-6)).clamp(0.0, 1.0);
        (two[0] + way * share).distance(at)
    });
    pairs.fold(f32::INFINITY, f32::min)
}

/// Draws the parts; the one under the pointer or in the hand is brighter.
pub(in crate::app::pose) fn paint(painter: &Painter, pieces: &[Piece], lit: Option<Grip>) {
    for piece in pieces {
        let is_lit = lit == Some(piece.grip);
        let colour = colour(piece.grip);
        let colour = if is_lit {
            Colour::SELECTED.into()
        } else {
            colour
        };
        let width = if is_lit { 3.5 } else { 2.2 };
        let shadow = Stroke::new(width + 1.6, Color32::from_black_alpha(110));
        let stroke = Stroke::new(width, colour);
        match piece.grip {
            Grip::Across(_) => {
                let fill = colour.gamma_multiply(if is_lit { 0.8 } else { 0.4 });
                let square = piece.points[..4].to_vec();
                let edge = Stroke::new(1.2, colour);
                painter.add(Shape::convex_polygon(square, fill, edge));
            }
            Grip::Along(_) => {
                let (from, to) = (piece.points[0], piece.points[1]);
                painter.line_segment([from, to], shadow);
                painter.line_segment([from, to], stroke);
                let ahead = (to - from).normalized();
                let aside = ahead.rot90();
                let tip = vec![to + ahead * 9.0, to + aside * 4.5, to - aside * 4.5];
                painter.add(Shape::convex_polygon(tip, colour, Stroke::NONE));
            }
            Grip::About(_) | Grip::Roll | Grip::View => {
                painter.add(Shape::line(piece.points.clone(), shadow));
                painter.add(Shape::line(piece.points.clone(), stroke));
            }
        }
    }
}

fn colour(grip: Grip) -> Color32 {
    match grip {
        Grip::Along(dim) | Grip::Across(dim) | Grip::About(dim) => match dim {
            Dim::X => Colour::X.into(),
            Dim::Y => Colour::Y.into(),
            Dim::Z => Colour::Z.into(),
        },
        Grip::Roll | Grip::View => Color32::from_gray(225),
    }
}
