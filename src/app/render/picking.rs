//! What is under the pointer: a ray against the capsules of the characters, and against handles by pixels.

use super::camera::{Camera, Ray};
use super::mannequin::Capsule;
use super::scene::{Handle, Scene};
use super::size::Size;

/// A joint of a character under the pointer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The character that was hit, by its index in [`Scene::characters`].
    pub character: usize,
    /// The joint that carries what was hit.
    pub joint: usize,
    /// From the start of the ray.
    pub distance: f64,
}

/// Everything along the ray, nearest first; each joint of a character once.
pub fn hits(scene: &Scene, ray: &Ray) -> Vec<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    for (at, character) in scene.characters.iter().enumerate() {
        for capsule in character.capsules() {
            let Some(distance) = entry(ray, &capsule) else {
                continue;
            };
            hits.push(Hit {
                character: at,
                joint: capsule.joint,
                distance,
            });
        }
    }
    hits.sort_by(|a, b| {
        let by_joint = (a.character, a.joint).cmp(&(b.character, b.joint));
        by_joint.then(a.distance.total_cmp(&b.distance))
    });
    hits.dedup_by_key(|hit| (hit.character, hit.joint));
    hits.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    hits
}

/// The handle under a pixel; the nearest to the eye if several are. `slack_px` makes small ones easier to grab.
pub fn handle_at(
    handles: &[Handle],
    camera: &Camera,
    size: Size,
    (x, y): (f64, f64),
    slack_px: f64,
) -> Option<usize> {
    let under = handles.iter().enumerate().filter_map(|(at, handle)| {
        let seen = camera.project(&handle.place, size)?;
        let away = (seen.x - x).hypot(seen.y - y);
        (away <= f64::from(handle.radius_px) + slack_px).then_some((at, seen.depth))
    });
    under.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
}

/// Where a ray enters a capsule. For tapered ones this is exact at the middle of the shape and within the difference of
/// the radii at its rims.
fn entry(ray: &Ray, capsule: &Capsule) -> Option<f64> {
    let bone = capsule.to - capsule.from;
    let start = ray.origin - capsule.from;
    // Nearest points of the ray's line and the bone: two equations with two unknowns.
    let along_bone = ray.direction.dot(&bone);
    let square = bone.norm_squared();
    let across = square - along_bone * along_bone;
    let share = if across > 1e-12 * square {
        let towards = start.dot(&ray.direction);
        ((start.dot(&bone) - towards * along_bone) / across).clamp(0.0, 1.0)
    } else if along_bone >= 0.0 {
        // Along the bone the first end comes first.
        0.0
    } else {
        1.0
    };
    let centre = capsule.from + bone * share;
    let radius = capsule.radius_from + (capsule.radius_to - capsule.radius_from) * share;
    let to_centre = centre - ray.origin;
    let nearest = to_centre.dot(&ray.direction);
    let inside = radius * radius - (to_centre.norm_squared() - nearest * nearest);
    (inside >= 0.0)
        .then(|| nearest - inside.sqrt())
        .filter(|distance| *distance >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::Vec3;

    fn capsule(from: [f64; 3], to: [f64; 3]) -> Capsule {
        Capsule {
            joint: 0,
            from: Vec3::from(from),
            to: Vec3::from(to),
            radius_from: 0.5,
            radius_to: 0.25,
        }
    }

    fn ray(origin: [f64; 3], direction: [f64; 3]) -> Ray {
        Ray {
            origin: Vec3::from(origin),
            direction: Vec3::from(direction).normalize(),
        }
    }

    #[test]
    fn rays_enter_capsules_where_they_should() {
        let bone = capsule([0.0, 0.0, 0.0], [0.0, 4.0, 0.0]);
        let at = |y: f64| entry(&ray([0.0, y, 10.0], [0.0, 0.0, -1.0]), &bone);
        assert_eq!(at(0.0), Some(9.5));
        assert_eq!(at(4.0), Some(9.75));
        assert_eq!(at(2.0), Some(9.625));
        assert_eq!(at(4.3), None, "over the thin end");
        assert_eq!(at(-0.6), None, "under the thick end");
        let away = entry(&ray([0.0, 2.0, 10.0], [0.0, 0.0, 1.0]), &bone);
        assert_eq!(away, None, "behind the eye");
        let down = entry(&ray([0.0, 10.0, 0.0], [0.0, -1.0, 0.0]), &bone);
        assert_eq!(down, Some(5.75), "along the bone");
        let beside = entry(&ray([1.0, 2.0, 10.0], [0.0, 0.0, -1.0]), &bone);
        assert_eq!(beside, None);
        let dot = capsule([1.0, 1.0, 1.0], [1.0, 1.0, 1.0]);
        let hit = entry(&ray([1.0, 1.0, 4.0], [0.0, 0.0, -1.0]), &dot);
        assert_eq!(hit, Some(2.5), "a bone without length is a ball");
    }
}
