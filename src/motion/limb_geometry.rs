//! Legs, arms and head by the geometry of the bones alone, for rigs with meaningless joint names (`Bone.012`,
//! `joint7`).
//!
//! A limb is a chain of joints with partners on the other side that hangs on the middle of the body; its two longest
//! neighbouring bones are thigh and shin, or upper arm and forearm. Legs hang nearer to the root than arms, and the
//! head is where the middle goes on beyond the arms. An animal's hind legs are its legs and its front legs its arms.

use super::body::Limb;
use super::{Side, Skeleton, WorldPose};

/// Pairs of bones within this share of the longest count as equally long. Chosen so that the rigs of fifteen exporters
/// come out as their joint names say; the tightest is a collar bone that is as long as the forearm.
const ABOUT: f64 = 0.85;

/// Limbs and head as the bones suggest them.
pub(super) struct LimbGeometry {
    /// Left and right leg, in this order.
    pub(super) legs: Vec<Limb>,
    /// Left and right arm, in this order.
    pub(super) arms: Vec<Limb>,
    pub(super) head: Option<usize>,
}

/// What the functions below look at.
struct Bones<'a> {
    skeleton: &'a Skeleton,
    mirror: &'a [usize],
    side: &'a [Side],
    children: Vec<Vec<usize>>,
    /// Length of the bone from the parent, at rest.
    length: Vec<f64>,
    /// The longest way through the bones below each joint.
    reach: Vec<f64>,
    /// Joints between it and the root.
    depth: Vec<usize>,
}

/// A pair of limbs, and the joint of the middle it hangs on.
struct Pair {
    limbs: [Limb; 2],
    hangs_on: usize,
    length: f64,
}

/// Joints of a limb that lie in one place: the first is where the bone above ends, the last carries the bone below.
struct CoincidentJoints {
    first: usize,
    last: usize,
    /// Length of the bone above, at rest.
    length: f64,
}

impl LimbGeometry {
    pub(super) fn of(
        skeleton: &Skeleton,
        rest: &WorldPose,
        mirror: &[usize],
        side: &[Side],
    ) -> Self {
        let bones = Bones::new(skeleton, rest, mirror, side);
        let mut pairs: Vec<Pair> = (1..skeleton.n_joints())
            .filter_map(|top| bones.pair(top))
            .collect();
        // Nearest to the root first; of those that hang on one joint the longest.
        pairs.sort_by(|a, b| {
            let depth = bones.depth[a.hangs_on].cmp(&bones.depth[b.hangs_on]);
            depth.then(b.length.total_cmp(&a.length))
        });
        let mut pairs = pairs.into_iter();
        let Some(legs) = pairs.next() else {
            return Self {
                legs: Vec::new(),
                arms: Vec::new(),
                head: None,
            };
        };
        // Fingers and ears may pair up as well; arms are the longest of what is left.
        let arms = pairs.max_by(|a, b| a.length.total_cmp(&b.length));
        let hangs_on = arms.as_ref().map_or(legs.hangs_on, |a| a.hangs_on);
        Self {
            legs: legs.limbs.into(),
            arms: arms.map(|a| a.limbs.into()).unwrap_or_default(),
            head: bones.end_of_middle(hangs_on),
        }
    }
}

impl<'a> Bones<'a> {
    fn new(
        skeleton: &'a Skeleton,
        rest: &WorldPose,
        mirror: &'a [usize],
        side: &'a [Side],
    ) -> Self {
        let n = skeleton.n_joints();
        let mut bones = Self {
            skeleton,
            mirror,
            side,
            children: vec![Vec::new(); n],
            length: vec![0.0; n],
            reach: vec![0.0; n],
            depth: vec![0; n],
        };
        for (j, joint) in skeleton.joints().iter().enumerate() {
            if let Some(parent) = joint.parent {
                bones.children[parent].push(j);
                bones.length[j] = (rest.positions[j] - rest.positions[parent]).norm();
                bones.depth[j] = bones.depth[parent] + 1;
            }
        }
        for j in (1..n).rev() {
            let parent = skeleton.joints()[j].parent.unwrap_or(0);
            bones.reach[parent] = bones.reach[parent].max(bones.reach[j] + bones.length[j]);
        }
        bones
    }

    fn is_middle(&self, joint: usize) -> bool {
        self.mirror[joint] == joint && self.side[joint] == Side::Middle
    }

    /// The child with the longest way below it that passes the test.
    fn longest(&self, joint: usize, test: impl Fn(usize) -> bool) -> Option<usize> {
        let children = self.children[joint].iter().copied();
        let far = |j: usize| self.reach[j] + self.length[j];
        children
            .filter(|&c| test(c))
            .max_by(|&a, &b| far(a).total_cmp(&far(b)))
    }

    /// The limbs that begin with this left joint and its partner.
    fn pair(&self, top: usize) -> Option<Pair> {
        let hangs_on = self.skeleton.joints()[top].parent?;
        if self.side[top] != Side::Left || !self.is_middle(hangs_on) {
            return None;
        }
        let has_partner = |j: usize| {
            let parent = |j: usize| self.skeleton.joints()[j].parent;
            self.mirror[j] != j && parent(j).map(|p| self.mirror[p]) == parent(self.mirror[j])
        };
        let below = |j: &usize| self.longest(*j, has_partner);
        let first = Some(top).filter(|&j| has_partner(j));
        let mut chain: Vec<CoincidentJoints> = Vec::new();
        for joint in std::iter::successors(first, below) {
            let length = self.length[joint];
            match chain.last_mut() {
                Some(place) if length == 0.0 => place.last = joint,
                _ => chain.push(CoincidentJoints {
                    first: joint,
                    last: joint,
                    length,
                }),
            }
        }
        let both = |at: usize| chain[at + 1].length + chain[at + 2].length;
        let starts = 0..chain.len().checked_sub(2)?;
        let longest = starts.clone().map(both).fold(0.0, f64::max);
        // A long collar bone with the upper arm is as long as the arm itself, so the last of about equals wins.
        let at = starts.rev().find(|&at| both(at) >= ABOUT * longest)?;
        let limb = |side: Side, of: &dyn Fn(usize) -> usize| Limb {
            side,
            upper: of(chain[at].last),
            middle: of(chain[at + 1].last),
            end: of(chain[at + 2].first),
            toe: chain.get(at + 3).map(|place| of(place.first)),
        };
        Some(Pair {
            limbs: [
                limb(Side::Left, &|j| j),
                limb(Side::Right, &|j| self.mirror[j]),
            ],
            hangs_on,
            length: both(at),
        })
    }

    /// Where the middle of the body ends, going on from a joint.
    fn end_of_middle(&self, from: usize) -> Option<usize> {
        let below = |j: &usize| self.longest(*j, |c| self.is_middle(c));
        let end = std::iter::successors(Some(from), below).last();
        end.filter(|&e| e != from)
    }
}
