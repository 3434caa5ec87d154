//! The bones: joints, where they sit on their parents, and which of them can move.

use super::{Channels, Vec3};

/// Lengths beyond this are no lengths.
///
/// Their squares and sums must stay finite, in single precision on a graphics card too. Offsets and translations of
/// every skeleton and clip keep to it, so that what is written can be read again.
pub const LONGEST: f64 = 1e15;

/// One joint of a skeleton.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// As in the source file; not necessarily unique.
    pub name: String,
    /// `None` only for the root. Parents come before children.
    pub parent: Option<usize>,
    /// Place in the parent's space at rest.
    pub offset: Vec3,
    /// What the source file holds for this joint, in its order.
    pub channels: Channels,
}

/// The tip of a bone that carries no further joint.
#[derive(Debug, Clone, PartialEq)]
pub struct EndSite {
    /// The joint it hangs on.
    pub joint: usize,
    /// Place in that joint's space.
    pub offset: Vec3,
}

/// A place on the body that can be asked for, dragged or constrained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Site {
    /// A joint, by index.
    Joint(usize),
    /// An end site, by index into [`Skeleton::ends`].
    End(usize),
}

/// Joints in parent-first order. Shared by `Arc`; two clips fit together if [`Skeleton::same_structure`] says so.
#[derive(Debug, Clone, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
    ends: Vec<EndSite>,
    /// Joints with a translation of their own, in order; the root always leads.
    translating: Vec<usize>,
    /// For each joint its place in `translating`.
    slots: Vec<Option<usize>>,
    /// For each joint where its children begin in `children`; one more, for where the last one's end.
    child_starts: Vec<usize>,
    /// The children of the first joint, of the second, and so on.
    children: Vec<usize>,
}

/// The joints do not make a skeleton.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SkeletonError {
    /// No joint at all.
    #[error("a skeleton needs at least one joint")]
    Empty,
    /// Joint 0 has a parent, or another joint has none.
    #[error("joint \"{0}\" must be the only root, and the first joint")]
    Roots(String),
    /// A parent does not come before its child.
    #[error("joint \"{0}\" comes before its parent")]
    Order(String),
    /// An offset is infinite or not a number.
    #[error("the offset of \"{0}\" is not a finite number")]
    NotFinite(String),
    /// An offset is beyond [`LONGEST`].
    #[error("the offset of \"{0}\" is longer than {LONGEST:e}")]
    TooLong(String),
    /// An end site hangs on a joint that is not there.
    #[error("end site {0} hangs on a joint that does not exist")]
    EndWithoutJoint(usize),
}

/// Whether every coordinate is a number that can be meant.
pub(super) fn is_in_bounds(v: &Vec3) -> bool {
    v.iter().all(|x| x.abs() <= LONGEST)
}

fn check_offset(offset: &Vec3, name: impl Fn() -> String) -> Result<(), SkeletonError> {
    if is_in_bounds(offset) {
        Ok(())
    } else if is_finite(offset) {
        Err(SkeletonError::TooLong(name()))
    } else {
        Err(SkeletonError::NotFinite(name()))
    }
}

/// Where the children of each joint begin in a list of all children, and that list.
fn children_of(joints: &[Joint]) -> (Vec<usize>, Vec<usize>) {
    let parents = || joints.iter().filter_map(|joint| joint.parent);
    let mut starts = vec![0; joints.len() + 1];
    for parent in parents() {
        starts[parent + 1] += 1;
    }
    for joint in 0..joints.len() {
        starts[joint + 1] += starts[joint];
    }
    let mut next = starts.clone();
    let mut children = vec![0; joints.len() - 1];
    for (child, parent) in parents().enumerate() {
        // The root is the only joint without a parent, and the first.
        children[next[parent]] = child + 1;
        next[parent] += 1;
    }
    (starts, children)
}

impl Skeleton {
    /// Checks what the fields promise.
    pub fn new(joints: Vec<Joint>, mut ends: Vec<EndSite>) -> Result<Self, SkeletonError> {
        if joints.is_empty() {
            return Err(SkeletonError::Empty);
        }
        for (idx, joint) in joints.iter().enumerate() {
            match joint.parent {
                None if idx > 0 => return Err(SkeletonError::Roots(joint.name.clone())),
                Some(_) if idx == 0 => return Err(SkeletonError::Roots(joint.name.clone())),
                Some(parent) if parent >= idx => {
                    return Err(SkeletonError::Order(joint.name.clone()));
                }
                _ => {}
            }
            check_offset(&joint.offset, || joint.name.clone())?;
        }
        for (idx, end) in ends.iter().enumerate() {
            let Some(joint) = joints.get(end.joint) else {
                return Err(SkeletonError::EndWithoutJoint(idx));
            };
            check_offset(&end.offset, || format!("{} end", joint.name))?;
        }
        ends.sort_by_key(|end| end.joint);
        let translating: Vec<usize> = (0..joints.len())
            .filter(|&j| j == 0 || joints[j].channels.has_position())
            .collect();
        let mut slots = vec![None; joints.len()];
        for (slot, &joint) in translating.iter().enumerate() {
            slots[joint] = Some(slot);
        }
        let (child_starts, children) = children_of(&joints);
        Ok(Self {
            joints,
            ends,
            translating,
            slots,
            child_starts,
            children,
        })
    }

    /// All joints, parents before their children.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Sorted by the joint they hang on.
    pub fn ends(&self) -> &[EndSite] {
        &self.ends
    }

    /// The number of joints, without end sites.
    pub fn n_joints(&self) -> usize {
        self.joints.len()
    }

    /// Joints with a translation of their own, in order; the root always leads.
    pub fn translating(&self) -> &[usize] {
        &self.translating
    }

    /// Where a pose keeps the translation of this joint, if it has one.
    pub fn translation_slot(&self, joint: usize) -> Option<usize> {
        self.slots[joint]
    }

    /// The first joint of this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|j| j.name == name)
    }

    /// The joints that hang on this one, in order.
    pub fn children(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        let range = self.child_starts[joint]..self.child_starts[joint + 1];
        self.children[range].iter().copied()
    }

    /// The joint itself, its parent, and so on up to the root.
    pub fn ancestors(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(joint), |&j| self.joints[j].parent)
    }

    /// Some joints with all that carry them, parents before children.
    pub fn with_ancestors(&self, joints: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut all: Vec<usize> = joints.into_iter().flat_map(|j| self.ancestors(j)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The end sites of a joint, as indices into [`Self::ends`].
    pub fn ends_of(&self, joint: usize) -> std::ops::Range<usize> {
        let start = self.ends.partition_point(|e| e.joint < joint);
        let end = self.ends.partition_point(|e| e.joint <= joint);
        start..end
    }

    /// The joint that carries a site: itself, or the one an end site hangs on.
    pub fn carrier(&self, site: Site) -> usize {
        match site {
            Site::Joint(joint) => joint,
            Site::End(end) => self.ends[end].joint,
        }
    }

    /// A name for any site: `LeftHand`, `LeftHand_end`, and `LeftHand_end2` for a second tip of one joint.
    pub fn site_name(&self, site: Site) -> String {
        match site {
            Site::Joint(joint) => self.joints[joint].name.clone(),
            Site::End(end) => {
                let joint = self.ends[end].joint;
                let name = &self.joints[joint].name;
                match end - self.ends_of(joint).start {
                    0 => format!("{name}_end"),
                    nth => format!("{name}_end{}", nth + 1),
                }
            }
        }
    }

    /// The site that [`Self::site_name`] calls so.
    pub fn find_site(&self, name: &str) -> Option<Site> {
        let joint = self.find(name).map(Site::Joint);
        joint.or_else(|| {
            (0..self.ends.len())
                .map(Site::End)
                .find(|&end| self.site_name(end) == name)
        })
    }

    /// All joints, then all end sites.
    pub fn sites(&self) -> impl Iterator<Item = Site> + '_ {
        let joints = (0..self.joints.len()).map(Site::Joint);
        joints.chain((0..self.ends.len()).map(Site::End))
    }

    /// Same joints by name, on the same parents, moving in the same ways: poses of one are poses of the other, though
    /// bone lengths may differ.
    pub fn same_structure(&self, other: &Self) -> bool {
        self.joints.len() == other.joints.len()
            && self.translating == other.translating
            && self
                .joints
                .iter()
                .zip(&other.joints)
                .all(|(a, b)| a.name == b.name && a.parent == b.parent)
    }

    /// The same joints with other places; everything else stays.
    pub fn with_offsets(&self, change: impl Fn(&Vec3) -> Vec3) -> Result<Self, SkeletonError> {
        let mut joints = self.joints.clone();
        let mut ends = self.ends.clone();
        for joint in &mut joints {
            joint.offset = change(&joint.offset);
        }
        for end in &mut ends {
            end.offset = change(&end.offset);
        }
        Self::new(joints, ends)
    }
}

pub(super) fn is_finite(v: &Vec3) -> bool {
    v.iter().all(|x| x.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(name: &str, parent: Option<usize>) -> Joint {
        Joint {
            name: name.to_owned(),
            parent,
            offset: Vec3::new(0.0, 1.0, 0.0),
            channels: Channels::NONE,
        }
    }

    #[test]
    fn every_refusal() {
        let refused = |joints: Vec<Joint>| Skeleton::new(joints, vec![]).unwrap_err();
        assert_eq!(refused(vec![]), SkeletonError::Empty);
        let named = |e: SkeletonError| e.to_string();
        let second_root = refused(vec![joint("a", None), joint("b", None)]);
        assert!(named(second_root).contains("\"b\""), "names the culprit");
        let no_root = refused(vec![joint("a", Some(0))]);
        assert_eq!(no_root, SkeletonError::Roots("a".to_owned()));
        let early = refused(vec![joint("a", None), joint("b", Some(1))]);
        assert_eq!(early, SkeletonError::Order("b".to_owned()));
        let mut bad = joint("a", None);
        bad.offset.x = f64::NAN;
        assert_eq!(refused(vec![bad]), SkeletonError::NotFinite("a".to_owned()));
        let end = |joint, x| EndSite {
            joint,
            offset: Vec3::new(x, 0.0, 0.0),
        };
        let lost = Skeleton::new(vec![joint("a", None)], vec![end(1, 0.0)]);
        assert_eq!(lost, Err(SkeletonError::EndWithoutJoint(0)));
        Skeleton::new(vec![joint("a", None)], vec![end(0, f64::INFINITY)]).unwrap_err();
    }

    #[test]
    fn sites_have_names_that_are_found_again() {
        let end = |joint| EndSite {
            joint,
            offset: Vec3::zeros(),
        };
        let joints = vec![joint("a", None), joint("b", Some(0)), joint("c", Some(0))];
        let s = Skeleton::new(joints, vec![end(2), end(1), end(2)]).unwrap();
        let names: Vec<_> = s.sites().map(|site| s.site_name(site)).collect();
        assert_eq!(names, ["a", "b", "c", "b_end", "c_end", "c_end2"]);
        for site in s.sites() {
            assert_eq!(s.find_site(&s.site_name(site)), Some(site));
        }
        assert_eq!(s.ends_of(0), 0..0);
        assert_eq!(s.children(0).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(s.ancestors(2).collect::<Vec<_>>(), [2, 0]);
    }
}
