//! A take looked at frame by frame: where every joint is in the world.

use nalgebra::Matrix3;
use ufbx::{Anim, AnimStack, InheritMode, Node, Transform};

use super::FbxError;
use super::bones::Tree;
use super::scene::{quat, vec3};
use crate::motion::{Quat, Vec3};

/// How many joints may be placed in how many frames.
///
/// A take is said by the few numbers of its range, so a broken file may claim years. Exporters bake a key per frame and
/// channel, so real files hold more bytes than poses; hand-keyed ones are short.
pub(super) struct Budget(usize);

impl Budget {
    /// Ten minutes of a game rig, and what the file may really hold.
    pub(super) fn for_file(n_bytes: usize) -> Self {
        Self(1_000_000 + n_bytes)
    }

    pub(super) fn take(&mut self, n_joints: usize, n_frames: usize) -> bool {
        let left = n_joints
            .checked_mul(n_frames)
            .and_then(|n| self.0.checked_sub(n));
        self.0 = left.unwrap_or(self.0);
        left.is_some()
    }
}

/// When a take is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Times {
    pub begin_secs: f64,
    pub fps: f64,
    pub n_frames: usize,
}

/// Where a node is in the world. Scale moves what hangs on it, and shear comes from scale, but both are no part of its
/// rotation.
#[derive(Debug, Clone, Copy)]
pub(super) struct World {
    pub position: Vec3,
    pub rotation: Quat,
    /// World from the node's own space, without the position.
    linear: Matrix3<f64>,
}

impl Default for World {
    fn default() -> Self {
        Self {
            position: Vec3::zeros(),
            rotation: Quat::identity(),
            linear: Matrix3::identity(),
        }
    }
}

impl World {
    /// A node on this one.
    pub(super) fn carry(&self, node: &Node, local: &Transform) -> Self {
        let turn = quat(&local.rotation);
        let scale = vec3(&local.scale);
        let rotation = self.rotation * turn;
        let linear = match node.inherit_mode {
            InheritMode::Normal => {
                self.linear * turn.to_rotation_matrix().matrix() * Matrix3::from_diagonal(&scale)
            }
            InheritMode::IgnoreParentScale | InheritMode::ComponentwiseScale => {
                let scale = scale.component_mul(&vec3(&node.inherit_scale));
                rotation.to_rotation_matrix().matrix() * Matrix3::from_diagonal(&scale)
            }
        };
        Self {
            position: self.position + self.linear * vec3(&local.translation),
            rotation,
            linear,
        }
    }
}

/// Which frames a take has: its range, but only where something is keyed. Without any keys it is a single pose.
pub(super) fn times(
    stack: &AnimStack,
    tree: &Tree<'_>,
    fps: f64,
    budget: &mut Budget,
) -> Result<Times, FbxError> {
    let keyed = keyed_range(stack, tree);
    let (begin, end) = match keyed {
        None => (0.0, 0.0),
        Some((first, last)) => {
            let (from, to) = (stack.time_begin.max(first), stack.time_end.min(last));
            if to > from { (from, to) } else { (first, last) }
        }
    };
    let seconds = end - begin;
    let frames = (seconds * fps + 1e-3).floor() + 1.0;
    let n_frames = frames as usize;
    // A broken curve may end before it begins.
    let is_range = seconds.is_finite() && seconds >= 0.0;
    if !(is_range && budget.take(tree.joints.len(), n_frames)) {
        return Err(FbxError::TooLong {
            take: stack.element.name.to_string(),
            seconds,
            fps,
            joints: tree.joints.len(),
        });
    }
    Ok(Times {
        begin_secs: begin,
        fps,
        n_frames,
    })
}

/// The first and the last key of anything that moves the tree.
fn keyed_range(stack: &AnimStack, tree: &Tree<'_>) -> Option<(f64, f64)> {
    let joints = tree.joints.iter().map(|joint| joint.node);
    let mut ids: Vec<u32> = joints
        .chain(tree.above.iter().copied())
        .map(|node| node.element.element_id)
        .collect();
    ids.sort_unstable();
    let mut range: Option<(f64, f64)> = None;
    for layer in &stack.layers {
        let own = layer.anim_props.iter();
        let own = own.filter(|prop| ids.binary_search(&prop.element.element_id).is_ok());
        for curve in own.flat_map(|prop| prop.anim_value.curves.iter().flatten()) {
            if curve.keyframes.is_empty() {
                continue;
            }
            let (first, last) = range.unwrap_or((f64::INFINITY, f64::NEG_INFINITY));
            range = Some((first.min(curve.min_time), last.max(curve.max_time)));
        }
    }
    range
}

/// Every joint in the world, frame by frame.
pub(super) struct Samples {
    pub positions: Vec<Vec3>,
    pub rotations: Vec<Quat>,
}

pub(super) fn samples(anim: &Anim, tree: &Tree<'_>, times: &Times) -> Samples {
    let n = tree.joints.len() * times.n_frames;
    let mut samples = Samples {
        positions: Vec::with_capacity(n),
        rotations: Vec::with_capacity(n),
    };
    let mut world: Vec<World> = Vec::with_capacity(tree.joints.len());
    for frame in 0..times.n_frames {
        let secs = times.begin_secs + frame as f64 / times.fps;
        let mut above = World::default();
        for node in &tree.above {
            above = above.carry(node, &ufbx::evaluate_transform(anim, node, secs));
        }
        world.clear();
        for joint in &tree.joints {
            let parent = joint.parent.map_or(above, |parent| world[parent]);
            let local = ufbx::evaluate_transform(anim, joint.node, secs);
            world.push(parent.carry(joint.node, &local));
        }
        samples.positions.extend(world.iter().map(|w| w.position));
        samples.rotations.extend(world.iter().map(|w| w.rotation));
    }
    samples
}
