//! What one side of the body does, done by the other as in a mirror.
//!
//! The mirror stands upright through the hips along the way the body faces, where it stood when the hand took hold:
//! one that moved along with the body would chase what it moves.

use crate::app::pose::handles::rig::BodyHandles;
use crate::document::Posed;
use crate::motion::{Axis, Quat, Site, Vec3, WorldPose};

/// The mirror images of places, for the partners of handles that are not moved themselves.
pub fn places(before: &Posed, rig: &BodyHandles, moved: &[(Site, Vec3)]) -> Vec<(Site, Vec3)> {
    let world = WorldPose::of(&before.skeleton, before.pose.as_ref());
    let images = moved.iter().map(|(site, place)| {
        let image = place_across(&world, rig, before.up, place);
        (rig.partner(*site), image)
    });
    images.filter(|(site, _)| is_other(moved, *site)).collect()
}

/// The same for turns in the world: a partner turns the other way about the mirrored axis, from how it was turned
/// before.
pub fn turns(before: &Posed, rig: &BodyHandles, turned: &[(Site, Quat)]) -> Vec<(Site, Quat)> {
    let world = WorldPose::of(&before.skeleton, before.pose.as_ref());
    let was = |site: Site| world.rotations[before.skeleton.carrier(site)];
    let aside = before.up.vector().cross(&rig.facing(&world, before.up));
    let images = turned.iter().map(|(site, turn)| {
        let axis = (turn * was(*site).inverse()).scaled_axis();
        let mirrored = aside * (2.0 * axis.dot(&aside)) - axis;
        let partner = rig.partner(*site);
        (partner, Quat::from_scaled_axis(mirrored) * was(partner))
    });
    images.filter(|(site, _)| is_other(turned, *site)).collect()
}

fn is_other<T>(moved: &[(Site, T)], site: Site) -> bool {
    moved.iter().all(|(other, _)| *other != site)
}

/// A place on the other side of the mirror.
pub fn place_across(world: &WorldPose, rig: &BodyHandles, up: Axis, place: &Vec3) -> Vec3 {
    let aside = up.vector().cross(&rig.facing(world, up));
    let away = (place - world.positions[rig.hips()]).dot(&aside);
    place - aside * (2.0 * away)
}
