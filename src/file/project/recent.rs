//! The projects that were open last.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{OpenError, PROJECT_FILE};
use crate::file::ron_text;

/// The number of projects in the list.
const MOST: usize = 12;

/// The projects that were open last, the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recent {
    /// At most twelve, each folder once.
    projects: Vec<RecentProject>,
}

/// A project that was opened before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentProject {
    /// The folder that the project was saved in.
    pub folder: PathBuf,
    /// Its name when it was last open.
    pub name: String,
    /// Time of opening, in seconds since 1970.
    pub opened_unix_secs: u64,
}

impl RecentProject {
    /// Whether it is not there, or not there now, as on a disk that is not plugged in.
    pub fn is_missing(&self) -> bool {
        !self.folder.join(PROJECT_FILE).is_file()
    }
}

/// How the list is written down.
#[derive(Debug, Serialize, Deserialize)]
struct RecentLine {
    folder: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    opened_unix_secs: u64,
}

impl Recent {
    /// All projects, the newest first.
    pub fn projects(&self) -> &[RecentProject] {
        &self.projects
    }

    /// Puts a project at the top.
    pub fn add(&mut self, project: RecentProject) {
        self.forget(&project.folder);
        self.projects.insert(0, project);
        self.projects.truncate(MOST);
    }

    /// Takes a project off the list.
    pub fn forget(&mut self, folder: &Path) {
        self.projects.retain(|known| known.folder != folder);
    }

    /// As text. A folder whose name is no Unicode cannot be written down and is left out.
    pub fn to_ron(&self) -> Result<String, ron::Error> {
        let line = |project: &RecentProject| {
            Some(RecentLine {
                folder: project.folder.to_str()?.to_owned(),
                name: project.name.clone(),
                opened_unix_secs: project.opened_unix_secs,
            })
        };
        let lines: Vec<RecentLine> = self.projects.iter().filter_map(line).collect();
        ron_text::pretty(&lines, 1)
    }

    /// From text; of longer lists the beginning, of a folder that comes twice the first.
    pub fn from_ron(text: &str) -> Result<Self, OpenError> {
        let lines: Vec<RecentLine> = ron_text::parse(text.as_bytes())?;
        let mut recent = Self::default();
        for line in lines {
            let folder = PathBuf::from(line.folder);
            let is_known = recent.projects.iter().any(|known| known.folder == folder);
            if recent.projects.len() < MOST && !is_known {
                recent.projects.push(RecentProject {
                    folder,
                    name: line.name,
                    opened_unix_secs: line.opened_unix_secs,
                });
            }
        }
        Ok(recent)
    }
}
