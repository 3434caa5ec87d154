//! From a recipe's values at one time to a pose: trunk by its turns, arms by their angles, legs by where the feet are.
//!
//! The chest and the head are turned in the frame of the body's heading, not on top of each other, so that a recipe
//! can say "the head stays level" or "the shoulders turn against the hips" directly. Legs reach for the planned feet by
//! two-bone inverse kinematics; where a planted foot is too far away, the pelvis gives way, never the foot.

use super::curve::soft_min;
use super::feet::Foot;
use super::skeleton::{ROOT_CM, SHANK_CM, Side, THIGH_CM, joint};
use crate::motion::{Dim, Pose, Quat, Skeleton, Vec3, rotation};

/// A turn by three angles: to the left, forward, and to the right side.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_field_names, reason = "the unit belongs to the name")]
pub(super) struct Turn {
    pub(super) yaw_rad: f64,
    pub(super) pitch_rad: f64,
    pub(super) roll_rad: f64,
}

impl Turn {
    pub(super) fn quat(self) -> Quat {
        rotation::about(Dim::Y, self.yaw_rad)
            * rotation::about(Dim::X, self.pitch_rad)
            * rotation::about(Dim::Z, self.roll_rad)
    }
}

/// An arm at one moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arm {
    /// Chest from upper arm.
    pub(super) upper: Quat,
    pub(super) elbow_rad: f64,
    /// Turn of the forearm, palm down positive.
    pub(super) pronation_rad: f64,
    /// Bend of the hand towards its palm.
    pub(super) wrist_rad: f64,
}

/// A leg that is not led by the floor: lifted for a kick or a hop.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lift {
    /// 0: the foot goes where it is planned; 1: where these angles put it.
    pub(super) weight: f64,
    /// Of the line from hip to ankle, forward from hanging down.
    pub(super) swing_rad: f64,
    /// Of that line, outward from straight ahead.
    pub(super) out_rad: f64,
    pub(super) knee_rad: f64,
    /// Plantar flexion of the ankle, toes pointed positive.
    pub(super) point_rad: f64,
    /// Of the knee about the line from hip to ankle, outward.
    pub(super) turn_out_rad: f64,
}

/// A recipe's values at one time.
#[derive(Debug, Clone)]
pub(super) struct Moment {
    /// Which way the body faces; all turns below are against it.
    pub(super) heading_rad: f64,
    /// Where the root should be. Its height gives way where the legs are too short.
    pub(super) pelvis: Vec3,
    pub(super) pelvis_turn: Turn,
    pub(super) chest_turn: Turn,
    pub(super) head_turn: Turn,
    pub(super) arms: [Arm; 2],
    pub(super) feet: [Foot; 2],
    pub(super) lifts: [Lift; 2],
}

/// The most a leg stretches: a knee never bends less than seven degrees, as in captured walks.
const STRETCH_CM: f64 = 0.998 * (THIGH_CM + SHANK_CM);
/// The least: a knee bent by 150 degrees.
const FOLDED_CM: f64 = 0.26 * (THIGH_CM + SHANK_CM);
/// How smoothly the pelvis follows a leg at its limit.
const GIVE_CM: f64 = 0.65;
/// A foot in the air binds the pelvis this much less.
const AIR_SLACK_CM: f64 = 30.0;
/// A lifted leg does not bind it at all.
const LIFTED_SLACK_CM: f64 = 200.0;

/// Fills in the pose of this moment.
pub(super) fn assemble(skeleton: &Skeleton, moment: &Moment, pose: &mut Pose) {
    let heading = rotation::about(Dim::Y, moment.heading_rad);
    let world_from_pelvis = heading * moment.pelvis_turn.quat();
    let world_from_chest = heading * moment.chest_turn.quat();
    let world_from_head = heading * moment.head_turn.quat();

    let root = give_way(skeleton, moment, &world_from_pelvis);
    pose.translations[0] = root;
    pose.rotations[joint::HIPS] = world_from_pelvis;

    let spine = (world_from_pelvis.inverse() * world_from_chest).scaled_axis() / 3.0;
    for bone in joint::SPINE..=joint::CHEST {
        pose.rotations[bone] = Quat::from_scaled_axis(spine);
    }
    let neck = (world_from_chest.inverse() * world_from_head).scaled_axis();
    pose.rotations[joint::NECK] = Quat::from_scaled_axis(0.45 * neck);
    pose.rotations[joint::HEAD] = Quat::from_scaled_axis(0.55 * neck);

    for side in Side::BOTH {
        pose_arm(side, &moment.arms[side.index()], pose);
        let hip = root + world_from_pelvis * skeleton.joints()[joint::thigh(side)].offset;
        pose_leg(side, moment, hip, &world_from_pelvis, pose);
    }
}

/// The root, lowered smoothly where a planted foot would be out of reach.
fn give_way(skeleton: &Skeleton, moment: &Moment, world_from_pelvis: &Quat) -> Vec3 {
    let mut root = moment.pelvis;
    let mut limits = [root.y; 3];
    for side in Side::BOTH {
        let i = side.index();
        let foot = &moment.feet[i];
        let hip = world_from_pelvis * skeleton.joints()[joint::thigh(side)].offset;
        let away = root + hip - foot.ankle;
        let across = away.x * away.x + away.z * away.z;
        // A plan with a foot out of any reach is a mistake in a recipe; it crouches deeply instead of failing.
        let reach = (STRETCH_CM * STRETCH_CM - across).max(400.0).sqrt();
        let free = 1.0 - (1.0 - foot.air) * (1.0 - moment.lifts[i].weight);
        let lifted = moment.lifts[i].weight;
        let slack = AIR_SLACK_CM * free * free + LIFTED_SLACK_CM * lifted * lifted * lifted;
        limits[i + 1] = foot.ankle.y + reach - hip.y + slack;
    }
    root.y = soft_min(&limits, GIVE_CM);
    root
}

fn pose_arm(side: Side, arm: &Arm, pose: &mut Pose) {
    let out = side.sign();
    let clavicle_idx = joint::clavicle(side);
    // The shoulder blade follows the arm: up as it rises, forward as it reaches (the scapulohumeral rhythm).
    let along = arm.upper * Vec3::new(out, 0.0, 0.0);
    let raised_rad = 0.10 * (1.0 + along.y) * (1.0 + along.y);
    let forward_rad = 0.16 * along.z * (1.0 - 0.5 * along.y * along.y);
    let clavicle =
        rotation::about(Dim::Z, out * raised_rad) * rotation::about(Dim::Y, -out * forward_rad);
    pose.rotations[clavicle_idx] = clavicle;
    pose.rotations[clavicle_idx + 1] = clavicle.inverse() * arm.upper;
    // Half of the forearm's twist shows at the wrist, half along the forearm.
    let twist = rotation::about(Dim::X, 0.5 * arm.pronation_rad);
    pose.rotations[clavicle_idx + 2] = rotation::about(Dim::Y, -out * arm.elbow_rad) * twist;
    pose.rotations[clavicle_idx + 3] = twist * rotation::about(Dim::Z, -out * arm.wrist_rad);
}

fn pose_leg(side: Side, moment: &Moment, hip: Vec3, world_from_pelvis: &Quat, pose: &mut Pose) {
    let foot = &moment.feet[side.index()];
    let lift = &moment.lifts[side.index()];
    let pelvis_yaw_rad = moment.heading_rad + moment.pelvis_turn.yaw_rad;

    let along = rotation::about(Dim::Y, pelvis_yaw_rad + side.sign() * lift.out_rad)
        * rotation::about(Dim::X, -lift.swing_rad)
        * -Vec3::y();
    let lifted = hip + along * leg_length(lift.knee_rad);
    let mut ankle = foot.ankle.lerp(&lifted, lift.weight);
    let free = 1.0 - (1.0 - foot.loose) * (1.0 - lift.weight);
    let line = ankle - hip;
    let length = line.norm().max(1e-6);
    let drawn_in = length + free * (soft_min(&[length, STRETCH_CM], GIVE_CM) - length);
    let drawn_in = drawn_in.clamp(FOLDED_CM, 0.9999 * (THIGH_CM + SHANK_CM));
    ankle = hip + line * (drawn_in / length);

    // The knee's hinge lies across the direction half-way between pelvis and foot; for a lifted leg, along the pelvis.
    let middle_rad = pelvis_yaw_rad + 0.5 * rotation::wrap(foot.yaw_rad - pelvis_yaw_rad);
    let planted_across = rotation::about(Dim::Y, middle_rad) * Vec3::x();
    let across = planted_across.lerp(&(world_from_pelvis * Vec3::x()), lift.weight);
    let (thigh, shank) = bend(
        ankle - hip,
        across,
        side.sign() * lift.turn_out_rad * lift.weight,
    );

    let pointed = shank * rotation::about(Dim::X, lift.point_rad);
    let foot_turn = rotation::slerp(&foot.turn, &pointed, lift.weight);
    let thigh_idx = joint::thigh(side);
    pose.rotations[thigh_idx] = world_from_pelvis.inverse() * thigh;
    pose.rotations[thigh_idx + 1] = thigh.inverse() * shank;
    pose.rotations[thigh_idx + 2] = shank.inverse() * foot_turn;
    let toe_rad = foot.toe_rad * (1.0 - lift.weight);
    pose.rotations[thigh_idx + 3] = rotation::about(Dim::X, -toe_rad);
}

/// From hip to ankle with the knee bent this much.
fn leg_length(knee_rad: f64) -> f64 {
    (THIGH_CM * THIGH_CM + SHANK_CM * SHANK_CM + 2.0 * THIGH_CM * SHANK_CM * knee_rad.cos()).sqrt()
}

/// World rotations of thigh and shank that put the ankle at `line` from the hip, with the knee's hinge as near to
/// `across` (pointing left) as it can be, turned on by `turn_rad` about the line.
fn bend(line: Vec3, across: Vec3, turn_rad: f64) -> (Quat, Quat) {
    let length = line.norm();
    let along = line / length;
    let level = across - along * along.dot(&across);
    let hinge = if level.norm() > 1e-6 {
        level.normalize()
    } else {
        along.cross(&Vec3::z())
    };
    let hinge = Quat::from_scaled_axis(along * turn_rad) * hinge;
    let at_hip = ((THIGH_CM * THIGH_CM + length * length - SHANK_CM * SHANK_CM)
        / (2.0 * THIGH_CM * length))
        .clamp(-1.0, 1.0)
        .acos();
    let at_ankle = ((SHANK_CM * SHANK_CM + length * length - THIGH_CM * THIGH_CM)
        / (2.0 * SHANK_CM * length))
        .clamp(-1.0, 1.0)
        .acos();
    // The leg's frame when straight: x along the hinge, -y along the line.
    let up = -along;
    let axes = nalgebra::Matrix3::from_columns(&[hinge, up, hinge.cross(&up)]);
    let straight = Quat::from_rotation_matrix(&nalgebra::Rotation3::from_matrix_unchecked(axes));
    (
        straight * rotation::about(Dim::X, -at_hip),
        straight * rotation::about(Dim::X, at_ankle),
    )
}

/// The root's height for knees that are a little bent, as people stand.
pub(super) const STANDING_CM: f64 = ROOT_CM - 0.6;
