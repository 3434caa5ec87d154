//! The pose a mannequin is modelled in, and the body's directions there.
//!
//! A standing body with its arms out leaves no doubt about front, left and up of any part, whatever the file's own
//! rest pose looks like. Where names do not tell the parts of a body, its shape does, as in retargeting. Skeletons that
//! are no human bodies are modelled in their rest pose.

use crate::motion::heading::{forward, left};
use crate::motion::rotation::mean;
use crate::motion::{Body, Clip, Pose, Quat, Site, Skeleton, Vec3, WorldPose, body, edit};
use crate::retarget::{Character, ReferencePose};

use super::mesh::unit_or;

/// A skeleton with its landmarks, standing as the mannequin is modelled.
pub(super) struct Reference<'a> {
    pub(super) skeleton: &'a Skeleton,
    pub(super) body: Body,
    pub(super) world: WorldPose,
    /// Of the body, in the clip's units; finite and over zero.
    pub(super) height: f64,
    pub(super) up: Vec3,
    pub(super) left: Vec3,
    pub(super) front: Vec3,
    /// Of each joint; the root stands for its own.
    parents: Vec<usize>,
}

impl<'a> Reference<'a> {
    pub(super) fn of(clip: &'a Clip) -> Self {
        let skeleton: &Skeleton = clip.skeleton();
        let up = clip.info.up;
        let named = || {
            let body = Body::of(skeleton);
            let pose = standing(clip, &body)?;
            Some((body, pose, body::height(clip)))
        };
        let unknown = || (Body::of(skeleton), resting(clip), body::height(clip));
        let (body, mut pose, height) = named().or_else(|| recognised(clip)).unwrap_or_else(unknown);
        settle_shoulders(clip, &body, &mut pose);
        Self {
            skeleton,
            body,
            world: WorldPose::of(skeleton, pose.as_ref()),
            height: if (1e-12..1e12).contains(&height) {
                height
            } else {
                1.0
            },
            up: up.vector(),
            left: left(up),
            front: forward(up),
            parents: skeleton
                .joints()
                .iter()
                .map(|joint| joint.parent.unwrap_or(0))
                .collect(),
        }
    }

    pub(super) fn place(&self, joint: usize) -> Vec3 {
        self.world.positions[joint]
    }

    pub(super) fn parent(&self, joint: usize) -> usize {
        self.parents[joint]
    }

    pub(super) fn end_place(&self, end: usize) -> Vec3 {
        self.world.site(self.skeleton, Site::End(end))
    }

    /// Whether `joint` hangs on `top`, or is it.
    pub(super) fn is_below(&self, joint: usize, top: usize) -> bool {
        self.skeleton.ancestors(joint).any(|a| a == top)
    }

    /// Joints that hang on `top`, itself not included.
    pub(super) fn below(&self, top: usize) -> impl Iterator<Item = usize> + '_ {
        (top + 1..self.parents.len()).filter(move |&j| self.is_below(j, top))
    }

    /// Places of all joints and tips that hang on `top`.
    pub(super) fn places_below(&self, top: usize) -> Vec<Vec3> {
        let joints = self.below(top).map(|j| self.place(j));
        let ends = self.skeleton.ends().iter().enumerate();
        let tips = ends
            .filter(|(_, end)| self.is_below(end.joint, top))
            .map(|(at, _)| self.end_place(at));
        joints.chain(tips).collect()
    }

    /// The lowest joint that both hang on.
    pub(super) fn fork(&self, a: usize, b: usize) -> usize {
        let above_b: Vec<usize> = self.skeleton.ancestors(b).collect();
        self.skeleton
            .ancestors(a)
            .find(|joint| above_b.contains(joint))
            .unwrap_or(0)
    }

    /// From `top` down to `joint`, both included.
    pub(super) fn way(&self, top: usize, joint: usize) -> Vec<usize> {
        let mut way: Vec<usize> = self
            .skeleton
            .ancestors(joint)
            .take_while(|&j| j != top)
            .collect();
        way.push(top);
        way.reverse();
        way
    }

    /// Direction from one place to another, or up.
    pub(super) fn direction(&self, from: Vec3, to: Vec3) -> Vec3 {
        unit_or(to - from, self.up)
    }
}

/// Upright with the arms out, if this is a body that can stand so.
fn standing(clip: &Clip, body: &Body) -> Option<Pose> {
    let moment = edit::trim(clip, 0..1).ok()?;
    if body.head.is_none() || body.legs.len() < 2 {
        return None;
    }
    let with_t = edit::prepend_tpose(&moment).ok()?;
    Some(with_t.frame(0).to_pose())
}

/// A body whose joints have names that nobody knows, as retargeting recognises it: by lengths and heights.
fn recognised(clip: &Clip) -> Option<(Body, Pose, f64)> {
    /// Where the head joint sits, as a share of the height (Drillis and Contini 1966: the chin at 0.87).
    const HEAD_LEVEL: f64 = 0.88;
    let character = Character::of(clip, ReferencePose::Found).ok()?;
    let (skeleton, labels) = (clip.skeleton(), character.labels());
    let head = labels.head?;
    let body = labels.body(skeleton.n_joints());
    let pose = character.t_pose();
    let world = WorldPose::of(skeleton, pose.as_ref());
    let level = |site: Site| clip.info.up.along(&world.site(skeleton, site));
    let below = |top: usize| {
        let hangs = move |site: &Site| {
            let mut above = skeleton.ancestors(skeleton.carrier(*site));
            above.any(|joint| joint == top)
        };
        skeleton.sites().filter(hangs).map(level)
    };
    let soles = labels.legs.iter().flat_map(|leg| below(leg.end));
    let sole = soles.fold(f64::INFINITY, f64::min);
    let crown = below(head).fold(f64::NEG_INFINITY, f64::max);
    let by_head = (level(Site::Joint(head)) - sole) / HEAD_LEVEL;
    Some((body, pose, by_head.max(crown - sole)))
}

/// Nothing turned. Joints that move on their own sit where the first frame has them: some files leave their offsets
/// at zero.
fn resting(clip: &Clip) -> Pose {
    let mut pose = Pose::rest(clip.skeleton());
    pose.translations
        .clone_from_slice(clip.frame(0).translations);
    pose
}

/// Lets the shoulders sit as the clip usually has them: some rest poses hold them beside the ears, and a chest modelled
/// on that would reach up there. The arms keep pointing where they did.
fn settle_shoulders(clip: &Clip, body: &Body, pose: &mut Pose) {
    /// Some moments tell as much as all.
    const MOMENTS: usize = 24;
    let skeleton = clip.skeleton();
    let [Some(one), Some(other)] = [0, 1].map(|arm| body.arms.get(arm)) else {
        return;
    };
    let chest = skeleton
        .ancestors(one.upper)
        .find(|&joint| skeleton.ancestors(other.upper).any(|a| a == joint));
    let before = WorldPose::of(skeleton, pose.as_ref());
    let stride = clip.n_frames().div_ceil(MOMENTS);
    for arm in [one, other] {
        let girdle = skeleton.ancestors(arm.upper).skip(1);
        for joint in girdle.take_while(|&joint| Some(joint) != chest) {
            let turns: Vec<Quat> = clip
                .frames()
                .step_by(stride)
                .map(|moment| moment.rotations[joint])
                .collect();
            pose.rotations[joint] = mean(&turns);
        }
    }
    let after = WorldPose::of(skeleton, pose.as_ref());
    for arm in [one, other] {
        if let Some(parent) = skeleton.joints()[arm.upper].parent {
            pose.rotations[arm.upper] =
                after.rotations[parent].inverse() * before.rotations[arm.upper];
        }
    }
}
