//! How well poses are found again from a few handles: the style beside plain inverse kinematics.

use super::constraint::Constraint;
use crate::motion::{Body, PoseRef, Site, Skeleton, WorldPose};

/// The handles of a comparison: feet, right hand, left hand, head and the body's root, as many as wanted.
///
/// Bodies without such parts give the joints farthest from the root instead.
pub fn handle_sites(skeleton: &Skeleton, root: usize, n_handles: usize) -> Vec<Site> {
    let body = Body::of(skeleton);
    let ends = |limbs: &[crate::motion::Limb]| limbs.iter().map(|l| l.end).collect::<Vec<_>>();
    let (feet, hands) = (ends(&body.legs), ends(&body.arms));
    let mut sites = feet;
    // The right hand first: it throws, swings and waves in most takes.
    sites.extend(hands.iter().rev());
    sites.extend(body.head);
    sites.push(root);
    if body.head.is_none() || body.legs.is_empty() || body.arms.is_empty() {
        let tips = (0..skeleton.n_joints()).filter(|&j| skeleton.children(j).next().is_none());
        sites.extend(tips);
        sites.retain({
            let mut seen = Vec::new();
            move |j| {
                !seen.contains(j) && {
                    seen.push(*j);
                    true
                }
            }
        });
    }
    sites.truncate(n_handles);
    sites.into_iter().map(Site::Joint).collect()
}

/// Handles at the places that these sites have in a pose.
pub fn pins(skeleton: &Skeleton, pose: PoseRef<'_>, sites: &[Site]) -> Vec<Constraint> {
    let world = WorldPose::of(skeleton, pose);
    let place = |&site: &Site| Constraint::pin(site, world.site(skeleton, site));
    sites.iter().map(place).collect()
}

/// Mean distance of all joints between two poses.
pub fn joint_error(skeleton: &Skeleton, a: PoseRef<'_>, b: PoseRef<'_>) -> f64 {
    let (a, b) = (WorldPose::of(skeleton, a), WorldPose::of(skeleton, b));
    let pairs = a.positions.iter().zip(&b.positions);
    pairs.map(|(a, b)| (a - b).norm()).sum::<f64>() / a.positions.len() as f64
}
