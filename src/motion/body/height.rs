//! How tall a body is, which is what other lengths are compared with.

use super::Body;
use crate::motion::{Clip, Pose, PoseRef, Skeleton, WorldPose};

/// Length of the bone from a joint's parent to it.
fn bone_length(skeleton: &Skeleton, pose: PoseRef<'_>, joint: usize) -> f64 {
    match skeleton.translation_slot(joint) {
        Some(slot) => pose.translations[slot].norm(),
        None => skeleton.joints()[joint].offset.norm(),
    }
}

/// How tall the body stands: the bones from the lowest foot tip to the crown, laid end to end.
///
/// For skeletons without named legs and head, the longest way through the bones, which is the same within a few
/// tenths. Never zero.
pub fn height(clip: &Clip) -> f64 {
    let skeleton = clip.skeleton();
    let pose = clip.frame(0);
    let mut reach = vec![0.0; skeleton.n_joints()];
    for j in 1..reach.len() {
        let parent = skeleton.joints()[j].parent.unwrap_or(0);
        reach[j] = reach[parent] + bone_length(skeleton, pose, j);
    }
    let tip = |joint: usize| -> f64 {
        let ends = &skeleton.ends()[skeleton.ends_of(joint)];
        ends.iter().map(|e| e.offset.norm()).fold(0.0, f64::max)
    };
    let body = Body::of(skeleton);
    let legs = body.legs.iter().map(|leg| {
        let hip = leg.upper;
        // Below the ankle the foot points forward; its height is about a quarter of its length.
        (reach[leg.end] - reach[hip]) + 0.25 * (leg.toe.map_or(0.0, |t| reach[t] - reach[leg.end]))
    });
    let leg = legs.fold(0.0, f64::max);
    let total = match body.head {
        Some(head) if leg > 0.0 => {
            let root = skeleton
                .ancestors(body.legs[0].upper)
                .find(|a| skeleton.ancestors(head).any(|b| b == *a));
            let root = root.unwrap_or(0);
            leg + hip_drop(skeleton, &body, root) + reach[head] - reach[root] + tip(head)
        }
        _ => {
            let mut tips: Vec<f64> = (0..reach.len()).map(|j| reach[j] + tip(j)).collect();
            tips.sort_by(f64::total_cmp);
            tips.iter()
                .rev()
                .take(2)
                .sum::<f64>()
                .max(tips[tips.len() - 1])
        }
    };
    if total > 0.0 { total } else { 1.0 }
}

/// How far the hips sit below the joint that legs and spine share, at rest.
fn hip_drop(skeleton: &Skeleton, body: &Body, root: usize) -> f64 {
    let rest = WorldPose::of(skeleton, Pose::rest(skeleton).as_ref());
    let mut down = rest.positions[body.legs[0].upper] - rest.positions[root];
    down[body.lateral.index()] = 0.0;
    down.norm()
}
