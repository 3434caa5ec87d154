//! Motion paths that were found.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::shell::stage::StageId;
use crate::document::ClipId;
use crate::motion::{Clip, Vec3};

/// The way of each wanted joint, frame by frame, in the world of the clip.
pub type JointPaths = Vec<(usize, Arc<[Vec3]>)>;

/// Motion paths that are known.
#[derive(Debug, Default)]
pub struct PathCache {
    pub(super) known: BTreeMap<ClipId, (Arc<Clip>, Arc<JointPaths>)>,
    pub(super) is_looking: bool,
}

impl PathCache {
    /// What is known of this clip; joints that were asked for since are missing for a moment.
    pub fn of(&self, id: impl Into<StageId>, clip: &Clip) -> Option<&Arc<JointPaths>> {
        let (seen, ways) = self.known.get(&id.into().clip()?)?;
        crate::app::shell::clips::analysis::is_one_motion(seen, clip).then_some(ways)
    }
}
