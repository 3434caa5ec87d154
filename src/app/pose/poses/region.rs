//! Parts of a body that a kept pose is applied to.

use std::collections::BTreeSet;

use crate::app::pose::handles::rig::BodyHandles;
use crate::app::pose::repair::with_all_below;
use crate::motion::Skeleton;

/// Which joints a pose is put on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PoseRegion {
    /// Every joint of the body.
    #[default]
    Body,
    /// Everything above the hips.
    Upper,
    /// The hips and everything below them.
    Lower,
    /// One limb, by its place among [`BodyHandles::body`]'s arms.
    Arm(usize),
    /// The neck and the head.
    Head,
    /// The joints of the handles that are selected, with what hangs on them.
    Selected,
}

/// The joints of a region.
pub fn joints_of(region: PoseRegion, skeleton: &Skeleton, selected: &[usize]) -> BTreeSet<usize> {
    let rig = BodyHandles::of(skeleton);
    let body = rig.body();
    let all = || (0..skeleton.n_joints()).collect::<BTreeSet<usize>>();
    let below = |joint: usize| with_all_below(skeleton, joint);
    let lower = || {
        let legs = body.legs.iter().flat_map(|leg| below(leg.upper));
        let mut lower: BTreeSet<usize> = legs.collect();
        // The hips and what carries them.
        lower.extend(skeleton.ancestors(rig.hips()));
        lower.insert(rig.hips());
        lower
    };
    match region {
        PoseRegion::Body => all(),
        PoseRegion::Lower => lower(),
        PoseRegion::Upper => all().difference(&lower()).copied().collect(),
        PoseRegion::Arm(which) => body.arms.get(which).map_or_else(BTreeSet::new, |arm| {
            let mut joints = below(arm.upper);
            // A collar bone belongs to its arm.
            let above = skeleton.joints()[arm.upper].parent;
            let side = |joint: usize| body.side.get(joint).copied();
            joints.extend(above.filter(|a| side(*a) == Some(arm.side)));
            joints
        }),
        PoseRegion::Head => body.head.map_or_else(BTreeSet::new, below),
        PoseRegion::Selected => selected.iter().flat_map(|joint| below(*joint)).collect(),
    }
}
