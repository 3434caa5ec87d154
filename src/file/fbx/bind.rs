//! The pose that a character is bound in, which becomes the rest pose.

use std::collections::BTreeMap;

use ufbx::{Matrix, Scene, matrix_to_transform};

use super::bones::Tree;
use super::sample::World;
use super::scene::quat;
use crate::motion::Quat;

/// World from joint in the bind pose, one per joint of the tree.
///
/// Skins say it best, then bind poses of the file; a joint that neither mentions sits on its parent as the file has it
/// without animation.
pub(super) fn rotations(scene: &Scene, tree: &Tree<'_>) -> Vec<Quat> {
    let mut known: BTreeMap<u32, Quat> = BTreeMap::new();
    for pose in scene.poses.into_iter().filter(|pose| pose.is_bind_pose) {
        for bone in &pose.bone_poses {
            known.insert(
                bone.bone_node.element.typed_id,
                rotation(&bone.bone_to_world),
            );
        }
    }
    for cluster in &scene.skin_clusters {
        if let Some(bone) = &cluster.bone_node {
            known.insert(bone.element.typed_id, rotation(&cluster.bind_to_world));
        }
    }
    let mut above = World::default();
    for node in &tree.above {
        above = above.carry(node, &node.local_transform);
    }
    let mut found: Vec<Quat> = Vec::with_capacity(tree.joints.len());
    for joint in &tree.joints {
        let parent = joint.parent.map_or(above.rotation, |parent| found[parent]);
        let own = || parent * quat(&joint.node.local_transform.rotation);
        let known = known.get(&joint.node.element.typed_id).copied();
        found.push(known.unwrap_or_else(own));
    }
    found
}

fn rotation(matrix: &Matrix) -> Quat {
    quat(&matrix_to_transform(matrix).rotation)
}
