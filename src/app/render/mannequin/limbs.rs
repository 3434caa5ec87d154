//! Arms and legs: tapered, with muscle where a body has it, and a darker ball at each joint.

use super::mesh::{Finish, Mesh, Ring, Tie, across};
use super::reference::Reference;
use crate::motion::{Limb, Vec3};

/// How thick a limb is along its bone: share of the bone, radius and shift to the back as shares of body height.
type Outline = [(f64, f64, f64)];

const THIGH: &Outline = &[
    (0.02, 0.046, 0.0),
    (0.12, 0.052, 0.002),
    (0.3, 0.050, 0.002),
    (0.6, 0.041, 0.0),
    (0.85, 0.034, -0.001),
    (0.95, 0.032, -0.001),
];
const SHIN: &Outline = &[
    (0.05, 0.030, 0.0),
    (0.14, 0.033, 0.003),
    (0.3, 0.0355, 0.007),
    (0.5, 0.030, 0.005),
    (0.75, 0.022, 0.002),
    (0.95, 0.0185, 0.0),
];
const UPPER_ARM: &Outline = &[
    (0.03, 0.0315, 0.0),
    (0.18, 0.032, 0.0),
    (0.45, 0.029, 0.0),
    (0.75, 0.025, 0.0),
    (0.94, 0.0225, 0.0),
];
const FOREARM: &Outline = &[
    (0.05, 0.0225, 0.0),
    (0.2, 0.0265, 0.0),
    (0.4, 0.0245, 0.0),
    (0.75, 0.0185, 0.0),
    (0.96, 0.0155, 0.0),
];
/// Bone lengths, as shares of body height, for which the outlines were drawn.
const USUAL_LEG: f64 = 0.24;
const USUAL_ARM: f64 = 0.16;

/// Thigh and shin with hip, knee and ankle.
pub(super) fn leg(mesh: &mut Mesh, reference: &Reference<'_>, leg: &Limb) {
    let thick = thickness(reference, leg, USUAL_LEG);
    let h = reference.height * thick;
    bone(mesh, reference, [leg.upper, leg.middle], THIGH, thick);
    bone(mesh, reference, [leg.middle, leg.end], SHIN, thick);
    ball(mesh, reference, leg.middle, 0.0325 * h);
    ball(mesh, reference, leg.end, 0.0195 * h);
}

/// Upper arm and forearm with shoulder, elbow and wrist.
pub(super) fn arm(mesh: &mut Mesh, reference: &Reference<'_>, arm: &Limb) {
    let thick = thickness(reference, arm, USUAL_ARM);
    let h = reference.height * thick;
    let shoulder = reference.place(arm.upper);
    let [left, up, front] = [reference.left, reference.up, reference.front];
    let axes = [left * 0.034 * h, up * 0.034 * h, front * 0.035 * h];
    mesh.ellipsoid(shoulder, axes, Tie::to(arm.upper), Finish::Body);
    bone(mesh, reference, [arm.upper, arm.middle], UPPER_ARM, thick);
    bone(mesh, reference, [arm.middle, arm.end], FOREARM, thick);
    ball(mesh, reference, arm.middle, 0.0235 * h);
    ball(mesh, reference, arm.end, 0.0165 * h);
}

/// Long limbs are thicker than short ones, though less than in proportion: children and cartoon rigs stay readable.
fn thickness(reference: &Reference<'_>, limb: &Limb, usual: f64) -> f64 {
    let length = |a: usize, b: usize| (reference.place(a) - reference.place(b)).norm();
    let mean = 0.5 * (length(limb.upper, limb.middle) + length(limb.middle, limb.end));
    (mean / (usual * reference.height)).sqrt().clamp(0.5, 1.25)
}

fn bone(
    mesh: &mut Mesh,
    reference: &Reference<'_>,
    [from, to]: [usize; 2],
    outline: &Outline,
    thick: f64,
) {
    let ends = [reference.place(from), reference.place(to)];
    let h = reference.height * thick;
    let axis = reference.direction(ends[0], ends[1]);
    let front = across(reference.front, axis, reference.up);
    let side = axis.cross(&front);
    let tie = Tie::to(from);
    let length = (ends[1] - ends[0]).norm();
    let ring = |along: f64, radius: f64, back: f64| Ring {
        centre: ends[0] + axis * along - front * back,
        side: side * radius,
        front: front * radius,
        tie,
        finish: Finish::Body,
    };
    let mut rings = Vec::with_capacity(outline.len() + 6);
    let (Some(first), Some(last)) = (outline.first(), outline.last()) else {
        return;
    };
    // Rounded lids, flatter than half a ball, so that the joint between two bones shows as a seam.
    for (sin, cos) in [(0.4, 0.35), (0.3, 0.75), (0.12, 0.95)] {
        rings.push(ring(
            first.0 * length - sin * first.1 * h,
            first.1 * h * cos,
            first.2 * h,
        ));
    }
    rings.extend(
        outline
            .iter()
            .map(|&(t, r, back)| ring(t * length, r * h, back * h)),
    );
    for (sin, cos) in [(0.12, 0.95), (0.3, 0.75), (0.4, 0.35)] {
        rings.push(ring(
            last.0 * length + sin * last.1 * h,
            last.1 * h * cos,
            last.2 * h,
        ));
    }
    mesh.loft(&rings, 2.0);
    mesh.solid(from, ends, [first.1.max(outline[1].1) * h, last.1 * h]);
}

/// The dark ball of a hinge.
pub(super) fn ball(mesh: &mut Mesh, reference: &Reference<'_>, joint: usize, radius: f64) {
    let axes = [reference.left, reference.up, reference.front].map(|axis: Vec3| axis * radius);
    mesh.ellipsoid(reference.place(joint), axes, Tie::to(joint), Finish::Joint);
}

/// A plain tapered bone, for whatever has no shape of its own.
pub(super) fn capsule(
    mesh: &mut Mesh,
    reference: &Reference<'_>,
    joint: usize,
    ends: [Vec3; 2],
    radii: [f64; 2],
) {
    let axis = reference.direction(ends[0], ends[1]);
    let front = across(reference.front, axis, reference.up);
    let side = axis.cross(&front);
    let ring = |centre: Vec3, radius: f64| Ring {
        centre,
        side: side * radius,
        front: front * radius,
        tie: Tie::to(joint),
        finish: Finish::Body,
    };
    const LID: [(f64, f64); 4] = [(1.0, 0.0), (0.87, 0.5), (0.5, 0.87), (0.0, 1.0)];
    let starts = LID.map(|(sin, cos)| ring(ends[0] - axis * sin * radii[0], radii[0] * cos));
    let mut stops = LID.map(|(sin, cos)| ring(ends[1] + axis * sin * radii[1], radii[1] * cos));
    stops.reverse();
    mesh.loft(&[starts, stops].concat(), 2.0);
    mesh.solid(joint, ends, radii);
}
