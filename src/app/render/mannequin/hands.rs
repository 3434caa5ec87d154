//! Hands: mitts with a thumb, or a palm with thin fingers where the skeleton has them.

use super::limbs::capsule;
use super::mesh::{Finish, Mesh, Ring, Tie, across};
use super::reference::Reference;
use crate::motion::{Limb, Vec3};

/// Skeletons with at least this many finger joints on a hand move the fingers; fewer are noise or a stub.
const ENOUGH_FINGER_JOINTS: usize = 8;

/// Whether the fingers get bones of their own.
pub(super) fn has_fingers(reference: &Reference<'_>, arm: &Limb) -> bool {
    reference.below(arm.end).count() >= ENOUGH_FINGER_JOINTS
}

/// The hand of an arm; fingers that have bones are drawn like any other bone.
pub(super) fn hand(mesh: &mut Mesh, reference: &Reference<'_>, arm: &Limb) {
    let h = reference.height;
    let wrist = reference.place(arm.end);
    let forearm = reference.direction(reference.place(arm.middle), wrist);
    let fingers = has_fingers(reference, arm);
    let knuckles = knuckles(reference, arm);
    let along = match knuckles {
        Some(place) if fingers => reference.direction(wrist, place),
        _ => forearm,
    };
    // With the arms out the palms look down and the thumbs to the front; with the arms down the palms look inwards.
    let thumb_side = across(reference.front, along, reference.up);
    let flat = thumb_side.cross(&along);
    let length = match knuckles {
        Some(place) if fingers => (place - wrist).norm().clamp(0.03 * h, 0.07 * h),
        _ => 0.098 * h,
    };
    let palm = [
        (0.0, 0.011, 0.010),
        (0.06, 0.0155, 0.0125),
        (0.2, 0.0215, 0.0135),
        (0.42, 0.025, 0.0135),
        (0.6, 0.0245, 0.012),
        (0.8, 0.0215, 0.010),
        (0.94, 0.0155, 0.0075),
        (1.0, 0.006, 0.003),
    ];
    let rings = palm.map(|(share, width, depth)| Ring {
        centre: wrist + along * (0.008 * h + share * length),
        side: thumb_side * width * h,
        front: flat * depth * h,
        tie: Tie::to(arm.end),
        finish: Finish::Body,
    });
    mesh.loft(&rings, 2.3);
    mesh.solid(
        arm.end,
        [wrist, wrist + along * length],
        [0.018 * h, 0.014 * h],
    );
    if !fingers {
        let root = wrist + along * 0.022 * h + thumb_side * 0.014 * h;
        let tip = root + (along * 0.032 + thumb_side * 0.018) * h;
        capsule(
            mesh,
            reference,
            arm.end,
            [root, tip],
            [0.0095 * h, 0.007 * h],
        );
    }
}

/// The middle of where the fingers begin.
fn knuckles(reference: &Reference<'_>, arm: &Limb) -> Option<Vec3> {
    let wrist = reference.place(arm.end);
    let near = 0.02 * reference.height;
    // In-hand bones of some rigs are a joint of their own between wrist and finger; the nearest places that are
    // clearly apart from the wrist and from each other will do.
    let starts: Vec<Vec3> = reference
        .below(arm.end)
        .filter(|&j| (reference.place(j) - wrist).norm() > near)
        .filter(|&j| {
            let parent = reference.parent(j);
            parent == arm.end || (reference.place(parent) - wrist).norm() <= near
        })
        .map(|j| reference.place(j))
        .collect();
    (!starts.is_empty()).then(|| starts.iter().sum::<Vec3>() / starts.len() as f64)
}
