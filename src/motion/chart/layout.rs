//! All coordinates of a skeleton, moving or not, in a fixed order.

use super::DofKind;
use super::limbs::{LimbLine, limb_lines};
use crate::motion::{Dim, Skeleton};

/// Forward speed, sideways speed, turn rate and height come first, then the three leans.
pub(super) const LEAN_AT: usize = 4;

/// The three leans, in the order of the columns of the body root's axes.
const LEANS: [DofKind; 3] = [DofKind::LeanForward, DofKind::LeanLeft, DofKind::LeanTwist];

/// Which coordinate stands where in a complete row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ChartLayout {
    /// What each coordinate moves, and the joint.
    pub(super) coordinates: Vec<(DofKind, usize)>,
    /// For each joint the first of its three turns; for the body's root, its leans.
    pub(super) turns_at: Vec<usize>,
    /// For each joint with a translation of its own the first of its three shifts; the body's root has speeds instead.
    pub(super) shifts_at: Vec<Option<usize>>,
    /// Limbs that are measured by their line.
    pub(super) limbs: Vec<LimbLine>,
}

impl ChartLayout {
    /// The body's root first, then joint by joint.
    pub(super) fn new(skeleton: &Skeleton, body_root: usize, has_limb_lines: bool) -> Self {
        let mut coordinates = vec![
            (DofKind::ForwardSpeed, body_root),
            (DofKind::SidewaysSpeed, body_root),
            (DofKind::TurnRate, body_root),
            (DofKind::Height, body_root),
        ];
        coordinates.extend(LEANS.map(|kind| (kind, body_root)));
        let mut turns_at = vec![LEAN_AT; skeleton.n_joints()];
        let mut shifts_at = vec![None; skeleton.n_joints()];
        for joint in (0..skeleton.n_joints()).filter(|&j| j != body_root) {
            turns_at[joint] = coordinates.len();
            coordinates.extend([0, 1, 2].map(|axis| (DofKind::Turn { axis }, joint)));
            if skeleton.translation_slot(joint).is_some() {
                shifts_at[joint] = Some(coordinates.len());
                coordinates.extend(Dim::ALL.map(|dim| (DofKind::Shift(dim), joint)));
            }
        }
        let mut limbs = Vec::new();
        if has_limb_lines {
            limbs = limb_lines(skeleton);
            limbs.retain(|limb| ![limb.upper, limb.middle, limb.end].contains(&body_root));
        }
        Self {
            coordinates,
            turns_at,
            shifts_at,
            limbs,
        }
    }

    /// The number of coordinates, still ones included.
    pub(super) fn len(&self) -> usize {
        self.coordinates.len()
    }
}
