//! Chains of different length that must end up pointing the same way.
//!
//! A neck of two joints that bend against each other, carried onto a neck of one, has the mean of both turns, which
//! points elsewhere than the neck did, and the head is off by centimetres. So the whole chain of the target is turned
//! until it points from its first joint to its end as the source's does.

use super::character::Character;
use super::labels::Labels;
use crate::motion::rotation::align;
use crate::motion::{Quat, Vec3, WorldPose};

/// A chain of both bodies whose numbers of joints differ.
pub(super) struct Chain {
    /// First joint and end in the source.
    source: [usize; 2],
    /// Joints of the target, without the end.
    joints: Vec<usize>,
    /// Where each next one is in its axes; the end last.
    offsets: Vec<Vec3>,
    /// From first to end in the reference pose, in the target's world.
    source_rest: Vec3,
    target_rest: Vec3,
}

/// Spine and neck, where they differ.
pub(super) fn of(source: &Character, target: &Character, axes: &Quat) -> Vec<Chain> {
    let (from, to) = (source.labels(), target.labels());
    let neck_base = |labels: &Labels| labels.neck.first().copied().or(labels.head);
    let spines = (&from.spine, neck_base(from), &to.spine, neck_base(to));
    let necks = (&from.neck, from.head, &to.neck, to.head);
    [spines, necks]
        .into_iter()
        .filter(|(own, _, other, _)| own.len() != other.len())
        .filter_map(|(own, own_end, other, other_end)| {
            let ends = [*own.first()?, own_end?];
            let first = *other.first()?;
            let end = other_end?;
            let path: Vec<usize> = other.iter().copied().chain([end]).collect();
            let is_whole = path
                .windows(2)
                .all(|pair| target.skeleton().joints()[pair[1]].parent == Some(pair[0]));
            let reference = &target.reference;
            let offset = |pair: &[usize]| {
                reference.rotations[pair[0]].inverse()
                    * (reference.places[pair[1]] - reference.places[pair[0]])
            };
            is_whole.then(|| Chain {
                source: ends,
                joints: other.clone(),
                offsets: path.windows(2).map(offset).collect(),
                source_rest: axes * (source.places()[ends[1]] - source.places()[ends[0]]),
                target_rest: reference.places[end] - reference.places[first],
            })
        })
        .collect()
}

impl Chain {
    /// Turns the joints of the target in the world; `world` is the source's.
    pub(super) fn point(&self, world: &WorldPose, axes: &Quat, rotations: &mut [Quat]) {
        let [first, end] = self.source;
        let source_now = axes * (world.positions[end] - world.positions[first]);
        let bones = self.joints.iter().zip(&self.offsets);
        let is_now: Vec3 = bones
            .map(|(&joint, offset)| rotations[joint] * offset)
            .sum();
        let shortest = [&self.source_rest, &source_now, &is_now, &self.target_rest]
            .map(Vec3::norm)
            .into_iter()
            .fold(f64::INFINITY, f64::min);
        if shortest <= 1e-9 {
            return;
        }
        let wanted = align(&self.source_rest, &source_now) * self.target_rest;
        let turn = align(&is_now, &wanted);
        for &joint in &self.joints {
            rotations[joint] = turn * rotations[joint];
        }
    }
}
