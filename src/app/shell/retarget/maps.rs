//! Bone maps that were set by hand: kept for their pair of skeletons, and used without asking.
//!
//! They lie in the folder of the preferences, one file for each pair, in the format of `kinfolk map`: a folder that
//! `kinfolk retarget --map` takes as it is.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::{Delivery, Shown};
use crate::app::shell::messages::Severity;
use crate::file::atomic::{self, Overwrite};
use crate::file::map_file::{self, MapFile};
use crate::motion::{Clip, Skeleton};
use crate::retarget::{Pairing, RetargetError};

/// Below the folder of the preferences.
const FOLDER: &str = "bone maps";

/// All maps that were set by hand. Copies share them.
#[derive(Debug, Clone, Default)]
pub struct BoneMaps {
    /// None keeps maps only while the program runs.
    folder: Option<PathBuf>,
    known: Arc<Vec<MapFile>>,
    /// Another one after every change.
    revision: u64,
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
    fn put(&mut self, map: Option<MapFile>, source: &Skeleton, target: &Skeleton) {
        let known = Arc::make_mut(&mut self.known);
        known.retain(|other| !other.is_for(source, target));
        known.extend(map);
        self.revision += 1;
    }
}

impl UiContext {
    /// Keeps what was set by hand for a pair of skeletons; none goes back to what is found.
    pub fn keep_bone_map(
        &mut self,
        pairing: Option<&Pairing>,
        source: &Skeleton,
        target: &Skeleton,
    ) {
        let text = pairing.map(|pairing| map_file::write(pairing, source, target));
        let text = match text.transpose() {
            Ok(text) => text,
            Err(error) => {
                self.say(Severity::Error, format!("bone map not kept: {error}"));
                return;
            }
        };
        let map = text.as_ref().map(|text| map_file::parse(text.as_bytes()));
        match map.transpose() {
            Ok(map) => self.bone_maps.put(map, source, target),
            Err(error) => {
                self.say(Severity::Error, format!("bone map not kept: {error}"));
                return;
            }
        }
        let Some(folder) = self.bone_maps.folder.clone() else {
            return;
        };
        let file = folder.join(map_file::file_name(source, target));
        self.start_apart("keep bone map", Shown::Quietly, move |_| {
            match text {
                Some(text) => {
                    std::fs::create_dir_all(&folder)?;
                    atomic::write(&file, text.as_bytes(), Overwrite::Replace)?;
                }
                None if file.exists() => std::fs::remove_file(&file)?,
                None => {}
            }
            let delivery: Delivery = Box::new(|_| ());
            Ok(delivery)
        });
    }
}

impl Shell {
    /// Reads the maps that were kept in earlier runs.
    pub(in crate::app) fn look_for_bone_maps(&mut self) {
        let Some(folder) = self.bone_maps.folder.clone() else {
            return;
        };
        self.start_apart("read bone maps", Shown::Quietly, move |_| {
            let known = if folder.is_dir() {
                map_file::all_in(&folder)?
            } else {
                Vec::new()
            };
            let delivery: Delivery = Box::new(move |shell: &mut Self| {
                if !known.is_empty() {
                    shell.bone_maps.known = Arc::new(known);
                    shell.bone_maps.revision += 1;
                }
            });
            Ok(delivery)
        });
    }
}
