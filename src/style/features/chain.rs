//! The joints from the root to the one that carries the body.

use crate::motion::{Quat, Skeleton};

/// From the root to this joint, both included.
pub(super) fn from_root(skeleton: &Skeleton, joint: usize) -> Vec<usize> {
    let mut chain: Vec<usize> = skeleton.ancestors(joint).collect();
    chain.reverse();
    chain
}

/// World from the last joint of the chain.
pub(super) fn world_from(chain: &[usize], rotations: &[Quat]) -> Quat {
    chain
        .iter()
        .fold(Quat::identity(), |world, &joint| world * rotations[joint])
}
