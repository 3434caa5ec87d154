//! What the workspaces share: document and history, session, messages, dialogs, actions, jobs, files.
//!
//! [`Shell`] owns the history and alone changes it. Panels get its [`UiContext`]: the document and what is known about
//! clips to read, session and preferences to change, and a queue of requests. Nothing here knows a workspace.

pub mod action_label;
pub mod actions;
pub mod autosaves;
pub mod clips;
mod commands;
pub mod context;
pub mod demo_models;
pub mod dialogs;
pub mod docks;
pub mod drawing;
pub mod files;
pub(in crate::app) mod gpu_errors;
pub mod jobs;
pub mod messages;
pub mod offers;
pub mod on_stage;
pub mod open_demo;
pub mod palette;
pub mod pane;
pub mod place;
pub mod preferences;
pub mod preview_choice;
pub mod previews;
pub mod projects;
pub mod recovery;
pub mod requests;
pub mod retarget;
pub mod saving;
pub mod session;
pub mod shortcuts;
pub mod stage;
pub mod sync;
pub mod theme;
pub mod ui;
pub mod view_options;
pub mod words;
pub mod work;

use std::path::PathBuf;

use crate::app::shell::actions::Action;
use crate::app::shell::context::UiContext;
use crate::app::shell::demo_models::DemoScope;
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::messages::Severity;
use crate::app::shell::preferences::Preferences;
use crate::app::shell::requests::{Request, Then};
use crate::document::{ClipId, Command, Document, History};

pub use crate::app::shell::context::Shell;
use crate::app::shell::dialogs::dialog::{PathBox, PathPurpose};

impl Shell {
    /// A shell with an empty project and nothing running.
    pub fn new(ctx: egui::Context, preferences: Preferences, data_folder: Option<PathBuf>) -> Self {
        Self {
            history: History::default(),
            cx: UiContext::new(ctx, preferences, data_folder),
            is_recovered: false,
            may_quit: false,
            demo_models: None,
            swept: Document::default(),
        }
    }

    /// Does what was asked for, and gives back an action: that may be about any workspace.
    pub fn answer(&mut self, request: Request) -> Option<Action> {
        if self.is_opening() && request.needs_document() {
            let words = "a project is being opened: wait until it is there, or cancel that";
            self.say(Severity::Warning, words);
            return None;
        }
        match request {
            Request::Do(action) => return Some(action),
            Request::Edit(command) => {
                self.edit(command);
            }
            Request::Import(paths) => self.import(paths),
            Request::Export(export) => self.export(export),
            Request::Operate(operation) => self.operate(operation),
            Request::Retarget(order) => self.retarget_clips(order),
            Request::Trim(id, frames) => self.trim_clip(id, frames),
            Request::Leave(then) => self.leave(then),
            Request::LeaveUnsaved(then) => self.go_on(then),
            Request::SaveThen(then) => self.save_then(then),
            Request::SaveAs(path, overwrite) => self.save_project_as(path, overwrite),
            Request::Discard(found) => self.discard_recovery(found),
        }
        None
    }

    /// Forgets what names clips that are gone.
    pub(in crate::app) fn sweep_session(&mut self) {
        // With a whole library selected this takes milliseconds, so only after a change.
        const FEW: usize = 1000;
        let document = self.history.document();
        if self.cx.session.selection.len() <= FEW || self.swept != *document {
            self.cx.session.forget_lost(document);
            self.swept = document.clone();
        }
    }

    /// Changes the history, and shows panels what became of it.
    fn change_history<T>(&mut self, change: impl FnOnce(&mut History) -> T) -> T {
        let result = change(&mut self.history);
        self.show_document();
        result
    }

    fn show_document(&mut self) {
        let is_touched = self.history.revision() > 0 || self.is_recovered;
        let is_unsaved = !self.history.is_saved() && is_touched;
        self.cx.show_history(&self.history, is_unsaved);
    }

    fn set_recovered(&mut self, is_recovered: bool) {
        self.is_recovered = is_recovered;
        self.show_document();
    }

    /// Takes back the last step.
    pub(in crate::app) fn undo(&mut self) {
        if let Some(step) = self.change_history(History::undo) {
            self.say(Severity::Info, format!("undone: {step}"));
        }
    }

    /// Does again what was taken back.
    pub(in crate::app) fn redo(&mut self) {
        if let Some(step) = self.change_history(History::redo) {
            self.say(Severity::Info, format!("done again: {step}"));
        }
    }

    /// Applies a command as one step; the clips it added, or none if it was refused, which is then said.
    pub(in crate::app) fn edit(&mut self, command: Command) -> Option<Vec<ClipId>> {
        match self.change_history(|history| history.apply(command)) {
            Ok(applied) => {
                if applied.changed
                    && let Some(step) = self.undo_label()
                {
                    let words = format!("Done: {step}");
                    self.messages.note(Severity::Done, words);
                }
                Some(applied.added)
            }
            Err(error) => {
                self.say(Severity::Error, format!("{error}"));
                None
            }
        }
    }

    /// Starts what needs the open project out of the way, or asks what to do with it.
    fn leave(&mut self, then: Then) {
        if self.has_unsaved_work() {
            self.dialog = Some(Dialog::Unsaved { then });
        } else {
            self.go_on(then);
        }
    }

    fn go_on(&mut self, then: Then) {
        match then {
            Then::New => {
                self.replace_document(History::default());
                // What was said last was about another project.
                self.messages.note(Severity::Info, "New project");
            }
            Then::Demo => self.open_demo(DemoScope::Project),
            Then::Open(path, access) => self.open_project(path, access),
            Then::Recover(recovery) => self.recover(recovery),
            Then::Quit => {
                self.may_quit = true;
                self.cx.close_window();
            }
        }
    }

    fn save_then(&mut self, then: Then) {
        self.after_save = Some(then);
        self.save_project();
    }

    /// Called when a save has ended well.
    pub(in crate::app) fn go_on_after_save(&mut self) {
        self.set_recovered(false);
        if let Some(then) = self.after_save.take() {
            self.leave(then);
        }
    }

    /// Asks for a folder to save in.
    pub fn ask_where_to_save(&mut self) {
        let path = self.proposed_path();
        self.dialog = Some(Dialog::Path(PathBox::new(
            PathPurpose::SaveAs,
            path.display().to_string(),
        )));
    }

    /// Where the project would be saved: beside where it is, or else among the user's documents; never a path whose
    /// meaning depends on where the program was started.
    fn proposed_path(&self) -> PathBuf {
        if let Some(path) = &self.projects.proposed {
            return path.clone();
        }
        let name = format!("{}.kinfolk", self.document().name());
        let place = self.projects.place.as_ref();
        if let Some(folder) = place.and_then(|place| place.path.parent()) {
            return folder.join(name);
        }
        let dirs = directories::UserDirs::new();
        let documents = dirs.as_ref().and_then(|dirs| dirs.document_dir());
        let home = dirs.as_ref().map(directories::UserDirs::home_dir);
        let folder = documents.or(home).map(std::path::Path::to_owned);
        let folder = folder.or_else(|| std::env::current_dir().ok());
        folder.unwrap_or_default().join(name)
    }
}
