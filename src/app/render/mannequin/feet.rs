//! Feet with heel, ball and toes, standing flat in the reference pose.

use super::mesh::{Finish, Mesh, Ring, Tie, unit_or};
use super::reference::Reference;
use crate::motion::{Limb, Vec3};

/// One foot. Without a joint at the ball, the toes stay stiff.
pub(super) fn foot(mesh: &mut Mesh, reference: &Reference<'_>, leg: &Limb) {
    let h = reference.height;
    let up = reference.up;
    let ankle = reference.place(leg.end);
    let flat = |v: Vec3| v - up * v.dot(&up);
    let tips = reference.places_below(leg.end);
    let far = tips
        .iter()
        .map(|tip| flat(tip - ankle))
        .max_by(|a, b| a.norm().total_cmp(&b.norm()))
        .unwrap_or_else(Vec3::zeros);
    let ahead = if far.norm() > 0.03 * h {
        unit_or(far, reference.front)
    } else {
        reference.front
    };
    let side = ahead.cross(&up);
    let lowest = tips
        .iter()
        .map(|tip| (tip - ankle).dot(&up))
        .fold(0.0, f64::min);
    // The sole is a little under the lowest joint; an ankle is some 4 to 5 % of the body above it.
    let sole = ankle + up * (lowest - 0.012 * h).clamp(-0.065 * h, -0.035 * h);
    let tall = (ankle - sole).dot(&up);
    let reach = far.norm().clamp(0.10 * h, 0.16 * h);
    let ball = leg.toe.map_or(0.66 * reach, |toe| {
        flat(reference.place(toe) - ankle)
            .norm()
            .clamp(0.4 * reach, 0.85 * reach)
    });
    let ring = |along: f64, width: f64, height: f64, joint: usize| Ring {
        centre: sole + ahead * along + up * 0.5 * height,
        side: side * width * h,
        front: up * 0.5 * height,
        tie: Tie::to(joint),
        finish: Finish::Body,
    };
    let heel = -0.036 * h;
    let at = |share: f64| heel + (ball - heel) * share;
    let rear = [
        (0.0, 0.008, 0.30),
        (0.02, 0.016, 0.55),
        (0.09, 0.0215, 0.80),
        (0.22, 0.0235, 0.96),
        (0.36, 0.0235, 1.0),
        (0.52, 0.0235, 0.86),
        (0.7, 0.0255, 0.68),
        (0.88, 0.0275, 0.54),
        (0.97, 0.0275, 0.49),
        (0.995, 0.024, 0.42),
        (1.0, 0.012, 0.2),
    ];
    let rings = rear.map(|(share, width, height)| ring(at(share), width, height * tall, leg.end));
    mesh.loft(&rings, 2.6);
    mesh.solid(
        leg.end,
        [
            sole + up * 0.4 * tall,
            sole + ahead * ball + up * 0.3 * tall,
        ],
        [0.026 * h, 0.022 * h],
    );
    let toe_joint = leg.toe.unwrap_or(leg.end);
    let tip = reach.max(ball + 0.03 * h);
    let to = |share: f64| ball + (tip - ball) * share + 0.002 * h;
    let front = [
        (0.0, 0.012, 0.2),
        (0.02, 0.024, 0.42),
        (0.08, 0.0275, 0.47),
        (0.35, 0.027, 0.42),
        (0.65, 0.024, 0.35),
        (0.85, 0.0195, 0.29),
        (0.96, 0.013, 0.22),
        (1.0, 0.005, 0.12),
    ];
    let rings =
        front.map(|(share, width, height)| ring(to(share), width, height * tall, toe_joint));
    mesh.loft(&rings, 2.6);
    let low = sole + up * 0.2 * tall;
    mesh.solid(
        toe_joint,
        [low + ahead * ball, low + ahead * tip],
        [0.02 * h, 0.012 * h],
    );
}
