//! Which joint is which: left and right partners, legs, arms and head, how tall the body is, which way is up.
//!
//! Names come first, because exporters mostly keep to a few habits; where they say nothing, the symmetry of the bones
//! at rest does. A skeleton that is no human body (a tail, a camera) simply has fewer landmarks.

mod fingers;
mod height;
mod limb;
mod pairs;
mod up;

use super::limb_geometry::LimbGeometry;
use super::names::{Side, parts};
use super::{Dim, Pose, Skeleton, Vec3, WorldPose};
use pairs::{add_pairs_by_symmetry, lateral_dim, pairs_by_name};

pub use fingers::uncaptured_fingers;
pub use height::height;
pub use limb::Limb;
pub use up::{UpGuess, guess_up};

/// Rigs with fingers, face and twist bones have some hundreds of joints. Looking for partners among all pairs would
/// take minutes in a hostile file of a million.
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
    /// Joint index of the head.
    pub head: Option<usize>,
    /// Left leg, then right leg.
    pub legs: Vec<Limb>,
    /// Left arm, then right arm.
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
                    let middle = hinge_above(skeleton, &cores, end)?;
                    let upper = hinge_above(skeleton, &cores, middle)?;
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
        // Rigify counts its spine up to the head.
        let mut head = named(&["head", "skull", "spine006"], Side::Middle);
        let toes = Some(["toebase", "toe", "toes", "ball", "toe0"].as_slice());
        let mut legs = limbs(&["foot", "ankle"], toes);
        let mut arms = limbs(&["wrist", "hand"], None);
        // A rig that names nothing at all is told by its shape; where some names are known, a missing one means that
        // the part is missing.
        if head.is_none() && legs.is_empty() && arms.is_empty() {
            let shape = LimbGeometry::of(skeleton, &rest, &mirror, &side);
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

/// The same past joints that only share out a twist: Daz, `HumanIK` and Rigify put them between shoulder and elbow.
fn hinge_above(skeleton: &Skeleton, cores: &[String], joint: usize) -> Option<usize> {
    let nearest = bone_above(skeleton, joint)?;
    let is_twist = |at: usize| {
        let (core, parent) = (&cores[at], skeleton.joints()[at].parent);
        // `thigh.L.001` on `thigh.L`.
        let is_second_half = || {
            let whole = core.strip_suffix("001");
            whole.is_some_and(|whole| parent.is_some_and(|p| cores[p] == whole))
        };
        let word = core.trim_end_matches(|c: char| c.is_ascii_digit());
        word.ends_with("twist") || word.ends_with("roll") || is_second_half()
    };
    let mut above = std::iter::successors(Some(nearest), |&at| bone_above(skeleton, at));
    above.find(|&at| !is_twist(at)).or(Some(nearest))
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
    fn joints_that_share_out_a_twist_are_no_knees() {
        for [half, whole] in [
            ["lThighTwist", "lThighBend"],
            ["DEF-thigh.L.001", "DEF-thigh.L"],
        ] {
            let s = skeleton(&[
                ("hip", 0, [0.0, 9.0, 0.0]),
                (whole, 0, [1.0, 0.0, 0.0]),
                (half, 1, [0.0, -2.0, 0.0]),
                ("shin.L", 2, [0.0, -2.0, 0.0]),
                ("foot.L", 3, [0.0, -4.5, 0.0]),
            ]);
            let body = Body::of(&s);
            let leg = body
                .legs
                .first()
                .map(|leg| [leg.upper, leg.middle, leg.end]);
            assert_eq!(leg, Some([1, 3, 4]), "{half}");
        }
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
