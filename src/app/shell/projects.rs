//! Opening and saving projects.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::app::shell::Shell;
use crate::app::shell::autosaves::Autosaves;
use crate::app::shell::context::UiContext;
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::jobs::{Delivery, Shown};
use crate::app::shell::messages::Severity;
use crate::app::shell::view_options::Arrangement;
use crate::app::shell::words::counted;
use crate::document::History;
use crate::file::atomic::Overwrite;
use crate::file::project::{
    Access, LockError, OpenError, Opened, ProjectFolder, Recent, RecentProject, SaveError,
};

/// Where the open project is on disk.
#[derive(Debug, Clone)]
pub struct Place {
    /// Background work writes to it; the window itself never waits for it.
    folder: Arc<Mutex<ProjectFolder>>,
    /// Of the folder.
    pub path: PathBuf,
    /// Whether it was opened to look at only.
    pub is_read_only: bool,
}

impl Place {
    /// An open folder.
    pub(super) fn of(folder: ProjectFolder) -> Self {
        Self {
            path: folder.path().to_owned(),
            is_read_only: folder.is_read_only(),
            folder: Arc::new(Mutex::new(folder)),
        }
    }
}

/// The project's connection to the disk.
#[derive(Debug, Default)]
pub struct Projects {
    /// None for a project that was never saved.
    pub place: Option<Place>,
    /// Where to save it, for one that has no place any more.
    pub(super) proposed: Option<PathBuf>,
    /// Unsaved work, for the case of a crash.
    pub(in crate::app) autosaves: Autosaves,
    /// How many documents there were before this one.
    number: u64,
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
const SAVE: &str = "save";
/// What opening is called there, with the folder behind it.
const OPEN: &str = "open ";

/// A lock that a panic left behind guards files that are never half written: it can still be used.
pub(super) fn lock_folder(place: &Place) -> MutexGuard<'_, ProjectFolder> {
    place.folder.lock().unwrap_or_else(PoisonError::into_inner)
}

impl UiContext {
    /// Whether a save runs; until it ends, the project cannot be changed for another.
    pub fn is_saving(&self) -> bool {
        self.work.is_running(SAVE)
    }

    /// Whether a project is being opened; what is changed until it is there would be lost.
    pub fn is_opening(&self) -> bool {
        self.work.shown().any(|job| job.name.starts_with(OPEN))
    }
}

impl Shell {
    /// Opens a project as a job.
    pub fn open_project(&mut self, path: PathBuf, access: Access) {
        let name = format!("{OPEN}{}", path.display());
        self.start_apart(name, Shown::InBar, move |_| {
            let delivery: Delivery = match ProjectFolder::open(&path, access) {
                Ok(opened) => Box::new(move |shell: &mut Self| shell.take_opened(opened, access)),
                Err(OpenError::Lock(LockError::InUse(owner))) => Box::new(move |shell| {
                    let owner = owner.to_string();
                    shell.dialog = Some(Dialog::InUse { path, owner });
                }),
                Err(error) => {
                    return Err(anyhow::Error::new(error));
                }
            };
            Ok(delivery)
        });
    }

    fn take_opened(&mut self, opened: Opened, access: Access) {
        let path = opened.folder.path().to_owned();
        self.replace_document(History::opened(opened.document));
        self.remember_recent(&path);
        let n = self.document().n_clips();
        self.say(Severity::Done, format!("{} opened", counted(n, "clip")));
        for problem in &opened.problems {
            self.say(Severity::Warning, problem.to_string());
        }
        if access == Access::Read {
            self.say(
                Severity::Info,
                "opened to look at: save it under another name",
            );
        }
        self.projects.place = Some(Place::of(opened.folder));
    }

    /// Starts anew with another document.
    pub(in crate::app) fn replace_document(&mut self, history: History) {
        self.projects.number += 1;
        self.projects.place = None;
        self.projects.proposed = None;
        self.session.begin_anew();
        self.preferences.view.arrangement = Arrangement::default();
        self.last_import = None;
        self.is_recovered = false;
        self.change_history(|now| *now = history);
        let first = self.document().clip_order().first().copied();
        self.session.select(first);
        self.show_from_start();
    }

    fn remember_recent(&mut self, path: &Path) {
        let mut recent: Recent = self.preferences.recent();
        recent.add(RecentProject {
            folder: path.to_owned(),
            name: self.document().name().to_owned(),
            opened_unix_secs: unix_secs(),
        });
        match recent.to_ron() {
            Ok(text) => self.preferences.recent = text,
            Err(error) => self.say(Severity::Warning, format!("recent projects: {error}")),
        }
    }

    /// Saves where the project is.
    pub fn save_project(&mut self) {
        let Some(place) = self.projects.place.clone().filter(|p| !p.is_read_only) else {
            self.ask_where_to_save();
            return;
        };
        let (document, revision) = (self.document().clone(), self.history.revision());
        self.start_apart(SAVE, Shown::InBar, move |_| {
            let result = lock_folder(&place).save(&document).map(|_| ());
            Ok(saved(result, place, revision, None))
        });
    }

    /// Saves in another folder, which becomes the project's.
    pub fn save_project_as(&mut self, path: PathBuf, overwrite: Overwrite) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = name.into_owned();
        // The project is called like its folder: that is no step of the work, and nothing to undo.
        let document = match self.history.document_called(&name) {
            Ok(document) => document,
            Err(error) => {
                self.say(Severity::Error, format!("not saved: {error}"));
                return;
            }
        };
        let revision = self.history.revision();
        self.start_apart(SAVE, Shown::InBar, move |_| {
            let folder = ProjectFolder::create(&path, overwrite);
            let delivery: Delivery = match folder {
                Ok(mut folder) => {
                    let result = folder.save(&document).map(|_| ());
                    saved(result, Place::of(folder), revision, Some(name))
                }
                Err(SaveError::Exists) => Box::new(move |shell: &mut Self| {
                    shell.dialog = Some(Dialog::ReplaceProject { path });
                }),
                Err(error) => not_saved(&error),
            };
            Ok(delivery)
        });
    }

    fn take_saved(&mut self, place: Place, revision: u64, name: Option<String>) {
        if let Some(Err(error)) =
            name.map(|name| self.change_history(|history| history.call_project(&name)))
        {
            self.say(Severity::Error, error.to_string());
        }
        self.change_history(|history| history.mark_saved(revision));
        self.remember_recent(&place.path);
        self.say(Severity::Done, format!("saved in {}", place.path.display()));
        self.projects.place = Some(place);
        self.projects.proposed = None;
        self.go_on_after_save();
    }
}

fn saved(
    result: Result<(), SaveError>,
    place: Place,
    revision: u64,
    name: Option<String>,
) -> Delivery {
    match result {
        Ok(()) => Box::new(move |shell: &mut Shell| shell.take_saved(place, revision, name)),
        Err(error) => not_saved(&error),
    }
}

fn not_saved(error: &SaveError) -> Delivery {
    let words = format!("not saved: {error}");
    Box::new(move |shell: &mut Shell| {
        shell.after_save = None;
        shell.say(Severity::Error, words);
    })
}

/// Seconds since 1970; 0 on a clock that is set before.
fn unix_secs() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
