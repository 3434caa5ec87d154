//! Turns and travel carried from one body to the other, frame by frame.
//!
//! What a joint of the source is turned in the world from its reference pose, the joint of the target is turned from its
//! own. The middle of the hip joints travels as far as the source's, scaled by the length of the legs, and as high
//! above the sole; so legs of the same proportions reach their footprints with the same bend of the knee.

use nalgebra::{Matrix3, Rotation3};

use super::chain::{self, Chain};
use super::character::Character;
use super::map::BoneMap;
use super::settings::Root;
use crate::motion::heading::{forward, left};
use crate::motion::rotation::slerp;
use crate::motion::{Axis, Clip, Motion, Pose, Quat, Vec3, WorldPose};

/// Where the parts of the source have to be on the target, one entry per frame.
#[derive(Debug, Clone, Default)]
pub(super) struct Goals {
    /// Where the left and the right ankle should be, frame by frame.
    pub ankles: [Vec<Vec3>; 2],
    /// Left, right; empty for a body without arms.
    pub wrists: [Vec<Vec3>; 2],
}

/// Hips of two bodies are not equally wide against their legs, nor are both legs of one body equally long. Were feet just
/// as far from the middle as the source's, some legs would have to reach farther than the source's, and one that is all
/// but straight would fall short; what is cut off there is lost, and shows in the knee on the way back. So feet stand
/// aside, towards where the source's bend of the knee takes them, by at most this share of the leg: 0.5 % of the height.
const MOST_ASIDE: f64 = 0.01;

/// What is the same in every frame.
pub(super) struct Transfer<'a> {
    source: &'a Character,
    target: &'a Character,
    map: &'a BoneMap,
    /// The target's world from the source's.
    axes: Quat,
    /// Target units for one of the source's.
    scale: f64,
    root: Root,
    /// For each joint of the target without a partner, how it stays on its parent.
    hold: Vec<Option<Quat>>,
    chains: Vec<Chain>,
}

impl<'a> Transfer<'a> {
    pub(super) fn new(
        source: &'a Character,
        target: &'a Character,
        map: &'a BoneMap,
        root: Root,
    ) -> Self {
        let axes = frame_of(target.up()) * frame_of(source.up()).inverse();
        Self {
            scale: target.reference.leg_length / source.reference.leg_length,
            hold: holds(target, map),
            chains: chain::of(source, target, &axes),
            axes,
            source,
            target,
            map,
            root,
        }
    }

    pub(super) fn scale(&self) -> f64 {
        self.scale
    }

    /// The motion of a clip of the source on the target, and where feet and hands have to be.
    pub(super) fn carry(&self, clip: &Clip) -> (Motion, Goals) {
        let (from, to) = (self.source.skeleton(), self.target.skeleton());
        let n_frames = clip.n_frames();
        let mut motion = Motion::with_capacity(to, clip.frame_secs(), n_frames);
        let mut goals = Goals::default();
        let mut world = WorldPose::of(from, clip.frame(0));
        let mut pose = self.target.reference.base.clone();
        let mut made = WorldPose::of(to, pose.as_ref());
        for frame in clip.frames() {
            world.update(from, frame);
            self.turn(&world, &mut pose, &mut made);
            let middle = self.middle(&world);
            self.place(&middle, &mut pose, &mut made);
            motion.push(pose.as_ref());
            self.aim(&world, &middle, &made, &mut goals);
        }
        (motion, goals)
    }

    /// Turns every joint of the target; those without a partner keep their hold on the parent.
    fn turn(&self, world: &WorldPose, pose: &mut Pose, made: &mut WorldPose) {
        for link in self.map.links() {
            let own = self.turned(world, link.from);
            let turned = if link.share > 0.0 {
                slerp(&own, &self.turned(world, link.toward), link.share)
            } else {
                own
            };
            made.rotations[link.to] = turned * self.target.reference.rotations[link.to];
        }
        for chain in &self.chains {
            chain.point(world, &self.axes, &mut made.rotations);
        }
        for (joint, bone) in self.target.skeleton().joints().iter().enumerate() {
            let above = bone
                .parent
                .map_or_else(Quat::identity, |p| made.rotations[p]);
            if let Some(hold) = self.hold[joint] {
                made.rotations[joint] = above * hold;
                pose.rotations[joint] = hold;
            } else {
                let local = above.inverse() * made.rotations[joint];
                pose.rotations[joint] = Quat::new_normalize(local.into_inner());
            }
        }
    }

    /// How far a joint of the source is turned from its reference pose, in the target's world.
    fn turned(&self, world: &WorldPose, joint: usize) -> Quat {
        let turn = world.rotations[joint] * self.source.reference.rotations[joint].inverse();
        self.axes * turn * self.axes.inverse()
    }

    /// Where the middle of the target's hip joints has to be.
    fn middle(&self, world: &WorldPose) -> Vec3 {
        let [a, b] = &self.source.labels().legs;
        let middle = self.axes * ((world.positions[a.upper] + world.positions[b.upper]) / 2.0);
        let up = self.target.up();
        let soles =
            self.target.reference.ankle_height - self.scale * self.source.reference.ankle_height;
        let height = self.scale * up.along(&middle) + soles;
        let over_floor = middle - up.vector() * up.along(&middle);
        let travel = match self.root {
            Root::Scale => over_floor * self.scale,
            Root::Keep => over_floor,
        };
        travel + up.vector() * height
    }

    /// Moves the hips, or what carries them, so that the middle of the hip joints is at its place.
    fn place(&self, middle: &Vec3, pose: &mut Pose, made: &mut WorldPose) {
        let skeleton = self.target.skeleton();
        let labels = self.target.labels();
        made.update(skeleton, pose.as_ref());
        let [a, b] = &labels.legs;
        let is_at = (made.positions[a.upper] + made.positions[b.upper]) / 2.0;
        let (joint, slot) = match skeleton.translation_slot(labels.hips) {
            Some(slot) => (labels.hips, slot),
            None => (0, 0),
        };
        let parent = skeleton.joints()[joint].parent;
        let from_world = parent.map_or_else(Quat::identity, |p| made.rotations[p].inverse());
        pose.translations[slot] += from_world * (middle - is_at);
    }

    /// Places of ankles and wrists, as far from the hips as the source's, scaled.
    fn aim(&self, world: &WorldPose, middle: &Vec3, made: &WorldPose, goals: &mut Goals) {
        let labels = self.source.labels();
        let [a, b] = &labels.legs;
        let hips = (world.positions[a.upper] + world.positions[b.upper]) / 2.0;
        let scaled = |joint: usize| self.axes * (world.positions[joint] - hips) * self.scale;
        let [c, d] = &self.target.labels().legs;
        let made_hips = (made.positions[c.upper] + made.positions[d.upper]) / 2.0;
        let most = MOST_ASIDE * self.target.reference.leg_length;
        for ((leg, own), goals) in labels.legs.iter().zip([c, d]).zip(&mut goals.ankles) {
            let longer =
                self.target.reference.length_of(own) / self.source.reference.length_of(leg);
            let leg_now =
                self.axes * (world.positions[leg.end] - world.positions[leg.upper]) * longer;
            let wanted = middle + made.positions[own.upper] - made_hips + leg_now;
            let scaled_place = middle + scaled(leg.end);
            goals.push(scaled_place + (wanted - scaled_place).cap_magnitude(most));
        }
        for (arm, goals) in labels.arms.iter().flatten().zip(&mut goals.wrists) {
            goals.push(middle + scaled(arm.end));
        }
    }
}

/// How joints without a partner stay on their parents: as in the reference pose, or, between a root bone and the hips, as
/// in the pose it was made from.
fn holds(target: &Character, map: &BoneMap) -> Vec<Option<Quat>> {
    let skeleton = target.skeleton();
    let (hips, reference) = (target.labels().hips, &target.reference);
    let carries_hips = |joint: usize| joint != hips && skeleton.ancestors(hips).any(|a| a == joint);
    let mut hold: Vec<Option<Quat>> = skeleton
        .joints()
        .iter()
        .enumerate()
        .map(|(joint, bone)| {
            let parent = bone
                .parent
                .map_or_else(Quat::identity, |p| reference.rotations[p]);
            Some(if carries_hips(joint) {
                reference.base.rotations[joint]
            } else {
                parent.inverse() * reference.rotations[joint]
            })
        })
        .collect();
    for link in map.links() {
        hold[link.to] = None;
    }
    hold
}

/// The axes left, up and ahead of a world.
fn frame_of(up: Axis) -> Quat {
    let axes = Matrix3::from_columns(&[left(up), up.vector(), forward(up)]);
    Quat::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes))
}
