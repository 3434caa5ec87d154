//! What animators do with poses beside dragging: mirror them, carry them to another body, stand them on the floor.

use std::sync::Arc;

use super::constraint::{Constraint, ConstraintMode, Goal};
use super::solver::{SolveError, height_of};
use crate::motion::{Axis, Clip, ClipInfo, Motion, Pose, PoseRef, Site, Skeleton, edit};

/// Left becomes right, over the same spot.
pub fn mirrored(
    skeleton: &Arc<Skeleton>,
    up: Axis,
    pose: PoseRef<'_>,
) -> Result<Pose, edit::EditError> {
    let mut motion = Motion::with_capacity(skeleton, 1.0, 1);
    motion.push(pose);
    let mut info = ClipInfo::named("");
    info.up = up;
    let clip = Clip::new(info, Arc::clone(skeleton), motion)?;
    Ok(edit::mirror(&clip)?.frame(0).to_pose())
}

/// The pose on another skeleton of the same structure: the same turns, and the place scaled by how tall the bodies are.
/// Bones keep the lengths of the skeleton they are on.
pub fn copied(
    from: &Arc<Skeleton>,
    pose: PoseRef<'_>,
    to: &Arc<Skeleton>,
) -> Result<Pose, SolveError> {
    if !from.same_structure(to) {
        return Err(SolveError::Skeleton);
    }
    let fits = pose.rotations.len() == from.n_joints()
        && pose.translations.len() == from.translating().len();
    if !fits {
        return Err(SolveError::Pose);
    }
    let ratio = height_of(to, Pose::rest(to).as_ref()) / height_of(from, pose);
    let mut copied = pose.to_pose();
    for place in &mut copied.translations {
        *place *= ratio;
    }
    Ok(copied)
}

/// A site that stays on the floor at this level and may slide on it.
pub fn on_floor(site: Site, up: Axis, level: f64) -> Constraint {
    Constraint {
        site,
        goal: Goal::Plane {
            point: up.vector() * level,
            normal: up.vector(),
        },
        mode: ConstraintMode::Hard,
    }
}
