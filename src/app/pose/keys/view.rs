//! What the keyframe panel remembers.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::pose::keys::adopted::Adopted;
use crate::app::pose::keys::motion::KeyMotion;
use crate::app::pose::keys::recipe::Recipe;
use crate::app::pose::keys::unkeyed::Unkeyed;
use crate::document::{Keying, PosedId};
use crate::motion::{Pose, Site};

/// What the panel remembers.
#[derive(Debug)]
pub struct KeysView {
    /// Whether every change of the pose makes a key.
    pub is_auto: bool,
    /// Whether the keyed poses around the playhead are seen as ghosts.
    pub shows_onions: bool,
    /// How many on each side.
    pub n_onions: usize,
    /// Whether the paths of handles are seen.
    pub shows_ways: bool,
    /// The frame of the key that was clicked.
    pub chosen: Option<usize>,
    /// The handle whose path is worked on.
    pub site: Option<Site>,
    /// A pose that was copied from a key.
    pub copied: Option<Pose>,
    /// The newest motion, and of whom.
    pub motion: Option<(PosedId, Arc<KeyMotion>)>,
    /// What the running job makes.
    pub wanted: Option<Recipe>,
    /// Whether that cannot be made.
    pub is_refused: bool,
    /// The character as the playhead has it.
    pub adopted: Option<(PosedId, Adopted)>,
    /// Poses of each character that are in no key.
    pub unkeyed: BTreeMap<PosedId, Unkeyed>,
    /// The keys when they were last looked at.
    pub seen: Option<(PosedId, Arc<Keying>)>,
    /// A key that is dragged along the timeline: from where, to where.
    pub hold: Option<(usize, usize)>,
    /// A tangent or a key of a path that is dragged in the 3D view.
    pub path_hold: Option<crate::app::pose::keys::path_hold::PathHold>,
}

impl Default for KeysView {
    fn default() -> Self {
        Self {
            is_auto: false,
            shows_onions: false,
            n_onions: 2,
            shows_ways: true,
            chosen: None,
            site: None,
            copied: None,
            motion: None,
            wanted: None,
            is_refused: false,
            adopted: None,
            unkeyed: BTreeMap::new(),
            seen: None,
            hold: None,
            path_hold: None,
        }
    }
}
