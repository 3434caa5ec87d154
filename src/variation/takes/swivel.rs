//! Knees and elbows of limbs that are straight.
//!
//! Where a limb is straight, nothing tells which way its knee points: captures turn thigh and shin about the line from hip to
//! ankle by half a radian within a frame or two, and the foot back. In the take that cancels. In a mean of takes, or in a draw from
//! a network, it does not: hips and ankles no longer turn at the same moment by the same amount, and feet that kick, throw or swim
//! had up to 2.3 times the jerk of real ones. So before takes are learned from, the turn of each limb about the line between its
//! ends is made smooth where it is not told by the knee. Ankle and wrist stay exactly where they are, feet and hands keep how
//! they are turned, and a knee moves by about a millimetre: it lies almost on the line that it is turned about.

use std::sync::Arc;

use crate::motion::{Body, ChartError, Clip, Limb, Quat, Vec3, WorldPose, rotation};
use crate::numerics::banded::Banded;
use crate::variation::error::LearnError;

/// A knee tells its direction if it is this far from the line between the limb's ends, in lengths of the limb. About 14 degrees of bend.
const TOLD: f64 = 0.06;
/// There its direction is smoothed over this time; over longer where it is nearer to the line, hardly where it is further.
const SMOOTH_SECS: f64 = 0.05;
/// How fast trust grows with the distance.
const SHARPNESS: i32 = 8;
/// A knee on the line is not trusted at all; the system still needs a little.
const LEAST_TRUST: f64 = 1e-9;

/// The clip with the turn of limbs about themselves made smooth where they are straight.
pub(in crate::variation) fn steady(clip: &Clip) -> Result<Clip, LearnError> {
    let body = Body::of(clip.skeleton());
    let mut made = clip.clone();
    for limb in body.arms.iter().chain(&body.legs) {
        if let Some(steadied) = steady_limb(&made, limb) {
            made = steadied?;
        }
    }
    Ok(made)
}

/// One moment of a limb.
struct Moment {
    /// From its first joint to its last, in the world and as its parent sees it.
    along: Vec3,
    along_seen: Vec3,
    /// How far its middle is from that line, in lengths of the limb.
    off: f64,
    /// Of its first joint.
    turn: Quat,
    /// World rotations of its last joint and of what carries that.
    end: Quat,
    above_end: Quat,
}

fn steady_limb(clip: &Clip, limb: &Limb) -> Option<Result<Clip, LearnError>> {
    let moments = moments(clip, limb)?;
    let extra = smooth(&moments, clip.frame_secs())?;
    let skeleton = Arc::clone(clip.skeleton());
    let n = skeleton.n_joints();
    let mut motion = clip.motion().clone();
    for (frame, (moment, angle_rad)) in moments.iter().zip(extra).enumerate() {
        let about = |axis: Vec3, angle: f64| Quat::from_scaled_axis(axis * angle);
        let rotations = &mut motion.rotations[frame * n..][..n];
        rotations[limb.upper] = about(moment.along_seen, angle_rad) * moment.turn;
        rotations[limb.end] =
            moment.above_end.inverse() * about(moment.along, -angle_rad) * moment.end;
    }
    let made = Clip::new(clip.info.clone(), skeleton, motion)
        .and_then(|made| made.with_contacts(clip.contacts().to_vec()));
    Some(made.map_err(|e| ChartError::from(e).into()))
}

/// `None` for limbs that are no chain of three joints, or have no length.
fn moments(clip: &Clip, limb: &Limb) -> Option<Vec<Moment>> {
    let skeleton = clip.skeleton();
    let above = skeleton.joints()[limb.upper].parent?;
    let carrier = skeleton.joints()[limb.end].parent?;
    let mut world = WorldPose::of(skeleton, clip.frame(0));
    let moved = skeleton.with_ancestors([limb.end]);
    clip.frames()
        .map(|pose| {
            world.update_some(skeleton, pose, &moved);
            let [from, middle, to] =
                [limb.upper, limb.middle, limb.end].map(|joint| world.positions[joint]);
            let along = (to - from).try_normalize(1e-9)?;
            let length = (middle - from).norm() + (to - middle).norm();
            let off = (middle - from) - along * along.dot(&(middle - from));
            Some(Moment {
                along,
                along_seen: world.rotations[above].inverse() * along,
                off: off.norm() / length,
                turn: pose.rotations[limb.upper],
                end: world.rotations[limb.end],
                above_end: world.rotations[carrier],
            })
        })
        .collect()
}

/// By how much each moment is turned about its line. `None` if there is nothing to do.
///
/// The turn `v` of the limb about its line, added up from frame to frame, is replaced by the curve `x` with the least
/// `sum of trust (x - v)^2 + stiffness (second difference of x)^2`.
fn smooth(moments: &[Moment], frame_secs: f64) -> Option<Vec<f64>> {
    let n = moments.len();
    if n < 3 || moments.iter().all(|m| m.off > 2.0 * TOLD) {
        return None;
    }
    let mut turned = vec![0.0; n];
    for (at, pair) in moments.windows(2).enumerate() {
        let step = pair[1].turn * pair[0].turn.inverse();
        let axis = (pair[0].along_seen + pair[1].along_seen).try_normalize(1e-9)?;
        turned[at + 1] = turned[at] + rotation::twist(&step, &axis).0;
    }
    let stiffness = (SMOOTH_SECS / frame_secs).powi(4);
    let mut system = Banded::zeros(n, 2);
    let mut right = vec![0.0; n];
    for (at, moment) in moments.iter().enumerate() {
        let trust = (moment.off / TOLD).powi(SHARPNESS) + LEAST_TRUST;
        system.add(at, at, trust);
        right[at] = trust * turned[at];
    }
    for at in 1..n - 1 {
        let bend = [(at - 1, 1.0), (at, -2.0), (at + 1, 1.0)];
        for (i, (a, x)) in bend.iter().enumerate() {
            for (b, y) in &bend[..=i] {
                system.add(*a, *b, stiffness * x * y);
            }
        }
    }
    let factor = system.factor().ok()?;
    factor.solve_lower(&mut right);
    factor.solve_upper(&mut right);
    Some(right.iter().zip(&turned).map(|(x, v)| x - v).collect())
}
