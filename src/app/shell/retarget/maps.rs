//! Bone maps that were set by hand: kept for their pair of skeletons, and used without asking.
//!
//! They lie in the folder of the preferences, one file for each pair, in the format of `kinfolk map`: a folder that
//! `kinfolk retarget --map` takes as it is.

use std::path::PathBuf;
use std::sync::Arc;

use crate::file::map_file::MapFile;
use crate::motion::{Clip, Skeleton};
use crate::retarget::{Pairing, RetargetError};

/// Below the folder of the preferences.
const FOLDER: &str = "bone maps";

/// All maps that were set by hand. Copies share them.
#[derive(Debug, Clone, Default)]
pub struct BoneMaps {
    /// None keeps maps only while the program runs.
    pub(super) folder: Option<PathBuf>,
    pub(super) known: Arc<Vec<MapFile>>,
    /// Another one after every change.
    pub(super) revision: u64,
}

impl BoneMaps {
    pub(in crate::app::shell) fn below(data_folder: Option<&PathBuf>) -> Self {
        Self {
            folder: data_folder.map(|folder| folder.join(FOLDER)),
            ..Self::default()
        }
    }

    /// Another number after every change.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// What was set by hand for a pair.
    pub fn by_hand(&self, source: &Skeleton, target: &Skeleton) -> Option<Pairing> {
        let own = self.known.iter().find(|map| map.is_for(source, target))?;
        own.fit(source, target).ok()
    }

    /// What was set by hand for the skeletons of two clips, or else what is found.
    pub fn pairing(&self, source: &Clip, target: &Clip) -> Result<Pairing, RetargetError> {
        match self.by_hand(source.skeleton(), target.skeleton()) {
            Some(pairing) => Ok(pairing),
            None => Pairing::found(source, target),
        }
    }

    /// Puts a map in the place of what was there for its pair, or takes that away.
    pub(super) fn put(&mut self, map: Option<MapFile>, source: &Skeleton, target: &Skeleton) {
        let known = Arc::make_mut(&mut self.known);
        known.retain(|other| !other.is_for(source, target));
        known.extend(map);
        self.revision += 1;
    }
}
