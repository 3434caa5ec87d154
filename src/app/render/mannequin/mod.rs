//! Solid bodies for any skeleton.
//!
//! A human skeleton gets a mannequin: pelvis, waist and chest that bend with the spine, tapered limbs, a head that
//! faces somewhere, feet with heel and toes. Front and back differ in tone, so that twist shows. Whatever has no shape
//! of its own (a tail, a sword, an unknown skeleton) gets a tapered bone. All sizes follow from the bones and the
//! height of the body, so any unit will do.
//!
//! What this leaves out: bones that change their length from frame to frame keep the length of the first frame, and of
//! a skeleton with thousands of bones only the first ones are drawn.

mod feet;
mod hands;
mod head;
mod limbs;
mod mesh;
mod reference;
mod torso;

pub use mesh::{Capsule, Vertex};

use crate::motion::{Clip, Quat, Vec3};
use limbs::{ball, capsule};
use mesh::{Detail, Mesh};
use reference::Reference;
use torso::Trunk;

/// The body of one skeleton. Built once; characters share it.
#[derive(Debug, Clone, PartialEq)]
pub struct Mannequin {
    vertices: Vec<Vertex>,
    triangles: Vec<[u32; 3]>,
    capsules: Vec<Capsule>,
    /// World from joint in the reference pose.
    joints: Vec<(Vec3, Quat)>,
    height: f64,
}

impl Mannequin {
    /// A body for the skeleton of a clip. The clip's first frame tells the length of bones that move on their own.
    pub fn of(clip: &Clip) -> Self {
        Self::made(clip, Detail::Full)
    }

    /// The same of far fewer triangles, for hundreds of bodies at once.
    pub fn of_crowd(clip: &Clip) -> Self {
        Self::made(clip, Detail::Crowd)
    }

    fn made(clip: &Clip, detail: Detail) -> Self {
        let reference = Reference::of(clip);
        let mut mesh = Mesh {
            detail,
            ..Mesh::default()
        };
        let is_drawn = match Trunk::find(&reference) {
            Some(trunk) => person(&mut mesh, &reference, &trunk),
            None => vec![false; reference.skeleton.n_joints()],
        };
        plain_bones(&mut mesh, &reference, &is_drawn);
        if mesh.vertices.is_empty() {
            // One joint, or all in one place.
            ball(&mut mesh, &reference, 0, 0.05 * reference.height);
            let place = reference.place(0);
            mesh.solid(0, [place, place], [0.05 * reference.height; 2]);
        }
        let world = &reference.world;
        let joints = world.positions.iter().zip(&world.rotations);
        Self {
            vertices: mesh.vertices,
            triangles: mesh.triangles,
            capsules: mesh.capsules,
            joints: joints.map(|(place, turn)| (*place, *turn)).collect(),
            height: reference.height,
        }
    }

    /// Points of the skin, in the reference pose.
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    /// Corners of the skin, counter-clockwise from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// What can be hit by a ray.
    pub fn capsules(&self) -> &[Capsule] {
        &self.capsules
    }

    /// Place and rotation of each joint in the reference pose.
    pub fn joints(&self) -> &[(Vec3, Quat)] {
        &self.joints
    }

    /// Of the body, in the units of the clip.
    pub fn height(&self) -> f64 {
        self.height
    }
}

/// Models a human body; returns for each joint whether the bone that leads to it is drawn (or should not be).
fn person(mesh: &mut Mesh, reference: &Reference<'_>, trunk: &Trunk) -> Vec<bool> {
    let body = &reference.body;
    torso::torso(mesh, reference, trunk);
    head::head(mesh, reference, trunk.head);
    for leg in &body.legs {
        limbs::leg(mesh, reference, leg);
        feet::foot(mesh, reference, leg);
    }
    for arm in &body.arms {
        limbs::arm(mesh, reference, arm);
        hands::hand(mesh, reference, arm);
    }
    let mut is_drawn = vec![false; reference.skeleton.n_joints()];
    let mut mark =
        |joints: &mut dyn Iterator<Item = usize>| joints.for_each(|j| is_drawn[j] = true);
    // What carries the body from the world's origin is no part of it.
    mark(&mut reference.skeleton.ancestors(trunk.pelvis));
    mark(&mut reference.way(trunk.pelvis, trunk.head).into_iter());
    mark(&mut reference.way(trunk.pelvis, trunk.chest).into_iter());
    mark(&mut reference.below(trunk.head));
    for leg in &body.legs {
        mark(&mut reference.way(trunk.pelvis, leg.end).into_iter());
        mark(&mut reference.below(leg.end));
    }
    for arm in &body.arms {
        mark(&mut reference.way(trunk.chest, arm.end).into_iter());
        if !hands::has_fingers(reference, arm) {
            mark(&mut reference.below(arm.end));
        }
    }
    is_drawn
}

/// Of more plain bones than this the rest is not drawn: nobody could tell them apart, and graphics memory has an end.
const MOST_BONES: usize = 4000;

/// Tapered bones for everything that is not drawn yet, with a ball where bones meet.
fn plain_bones(mesh: &mut Mesh, reference: &Reference<'_>, is_drawn: &[bool]) {
    let h = reference.height;
    let skeleton = reference.skeleton;
    let joints = (1..skeleton.n_joints())
        .filter(|&j| !is_drawn[j])
        .map(|j| (reference.parent(j), reference.place(j)));
    let ends = skeleton.ends().iter().enumerate();
    // A tip belongs to a person's part if its joint does, unless it is one of the bones drawn here.
    let tips = ends
        .filter(|(_, end)| !is_drawn[end.joint])
        .map(|(at, end)| (end.joint, reference.end_place(at)));
    let has_person = is_drawn.iter().any(|drawn| *drawn);
    for (carrier, to) in joints.chain(tips).take(MOST_BONES) {
        let from = reference.place(carrier);
        let length = (to - from).norm();
        if !(1e-4 * h..1e4 * h).contains(&length) {
            continue;
        }
        let is_finger = reference
            .body
            .arms
            .iter()
            .any(|arm| reference.is_below(carrier, arm.end));
        let (thick, thin) = if is_finger && has_person {
            (0.0078 * h, 0.0066 * h)
        } else {
            let thick = (0.13 * length).clamp(0.004 * h, 0.032 * h);
            (thick, 0.6 * thick)
        };
        capsule(mesh, reference, carrier, [from, to], [thick, thin]);
        if !is_finger {
            ball(mesh, reference, carrier, 1.08 * thick);
        }
    }
}
