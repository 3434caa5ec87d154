//! Which clips share a skeleton.

use std::sync::Arc;

use crate::document::ClipId;
use crate::motion::Clip;

/// How two skeletons differ, the coarser difference first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// Other joints, or another axis up: poses of one are no poses of the other.
    Joints,
    /// The same joints on other bones: poses fit, but feet slide and hands miss.
    Lengths,
}

/// Bones that differ by a smaller share are rounded, not others.
const OTHER_BONE: f64 = 0.01;

/// How two clips differ in their skeletons, if they do.
pub fn difference(a: &Clip, b: &Clip) -> Option<Difference> {
    if Arc::ptr_eq(a.skeleton(), b.skeleton()) && a.info.up == b.info.up {
        return None;
    }
    let (one, other) = (a.skeleton(), b.skeleton());
    if !one.same_structure(other) || a.info.up != b.info.up {
        return Some(Difference::Joints);
    }
    let lengths = |joints: &[crate::motion::Joint]| -> Vec<f64> {
        let bones = joints.iter().skip(1);
        bones.map(|joint| joint.offset.norm()).collect()
    };
    let (one, other) = (lengths(one.joints()), lengths(other.joints()));
    let longest = one.iter().chain(&other).copied().fold(0.0, f64::max);
    let off = one.iter().zip(&other).map(|(a, b)| (a - b).abs());
    (off.fold(0.0, f64::max) > OTHER_BONE * longest).then_some(Difference::Lengths)
}

/// Clips on one skeleton.
#[derive(Debug, Clone)]
pub struct Kind {
    /// The first of them.
    pub first: Arc<Clip>,
    /// All clips on this skeleton.
    pub clips: Vec<ClipId>,
}

impl Kind {
    /// "`walk_01`, 31 joints, 4 clips".
    pub fn words(&self) -> String {
        let n_joints = self.first.skeleton().n_joints();
        let name = &self.first.info.name;
        let clips = crate::app::shell::words::counted(self.clips.len(), "clip");
        format!("{name}, {n_joints} joints, {clips}")
    }
}

/// Clips by skeleton, in the order in which the first of each comes. Differences finer than `finest` do not
/// count.
pub fn kinds<'a>(
    clips: impl IntoIterator<Item = (ClipId, &'a Arc<Clip>)>,
    finest: Difference,
) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    for (id, clip) in clips {
        let is_same = |kind: &&mut Kind| match difference(&kind.first, clip) {
            None => true,
            Some(found) => found > finest,
        };
        match kinds.iter_mut().find(is_same) {
            Some(kind) => kind.clips.push(id),
            None => kinds.push(Kind {
                first: Arc::clone(clip),
                clips: vec![id],
            }),
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{Action, make};
    use crate::motion::edit;

    #[test]
    fn clips_are_grouped_by_joints_and_by_lengths() {
        let walk = Arc::new(make(Action::Walk, 1, 0).clip);
        let run = Arc::new(make(Action::Walk, 1, 1).clip);
        let larger = Arc::new(edit::scale(&walk, 1.2).unwrap());
        let mut bare = Clip::clone(&walk);
        bare.info.up = crate::motion::Axis::Z;
        let turned = Arc::new(bare);
        let clips = [&walk, &larger, &turned, &run];
        let clips: Vec<_> = (0..).map(ClipId).zip(clips).collect();
        let by = |finest| -> Vec<Vec<u64>> {
            let kinds = kinds(clips.iter().map(|(id, clip)| (*id, *clip)), finest);
            kinds
                .iter()
                .map(|kind| kind.clips.iter().map(|id| id.0).collect())
                .collect()
        };
        assert_eq!(by(Difference::Joints), [vec![0, 1, 3], vec![2]]);
        assert_eq!(by(Difference::Lengths), [vec![0, 3], vec![1], vec![2]]);
    }
}
