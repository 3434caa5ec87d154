//! Small pictures of kept poses.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::document::{KeptPose, PoseId};

/// Small pictures of kept poses.
#[derive(Debug, Default)]
pub struct Thumbnails {
    /// Keyed by what they were made from.
    pub(super) made: BTreeMap<PoseId, (Arc<KeptPose>, Arc<egui::ColorImage>)>,
    pub(super) is_drawing: bool,
    /// Without a graphics driver there are none.
    pub(super) is_refused: bool,
}

impl Thumbnails {
    /// Of each side, in pixels.
    pub const SIDE: u32 = 112;

    /// The picture of a pose, once it is drawn.
    pub fn of(&self, id: PoseId, pose: &Arc<KeptPose>) -> Option<&Arc<egui::ColorImage>> {
        let (seen, picture) = self.made.get(&id)?;
        // A new name needs no new picture.
        (seen.pose == pose.pose && Arc::ptr_eq(&seen.skeleton, &pose.skeleton)).then_some(picture)
    }
}

pub(super) type Drawn = Vec<(PoseId, Arc<KeptPose>, Arc<egui::ColorImage>)>;
