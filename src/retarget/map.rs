//! Which joint of one skeleton moves which joint of another.
//!
//! Parts of the body go to parts of the body. Chains of different length (a spine of two joints and one of five) are
//! matched by where they are along the trunk: a joint between two of the other skeleton takes part of both, so bend and
//! twist are spread.

use super::character::Character;
use super::labels::{ArmLabels, Labels};
use crate::motion::{Skeleton, Vec3};

/// What turns one joint of the target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// Joint of the target.
    pub to: usize,
    /// Joint of the source.
    pub from: usize,
    /// Another joint of the source, if the target's lies between two; else the same as `from`.
    pub toward: usize,
    /// How far from `from` to `toward`, below one half: `from` is always the nearer one.
    pub share: f64,
}

/// From the joints of a source skeleton to those of a target.
#[derive(Debug, Clone, PartialEq)]
pub struct BoneMap {
    /// By joint of the target; each at most once.
    links: Vec<Link>,
}

/// The links do not fit the skeletons.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// A joint is not there.
    #[error("there is no joint {0}")]
    NoJoint(usize),
    /// Two links move one joint.
    #[error("joint {0} is mapped twice")]
    Twice(usize),
    /// A share is not between zero and one.
    #[error("the share {0} is not between 0 and 1")]
    Share(String),
}

/// Joints without a partner, and what that costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmapped {
    /// Names of joints of the source whose motion is not carried over on its own.
    pub source: Vec<String>,
    /// Names of joints of the target that only follow their parents.
    pub target: Vec<String>,
}

impl BoneMap {
    /// Checks links that came from outside.
    pub fn new(mut links: Vec<Link>, n_source: usize, n_target: usize) -> Result<Self, MapError> {
        links.sort_by_key(|link| link.to);
        for pair in links.windows(2) {
            if pair[0].to == pair[1].to {
                return Err(MapError::Twice(pair[0].to));
            }
        }
        for link in &links {
            if link.to >= n_target {
                return Err(MapError::NoJoint(link.to));
            }
            if let Some(joint) = [link.from, link.toward]
                .into_iter()
                .find(|&j| j >= n_source)
            {
                return Err(MapError::NoJoint(joint));
            }
            if !(0.0..=1.0).contains(&link.share) {
                return Err(MapError::Share(link.share.to_string()));
            }
        }
        Ok(Self { links })
    }

    /// Matches two bodies part by part.
    pub fn between(source: &Character, target: &Character) -> Self {
        let mut links = Vec::new();
        let (from, to) = (source.labels(), target.labels());
        links.push(same(to.hips, from.hips));
        let source_pelvis = from.pelvis.unwrap_or(from.hips);
        links.extend(to.pelvis.map(|pelvis| same(pelvis, source_pelvis)));
        if let (Some(root), Some(source_root)) = (to.root_bone(), from.root_bone()) {
            links.push(same(root, source_root));
        }
        trunk(source, target, &mut links);
        for (a, b) in from.legs.iter().zip(&to.legs) {
            links.extend([
                same(b.upper, a.upper),
                same(b.middle, a.middle),
                same(b.end, a.end),
            ]);
            links.extend(b.toe.zip(a.toe).map(|(to, from)| same(to, from)));
        }
        if let (Some(a), Some(b)) = (&from.arms, &to.arms) {
            for (a, b) in a.iter().zip(b) {
                arm(a, b, &mut links);
            }
        }
        links.sort_by_key(|link| link.to);
        links.dedup_by_key(|link| link.to);
        Self { links }
    }

    /// By joint of the target.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// What moves this joint of the target.
    pub fn link_of(&self, to: usize) -> Option<&Link> {
        let at = self.links.binary_search_by_key(&to, |link| link.to).ok()?;
        self.links.get(at)
    }

    /// The same map with another joint of the source for one of the target; none leaves it to its parent.
    #[must_use]
    pub fn with(&self, to: usize, from: Option<usize>) -> Self {
        let others = self.links.iter().copied().filter(|link| link.to != to);
        let mut links: Vec<Link> = others.chain(from.map(|from| same(to, from))).collect();
        links.sort_by_key(|link| link.to);
        Self { links }
    }

    /// What stays without a partner. Tips of chains, which carry nothing, are not counted.
    pub fn unmapped(&self, source: &Skeleton, target: &Skeleton) -> Unmapped {
        let is_used = |joint: usize| {
            let uses =
                |link: &Link| link.from == joint || (link.share > 0.0 && link.toward == joint);
            self.links.iter().any(uses)
        };
        let is_moved = |joint: usize| self.links.iter().any(|link| link.to == joint);
        Unmapped {
            source: without(source, is_used),
            target: without(target, is_moved),
        }
    }
}

fn without(skeleton: &Skeleton, is_mapped: impl Fn(usize) -> bool) -> Vec<String> {
    let is_tip = |joint: usize| {
        skeleton.children(joint).next().is_none() && skeleton.ends_of(joint).is_empty()
    };
    (0..skeleton.n_joints())
        .filter(|&joint| !is_mapped(joint) && !is_tip(joint))
        .map(|joint| skeleton.joints()[joint].name.clone())
        .collect()
}

const fn same(to: usize, from: usize) -> Link {
    Link {
        to,
        from,
        toward: from,
        share: 0.0,
    }
}

fn arm(from: &ArmLabels, to: &ArmLabels, links: &mut Vec<Link>) {
    links.extend(
        to.clavicle
            .zip(from.clavicle)
            .map(|(to, from)| same(to, from)),
    );
    links.extend([
        same(to.upper, from.upper),
        same(to.middle, from.middle),
        same(to.end, from.end),
    ]);
    for finger in &to.fingers {
        let Some(own) = from.fingers.iter().find(|own| own.nth == finger.nth) else {
            continue;
        };
        let pairs = finger.joints.iter().zip(&own.joints);
        links.extend(pairs.map(|(&to, &from)| same(to, from)));
    }
}

/// Spine, neck and head. The spine reaches from the hips to where the neck begins, the neck from there to the head.
fn trunk(source: &Character, target: &Character, links: &mut Vec<Link>) {
    let (from, to) = (source.labels(), target.labels());
    let spine = |character: &Character| {
        let labels = character.labels();
        JointRun::through(
            character.places(),
            Some(labels.hips),
            &labels.spine,
            labels.neck.first().copied().or(labels.head),
        )
    };
    spread(&spine(source), &spine(target), links);
    let neck = |labels: &Labels, places: &[Vec3]| {
        JointRun::through(places, Some(labels.chest()), &labels.neck, labels.head)
    };
    if from.neck.is_empty() {
        // Half of what the head turns against the chest.
        if let Some(head) = from.head {
            links.extend(to.neck.iter().map(|&to| Link {
                to,
                from: from.chest(),
                toward: head,
                share: 0.5,
            }));
        }
    } else {
        spread(
            &neck(from, source.places()),
            &neck(to, target.places()),
            links,
        );
    }
    if let Some(head) = to.head {
        let last = from.head.or(from.neck.last().copied());
        links.push(same(head, last.unwrap_or_else(|| from.chest())));
    }
}

/// Joints one after another, with where the middles of the bones they turn are: 0 at the start, 1 at the end.
struct JointRun {
    /// The joint that the chain hangs on.
    base: usize,
    joints: Vec<usize>,
    middles: Vec<f64>,
}

impl JointRun {
    fn through(places: &[Vec3], base: Option<usize>, joints: &[usize], end: Option<usize>) -> Self {
        let base = base.unwrap_or(0);
        let mut along = vec![0.0];
        let mut before = base;
        for &joint in joints.iter().chain(&end) {
            let last = along[along.len() - 1];
            along.push(last + (places[joint] - places[before]).norm());
            before = joint;
        }
        let whole = along[along.len() - 1].max(f64::MIN_POSITIVE);
        let middle = |nth: usize| {
            let next = along.get(nth + 2).copied().unwrap_or(whole);
            0.5 * (along[nth + 1] + next) / whole
        };
        Self {
            base,
            joints: joints.to_vec(),
            middles: (0..joints.len()).map(middle).collect(),
        }
    }
}

/// Each joint of the target's chain takes the turn that the source's has at the same place. Chains of one length go joint
/// by joint.
fn spread(from: &JointRun, to: &JointRun, links: &mut Vec<Link>) {
    if from.joints.len() == to.joints.len() {
        let pairs = to.joints.iter().zip(&from.joints);
        links.extend(pairs.map(|(&to, &from)| same(to, from)));
        return;
    }
    // The last joint of a spine carries the arms, and that of a neck the head, in every chain.
    let Some((&last, above)) = to.joints.split_last() else {
        return;
    };
    links.push(same(last, from.joints.last().copied().unwrap_or(from.base)));
    for (&joint, &middle) in above.iter().zip(&to.middles) {
        let after = from.middles.partition_point(|&m| m < middle);
        // The base does not bend: its turn is there at the very start.
        let (low, low_at) = match after.checked_sub(1) {
            Some(before) => (from.joints[before], from.middles[before]),
            None => (from.base, 0.0),
        };
        let Some(&high) = from.joints.get(after) else {
            links.push(same(joint, low));
            continue;
        };
        let high_at = from.middles[after];
        let share = ((middle - low_at) / (high_at - low_at).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        links.push(if share <= 0.5 {
            Link {
                to: joint,
                from: low,
                toward: high,
                share,
            }
        } else {
            Link {
                to: joint,
                from: high,
                toward: low,
                share: 1.0 - share,
            }
        });
    }
}
