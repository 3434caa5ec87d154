//! Keeps unsaved work for the case of a crash, and offers what a crash left.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::autosaves::{AUTOSAVE, AutosaveStep, RETRY_SECS, Stamp, lock};
use crate::app::shell::context::Delivery;
use crate::app::shell::demo_models::DemoScope;
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::messages::Severity;
use crate::app::shell::place::ProjectPlace;
use crate::app::shell::work::Shown;
use crate::document::{Document, History};
use crate::file::project::{
    Access, Autosave, LockError, OpenError, Problem, ProjectFolder, Recovery, find_recovery,
};

impl Shell {
    fn stamp(&self) -> Stamp {
        Stamp {
            project_number: self.projects.number(),
            revision: self.revision(),
            is_unsaved: self.has_unsaved_work(),
        }
    }

    /// Once per frame: if the autosave is not of this document, it is brought up to date soon; before large work, which
    /// may take the machine down, at once. How long the window may rest until then.
    pub(in crate::app) fn follow_with_autosave(&mut self) -> Option<f64> {
        let is_before_work = std::mem::take(&mut self.wants_autosave);
        let (stamp, now_secs) = (self.stamp(), self.now_secs);
        let autosaves = &mut self.projects.autosaves;
        if stamp == autosaves.followed {
            autosaves.behind_since_secs = None;
            return None;
        }
        autosaves.behind_since_secs.get_or_insert(now_secs);
        let is_due = autosaves
            .due_in_secs(now_secs)
            .is_some_and(|secs| secs <= 0.0);
        // What is not to be recovered any more goes at once.
        let is_urgent = is_before_work || !stamp.is_unsaved;
        if is_due || (is_urgent && now_secs >= autosaves.not_before_secs) {
            self.autosave_now();
        }
        self.projects.autosaves.due_in_secs(now_secs)
    }

    /// Brings the autosave up to date, unless that is being done.
    pub fn autosave_now(&mut self) {
        if self.work.is_running(AUTOSAVE) {
            return;
        }
        let (stamp, document) = (self.stamp(), self.document().clone());
        let place = self.projects.place.clone();
        let autosaves = &mut self.projects.autosaves;
        autosaves.followed = stamp;
        autosaves.behind_since_secs = None;
        let step = match autosaves.data_folder.clone() {
            Some(data) if stamp.is_unsaved => {
                autosaves.has_content = true;
                AutosaveStep::Write(data, Box::new(document), place)
            }
            _ if autosaves.has_content => {
                autosaves.has_content = false;
                AutosaveStep::Retire
            }
            _ => return,
        };
        let slot = Arc::clone(&autosaves.slot);
        self.start_apart(AUTOSAVE, Shown::Quietly, move |_| {
            let result = step.run(&slot);
            let delivery: Delivery = Box::new(move |shell: &mut Self| shell.take_autosaved(result));
            Ok(delivery)
        });
    }

    fn take_autosaved(&mut self, result: anyhow::Result<()>) {
        let again_secs = self.now_secs + RETRY_SECS;
        let autosaves = &mut self.projects.autosaves;
        let Err(error) = result else {
            autosaves.is_failing = false;
            return;
        };
        // Nothing is like this, so it is tried again.
        autosaves.followed.project_number = u64::MAX;
        autosaves.has_content = true;
        autosaves.not_before_secs = again_secs;
        if !std::mem::replace(&mut autosaves.is_failing, true) {
            let words = format!(
                "unsaved work cannot be kept for the case of a crash: {error:#}; save the project"
            );
            self.say(Severity::Warning, words);
        }
    }

    /// At a clean exit nothing has to be recovered.
    pub fn forget_autosave(&mut self) {
        let mut slot = lock(&self.projects.autosaves.slot);
        slot.is_closed = true;
        if let Some(autosave) = slot.autosave.take() {
            // The program ends; nobody is left to be told, and what stays is offered at the next start.
            autosave.remove().ok();
        }
    }
}

/// Why autosaves are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) enum Look {
    /// The program starts: only what is newer than what was saved is worth a question.
    AtStart {
        /// What of the demo is opened if there is nothing to recover.
        demo: Option<DemoScope>,
    },
    /// The animator wants to see all of it.
    Asked,
}

/// A recovered document, and where it belongs.
struct Recovered {
    recovery: Recovery,
    pub(super) document: Document,
    problems: Vec<Problem>,
    pub(super) autosave: Autosave,
    home: Home,
}

/// Where recovered work is saved.
enum Home {
    /// Where it was: the project is as it was when the work began.
    Project(Box<ProjectFolder>),
    /// It was never saved.
    None,
    /// Beside the project, for this reason.
    Beside(PathBuf, String),
}

impl Home {
    fn of(recovery: &Recovery) -> Self {
        let Some(path) = &recovery.project else {
            return Self::None;
        };
        if recovery.is_superseded {
            let why = format!("{} was saved since", path.display());
            return Self::Beside(beside(path), why);
        }
        match ProjectFolder::open(path, Access::Write) {
            Ok(opened) => Self::Project(Box::new(opened.folder)),
            Err(error) => {
                let is_gone = matches!(error, OpenError::NotAProject);
                let free = if is_gone { path.clone() } else { beside(path) };
                Self::Beside(free, format!("{}: {error}", path.display()))
            }
        }
    }
}

/// A name for recovered work that does not replace what is there.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{name} recovered.kinfolk"))
}

impl Shell {
    /// Looks for work that a crash left, and offers it.
    pub(in crate::app) fn look_for_recovery(&mut self, look: Look) {
        let Some(data) = self.projects.autosaves.data_folder.clone() else {
            self.take_found(Vec::new(), look);
            return;
        };
        self.start_apart("look for autosaves", Shown::Quietly, move |_| {
            let found = find_recovery(&data);
            let delivery: Delivery = Box::new(move |shell: &mut Self| match found {
                Ok(found) => shell.take_found(found, look),
                Err(error) => {
                    let words = format!("cannot look for work to recover: {error}");
                    shell.say(Severity::Warning, words);
                    shell.take_found(Vec::new(), look);
                }
            });
            Ok(delivery)
        });
    }

    fn take_found(&mut self, found: Vec<Recovery>, look: Look) {
        let is_news = found.iter().any(|recovery| !recovery.is_superseded);
        match look {
            _ if is_news => self.dialog = Some(Dialog::Recovery { found }),
            Look::AtStart { demo: Some(scope) } => self.open_demo(scope),
            Look::AtStart { demo: None } => {}
            Look::Asked if found.is_empty() => {
                self.say(Severity::Info, "there is no work to recover");
            }
            Look::Asked => self.dialog = Some(Dialog::Recovery { found }),
        }
    }

    /// Brings back what a crash left.
    pub(super) fn recover(&mut self, recovery: Recovery) {
        self.start_apart("recover", Shown::InBar, move |_| {
            let delivery: Delivery = match recovery.resume() {
                Ok((document, problems, autosave)) => {
                    let recovered = Recovered {
                        home: Home::of(&recovery),
                        recovery,
                        document,
                        problems,
                        autosave,
                    };
                    Box::new(move |shell: &mut Self| shell.take_recovered(recovered))
                }
                Err(OpenError::Lock(LockError::InUse(_))) => Box::new(move |shell| {
                    let words = format!("another window has recovered {} already", recovery.name);
                    shell.say(Severity::Warning, words);
                }),
                Err(error) => return Err(error.into()),
            };
            Ok(delivery)
        });
    }

    fn take_recovered(&mut self, recovered: Recovered) {
        let mut history = History::unsaved(recovered.document);
        history.mark_unsaved();
        self.replace_document(history);
        self.set_recovered(true);
        self.go_on_in(recovered.autosave);
        for problem in &recovered.problems {
            self.say(Severity::Warning, problem.to_string());
        }
        let name = &recovered.recovery.name;
        let words = match recovered.home {
            Home::Project(folder) => {
                let place = ProjectPlace::of(*folder);
                let words = format!(
                    "{name} recovered: save puts it into {}",
                    place.path.display()
                );
                self.projects.place = Some(place);
                words
            }
            Home::None => format!("{name} recovered; it was never saved: save it now"),
            Home::Beside(path, why) => {
                self.projects.proposed = Some(path);
                format!("{name} recovered; it needs another place to be saved in: {why}")
            }
        };
        self.say(Severity::Warning, words);
    }

    /// This window's autosave is from now on the one that was recovered; the one before has nothing to recover.
    fn go_on_in(&mut self, autosave: Autosave) {
        let stamp = self.stamp();
        let autosaves = &mut self.projects.autosaves;
        autosaves.followed = stamp;
        autosaves.behind_since_secs = None;
        autosaves.has_content = true;
        let before = lock(&autosaves.slot).autosave.replace(autosave);
        if let Some(before) = before {
            self.start_apart("discard autosaves", Shown::Quietly, move |_| {
                before.remove()?;
                let delivery: Delivery = Box::new(|_| ());
                Ok(delivery)
            });
        }
    }

    /// Removes what a crash left.
    pub(super) fn discard_recovery(&mut self, found: Vec<Recovery>) {
        self.start_apart("discard autosaves", Shown::Quietly, move |_| {
            found.into_iter().try_for_each(Recovery::discard)?;
            let delivery: Delivery = Box::new(|_| ());
            Ok(delivery)
        });
    }
}
