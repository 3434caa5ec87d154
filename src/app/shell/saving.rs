//! Opens, saves and closes projects.

use std::path::{Path, PathBuf};

use crate::app::shell::Shell;
use crate::app::shell::context::{Delivery, UiContext};
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::messages::Severity;
use crate::app::shell::place::{ProjectPlace, lock_folder};
use crate::app::shell::projects::{OPEN, SAVE, unix_secs};
use crate::app::shell::view_options::Arrangement;
use crate::app::shell::words::counted;
use crate::app::shell::work::Shown;
use crate::document::History;
use crate::file::atomic::Overwrite;
use crate::file::project::{
    Access, LockError, OpenError, Opened, ProjectFolder, Recent, RecentProject, SaveError,
};

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
        self.projects.place = Some(ProjectPlace::of(opened.folder));
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
                    saved(result, ProjectPlace::of(folder), revision, Some(name))
                }
                Err(SaveError::Exists) => Box::new(move |shell: &mut Self| {
                    shell.dialog = Some(Dialog::ReplaceProject { path });
                }),
                Err(error) => not_saved(&error),
            };
            Ok(delivery)
        });
    }

    fn take_saved(&mut self, place: ProjectPlace, revision: u64, name: Option<String>) {
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
    place: ProjectPlace,
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
