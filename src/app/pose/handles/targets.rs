//! What pins ask of the solver.

use std::collections::BTreeSet;

use crate::app::pose::handles::rig::BodyHandles;
use crate::document::{PinMode, Posed};
use crate::motion::heading::turn;
use crate::motion::{Axis, Pose, Site, Skeleton, Vec3, WorldPose};
use crate::style::solve::{Constraint, ConstraintMode, Goal};

/// A soft pin lets go by about a centimetre before the style has its way.
const SOFT: f64 = 1.0;
/// Where nothing is held, a fresh pose stands about where the old one stood, and about so turned.
const ANCHOR_PLACE: f64 = 0.2;
const ANCHOR_TURN: f64 = 0.02;

/// What is in the animator's hand: asked for exactly, however it is pinned.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HeldHandles {
    /// Handles that are being moved.
    pub places: BTreeSet<Site>,
    /// Handles that are being turned.
    pub turns: BTreeSet<Site>,
}

/// The wishes of all pins, in the order of the pins, so that those of one drag can be compared.
pub fn constraints(posed: &Posed, held: &HeldHandles) -> Vec<Constraint> {
    let mut constraints = Vec::with_capacity(posed.pins.len());
    for pin in &posed.pins {
        let firm = |mode: PinMode, is_held: bool| match mode {
            _ if is_held => ConstraintMode::Hard,
            PinMode::Free => ConstraintMode::Free,
            PinMode::Soft => ConstraintMode::Soft(SOFT),
            PinMode::Hard => ConstraintMode::Hard,
        };
        let place = firm(pin.position, held.places.contains(&pin.site));
        let turned = firm(pin.rotation, held.turns.contains(&pin.site));
        let goals = [
            (Goal::Position(pin.place), place),
            (Goal::Orientation(pin.turn), turned),
        ];
        let goals = goals
            .into_iter()
            .filter(|(_, mode)| *mode != ConstraintMode::Free);
        constraints.extend(goals.map(|(goal, mode)| Constraint {
            site: pin.site,
            goal,
            mode,
        }));
    }
    constraints
}

/// Whether something of the character is held firmly in its place, and the body with it.
pub fn is_planted(posed: &Posed) -> bool {
    let mut pins = posed.pins.iter();
    pins.any(|pin| pin.position == PinMode::Hard)
}

/// Soft wishes that keep a body about where it is in this pose of a character.
pub fn anchors(pose: &Pose, posed: &Posed, rig: &BodyHandles) -> [Constraint; 2] {
    let world = WorldPose::of(&posed.skeleton, pose.as_ref());
    let site = Site::Joint(rig.hips());
    let soft = |goal, weight| Constraint {
        site,
        goal,
        mode: ConstraintMode::Soft(weight),
    };
    [
        soft(Goal::Position(world.positions[rig.hips()]), ANCHOR_PLACE),
        soft(Goal::Orientation(world.rotations[rig.hips()]), ANCHOR_TURN),
    ]
}

/// A pose that was made over the origin, brought to where the character stands.
///
/// It is turned as the character is turned, and moved so that its firmly pinned places are, on average, where they
/// should be; without any, its feet are as high as they were.
pub fn brought_to(posed: &Posed, rig: &BodyHandles, pose: &Pose) -> Pose {
    let (skeleton, up) = (&*posed.skeleton, posed.up);
    let now = WorldPose::of(skeleton, posed.pose.as_ref());
    let made = WorldPose::of(skeleton, pose.as_ref());
    let by = rig.heading_rad(&now, up) - rig.heading_rad(&made, up);
    let pose = turned(pose, up, by);
    let made = WorldPose::of(skeleton, pose.as_ref());
    let pins = posed
        .pins
        .iter()
        .filter(|pin| pin.position == PinMode::Hard);
    let ways: Vec<Vec3> = pins
        .map(|pin| pin.place - made.site(skeleton, pin.site))
        .collect();
    let way = if ways.is_empty() {
        let hips = now.positions[rig.hips()] - made.positions[rig.hips()];
        let level = up.vector() * up.along(&hips);
        hips - level + up.vector() * (lowest(skeleton, &now, up) - lowest(skeleton, &made, up))
    } else {
        ways.iter().sum::<Vec3>() / ways.len() as f64
    };
    let mut pose = pose;
    pose.translations[0] += way;
    pose
}

/// The pose turned about the vertical through its root.
pub fn turned(pose: &Pose, up: Axis, by_rad: f64) -> Pose {
    let mut pose = pose.clone();
    pose.rotations[0] = turn(up, by_rad) * pose.rotations[0];
    pose
}

fn lowest(skeleton: &Skeleton, world: &WorldPose, up: Axis) -> f64 {
    let heights = skeleton.sites().map(|s| up.along(&world.site(skeleton, s)));
    heights.fold(f64::INFINITY, f64::min)
}
