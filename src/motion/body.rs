//! Which joint is which: left and right partners, legs, arms and head, how tall the body is, which way is up.
//!
//! Names come first, because exporters mostly keep to a few habits; where they say nothing, the symmetry of the bones
//! at rest does. A skeleton that is no human body (a tail, a camera) simply has fewer landmarks.

use std::collections::BTreeMap;

use super::names::{Side, parts};
use super::shape::Shape;
use super::{Axis, Clip, Dim, Pose, PoseRef, Skeleton, Vec3, WorldPose};

/// A leg or an arm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limb {
    /// Which side it is on.
    pub side: Side,
    /// Hip or shoulder: where the limb turns.
    pub upper: usize,
    /// Knee or elbow.
    pub middle: usize,
    /// Ankle or wrist: what is held in place.
    pub end: usize,
    /// Toe joint, for legs that have one.
    pub toe: Option<usize>,
}

/// Rigs with fingers, face and twist bones have some hundreds of joints. Looking for partners among all pairs would take
/// minutes in a hostile file of a million.
const MOST_JOINTS: usize = 2000;

/// The landmarks of a skeleton.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// For each joint its partner on the other side, or itself.
    pub mirror: Vec<usize>,
    /// For each joint the side it is on.
    pub side: Vec<Side>,
    /// The coordinate that changes sign from left to right at rest.
    pub lateral: Dim,
    /// The head joint.
    pub head: Option<usize>,
    /// Left first.
    pub legs: Vec<Limb>,
    /// Left first.
    pub arms: Vec<Limb>,
}

impl Body {
    /// Reads names and bones. A skeleton of thousands of joints is no body: nothing is looked for in it.
    pub fn of(skeleton: &Skeleton) -> Self {
        if skeleton.n_joints() > MOST_JOINTS {
            return Self::without_landmarks(skeleton.n_joints());
        }
        let rest = WorldPose::of(skeleton, Pose::rest(skeleton).as_ref());
        let (mut mirror, mut side) = pairs_by_name(skeleton);
        let lateral = lateral_dim(skeleton, &rest, &mirror);
        add_pairs_by_symmetry(skeleton, &rest, lateral, &mut mirror, &mut side);
        let cores: Vec<String> = (0..skeleton.n_joints())
            .map(|j| core_name(skeleton, j, side[j]))
            .collect();
        let named = |wanted: &[&str], on: Side| {
            // The earlier word wins, then the joint nearest to the root.
            wanted
                .iter()
                .find_map(|w| (0..cores.len()).find(|&j| side[j] == on && cores[j] == *w))
        };
        let limbs = |ends: &[&str], toes: Option<&[&str]>| -> Vec<Limb> {
            [Side::Left, Side::Right]
                .into_iter()
                .filter_map(|on| {
                    let end = named(ends, on)?;
                    let middle = bone_above(skeleton, end)?;
                    let upper = bone_above(skeleton, middle)?;
                    let toe = toes.and_then(|t| named(t, on));
                    Some(Limb {
                        side: on,
                        upper,
                        middle,
                        end,
                        toe: toe.filter(|&t| skeleton.ancestors(t).any(|a| a == end)),
                    })
                })
                .collect()
        };
        let mut head = named(&["head", "skull"], Side::Middle);
        let toes = Some(["toebase", "toe", "toes", "ball", "toe0"].as_slice());
        let mut legs = limbs(&["foot", "ankle"], toes);
        let mut arms = limbs(&["wrist", "hand"], None);
        // A rig that names nothing at all is told by its shape; where some names are known, a missing one means that
        // the part is missing.
        if head.is_none() && legs.is_empty() && arms.is_empty() {
            let shape = Shape::of(skeleton, &rest, &mirror, &side);
            (head, legs, arms) = (shape.head, shape.legs, shape.arms);
            for arm in &mut arms {
                arm.toe = None;
            }
        }
        Self {
            mirror,
            side,
            lateral,
            head,
            legs,
            arms,
        }
    }

    /// Whether legs and head point away from each other, as in a body that stands or lies straight. Some exporters'
    /// rest poses have all bones along one axis and are no body at all. Without legs or head there is no telling.
    pub fn is_straight(&self, world: &WorldPose) -> Option<bool> {
        let head = world.positions[self.head?];
        if self.legs.is_empty() {
            return None;
        }
        let hips: Vec3 = self.legs.iter().map(|l| world.positions[l.upper]).sum();
        let trunk = head - hips / self.legs.len() as f64;
        Some(self.legs.iter().all(|leg| {
            let leg = world.positions[leg.end] - world.positions[leg.upper];
            trunk.dot(&leg) < -0.7 * trunk.norm() * leg.norm()
        }))
    }

    fn without_landmarks(n_joints: usize) -> Self {
        Self {
            mirror: (0..n_joints).collect(),
            side: vec![Side::Middle; n_joints],
            lateral: Dim::X,
            head: None,
            legs: Vec::new(),
            arms: Vec::new(),
        }
    }

    /// Joints whose height decides whether a foot is down: toe if there is one, and ankle.
    pub fn foot_joints(&self) -> impl Iterator<Item = usize> + '_ {
        self.legs
            .iter()
            .flat_map(|leg| [Some(leg.end), leg.toe])
            .flatten()
    }
}

/// The name without its side, but with the letter back if the side was only guessed from it and not confirmed.
fn core_name(skeleton: &Skeleton, joint: usize, side: Side) -> String {
    let parts = parts(&skeleton.joints()[joint].name);
    if side == Side::Middle && parts.side != Side::Middle {
        skeleton.joints()[joint].name.to_lowercase()
    } else {
        parts.core
    }
}

/// The next joint up that is apart in space: some rigs put several joints in one place.
fn bone_above(skeleton: &Skeleton, joint: usize) -> Option<usize> {
    let mut at = joint;
    while let Some(parent) = skeleton.joints()[at].parent {
        let is_apart =
            skeleton.joints()[at].offset.norm() > 0.0 || skeleton.translation_slot(at).is_some();
        at = parent;
        if is_apart {
            return Some(at);
        }
    }
    None
}

fn pairs_by_name(skeleton: &Skeleton) -> (Vec<usize>, Vec<Side>) {
    let n = skeleton.n_joints();
    let parts: Vec<_> = skeleton.joints().iter().map(|j| parts(&j.name)).collect();
    let mut mirror: Vec<usize> = (0..n).collect();
    let mut side = vec![Side::Middle; n];
    let mut rights: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (idx, part) in parts.iter().enumerate() {
        if part.side == Side::Right {
            rights.entry(&part.core).or_default().push(idx);
        }
    }
    for (left, part) in parts.iter().enumerate() {
        if part.side != Side::Left {
            continue;
        }
        let Some(candidates) = rights.get_mut(part.core.as_str()) else {
            continue;
        };
        if candidates.is_empty() {
            continue;
        }
        let right = candidates.remove(0);
        mirror[left] = right;
        mirror[right] = left;
        side[left] = Side::Left;
        side[right] = Side::Right;
    }
    // A clear side without a partner (a sword in the right hand) is still a side.
    for (idx, part) in parts.iter().enumerate() {
        if !part.is_weak {
            side[idx] = part.side;
        }
    }
    (mirror, side)
}

/// The coordinate along which the named pairs lie apart; without any, the one along which most joints have a partner.
fn lateral_dim(skeleton: &Skeleton, rest: &WorldPose, mirror: &[usize]) -> Dim {
    let mut apart = Vec3::zeros();
    for (joint, &partner) in mirror.iter().enumerate() {
        apart += (rest.positions[joint] - rest.positions[partner]).abs();
    }
    if apart.max() > 0.0 {
        return Dim::ALL[apart.imax()];
    }
    let count = |dim: Dim| {
        let mut mirror: Vec<usize> = (0..skeleton.n_joints()).collect();
        let mut side = vec![Side::Middle; mirror.len()];
        add_pairs_by_symmetry(skeleton, rest, dim, &mut mirror, &mut side);
        side.iter().filter(|s| **s != Side::Middle).count()
    };
    // X wins ties: it is lateral in nearly all files.
    let (x, y, z) = (count(Dim::X), count(Dim::Y), count(Dim::Z));
    if x >= y && x >= z {
        Dim::X
    } else if z >= y {
        Dim::Z
    } else {
        Dim::Y
    }
}

/// Pairs up joints that have no partner yet: their parents are partners (or one and the same), and they lie opposite
/// each other. Joints come parents first, so pairs grow outwards. Left is where the coordinate is larger, as in a
/// character that faces +Z with Y up.
fn add_pairs_by_symmetry(
    skeleton: &Skeleton,
    rest: &WorldPose,
    lateral: Dim,
    mirror: &mut [usize],
    side: &mut [Side],
) {
    let axis = lateral.index();
    let bone = |j: usize| {
        let parent = skeleton.joints()[j].parent.unwrap_or(j);
        rest.positions[j] - rest.positions[parent]
    };
    let n = skeleton.n_joints();
    for a in 1..n {
        if mirror[a] != a || side[a] != Side::Middle {
            continue;
        }
        let parent = skeleton.joints()[a].parent.unwrap_or(0);
        let wanted = {
            let mut v = bone(a);
            v[axis] = -v[axis];
            v
        };
        let near = 0.1 * wanted.norm();
        let across = mirror[parent] != parent;
        let opposite = skeleton.children(mirror[parent]).find(|&b| {
            b != a
                && mirror[b] == b
                && side[b] == Side::Middle
                && (bone(b) - wanted).norm() <= near
                && (across || bone(a)[axis].abs() > near)
        });
        let Some(b) = opposite else { continue };
        let is_left = if across {
            side[parent] == Side::Left
        } else {
            bone(a)[axis] > bone(b)[axis]
        };
        mirror[a] = b;
        mirror[b] = a;
        side[a] = if is_left { Side::Left } else { Side::Right };
        side[b] = side[a].opposite();
    }
}

/// Length of the bone from a joint's parent to it.
fn bone_length(skeleton: &Skeleton, pose: PoseRef<'_>, joint: usize) -> f64 {
    match skeleton.translation_slot(joint) {
        Some(slot) => pose.translations[slot].norm(),
        None => skeleton.joints()[joint].offset.norm(),
    }
}

/// How tall the body stands: the bones from the lowest foot tip to the crown, laid end to end.
///
/// For skeletons without named legs and head, the longest way through the bones, which is the same within a few
/// tenths. Never zero.
pub fn height(clip: &Clip) -> f64 {
    let skeleton = clip.skeleton();
    let pose = clip.frame(0);
    let mut reach = vec![0.0; skeleton.n_joints()];
    for j in 1..reach.len() {
        let parent = skeleton.joints()[j].parent.unwrap_or(0);
        reach[j] = reach[parent] + bone_length(skeleton, pose, j);
    }
    let tip = |joint: usize| -> f64 {
        let ends = &skeleton.ends()[skeleton.ends_of(joint)];
        ends.iter().map(|e| e.offset.norm()).fold(0.0, f64::max)
    };
    let body = Body::of(skeleton);
    let legs = body.legs.iter().map(|leg| {
        let hip = leg.upper;
        // Below the ankle the foot points forward; its height is about a quarter of its length.
        (reach[leg.end] - reach[hip]) + 0.25 * (leg.toe.map_or(0.0, |t| reach[t] - reach[leg.end]))
    });
    let leg = legs.fold(0.0, f64::max);
    let total = match body.head {
        Some(head) if leg > 0.0 => {
            let root = skeleton
                .ancestors(body.legs[0].upper)
                .find(|a| skeleton.ancestors(head).any(|b| b == *a));
            let root = root.unwrap_or(0);
            leg + hip_drop(skeleton, &body, root) + reach[head] - reach[root] + tip(head)
        }
        _ => {
            let mut tips: Vec<f64> = (0..reach.len()).map(|j| reach[j] + tip(j)).collect();
            tips.sort_by(f64::total_cmp);
            tips.iter()
                .rev()
                .take(2)
                .sum::<f64>()
                .max(tips[tips.len() - 1])
        }
    };
    if total > 0.0 { total } else { 1.0 }
}

/// How far the hips sit below the joint that legs and spine share, at rest.
fn hip_drop(skeleton: &Skeleton, body: &Body, root: usize) -> f64 {
    let rest = WorldPose::of(skeleton, Pose::rest(skeleton).as_ref());
    let mut down = rest.positions[body.legs[0].upper] - rest.positions[root];
    down[body.lateral.index()] = 0.0;
    down.norm()
}

/// A guess at which way is up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UpGuess {
    /// The likeliest direction.
    pub axis: Axis,
    /// Whether the body clearly stands along it; lying bodies and unknown skeletons leave doubt.
    pub is_sure: bool,
}

/// A body stands along an axis if the direction from feet to head reaches this far along it.
const CLEAR: f64 = 0.7;

/// Which way is up: where the head is above the feet, over the whole clip.
///
/// Lying down all the time leaves the rest pose to tell. A rest pose that stands another way than the motion leaves doubt: a swimmer lies along one axis from
/// the first frame to the last.
pub fn guess_up(clip: &Clip) -> UpGuess {
    let skeleton = clip.skeleton();
    let body = Body::of(skeleton);
    let unknown = UpGuess {
        axis: Axis::Y,
        is_sure: false,
    };
    let Some(head) = body.head else {
        return unknown;
    };
    if body.legs.is_empty() {
        return unknown;
    }
    let standing = |world: &WorldPose| {
        let feet: Vec3 = body.legs.iter().map(|leg| world.positions[leg.end]).sum();
        let v = world.positions[head] - feet / body.legs.len() as f64;
        v / v.norm().max(f64::MIN_POSITIVE)
    };
    // Some sixty moments tell as much as all.
    let stride = clip.n_frames().div_ceil(64);
    let moments: Vec<WorldPose> = (0..clip.n_frames())
        .step_by(stride)
        .map(|frame| WorldPose::of(skeleton, clip.frame(frame)))
        .collect();
    let rest = WorldPose::of(skeleton, Pose::rest(skeleton).as_ref());
    let (rest_axis, rest_share) = dominant(&standing(&rest));
    let rest_stands = rest_share > CLEAR;
    let mean: Vec3 = moments.iter().map(&standing).sum::<Vec3>() / moments.len() as f64;
    let (axis, share) = dominant(&mean);
    if share > CLEAR {
        let rest_is_body = rest_stands && body.is_straight(&rest) == Some(true);
        if !rest_is_body || axis == rest_axis {
            let is_sure = axis == Axis::Y || axis == Axis::Z;
            return UpGuess { axis, is_sure };
        }
        // Either the body lies, or its file has another up than its rest pose (as files made from Z-up databases do).
        // Nobody stands along X or head down for a whole clip, and who stands has a foot on the floor.
        let lies = axis.negative || axis.dim == Dim::X || !keeps_a_floor(&body, &moments, axis);
        return UpGuess {
            axis: if lies { rest_axis } else { axis },
            is_sure: false,
        };
    }
    if rest_stands {
        UpGuess {
            axis: rest_axis,
            is_sure: false,
        }
    } else {
        unknown
    }
}

/// Whether the lower foot is at one level nearly all the time: within a tenth of the legs' length in four fifths of the
/// moments. (Breaststroke on a bench, seen along the body, does not.)
fn keeps_a_floor(body: &Body, moments: &[WorldPose], up: Axis) -> bool {
    let mut levels: Vec<f64> = moments
        .iter()
        .map(|world| {
            let feet = body.foot_joints().map(|j| up.along(&world.positions[j]));
            feet.fold(f64::INFINITY, f64::min)
        })
        .collect();
    levels.sort_by(f64::total_cmp);
    let at = |share: f64| levels[((levels.len() - 1) as f64 * share).round() as usize];
    let leg = body.legs.iter().map(|leg| {
        let world = &moments[0].positions;
        (world[leg.upper] - world[leg.middle]).norm() + (world[leg.middle] - world[leg.end]).norm()
    });
    at(0.9) - at(0.1) < 0.1 * leg.fold(0.0, f64::max)
}

/// The axis nearest to a direction, and how far along it the direction reaches.
fn dominant(v: &Vec3) -> (Axis, f64) {
    let dim = Dim::ALL[v.abs().imax()];
    let axis = Axis {
        dim,
        negative: v[dim.index()] < 0.0,
    };
    (axis, axis.along(v))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Channels, Joint};

    fn skeleton(joints: &[(&str, usize, [f64; 3])]) -> Skeleton {
        let joints = joints
            .iter()
            .enumerate()
            .map(|(idx, (name, parent, offset))| Joint {
                name: (*name).to_owned(),
                parent: (idx > 0).then_some(*parent),
                offset: Vec3::from(*offset),
                channels: Channels::NONE,
            })
            .collect();
        Skeleton::new(joints, vec![]).unwrap()
    }

    fn person(name: impl Fn(&'static str) -> &'static str) -> Skeleton {
        skeleton(&[
            (name("root"), 0, [0.0, 9.0, 0.0]),
            (name("lfemur"), 0, [1.0, 0.0, 0.0]),
            (name("ltibia"), 1, [0.0, -4.0, 0.0]),
            (name("lfoot"), 2, [0.0, -4.5, 0.0]),
            (name("ltoes"), 3, [0.0, -0.5, 1.5]),
            (name("rfemur"), 0, [-1.0, 0.0, 0.0]),
            (name("rtibia"), 5, [0.0, -4.0, 0.0]),
            (name("rfoot"), 6, [0.0, -4.5, 0.0]),
            (name("rtoes"), 7, [0.0, -0.5, 1.5]),
            (name("lowerback"), 0, [0.0, 5.0, 0.0]),
            (name("head"), 9, [0.0, 2.0, 0.0]),
        ])
    }

    #[test]
    fn weak_letters_count_only_in_pairs() {
        let s = person(|n| n);
        let body = Body::of(&s);
        assert_eq!(body.mirror, [0, 5, 6, 7, 8, 1, 2, 3, 4, 9, 10]);
        assert_eq!(body.side[9], Side::Middle, "lowerback is no left joint");
        assert_eq!(body.lateral, Dim::X);
        assert_eq!(body.head, Some(10));
        let leg = |side, upper| Limb {
            side,
            upper,
            middle: upper + 1,
            end: upper + 2,
            toe: Some(upper + 3),
        };
        assert_eq!(body.legs, [leg(Side::Left, 1), leg(Side::Right, 5)]);
        assert!(body.arms.is_empty(), "it has none");
    }

    #[test]
    fn symmetry_tells_what_names_do_not() {
        let s = person(|_| "bone");
        let body = Body::of(&s);
        assert_eq!(body.mirror, [0, 5, 6, 7, 8, 1, 2, 3, 4, 9, 10]);
        assert_eq!(body.side[2], Side::Left);
        assert_eq!(body.side[7], Side::Right);
        assert_eq!(body.legs, Body::of(&person(|n| n)).legs);
        assert_eq!(body.head, Some(10));
        assert!(body.arms.is_empty(), "it has none");
    }

    #[test]
    fn limbs_are_told_by_their_shape() {
        let bones = |name: fn(&'static str) -> &'static str| {
            skeleton(&[
                (name("Hips"), 0, [0.0, 9.0, 0.0]),
                (name("Spine"), 0, [0.0, 3.0, 0.0]),
                (name("LeftShoulder"), 1, [0.0, 2.0, 0.0]),
                (name("LeftArm"), 2, [1.5, 0.0, 0.0]),
                (name("LeftForeArm"), 3, [2.5, 0.0, 0.0]),
                (name("LeftHand"), 4, [2.3, 0.0, 0.0]),
                (name("LeftIndex"), 5, [0.8, 0.0, 0.0]),
                (name("RightShoulder"), 1, [0.0, 2.0, 0.0]),
                (name("RightArm"), 7, [-1.5, 0.0, 0.0]),
                (name("RightForeArm"), 8, [-2.5, 0.0, 0.0]),
                (name("RightHand"), 9, [-2.3, 0.0, 0.0]),
                (name("RightIndex"), 10, [-0.8, 0.0, 0.0]),
                (name("Neck"), 1, [0.0, 2.5, 0.0]),
                (name("Head"), 12, [0.0, 1.0, 0.0]),
                (name("LeftUpLeg"), 0, [1.0, 0.0, 0.0]),
                (name("LeftLeg"), 14, [0.0, -4.0, 0.0]),
                (name("LeftFoot"), 15, [0.0, -4.5, 0.0]),
                (name("LeftToeBase"), 16, [0.0, -0.5, 1.5]),
                (name("RightUpLeg"), 0, [-1.0, 0.0, 0.0]),
                (name("RightLeg"), 18, [0.0, -4.0, 0.0]),
                (name("RightFoot"), 19, [0.0, -4.5, 0.0]),
                (name("RightToeBase"), 20, [0.0, -0.5, 1.5]),
            ])
        };
        let named = Body::of(&bones(|n| n));
        assert_eq!((named.legs.len(), named.arms.len()), (2, 2));
        // Joints that say their side and nothing else, so that the shoulders, which lie in one place, still pair up.
        let sides = Body::of(&bones(|n| match n.split_at(n.len().min(4)).0 {
            "Left" => "Left_x",
            "Righ" => "Right_x",
            _ => "x",
        }));
        assert_eq!(sides.legs, named.legs);
        assert_eq!(sides.arms, named.arms);
        assert_eq!(sides.head, named.head);
    }
}
