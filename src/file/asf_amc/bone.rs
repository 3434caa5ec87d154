//! One bone of an Acclaim skeleton: where it points, and what a motion may do with it.

use crate::file::SyntaxError;
use crate::motion::{Channel, Channels, Dim, Quat, RotationOrder, Vec3, rotation};

use super::words::Word;

/// One number that a motion gives for a bone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoneDof {
    Turn(Dim),
    Shift(Dim),
    Stretch,
}

/// What is needed to turn a bone's numbers into a joint's pose.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bone {
    pub(super) name: String,
    /// `None` for the root, and for bones that the hierarchy leaves out.
    pub(super) parent: Option<usize>,
    /// The joint of the skeleton; `None` for bones that the hierarchy leaves out.
    pub(super) joint: Option<usize>,
    /// In the order of the motion file; the first is applied first.
    pub(super) dofs: Vec<BoneDof>,
    /// From the bone's own axes to those of the rest pose. For the root: the orientation it starts from.
    pub(super) axes: Quat,
    /// Unit vector along the bone at rest; zero for the root.
    pub(super) direction: Vec3,
    pub(super) length: f64,
    /// Where it starts from: zero except for the root.
    pub(super) place: Vec3,
}

impl Bone {
    /// Whether a motion must say something about it.
    pub(super) fn moves(&self) -> bool {
        self.joint.is_some() && !self.dofs.is_empty()
    }

    pub(super) fn tip(&self) -> Vec3 {
        self.direction * self.length
    }
}

/// What a BVH file of this joint would hold. Turns about a bone's own axes are turns about all three of a joint's.
pub(super) fn channels(bone: &Bone, parent: Option<&Bone>) -> Channels {
    let moves = |d: &BoneDof| matches!(d, BoneDof::Shift(_));
    let shifts =
        bone.dofs.iter().any(moves) || parent.is_none_or(|p| p.dofs.contains(&BoneDof::Stretch));
    let turns = bone.dofs.iter().any(|d| matches!(d, BoneDof::Turn(_)));
    // The order of CMU's own BVH conversion.
    let order = RotationOrder::ZYX;
    match (shifts, turns) {
        (true, true) => Channels::position_and_rotation(order),
        (true, false) => {
            Channels::new(&Dim::ALL.map(Channel::Position)).expect("each axis is named once")
        }
        (false, true) => Channels::rotation(order),
        (false, false) => Channels::NONE,
    }
}

/// The angles come in x, y, z; the order says in which sequence they are applied, last factor first.
pub(super) fn axes(order: RotationOrder, angles_rad: [f64; 3]) -> Quat {
    rotation::from_euler(order, order.dims().map(|dim| angles_rad[dim.index()]))
}

/// `XYZ`: x is applied first, so it is the last factor.
pub(super) fn axis_order(word: Word<'_>) -> Result<RotationOrder, SyntaxError> {
    let reversed: String = word.name().chars().rev().collect();
    let order = reversed.parse().ok();
    order.ok_or_else(|| word.instead_of("an axis order such as XYZ"))
}

/// `rx ry rz`, and so on.
pub(super) fn dofs<'a>(words: impl Iterator<Item = Word<'a>>) -> Result<Vec<BoneDof>, SyntaxError> {
    let known = [
        ("tx", BoneDof::Shift(Dim::X)),
        ("ty", BoneDof::Shift(Dim::Y)),
        ("tz", BoneDof::Shift(Dim::Z)),
        ("rx", BoneDof::Turn(Dim::X)),
        ("ry", BoneDof::Turn(Dim::Y)),
        ("rz", BoneDof::Turn(Dim::Z)),
        ("l", BoneDof::Stretch),
    ];
    let mut list = Vec::new();
    for word in words {
        let dof = known.iter().find(|(name, _)| word.is(name));
        let dof = dof.map(|(_, dof)| *dof).filter(|dof| !list.contains(dof));
        let expected = "a degree of freedom (tx ty tz rx ry rz l), each at most once";
        list.push(dof.ok_or_else(|| word.instead_of(expected))?);
    }
    Ok(list)
}
