//! What the repair panel remembers.

use std::collections::{BTreeMap, BTreeSet};

use crate::app::pose::repair::{Gap, Rebuilt, Teacher, with_all_below};
use crate::app::render::Camera;
use crate::document::ClipId;
use crate::motion::Skeleton;
use crate::style::LearnSettings;

/// What the 3D view shows of a rebuilt take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compare {
    /// The take before the repair.
    Before,
    /// As it would become.
    After,
    /// Both: the take blue, the rebuilt one orange.
    #[default]
    Both,
}

/// What the panel remembers.
#[derive(Debug)]
pub struct RepairView {
    /// What is rebuilt with.
    pub teacher: Teacher,
    /// How a style is learned from the take itself.
    pub settings: LearnSettings,
    /// What is marked in which take.
    pub gaps: BTreeMap<ClipId, Vec<Gap>>,
    /// The joints that the next mark is for.
    pub joints: BTreeSet<usize>,
    /// Whether choosing a joint chooses what hangs on it.
    pub takes_below: bool,
    /// What was rebuilt last and is not kept yet.
    pub rebuilt: Option<Rebuilt>,
    /// What the 3D view shows of it.
    pub compare: Compare,
    /// The take that the camera was last brought to.
    pub framed: Option<ClipId>,
    /// From where all selected clips were seen before.
    pub camera_before: Option<Camera>,
}

impl Default for RepairView {
    fn default() -> Self {
        Self {
            teacher: Teacher::default(),
            settings: LearnSettings::default(),
            gaps: BTreeMap::new(),
            joints: BTreeSet::new(),
            takes_below: true,
            rebuilt: None,
            compare: Compare::default(),
            framed: None,
            camera_before: None,
        }
    }
}

impl RepairView {
    /// What is marked in a take.
    pub fn gaps_of(&self, id: ClipId) -> &[Gap] {
        self.gaps.get(&id).map_or(&[], Vec::as_slice)
    }

    pub(super) fn choose(&mut self, skeleton: &Skeleton, joint: usize, is_chosen: bool) {
        let joints = if self.takes_below {
            with_all_below(skeleton, joint)
        } else {
            BTreeSet::from([joint])
        };
        for joint in joints {
            if is_chosen {
                self.joints.insert(joint);
            } else {
                self.joints.remove(&joint);
            }
        }
    }
}
