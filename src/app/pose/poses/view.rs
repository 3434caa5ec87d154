//! What the pose library remembers.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::pose::poses::{PoseRegion, Thumbnails};
use crate::document::PoseId;

/// What the panel remembers.
pub struct LibraryOfPoses {
    /// What the names and tags are searched for.
    pub search: String,
    /// The pose that is looked at.
    pub chosen: Option<PoseId>,
    /// How much of it is put on, from 0 to 100.
    pub percent: u32,
    /// The part of the body that a kept pose is applied to.
    pub region: PoseRegion,
    /// The name for the next pose.
    pub name: String,
    /// A tag being typed.
    pub tag: String,
    /// Small pictures of kept poses.
    pub thumbnails: Thumbnails,
    pub(super) textures: BTreeMap<PoseId, (Arc<egui::ColorImage>, egui::TextureHandle)>,
    pub(super) rename: Option<(PoseId, String)>,
}

impl std::fmt::Debug for LibraryOfPoses {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Textures belong to the graphics card and say nothing in words.
        f.debug_struct("LibraryOfPoses")
            .field("search", &self.search)
            .field("chosen", &self.chosen)
            .field("percent", &self.percent)
            .field("region", &self.region)
            .finish_non_exhaustive()
    }
}

impl Default for LibraryOfPoses {
    fn default() -> Self {
        Self {
            search: String::new(),
            chosen: None,
            percent: 100,
            region: PoseRegion::default(),
            name: String::new(),
            tag: String::new(),
            thumbnails: Thumbnails::default(),
            textures: BTreeMap::new(),
            rename: None,
        }
    }
}
