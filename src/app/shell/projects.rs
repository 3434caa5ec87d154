//! Opening and saving projects, autosaves, and what comes back after a crash.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::jobs::{Delivery, Shown};
use crate::app::shell::messages::Severity;
use crate::app::shell::words::counted;
use crate::document::{Document, DocumentParts, History};
use crate::file::atomic::Overwrite;
use crate::file::project::{
    Access, Autosave, LockError, OpenError, Opened, ProjectFolder, Recent, RecentProject, Recovery,
    SaveError, find_recovery,
};

/// A folder that background work writes to; the window itself never waits for it.
type Shared<T> = Arc<Mutex<T>>;

/// Where the open project is on disk.
#[derive(Debug, Clone)]
pub struct Place {
    folder: Shared<ProjectFolder>,
    /// Of the folder.
    pub path: PathBuf,
    /// Whether it was opened to look at only.
    pub is_read_only: bool,
}

/// The project's connection to the disk.
#[derive(Debug, Default)]
pub struct Projects {
    /// None for a project that was never saved.
    pub place: Option<Place>,
    /// Where autosaves go; tests without one write none.
    data_folder: Option<PathBuf>,
    autosave: Shared<Option<Autosave>>,
    autosaved_revision: Option<u64>,
    next_autosave_secs: f64,
    /// Not again before work until then.
    next_before_work_secs: f64,
    /// How many documents there were before this one.
    number: u64,
    /// A recovered autosave that is not needed any more once its work is saved.
    recovered: Option<Recovery>,
}

impl Projects {
    /// Nothing open yet; autosaves go below this folder.
    pub(in crate::app) fn new(data_folder: Option<PathBuf>) -> Self {
        Self {
            data_folder,
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
const AUTOSAVE_EVERY_SECS: f64 = 120.0;
/// Many small jobs one after another need one autosave, not many.
const BEFORE_WORK_EVERY_SECS: f64 = 20.0;

/// A lock that a panic left behind guards files that are never half written: it can still be used.
fn lock<T>(shared: &Shared<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
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
        self.projects.place = Some(Place {
            is_read_only: opened.folder.is_read_only(),
            folder: Arc::new(Mutex::new(opened.folder)),
            path,
        });
    }

    /// Starts anew with another document.
    pub(in crate::app) fn replace_document(&mut self, history: History) {
        self.projects.number += 1;
        self.projects.place = None;
        self.projects.autosaved_revision = None;
        self.session.camera = None;
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
        let autosave = Arc::clone(&self.projects.autosave);
        self.start_apart(SAVE, Shown::InBar, move |_| {
            let result = lock(&place.folder).save(&document).map(|_| ());
            Ok(saved(result, place, (revision, None), &autosave))
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
        let autosave = Arc::clone(&self.projects.autosave);
        self.start_apart(SAVE, Shown::InBar, move |_| {
            let folder = ProjectFolder::create(&path, overwrite);
            let delivery: Delivery = match folder {
                Ok(mut folder) => {
                    let result = folder.save(&document).map(|_| ());
                    let place = Place {
                        folder: Arc::new(Mutex::new(folder)),
                        path,
                        is_read_only: false,
                    };
                    saved(result, place, (revision, Some(name)), &autosave)
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
        if let Some(recovery) = self.projects.recovered.take()
            && let Err(error) = recovery.discard()
        {
            self.say(Severity::Warning, format!("old autosave: {error}"));
        }
        self.go_on_after_save();
    }

    /// Writes an autosave if it is time and something changed.
    pub fn autosave_if_due(&mut self) {
        let revision = self.history.revision();
        if self.now_secs < self.projects.next_autosave_secs {
            return;
        }
        self.projects.next_autosave_secs = self.now_secs + AUTOSAVE_EVERY_SECS;
        if self.has_unsaved_work() && self.projects.autosaved_revision != Some(revision) {
            self.autosave_now();
        }
    }

    /// Writes an autosave where work that may take the machine down began, unless one was written just now.
    pub(in crate::app) fn autosave_for_work(&mut self) {
        if !std::mem::take(&mut self.wants_autosave) {
            return;
        }
        let revision = self.history.revision();
        let is_new = self.projects.autosaved_revision != Some(revision);
        if self.now_secs >= self.projects.next_before_work_secs && self.has_unsaved_work() && is_new
        {
            self.projects.next_before_work_secs = self.now_secs + BEFORE_WORK_EVERY_SECS;
            self.autosave_now();
        }
    }

    /// Writes an autosave.
    pub fn autosave_now(&mut self) {
        let Some(data) = self.projects.data_folder.clone() else {
            return;
        };
        let revision = self.history.revision();
        self.projects.autosaved_revision = Some(revision);
        let document = self.document().clone();
        let place = self.projects.place.clone();
        let autosave = Arc::clone(&self.projects.autosave);
        self.start_apart("autosave", Shown::Quietly, move |_| {
            let mut autosave = lock(&autosave);
            if autosave.is_none() {
                *autosave = Some(Autosave::begin(&data)?);
            }
            if let Some(autosave) = autosave.as_mut() {
                let folder = place.as_ref().map(|place| lock(&place.folder));
                autosave.write(&document, folder.as_deref())?;
            }
            let delivery: Delivery = Box::new(|_| ());
            Ok(delivery)
        });
    }

    /// Looks for work that a crash left, and offers it.
    pub fn look_for_recovery(&mut self) {
        let Some(data) = self.projects.data_folder.clone() else {
            return;
        };
        self.start_apart("look for autosaves", Shown::Quietly, move |_| {
            let found = find_recovery(&data)?;
            let delivery: Delivery = Box::new(move |shell: &mut Self| {
                if !found.is_empty() {
                    shell.dialog = Some(Dialog::Recovery { found });
                }
            });
            Ok(delivery)
        });
    }

    /// Brings back what a crash left.
    pub fn recover(&mut self, recovery: Recovery) {
        self.start_apart("recover", Shown::InBar, move |_| {
            let opened = recovery.open()?;
            let delivery: Delivery = Box::new(move |shell: &mut Self| {
                let mut history = History::unsaved(opened.document);
                history.mark_unsaved();
                shell.replace_document(history);
                shell.set_recovered(true);
                let was = recovery.project.as_ref().map(|p| p.display().to_string());
                let words = match was {
                    Some(path) => format!("recovered; the project was in {path}: save it there"),
                    None => "recovered; it was never saved: save it now".to_owned(),
                };
                shell.say(Severity::Warning, words);
                shell.projects.recovered = Some(recovery);
            });
            Ok(delivery)
        });
    }

    /// Removes what a crash left.
    pub fn discard_recovery(&mut self, found: Vec<Recovery>) {
        self.start_apart("discard autosaves", Shown::Quietly, move |_| {
            found.into_iter().try_for_each(Recovery::discard)?;
            let delivery: Delivery = Box::new(|_| ());
            Ok(delivery)
        });
    }

    /// At a clean exit nothing has to be recovered.
    pub fn forget_autosave(&mut self) {
        if let Some(autosave) = lock(&self.projects.autosave).take() {
            // The program ends; nobody is left to be told, and what stays is offered at the next start.
            autosave.remove().ok();
        }
    }

    /// The demo library as a project that is not saved yet.
    pub fn open_demo(&mut self) {
        self.start_apart("make the demo motions", Shown::InBar, |_| {
            let clips = crate::demo::library().into_iter();
            let clips: Vec<_> = (1..).zip(clips.map(|demo| Arc::new(demo.clip))).collect();
            let document = Document::from_parts(DocumentParts {
                name: "Demo".to_owned(),
                notes: String::new(),
                next_number: clips.len() as u64 + 1,
                clips: clips
                    .into_iter()
                    .map(|(n, clip)| (crate::document::ClipId(n), clip))
                    .collect(),
                ..DocumentParts::default()
            })?;
            let delivery: Delivery = Box::new(move |shell: &mut Self| {
                shell.replace_document(History::unsaved(document));
                shell.session.is_playing = true;
                shell.say(Severity::Info, "the demo library: motions to try things on");
            });
            Ok(delivery)
        });
    }
}

fn saved(
    result: Result<(), SaveError>,
    place: Place,
    (revision, name): (u64, Option<String>),
    autosave: &Shared<Option<Autosave>>,
) -> Delivery {
    match result {
        Ok(()) => {
            // An autosave that stays is offered once too often; that does no harm.
            if let Some(autosave) = lock(autosave).as_mut() {
                autosave.retire().ok();
            }
            Box::new(move |shell: &mut Shell| {
                shell.take_saved(place, revision, name);
            })
        }
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
