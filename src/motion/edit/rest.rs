//! The pose in which all rotations are zero: what importers bind a character to.
//!
//! A new rest pose gives every joint new axes: those it has in the world in that pose are turned to the world's own.
//! Bones and rotations are said anew in these axes, and every joint stays where it was in every frame.
//!
//! The T-pose faces forward, stands straight, has its legs straight down and its arms straight out to the sides; feet
//! and hands keep their hold. It starts from the rest pose of the file where that is a standing body, otherwise (bones
//! all along one axis, as some exporters have it) from the first frame.

use std::sync::Arc;

use super::floor::{find_floor, lowest_foot};
use super::{EditError, remade};
use crate::motion::heading::{forward, left};
use crate::motion::mannequin::Mannequin;
use crate::motion::rotation::align as turn_onto;
use crate::motion::{
    Axis, Body, Channel, Channels, Clip, Contact, Dim, Limb, Motion, Pose, Quat, Side, Skeleton,
    Vec3, WorldPose,
};

/// Which pose has all rotations zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RestPose {
    /// The one of the file.
    #[default]
    Source,
    /// Arms out, legs down, facing forward.
    T,
    /// The pose of the first frame.
    First,
}

/// The text is not a rest pose.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a rest pose (source, t or first), found \"{0}\"")]
pub struct NotARestPose(pub String);

impl std::str::FromStr for RestPose {
    type Err = NotARestPose;

    fn from_str(text: &str) -> Result<Self, NotARestPose> {
        match text.to_ascii_lowercase().as_str() {
            "source" => Ok(Self::Source),
            "t" => Ok(Self::T),
            "first" => Ok(Self::First),
            _ => Err(NotARestPose(text.to_owned())),
        }
    }
}

/// Changes the rest pose and no place in the world.
pub fn rest_as(clip: &Clip, rest: RestPose) -> Result<Clip, EditError> {
    match rest {
        RestPose::Source => Ok(clip.clone()),
        RestPose::T => rebased(clip, &t_pose(clip)?, "rest pose made a T-pose"),
        RestPose::First => {
            let first = clip.frame(0).to_pose();
            rebased(clip, &first, "rest pose made the first frame")
        }
    }
}

/// Says skeleton and motion anew, so that `rest` becomes the pose without rotations.
fn rebased(clip: &Clip, rest: &Pose, done: &str) -> Result<Clip, EditError> {
    let skeleton = clip.skeleton();
    let axes = WorldPose::of(skeleton, rest.as_ref()).rotations;
    let parent_axes = |j: usize| match skeleton.joints()[j].parent {
        Some(parent) => axes[parent],
        None => Quat::identity(),
    };
    let mut motion = clip.motion().clone();
    let n_joints = skeleton.n_joints();
    let into: Vec<Quat> = (0..n_joints).map(parent_axes).collect();
    let out_of: Vec<Quat> = axes.iter().map(Quat::inverse).collect();
    for (at, q) in motion.rotations.iter_mut().enumerate() {
        let j = at % n_joints;
        // Products of three drift from unit length by a rounding each; a fresh one costs next to nothing.
        *q = Quat::new_normalize((into[j] * *q * out_of[j]).into_inner());
    }
    let slots = skeleton.translating();
    for (at, t) in motion.translations.iter_mut().enumerate() {
        *t = into[slots[at % slots.len()]] * *t;
    }
    let mut joints = skeleton.joints().to_vec();
    let mut ends = skeleton.ends().to_vec();
    for (j, joint) in joints.iter_mut().enumerate() {
        let place = match skeleton.translation_slot(j) {
            Some(slot) => rest.translations[slot],
            None => joint.offset,
        };
        joint.offset = into[j] * place;
        let turned = motion.rotations.iter().skip(j).step_by(n_joints);
        joint.channels = enough_channels(&joint.channels, turned);
    }
    for end in &mut ends {
        end.offset = axes[end.joint] * end.offset;
    }
    let rebased = Arc::new(Skeleton::new(joints, ends)?);
    remade(clip, rebased, motion, clip.contacts().to_vec(), done)
}

/// A knee with one channel may need all three in other axes. Positions stay as they are.
fn enough_channels<'a>(
    channels: &Channels,
    mut rotations: impl Iterator<Item = &'a Quat>,
) -> Channels {
    let has: Vec<Dim> = channels.rotations().collect();
    let missing: Vec<Dim> = Dim::ALL.into_iter().filter(|d| !has.contains(d)).collect();
    let is_enough = missing.is_empty()
        || rotations.all(|q| missing.iter().all(|d| q.imag()[d.index()].abs() < 1e-12));
    if is_enough {
        return *channels;
    }
    let added = missing.into_iter().map(Channel::Rotation);
    let all: Vec<Channel> = channels.as_slice().iter().copied().chain(added).collect();
    Channels::new(&all).unwrap_or(*channels)
}

/// Puts a frame with a T-pose before the motion, over the place where it starts and with its feet on the floor, for
/// programs that read the bind pose from the first frame.
pub fn prepend_tpose(clip: &Clip) -> Result<Clip, EditError> {
    let skeleton = clip.skeleton();
    let up = clip.info.up;
    let mut pose = t_pose(clip)?;
    let root = &mut pose.translations[0];
    *root = clip.frame(0).root();
    let world = WorldPose::of(skeleton, pose.as_ref());
    if let Some(lowest) = lowest_foot(skeleton, &world, up) {
        pose.translations[0] += up.vector() * (find_floor(clip).height - lowest);
    }
    let mut motion = Motion::with_capacity(skeleton, clip.frame_secs(), clip.n_frames() + 1);
    motion.push(pose.as_ref());
    motion
        .translations
        .extend_from_slice(&clip.motion().translations);
    motion.rotations.extend_from_slice(&clip.motion().rotations);
    let contacts = clip.contacts().iter().map(|c| Contact {
        joint: c.joint,
        frames: c.frames.start + 1..c.frames.end + 1,
    });
    let done = "T-pose put before the first frame";
    remade(clip, Arc::clone(skeleton), motion, contacts.collect(), done)
}

/// The T-pose of this clip's body. Its root is where the pose it starts from has it.
fn t_pose(clip: &Clip) -> Result<Pose, EditError> {
    let skeleton = clip.skeleton();
    let body = Body::of(skeleton);
    if body.legs.is_empty() && body.arms.is_empty() {
        return Err(EditError::NoLimbs);
    }
    let up = clip.info.up;
    let rest = Pose::rest(skeleton);
    let at_rest = WorldPose::of(skeleton, rest.as_ref());
    let mut figure = if body.is_straight(&at_rest).unwrap_or(true) {
        TPoseBody(Mannequin::new(skeleton, rest))
    } else {
        TPoseBody(Mannequin::new(skeleton, clip.frame(0).to_pose()))
    };
    figure.face_forward(&body, up);
    for leg in &body.legs {
        figure.straighten(leg, &-up.vector(), true);
    }
    for arm in &body.arms {
        let out = match arm.side {
            Side::Right => -left(up),
            Side::Left | Side::Middle => left(up),
        };
        figure.straighten(arm, &out, false);
    }
    Ok(figure.0.pose)
}

fn middle_of(world: &WorldPose, limbs: &[Limb], joint: impl Fn(&Limb) -> usize) -> Vec3 {
    let sum: Vec3 = limbs.iter().map(|l| world.positions[joint(l)]).sum();
    sum / limbs.len().max(1) as f64
}

/// The body of a clip, being bent into a T.
struct TPoseBody<'a>(Mannequin<'a>);

impl TPoseBody<'_> {
    /// Turns the whole body upright, with its left to the left.
    fn face_forward(&mut self, body: &Body, up: Axis) {
        let positions = &self.0.world.positions;
        let hips = middle_of(&self.0.world, &body.legs, |leg| leg.upper);
        let upwards = match (body.head, body.legs.first()) {
            (Some(head), Some(_)) => positions[head] - hips,
            (_, Some(leg)) => positions[leg.upper] - positions[leg.end],
            _ => up.vector(),
        };
        if upwards.norm() > 0.0 {
            self.0.turn(0, &turn_onto(&upwards, &up.vector()));
        }
        // All pairs together: one that crosses over (a raised arm) cannot turn the body round.
        let across: Vec3 = (0..body.mirror.len())
            .filter(|&j| body.side[j] == Side::Left && body.mirror[j] != j)
            .map(|j| self.0.world.positions[j] - self.0.world.positions[body.mirror[j]])
            .sum();
        let flat = across - up.vector() * up.along(&across);
        if flat.norm() > 0.0 {
            let (sin, cos) = (flat.dot(&forward(up)), flat.dot(&left(up)));
            // Forward lies a quarter turn before left.
            let back = Quat::from_scaled_axis(up.vector() * sin.atan2(cos));
            self.0.turn(0, &back);
        }
    }

    /// Points both bones of a limb one way; a foot keeps its hold on the world, a hand on its arm.
    fn straighten(&mut self, limb: &Limb, direction: &Vec3, keeps_end: bool) {
        let end = self.0.world.rotations[limb.end];
        self.0
            .straighten(&[limb.upper, limb.middle, limb.end], direction);
        if keeps_end {
            let back = end * self.0.world.rotations[limb.end].inverse();
            self.0.turn(limb.end, &back);
        }
    }
}
