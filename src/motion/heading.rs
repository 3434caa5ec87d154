//! Where the body is and which way it faces, apart from how it holds itself.
//!
//! A root rotation is taken apart into a turn about the up axis (the heading) and what is left (the tilt). Heading is
//! the twist of the root relative to its usual upright hold, so that rigs whose root bone lies along the spine or
//! upside down have one, too. Upside down in a cartwheel the twist means nothing: there the heading is carried from
//! the last moment when it did to the next. (Twist alone turned at 900 to 3300 degrees a second in real cartwheels.)

use super::kinematics::end_of_chain;
use super::rotation::{align, mean, twist, wrap};
use super::{Axis, Body, Clip, Quat, Side, Skeleton, Vec3, WorldPose};

/// Below this the twist is too uncertain to be a heading: the body leans more than 120 degrees from its usual hold.
const DEFINED: f64 = 0.5;

/// How to read position and heading from a clip; learned once for clips that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct HeadingFrame {
    /// The joint that carries the body.
    pub root: usize,
    /// The axis that points up.
    pub up: Axis,
    /// World from root when the body is held as usual with heading 0, facing [`forward`].
    pub upright: Quat,
}

/// The way of a body through a clip.
#[derive(Debug, Clone, PartialEq)]
pub struct RootTrack {
    /// World position of the root, one per frame.
    pub positions: Vec<Vec3>,
    /// World from root, one per frame.
    pub rotations: Vec<Quat>,
    /// Radians about up, continuous, one per frame. Zero faces [`forward`].
    pub headings: Vec<f64>,
    /// Whether the heading was read off the body, not carried over.
    pub is_defined: Vec<bool>,
}

/// The direction of heading zero: +Z when Y is up, and the same after turning Y to another up (-Y when Z is up).
pub fn forward(up: Axis) -> Vec3 {
    align(&Vec3::y(), &up.vector()) * Vec3::z()
}

/// The direction to the left of heading zero.
pub fn left(up: Axis) -> Vec3 {
    up.vector().cross(&forward(up))
}

/// The turn by a heading.
pub fn turn(up: Axis, heading_rad: f64) -> Quat {
    Quat::from_scaled_axis(up.vector() * heading_rad)
}

impl HeadingFrame {
    /// Reads the body's carrier and its usual hold from clips on one skeleton. The first clip says what is up.
    ///
    /// # Panics
    /// Without any clip.
    pub fn learn(clips: &[&Clip]) -> Self {
        let up = clips[0].info.up;
        let root = body_root(clips);
        let rotations: Vec<Quat> = clips
            .iter()
            .flat_map(|clip| root_way(clip, root).1)
            .collect();
        let upright = usual_hold(&rotations, up);
        let turned = turn(up, -facing(clips, root, up, &upright)) * upright;
        Self {
            root,
            up,
            upright: turned,
        }
    }

    /// The way of the body through one clip.
    pub fn track(&self, clip: &Clip) -> RootTrack {
        let (positions, rotations) = root_way(clip, self.root);
        let up = self.up.vector();
        let from_hold = self.upright.inverse();
        let mut headings = Vec::with_capacity(rotations.len());
        let mut is_defined = Vec::with_capacity(rotations.len());
        for rotation in &rotations {
            let (angle, certainty) = twist(&(rotation * from_hold), &up);
            headings.push(angle);
            is_defined.push(certainty >= DEFINED);
        }
        carry_over(&mut headings, &is_defined);
        RootTrack {
            positions,
            rotations,
            headings,
            is_defined,
        }
    }
}

/// The joint that carries the body: the root, or the first joint below it that travels when the root never moves
/// (`joint_Root` over `Hips`, a game engine's `root` over `pelvis`).
pub fn body_root(clips: &[&Clip]) -> usize {
    let skeleton = clips[0].skeleton();
    let sizes = subtree_sizes(skeleton);
    let mut at = 0;
    while is_still(clips, at) {
        let travelling = skeleton
            .children(at)
            .filter(|&c| skeleton.translation_slot(c).is_some())
            .max_by_key(|&c| sizes[c]);
        let mut children = skeleton.children(at);
        let only = children.next().filter(|_| children.next().is_none());
        match travelling.or(only) {
            Some(child) => at = child,
            None => return 0,
        }
    }
    at
}

/// For each joint how many it carries, itself among them.
fn subtree_sizes(skeleton: &Skeleton) -> Vec<usize> {
    let mut sizes = vec![1; skeleton.n_joints()];
    for (joint, of) in skeleton.joints().iter().enumerate().rev() {
        if let Some(parent) = of.parent {
            sizes[parent] += sizes[joint];
        }
    }
    sizes
}

fn is_still(clips: &[&Clip], joint: usize) -> bool {
    let slot = clips[0].skeleton().translation_slot(joint);
    let first = clips[0].frame(0);
    clips.iter().flat_map(|clip| clip.frames()).all(|pose| {
        pose.rotations[joint] == first.rotations[joint]
            && slot.is_none_or(|s| pose.translations[s] == first.translations[s])
    })
}

/// World positions and rotations of one joint through a clip, without carrying out the rest of the body.
fn root_way(clip: &Clip, joint: usize) -> (Vec<Vec3>, Vec<Quat>) {
    let skeleton = clip.skeleton();
    let chain = skeleton.with_ancestors([joint]);
    clip.frames()
        .map(|pose| end_of_chain(skeleton, &chain, pose))
        .unzip()
}

/// The hold that leaves most frames with a clear heading. A clip may begin lying down or be upside down half-way, so
/// several of its moments are tried as a start.
fn usual_hold(rotations: &[Quat], up: Axis) -> Quat {
    const STARTS: usize = 7;
    /// A mean over more frames than these does not change.
    const ENOUGH: usize = 500;
    let stride = rotations.len().div_ceil(ENOUGH);
    let some: Vec<Quat> = rotations.iter().step_by(stride).copied().collect();
    let clarity = |hold: &Quat| -> f64 {
        let axis = up.vector();
        some.iter()
            .map(|q| twist(&(q * hold.inverse()), &axis).1)
            .sum()
    };
    (0..STARTS)
        .map(|i| settled_hold(&some, some[i * (some.len() - 1) / (STARTS - 1)], up))
        .max_by(|a, b| clarity(a).total_cmp(&clarity(b)))
        .expect("there are several starts")
}

/// The mean of the rotations once their own headings are taken off; found by alternating the two.
fn settled_hold(rotations: &[Quat], start: Quat, up: Axis) -> Quat {
    let axis = up.vector();
    let mut hold = start;
    for _ in 0..8 {
        let tilts: Vec<Quat> = rotations
            .iter()
            .map(|q| (q, twist(&(q * hold.inverse()), &axis)))
            .filter(|(_, (_, certainty))| *certainty >= DEFINED)
            .map(|(q, (angle, _))| turn(up, -angle) * q)
            .collect();
        let next = mean(&tilts);
        let moved = next.angle_to(&hold);
        hold = next;
        if moved < 1e-9 {
            break;
        }
    }
    hold
}

/// The heading that the usual hold faces, by the line from right to left across the hips (of all pairs of joints the
/// one nearest to the root). Lying on one side, or without pairs, it is taken as forward.
fn facing(clips: &[&Clip], root: usize, up: Axis, upright: &Quat) -> f64 {
    let skeleton = clips[0].skeleton();
    let body = Body::of(skeleton);
    let pose = clips[0].frame(0);
    let world = WorldPose::of(skeleton, pose);
    let across = (root..skeleton.n_joints())
        .filter(|&j| body.side[j] == Side::Left && body.mirror[j] != j)
        .map(|j| world.positions[j] - world.positions[body.mirror[j]])
        .find(|v| v.norm() > 0.0);
    let Some(across) = across else { return 0.0 };
    let in_root = world.rotations[root].inverse() * across;
    let held = upright * in_root.normalize();
    let flat = held - up.vector() * up.along(&held);
    if flat.norm() < DEFINED {
        return 0.0;
    }
    let left = left(up);
    let angle = left.cross(&flat).dot(&up.vector()).atan2(left.dot(&flat));
    wrap(angle)
}

/// Unwraps defined headings and draws straight lines across the others.
fn carry_over(headings: &mut [f64], is_defined: &[bool]) {
    let mut last: Option<usize> = None;
    for at in 0..headings.len() {
        if !is_defined[at] {
            continue;
        }
        match last {
            None => {
                let value = headings[at];
                headings[..at].fill(value);
            }
            Some(before) => {
                let from = headings[before];
                let to = from + wrap(headings[at] - from);
                let steps = (at - before) as f64;
                for (i, heading) in headings[before + 1..=at].iter_mut().enumerate() {
                    *heading = from + (to - from) * ((i + 1) as f64 / steps);
                }
            }
        }
        last = Some(at);
    }
    match last {
        Some(before) => {
            let value = headings[before];
            headings[before + 1..].fill(value);
        }
        None => headings.fill(0.0),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::motion::{Channels, ClipInfo, Joint, Motion, Pose, RotationOrder};

    /// A pelvis with two hips, under a root that may stand still; `rig` turns the pelvis bone's own axes.
    fn walker(up: Axis, rig: Quat, has_static_root: bool, way: &[(Vec3, Quat)]) -> Clip {
        let stand = align(&Vec3::y(), &up.vector());
        let mut joints = Vec::new();
        let mut add = |name: &str, parent, offset: Vec3, channels| {
            joints.push(Joint {
                name: name.to_owned(),
                parent,
                offset,
                channels,
            });
            joints.len() - 1
        };
        let free = Channels::position_and_rotation(RotationOrder::ZXY);
        let top = has_static_root.then(|| add("root", None, Vec3::zeros(), free));
        let hips = add("Hips", top, Vec3::zeros(), free);
        let hip = |x| rig.inverse() * (stand * Vec3::new(x, 0.0, 0.0));
        add("LeftUpLeg", Some(hips), hip(1.0), Channels::NONE);
        add("RightUpLeg", Some(hips), hip(-1.0), Channels::NONE);
        let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
        let mut motion = Motion::with_capacity(&skeleton, 1.0 / 30.0, way.len());
        for (position, rotation) in way {
            let mut pose = Pose::rest(&skeleton);
            *pose.translations.last_mut().unwrap() = *position;
            pose.rotations[hips] = rotation * rig;
            motion.push(pose.as_ref());
        }
        let mut info = ClipInfo::named("walker");
        info.up = up;
        Clip::new(info, skeleton, motion).unwrap()
    }

    #[test]
    fn heading_is_read_on_any_rig_with_any_up() {
        let rigs = [
            Quat::identity(),
            Quat::from_scaled_axis(Vec3::x() * std::f64::consts::PI),
            Quat::from_scaled_axis(Vec3::new(1.0, 2.0, -0.5)),
        ];
        for up in Axis::all() {
            for (rig, has_static_root) in rigs.into_iter().zip([false, true, false]) {
                // A turn of one and a half rounds with a nod that averages out.
                let way: Vec<(Vec3, Quat)> = (0..=120)
                    .map(|f| {
                        let t = f64::from(f) / 120.0;
                        let nod = 0.3 * (t * std::f64::consts::TAU * 4.0).sin();
                        let lean = Quat::from_scaled_axis(left(up) * nod);
                        (forward(up) * t, turn(up, 9.0 * t - 1.0) * lean)
                    })
                    .collect();
                let clip = walker(up, rig, has_static_root, &way);
                let frame = HeadingFrame::learn(&[&clip]);
                assert_eq!(frame.root, usize::from(has_static_root));
                let track = frame.track(&clip);
                for (f, heading) in track.headings.iter().enumerate() {
                    let truth = 9.0 * f as f64 / 120.0 - 1.0;
                    assert!((heading - truth).abs() < 1e-6, "{up} frame {f}: {heading}");
                }
            }
        }
    }

    #[test]
    fn a_cartwheel_does_not_spin_the_heading() {
        // A full roll about the forward axis while walking along: upside down in the middle.
        let way: Vec<(Vec3, Quat)> = (0..=200)
            .map(|f| {
                let t = f64::from(f) / 200.0;
                let roll = ((t - 0.3) / 0.4).clamp(0.0, 1.0) * std::f64::consts::TAU;
                let wobble = Quat::from_scaled_axis(Vec3::x() * 0.1 * (17.0 * t).sin());
                (
                    Vec3::x() * t,
                    Quat::from_scaled_axis(Vec3::z() * roll) * wobble,
                )
            })
            .collect();
        let clip = walker(Axis::Y, Quat::identity(), false, &way);
        let track = HeadingFrame::learn(&[&clip]).track(&clip);
        assert!(track.is_defined.contains(&false), "upside down for a while");
        let step = track.headings.windows(2).map(|w| (w[1] - w[0]).abs());
        assert!(step.clone().fold(0.0, f64::max) < 0.05, "turns slowly");
        assert!(track.headings.iter().all(|h| h.abs() < 0.3), "faces on");
    }

    #[test]
    fn without_any_heading_it_is_zero() {
        let mut headings = vec![1.0, 2.0];
        carry_over(&mut headings, &[false, false]);
        assert_eq!(headings, [0.0, 0.0]);
        let mut headings = vec![9.0, 3.0, 9.0, 9.0, -3.0, 9.0];
        carry_over(&mut headings, &[false, true, false, false, true, false]);
        let end = std::f64::consts::TAU - 3.0;
        assert_eq!(headings[0], 3.0);
        assert!(
            (headings[4] - end).abs() < 1e-12 && headings[5] == headings[4],
            "{headings:?}"
        );
        assert!(
            (headings[2] - (3.0 + (end - 3.0) / 3.0)).abs() < 1e-12,
            "straight across"
        );
    }
}
