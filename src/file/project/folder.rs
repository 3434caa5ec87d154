//! A project's folder while it is open: which motion is in which file.

use std::collections::BTreeMap;
use std::path::Path;

use super::opened::{Access, Opened, ProjectFolder};
use super::{Lock, OpenError, PROJECT_FILE, SaveError};
use crate::file::atomic::Overwrite;

impl ProjectFolder {
    /// Opens a project, given its folder or the `project.ron` in it.
    pub fn open(path: &Path, access: Access) -> Result<Opened, OpenError> {
        let folder = folder_of(path);
        if !folder.join(PROJECT_FILE).exists() {
            return Err(OpenError::NotAProject);
        }
        // First the lock: what is read after it cannot change any more.
        let lock = match access {
            Access::Read => None,
            Access::Write => Some(Lock::take(folder)?),
            Access::TakeOver => Some(Lock::take_over(folder)?),
        };
        super::open::open(folder, lock)
    }

    /// A place for a project that is not there yet, or that takes the place of another; nothing is written but the
    /// lock.
    pub fn create(path: &Path, overwrite: Overwrite) -> Result<Self, SaveError> {
        if path.join(PROJECT_FILE).exists() {
            if overwrite == Overwrite::Never {
                return Err(SaveError::Exists);
            }
            // Its files are known then, and are removed once the new project is there.
            let old = Self::open(path, Access::Write);
            let mut folder = old.map_err(|e| SaveError::Replace(Box::new(e)))?.folder;
            folder.lost.clear();
            folder.lost_models.clear();
            folder.lost_poses.clear();
            folder.lost_pictures.clear();
            folder.lost_studies.clear();
            return Ok(folder);
        }
        std::fs::create_dir_all(path).map_err(|e| SaveError::io(path, e))?;
        let lock = Lock::take(path)?;
        Ok(Self::with_nothing(path, Some(lock)))
    }

    /// A folder in which no file is known yet.
    pub(super) fn with_nothing(path: &Path, lock: Option<Lock>) -> Self {
        Self {
            path: path.to_owned(),
            lock,
            stored: BTreeMap::new(),
            lost: Vec::new(),
            lost_models: Vec::new(),
            lost_poses: Vec::new(),
            lost_pictures: Vec::new(),
            lost_studies: Vec::new(),
        }
    }

    /// Path of the project folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it was opened to look at only.
    pub fn is_read_only(&self) -> bool {
        self.lock.is_none()
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if path.ends_with(PROJECT_FILE) => folder,
        _ => path,
    }
}
