//! The examples on their common phase, laid out to be blended.
//!
//! A pose is taken apart as everywhere in this program: where the body is, which way it faces, and how it holds
//! itself. At each phase every joint has the mean rotation of the examples and, for each example, the rotation vector
//! that leads from there to its own. A blend is the mean turned by the weighted sum of these vectors: linear in the
//! weights, the same whatever the signs of quaternions, and exactly the example where its weight is 1. The body's way
//! is blended as steps over the floor, seen along its heading, and as turns; so nothing jumps and curved ways stay
//! curved.
//!
//! All is told in the action's frame: left, up and forward, about the spot below the body at the first frame.

use std::sync::Arc;

use super::cubic::Cubic;
use super::phase::AlignedExamples;
use crate::jobs::{Cancelled, Ticket};
use crate::motion::contacts::{ContactParts, ContactSettings, detect};
use crate::motion::rotation::mean;
use crate::motion::{Clip, Contact, HeadingFrame, Quat, Skeleton, Vec3, heading};

/// Examples in step. Numbers lie phase by phase, in a phase by what they speak of, and there example by example.
#[derive(Debug, Clone)]
pub(super) struct BlendSpace {
    pub(super) skeleton: Arc<Skeleton>,
    pub(super) n_examples: usize,
    pub(super) n_phases: usize,
    /// The joint whose translation moves the body.
    pub(super) carrier: usize,
    /// World from the axes that the carrier moves in; the same at all times.
    pub(super) above: (Vec3, Quat),
    /// World from left, up, forward.
    pub(super) world_from_action: Quat,
    /// For each joint; the carrier's is seen along the heading.
    pub(super) means: Vec<Quat>,
    /// For each joint and example, from the mean.
    pub(super) turns: Vec<Vec3>,
    /// For each translating joint and example; the carrier's are not used.
    pub(super) translations: Vec<Vec3>,
    /// About up, since the start.
    pub(super) headings: Vec<f64>,
    pub(super) heights: Vec<f64>,
    /// Left and forward since the phase before, along the heading half-way; at first, from the origin.
    pub(super) steps: Vec<[f64; 2]>,
    /// Seconds since the start.
    pub(super) seconds: Vec<f64>,
    pub(super) foot_contacts: Vec<FootContact>,
}

/// When a joint stands on the floor.
#[derive(Debug, Clone)]
pub(super) struct FootContact {
    pub(super) joint: usize,
    /// Phase by phase, example by example.
    pub(super) is_down: Vec<bool>,
}

impl BlendSpace {
    /// Reads the examples at the moments that `aligned_examples` gives for each phase.
    pub(super) fn new(
        examples: &[&Clip],
        frame: &HeadingFrame,
        aligned_examples: &AlignedExamples,
        ticket: &Ticket,
    ) -> Result<Self, Cancelled> {
        let skeleton = Arc::clone(examples[0].skeleton());
        let carrier = carrier(&skeleton, frame.root);
        let (n_examples, n_phases) = (examples.len(), aligned_examples.n_phases());
        let n_slots = skeleton.translating().len();
        let up = frame.up;
        let axes = [heading::left(up), up.vector(), heading::forward(up)];
        let basis = nalgebra::Matrix3::from_columns(&axes);
        let world_from_action = Quat::from_matrix(&basis);
        let mut space = Self {
            n_examples,
            n_phases,
            carrier,
            above: above(examples[0], carrier),
            world_from_action,
            means: Vec::new(),
            turns: vec![Vec3::zeros(); n_phases * skeleton.n_joints() * n_examples],
            translations: vec![Vec3::zeros(); n_phases * n_slots * n_examples],
            headings: vec![0.0; n_phases * n_examples],
            heights: vec![0.0; n_phases * n_examples],
            steps: vec![[0.0; 2]; n_phases * n_examples],
            seconds: vec![0.0; n_phases * n_examples],
            foot_contacts: foot_contacts(examples, aligned_examples),
            skeleton,
        };
        let mut rotations = Vec::with_capacity(n_examples);
        for (k, clip) in examples.iter().enumerate() {
            ticket.check()?;
            rotations.push(space.read(k, clip, frame, &aligned_examples.moments[k]));
        }
        space.describe(&rotations);
        Ok(space)
    }

    /// Reads all of one example but its rotations, which are given back phase by phase.
    fn read(&mut self, k: usize, clip: &Clip, frame: &HeadingFrame, moments: &[f64]) -> Vec<Quat> {
        let skeleton = Arc::clone(&self.skeleton);
        let (n_joints, n_slots) = (skeleton.n_joints(), skeleton.translating().len());
        let track = frame.track(clip);
        let action_from_world = self.world_from_action.inverse();
        let (above_place, above_turn) = self.above;
        let slot = skeleton.translation_slot(self.carrier).unwrap_or(0);
        let places: Vec<Vec3> = clip
            .frames()
            .map(|pose| action_from_world * (above_place + above_turn * pose.translations[slot]))
            .collect();
        let tilts: Vec<Quat> = clip
            .frames()
            .zip(&track.headings)
            .map(|(pose, heading)| {
                let world = above_turn * pose.rotations[self.carrier];
                about_up(-heading) * action_from_world * world
            })
            .collect();
        let start = track.headings[0];
        // The body is placed by its root; a carrier elsewhere starts beside the origin.
        let root = action_from_world * track.positions[0];
        let origin = about_up(-start) * Vec3::new(root.x, 0.0, root.z);
        let mut rotations = Vec::with_capacity(self.n_phases * n_joints);
        let mut before = (0.0, Vec3::zeros());
        for (phase, &moment) in moments.iter().enumerate() {
            let cubic = Cubic::at(moment, clip.n_frames());
            for joint in 0..n_joints {
                rotations.push(if joint == self.carrier {
                    cubic.rotation(|f| tilts[f])
                } else {
                    cubic.rotation(|f| clip.frame(f).rotations[joint])
                });
            }
            for s in 0..n_slots {
                self.translations[(phase * n_slots + s) * self.n_examples + k] =
                    cubic.vector(|f| clip.frame(f).translations[s]);
            }
            let turned = cubic.number(|f| track.headings[f]) - start;
            let place = about_up(-start) * cubic.vector(|f| places[f]) - origin;
            let at = phase * self.n_examples + k;
            self.headings[at] = turned;
            self.heights[at] = place.y;
            self.seconds[at] = moment / clip.fps();
            let step = about_up(-0.5 * (turned + before.0)) * (place - before.1);
            self.steps[at] = [step.x, step.z];
            before = (turned, place);
        }
        rotations
    }

    /// Means, and the turns that lead from them to the examples.
    fn describe(&mut self, rotations: &[Vec<Quat>]) {
        let n = self.n_phases * self.skeleton.n_joints();
        self.means = Vec::with_capacity(n);
        for at in 0..n {
            let middle = mean(rotations.iter().map(|list| &list[at]));
            for (k, list) in rotations.iter().enumerate() {
                self.turns[at * self.n_examples + k] = (middle.inverse() * list[at]).scaled_axis();
            }
            self.means.push(middle);
        }
    }

    /// A joint's rotation at a phase; the carrier's is seen along the heading.
    pub(super) fn rotation(&self, phase: usize, joint: usize, weights: &[f64]) -> Quat {
        let at = phase * self.skeleton.n_joints() + joint;
        let turns = &self.turns[at * self.n_examples..][..self.n_examples];
        self.means[at] * Quat::from_scaled_axis(weighted(turns, weights))
    }

    /// The translation of a joint other than the carrier.
    pub(super) fn translation(&self, phase: usize, slot: usize, weights: &[f64]) -> Vec3 {
        let at = phase * self.skeleton.translating().len() + slot;
        weighted(
            &self.translations[at * self.n_examples..][..self.n_examples],
            weights,
        )
    }

    /// Where the carrier is and which way the body faces at every phase.
    pub(super) fn way(&self, weights: &[f64]) -> Vec<(Vec3, f64)> {
        let k = self.n_examples;
        let mut way = Vec::with_capacity(self.n_phases);
        let mut place = Vec3::zeros();
        let mut before = 0.0;
        for phase in 0..self.n_phases {
            let row = phase * k..(phase + 1) * k;
            let heading = dot(&self.headings[row.clone()], weights);
            let [left, forward] = planar(&self.steps[row.clone()], weights);
            place += about_up(0.5 * (before + heading)) * Vec3::new(left, 0.0, forward);
            place.y = dot(&self.heights[row], weights);
            way.push((place, heading));
            before = heading;
        }
        way
    }
}

/// The turn by a heading in the action's frame.
pub(super) fn about_up(heading_rad: f64) -> Quat {
    crate::motion::rotation::about(crate::motion::Dim::Y, heading_rad)
}

pub(super) fn dot(values: &[f64], weights: &[f64]) -> f64 {
    values.iter().zip(weights).map(|(v, w)| v * w).sum()
}

pub(super) fn weighted(values: &[Vec3], weights: &[f64]) -> Vec3 {
    let mut sum = Vec3::zeros();
    for (v, w) in values.iter().zip(weights) {
        sum += v * *w;
    }
    sum
}

pub(super) fn planar(steps: &[[f64; 2]], weights: &[f64]) -> [f64; 2] {
    let mut sum = [0.0; 2];
    for (step, w) in steps.iter().zip(weights) {
        sum[0] += step[0] * w;
        sum[1] += step[1] * w;
    }
    sum
}

/// The body's root if it has a translation, else the skeleton's, which always has.
fn carrier(skeleton: &Skeleton, root: usize) -> usize {
    if skeleton.translation_slot(root).is_some() {
        root
    } else {
        0
    }
}

/// Place and rotation of the joint above the carrier. Those joints stand still, or the carrier would not be what it is.
fn above(clip: &Clip, carrier: usize) -> (Vec3, Quat) {
    let world = crate::motion::WorldPose::of(clip.skeleton(), clip.frame(0));
    let parent = clip.skeleton().joints()[carrier].parent;
    parent.map_or_else(
        || (Vec3::zeros(), Quat::identity()),
        |p| (world.positions[p], world.rotations[p]),
    )
}

/// When feet stand, by the contacts of the examples; they are looked for where there are none.
fn foot_contacts(examples: &[&Clip], aligned_examples: &AlignedExamples) -> Vec<FootContact> {
    let settings = ContactSettings {
        parts: ContactParts::Feet,
        ..ContactSettings::default()
    };
    let contacts: Vec<Vec<Contact>> = examples
        .iter()
        .map(|clip| match clip.contacts() {
            // A skeleton without feet has no contacts, which is no reason to refuse it.
            [] => detect(clip, &settings).map_or_else(|_| Vec::new(), |found| found.contacts),
            own => own.to_vec(),
        })
        .collect();
    let mut joints: Vec<usize> = contacts.iter().flatten().map(|c| c.joint).collect();
    joints.sort_unstable();
    joints.dedup();
    let (n_examples, n_phases) = (examples.len(), aligned_examples.n_phases());
    let of_joint = |joint: usize| {
        let mut is_down = vec![false; n_phases * n_examples];
        for (k, list) in contacts.iter().enumerate() {
            for (phase, moment) in aligned_examples.moments[k].iter().enumerate() {
                let frame = moment.round() as usize;
                is_down[phase * n_examples + k] = list
                    .iter()
                    .any(|c| c.joint == joint && c.frames.contains(&frame));
            }
        }
        FootContact { joint, is_down }
    };
    joints.into_iter().map(of_joint).collect()
}
