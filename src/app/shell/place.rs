//! Where the project is on disk.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::file::project::ProjectFolder;

/// Where the open project is on disk.
#[derive(Debug, Clone)]
pub struct ProjectPlace {
    /// Background work writes to it; the window itself never waits for it.
    folder: Arc<Mutex<ProjectFolder>>,
    /// The path of the project's folder.
    pub path: PathBuf,
    /// Whether it was opened to look at only.
    pub is_read_only: bool,
}

impl ProjectPlace {
    /// The place of a project folder that is open.
    pub(super) fn of(folder: ProjectFolder) -> Self {
        Self {
            path: folder.path().to_owned(),
            is_read_only: folder.is_read_only(),
            folder: Arc::new(Mutex::new(folder)),
        }
    }
}

/// A lock that a panic left behind guards files that are never half written: it can still be used.
pub(super) fn lock_folder(place: &ProjectPlace) -> MutexGuard<'_, ProjectFolder> {
    place.folder.lock().unwrap_or_else(PoisonError::into_inner)
}
