//! What comes back after a crash.
//!
//! Autosaves are projects of their own, in the folder where the system keeps a program's data: so they work for a
//! project that was never saved, for one on a slow or read-only disk, and one look there finds all of them. Motions
//! that the project on disk holds already are linked, not written; only what changed costs anything. A running program
//! holds the lock of its autosave; one without a lock was left by a crash. Whoever brings such work back goes on in the
//! same autosave, under its lock: no other window is offered it, and a second crash loses nothing.
//!
//! No clock runs here: the window says when.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::owner::unix_secs;
use super::{
    Access, Lock, OpenError, Opened, PROJECT_FILE, Problem, ProjectFolder, RealDisk, SaveError,
    Saved,
};
use crate::document::Document;
use crate::file::atomic::{Overwrite, replace_entry};
use crate::file::open::bytes_of;
use crate::file::ron_text;

/// Where in the program's data folder they are.
const AUTOSAVES: &str = "autosave";
/// Names the project and the time of an autosave.
const ABOUT_FILE: &str = "autosave.ron";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct About {
    process: u32,
    written_unix_secs: u64,
    name: String,
    n_clips: usize,
    /// The project's folder, if it has one.
    #[serde(default)]
    project: Option<String>,
    /// When that project was saved last, in nanoseconds since 1970: another time means that it was saved since.
    #[serde(default)]
    project_saved_nanos: Option<u64>,
}

/// Keeps a copy of the document for the case of a crash.
#[derive(Debug)]
pub struct Autosave {
    folder: ProjectFolder,
    /// The document as it was written last.
    last: Option<Document>,
}

impl Autosave {
    /// Finds a place below the program's data folder.
    pub fn begin(data_folder: &Path) -> Result<Self, SaveError> {
        let all = data_folder.join(AUTOSAVES);
        fs::create_dir_all(&all).map_err(|e| SaveError::io(&all, e))?;
        let process = std::process::id();
        let mut number = 1;
        loop {
            let path = all.join(format!("{process}-{number}.kinfolk"));
            match fs::create_dir(&path) {
                Ok(()) => {
                    let folder = ProjectFolder::create(&path, Overwrite::Never)?;
                    return Ok(Self { folder, last: None });
                }
                // Another window of this program, or one that crashed and had the same number.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(e) => return Err(SaveError::io(path, e)),
            }
        }
    }

    /// Writes what changed since the last time. The project the document belongs to lends its motions.
    pub fn write(
        &mut self,
        document: &Document,
        project: Option<&ProjectFolder>,
    ) -> Result<Saved, SaveError> {
        if self.last.as_ref() == Some(document) {
            return Ok(Saved {
                kept: document.n_clips(),
                ..Saved::default()
            });
        }
        let about = About {
            process: std::process::id(),
            written_unix_secs: unix_secs(),
            name: document.name().to_owned(),
            n_clips: document.n_clips(),
            project: project.map(|p| p.path().to_string_lossy().into_owned()),
            project_saved_nanos: project.and_then(|p| saved_nanos(p.path())),
        };
        let saved = self.folder.save_on(&RealDisk, document, project)?;
        let file = self.folder.path().join(ABOUT_FILE);
        let words = ron_text::pretty(&about, 1)?;
        replace_entry(&file, words.as_bytes()).map_err(|e| SaveError::io(&file, e))?;
        self.last = Some(document.clone());
        Ok(saved)
    }

    /// After the project itself was saved: nothing is to be recovered until the next write.
    pub fn retire(&mut self) -> Result<(), SaveError> {
        self.last = None;
        let file = self.folder.path().join(PROJECT_FILE);
        match fs::remove_file(&file) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(SaveError::io(file, e)),
            _ => Ok(()),
        }
    }

    /// At a clean exit: nothing stays.
    pub fn remove(self) -> Result<(), SaveError> {
        let path = self.folder.path().to_owned();
        // The lock goes first: some systems do not remove what is open.
        drop(self);
        remove_all(&path)
    }
}

/// Unsaved work of a program that closed unexpectedly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovery {
    /// Folder of the autosave.
    pub folder: PathBuf,
    /// The project it is of; none if it was never saved.
    pub project: Option<PathBuf>,
    /// Name of the project.
    pub name: String,
    /// The number of clips in it.
    pub n_clips: usize,
    /// Time of writing, in seconds since 1970.
    pub written_unix_secs: u64,
    /// Size of its files.
    pub n_bytes: u64,
    /// Whether the project was saved after this was written: then this is an older state of it.
    pub is_superseded: bool,
    /// The program that wrote it.
    pub process: u32,
}

/// An autosave that is empty for as long as this is what a program left that is gone, not one that just begins.
const ABANDONED: Duration = Duration::from_mins(10);

/// All autosaves that no running program holds, the newest first.
pub fn find_recovery(data_folder: &Path) -> io::Result<Vec<Recovery>> {
    let entries = match fs::read_dir(data_folder.join(AUTOSAVES)) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let folder = entry?.path();
        if !Lock::is_free(&folder) {
            continue;
        }
        if !folder.join(PROJECT_FILE).is_file() {
            sweep_abandoned(&folder);
            continue;
        }
        // Without its words an autosave is still worth having.
        let about = bytes_of(&folder.join(ABOUT_FILE)).ok();
        let about = about.and_then(|bytes| ron_text::parse::<About>(&bytes).ok());
        let about = about.unwrap_or(About {
            process: 0,
            written_unix_secs: 0,
            name: "Untitled".to_owned(),
            n_clips: 0,
            project: None,
            project_saved_nanos: None,
        });
        found.push(Recovery {
            n_bytes: n_bytes_below(&folder),
            is_superseded: is_superseded(&about),
            folder,
            project: about.project.map(PathBuf::from),
            name: about.name,
            n_clips: about.n_clips,
            written_unix_secs: about.written_unix_secs,
            process: about.process,
        });
    }
    found.sort_by(|a, b| (b.written_unix_secs, &a.folder).cmp(&(a.written_unix_secs, &b.folder)));
    Ok(found)
}

impl Recovery {
    /// The document as it was, to look at.
    pub fn open(&self) -> Result<Opened, OpenError> {
        ProjectFolder::open(&self.folder, Access::Read)
    }

    /// The document as it was, and the autosave to go on with. Refused while another window has it.
    pub fn resume(&self) -> Result<(Document, Vec<Problem>, Autosave), OpenError> {
        let opened = ProjectFolder::open(&self.folder, Access::Write)?;
        let autosave = Autosave {
            folder: opened.folder,
            last: Some(opened.document.clone()),
        };
        Ok((opened.document, opened.problems, autosave))
    }

    /// Removes it: the work was saved, or is not wanted.
    pub fn discard(self) -> Result<(), SaveError> {
        if !Lock::is_free(&self.folder) {
            return Ok(());
        }
        remove_all(&self.folder)
    }
}

/// When the project in a folder was saved last.
fn saved_nanos(folder: &Path) -> Option<u64> {
    let modified = fs::metadata(folder.join(PROJECT_FILE)).ok()?.modified();
    let since = modified.ok()?.duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(since.as_nanos()).ok()
}

/// Whether the project was saved since. A project that is not there any more was not.
fn is_superseded(about: &About) -> bool {
    let project = about.project.as_ref().map(Path::new);
    let Some(now) = project.and_then(saved_nanos) else {
        return false;
    };
    match about.project_saved_nanos {
        Some(then) => now != then,
        // Written by a program that did not note it down.
        None => now / 1_000_000_000 > about.written_unix_secs,
    }
}

/// Folders of an autosave have no folders in their folders.
fn n_bytes_below(folder: &Path) -> u64 {
    let sizes = |folder: &Path, is_top: bool| -> (u64, Vec<PathBuf>) {
        let (mut n_bytes, mut folders) = (0, Vec::new());
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(found) if found.is_file() => n_bytes += found.len(),
                Ok(found) if found.is_dir() && is_top => folders.push(entry.path()),
                _ => {}
            }
        }
        (n_bytes, folders)
    };
    let (n_bytes, folders) = sizes(folder, true);
    n_bytes + folders.iter().map(|f| sizes(f, false).0).sum::<u64>()
}

/// What a program that was killed left without anything to recover in it. If it cannot be removed, it does no harm.
fn sweep_abandoned(folder: &Path) {
    let modified = fs::metadata(folder).and_then(|found| found.modified());
    let age = modified.map(|at| SystemTime::now().duration_since(at).unwrap_or_default());
    if age.is_ok_and(|age| age > ABANDONED) {
        fs::remove_dir_all(folder).ok();
    }
}

fn remove_all(path: &Path) -> Result<(), SaveError> {
    // What makes it an autosave goes first: if the rest cannot be removed, half of it is at least not offered for
    // recovery.
    for file in [PROJECT_FILE, ABOUT_FILE] {
        match fs::remove_file(path.join(file)) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => {
                return Err(SaveError::io(path.join(file), e));
            }
            _ => {}
        }
    }
    fs::remove_dir_all(path).map_err(|e| SaveError::io(path, e))
}
