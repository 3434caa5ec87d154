//! The head: an egg with chin, nose and ears, so that its facing is seen from any side.

use super::mesh::{Finish, Mesh, Ring, Tie};
use super::reference::Reference;
use crate::motion::Vec3;

/// Share of the head's height, half width, half depth and shift to the front, all in shares of its height.
const OUTLINE: [(f64, f64, f64, f64); 13] = [
    (0.0, 0.05, 0.06, 0.10),
    (0.02, 0.15, 0.19, 0.085),
    (0.07, 0.22, 0.28, 0.065),
    (0.16, 0.275, 0.345, 0.04),
    (0.28, 0.315, 0.385, 0.015),
    (0.42, 0.345, 0.42, 0.0),
    (0.56, 0.36, 0.435, -0.012),
    (0.70, 0.35, 0.425, -0.018),
    (0.82, 0.305, 0.375, -0.02),
    (0.91, 0.235, 0.29, -0.02),
    (0.965, 0.155, 0.19, -0.02),
    (0.99, 0.08, 0.10, -0.02),
    (1.0, 0.02, 0.02, -0.02),
];

/// Built upright over the head joint; tall as the tip of the skeleton says, where that can be believed.
pub(super) fn head(mesh: &mut Mesh, reference: &Reference<'_>, joint: usize) {
    let h = reference.height;
    let [left, up, front] = [reference.left, reference.up, reference.front];
    let base = reference.place(joint);
    let reach = |place: &Vec3| (place - base).dot(&up);
    let tip = reference
        .places_below(joint)
        .iter()
        .map(reach)
        .fold(0.0, f64::max);
    // From the joint, which sits behind the chin, to the crown.
    let crown = if (0.08 * h..0.2 * h).contains(&tip) {
        tip
    } else {
        0.115 * h
    };
    let tall = (crown + 0.014 * h).clamp(0.115 * h, 0.15 * h);
    let chin = base + up * (crown - tall) + front * 0.008 * h;
    let tie = Tie::to(joint);
    let rings = OUTLINE.map(|(share, half_width, half_depth, ahead)| Ring {
        centre: chin + (up * share + front * ahead) * tall,
        side: left * half_width * tall,
        front: front * half_depth * tall,
        tie,
        finish: Finish::Body,
    });
    mesh.loft(&rings, 2.15);
    let at = |side: f64, share: f64, ahead: f64| {
        chin + (left * side + up * share + front * ahead) * tall
    };
    let egg = |mesh: &mut Mesh, centre: Vec3, half: [f64; 3], finish: Finish| {
        let axes = [
            left * half[0] * tall,
            up * half[1] * tall,
            front * half[2] * tall,
        ];
        mesh.ellipsoid(centre, axes, tie, finish);
    };
    egg(mesh, at(0.0, 0.41, 0.42), [0.05, 0.085, 0.07], Finish::Body);
    for side in [1.0, -1.0] {
        egg(
            mesh,
            at(side * 0.355, 0.45, -0.02),
            [0.035, 0.10, 0.065],
            Finish::Body,
        );
    }
    // A visor in the place of the eyes.
    let visor = [-0.065_f64, -0.05, 0.0, 0.05, 0.065].map(|lift| {
        let wide = if lift.abs() > 0.06 { 0.98 } else { 1.0 };
        Ring {
            centre: chin + (up * (0.53 + lift) + front * 0.006) * tall,
            side: left * 0.353 * wide * tall,
            front: front * 0.424 * wide * tall,
            tie,
            finish: Finish::Accent,
        }
    });
    mesh.loft(&visor, 2.15);
    let middle = chin + up * 0.5 * tall;
    mesh.solid(
        joint,
        [middle - up * 0.12 * tall, middle + up * 0.12 * tall],
        [0.38 * tall, 0.38 * tall],
    );
}
