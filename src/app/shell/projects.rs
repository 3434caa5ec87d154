//! Opening and saving projects.

use std::path::PathBuf;

use super::place::ProjectPlace;
use crate::app::shell::autosaves::Autosaves;

/// The project's connection to the disk.
#[derive(Debug, Default)]
pub struct Projects {
    /// None for a project that was never saved.
    pub place: Option<ProjectPlace>,
    /// Where to save it, for one that has no place any more.
    pub(super) proposed: Option<PathBuf>,
    /// Unsaved work, for the case of a crash.
    pub(in crate::app) autosaves: Autosaves,
    /// How many documents there were before this one.
    pub(super) number: u64,
}

impl Projects {
    /// Nothing open yet; autosaves go below this folder.
    pub(in crate::app) fn new(data_folder: Option<PathBuf>) -> Self {
        Self {
            autosaves: Autosaves::new(data_folder),
            ..Self::default()
        }
    }

    /// Another one for every document that is opened: results of work for an earlier one are told by it.
    pub(in crate::app) fn number(&self) -> u64 {
        self.number
    }
}

/// What saving is called in the status bar.
pub(super) const SAVE: &str = "save";

/// What opening is called there, with the folder behind it.
pub(super) const OPEN: &str = "open ";

/// Seconds since 1970; 0 on a clock that is set before.
pub(super) fn unix_secs() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
