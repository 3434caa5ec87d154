//! Everything behind the window: the document with its history, the session, the preferences and the running work.
//!
//! Panels read from here and queue [`Request`]s; they cannot change the document themselves, because the history is not
//! theirs to reach. The queue is emptied once per frame, before anything is drawn.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use crate::app::library::clips::ui::LibraryView;
use crate::app::pose::state::PoseView;
use crate::app::shell::actions::Action;
use crate::app::shell::clips::facts::FactsCache;
use crate::app::shell::clips::operations::Operation;
use crate::app::shell::clips::warps::InStep;
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::dialogs::path::{PathBox, PathPurpose};
use crate::app::shell::files::export::Export;
use crate::app::shell::files::import::ImportReport;
use crate::app::shell::jobs::Work;
use crate::app::shell::messages::{Messages, Severity};
use crate::app::shell::preferences::Preferences;
use crate::app::shell::projects::Projects;
use crate::app::shell::session::{Framing, Session};
use crate::app::timeline::match_curve::MatchCurves;
use crate::app::variation::state::VariationView;
use crate::app::viewport::motion_paths::WaysCache;
use crate::document::{ClipId, Command, Document, History};
use crate::file::atomic::Overwrite;
use crate::file::project::{Access, Recovery};
use crate::motion::Clip;

/// Something that a panel or dialog wants done.
#[derive(Debug)]
pub enum Request {
    /// A change to the document.
    Edit(Command),
    /// An action of the menus.
    Do(Action),
    /// Read these.
    Import(Vec<PathBuf>),
    /// Write these.
    Export(Export),
    /// Change the selected clips.
    Operate(Operation),
    /// Keep only these frames of a clip.
    Trim(ClipId, Range<usize>),
    /// Something for which the open project has to go; asks first if it is not saved.
    Leave(Then),
    /// The same, although it is not saved.
    LeaveUnsaved(Then),
    /// Save, then go on.
    SaveThen(Then),
    /// Save in this folder.
    SaveAs(PathBuf, Overwrite),
    /// Bring back what a crash left.
    Recover(Recovery),
    /// Remove what a crash left.
    Discard(Vec<Recovery>),
}

impl Request {
    /// Whether it has to wait until the project that is being opened is there.
    fn needs_document(&self) -> bool {
        match self {
            Self::Do(action) => action.needs_document(),
            Self::Edit(_)
            | Self::Import(_)
            | Self::Export(_)
            | Self::Operate(_)
            | Self::Trim(..)
            | Self::SaveThen(_)
            | Self::SaveAs(..)
            | Self::Recover(_) => true,
            // The program can always be ended.
            Self::Leave(then) => *then != Then::Quit,
            Self::LeaveUnsaved(_) | Self::Discard(_) => false,
        }
    }
}

/// What comes when the open project is gone.
#[derive(Debug, Clone, PartialEq)]
pub enum Then {
    /// An empty project.
    New,
    /// The demo.
    Demo,
    /// Another project.
    Open(PathBuf, Access),
    /// Nothing: the program ends.
    Quit,
}

/// Everything behind the window.
pub struct Studio {
    pub(in crate::app) history: History,
    /// Things of the moment.
    pub session: Session,
    /// What the animator likes.
    pub preferences: Preferences,
    /// What runs in the background.
    pub work: Work,
    /// How the library is looked at.
    pub library: LibraryView,
    /// The variation workspace.
    pub variation: VariationView,
    /// The pose workspace.
    pub pose: PoseView,
    /// What was said.
    pub messages: Messages,
    /// The dialog that is open.
    pub dialog: Option<Dialog>,
    /// The project's place on disk.
    pub projects: Projects,
    /// What is known about clips.
    pub facts: FactsCache,
    /// Which frames of clips go together.
    pub in_step: InStep,
    /// How well loops of clips can close.
    pub match_curves: MatchCurves,
    /// The ways of joints.
    pub ways: WaysCache,
    /// What became of the files that were imported last.
    pub last_import: Option<ImportReport>,
    /// The window's clock.
    pub now_secs: f64,
    /// Whether the document came back after a crash and is nowhere else.
    pub is_recovered: bool,
    /// What to do once the project is saved.
    pub(in crate::app) after_save: Option<Then>,
    /// Whether the window may close.
    pub may_quit: bool,
    requests: Vec<Request>,
    /// The document whose clips the selection was last compared with.
    swept: Document,
    ctx: egui::Context,
}

impl Studio {
    /// More characters at once would be a crowd.
    pub const MOST_SHOWN: usize = 64;

    /// Nothing open yet.
    pub fn new(ctx: egui::Context, preferences: Preferences, data_folder: Option<PathBuf>) -> Self {
        Self {
            history: History::default(),
            session: Session::default(),
            preferences,
            work: Work::default(),
            library: LibraryView::default(),
            variation: VariationView::default(),
            pose: PoseView::default(),
            messages: Messages::default(),
            dialog: None,
            projects: Projects::new(data_folder),
            facts: FactsCache::default(),
            in_step: InStep::default(),
            match_curves: MatchCurves::default(),
            ways: WaysCache::default(),
            last_import: None,
            now_secs: 0.0,
            is_recovered: false,
            after_save: None,
            may_quit: false,
            requests: Vec::new(),
            swept: Document::default(),
            ctx,
        }
    }

    /// The document as it is now.
    pub fn document(&self) -> &Document {
        self.history.document()
    }

    /// Undo and redo, to look at.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Queues something to be done before the next frame is drawn.
    pub fn ask(&mut self, request: Request) {
        self.requests.push(request);
        self.ctx.request_repaint();
    }

    /// Does everything that was asked for.
    pub fn answer_all(&mut self) {
        for request in std::mem::take(&mut self.requests) {
            if self.is_opening() && request.needs_document() {
                let words = "a project is being opened: wait until it is there, or cancel that";
                self.say(Severity::Warning, words);
                continue;
            }
            match request {
                Request::Edit(command) => {
                    self.edit(command);
                }
                Request::Do(action) => action.run(self),
                Request::Import(paths) => self.import(paths),
                Request::Export(export) => self.export(export),
                Request::Operate(operation) => self.operate(operation),
                Request::Trim(id, frames) => self.trim_clip(id, frames),
                Request::Leave(then) => self.leave(then),
                Request::LeaveUnsaved(then) => self.go_on(then),
                Request::SaveThen(then) => self.save_then(then),
                Request::SaveAs(path, overwrite) => self.save_project_as(path, overwrite),
                Request::Recover(recovery) => self.recover(recovery),
                Request::Discard(found) => self.discard_recovery(found),
            }
        }
        // With a whole library selected this takes milliseconds, so only after a change.
        const FEW: usize = 1000;
        if self.session.selection.len() <= FEW || self.swept != *self.history.document() {
            self.session.forget_lost(self.history.document());
            self.swept = self.history.document().clone();
        }
    }

    /// Applies a command as one step; the clips it added, or none if it was refused, which is then said.
    pub(in crate::app) fn edit(&mut self, command: Command) -> Option<Vec<ClipId>> {
        let command = self.auto_keyed(command);
        match self.history.apply(command) {
            Ok(applied) => Some(applied.added),
            Err(error) => {
                self.say(Severity::Error, format!("{error}"));
                None
            }
        }
    }

    /// Says something to the animator.
    pub fn say(&mut self, severity: Severity, text: impl Into<String>) {
        self.messages.say(severity, text);
    }

    /// Wakes the window from another thread.
    pub fn wake(&self) -> impl Fn() + Send + 'static {
        self.waker()
    }

    /// The same for a thread that wakes it again and again.
    pub(in crate::app) fn waker(&self) -> impl Fn() + Send + Clone + 'static {
        let ctx = self.ctx.clone();
        move || ctx.request_repaint()
    }

    /// The selected clips in library order.
    pub fn selected_clips(&self) -> Vec<(ClipId, Arc<Clip>)> {
        let clips = self.document().clips();
        clips
            .filter(|(id, _)| self.session.selection.contains(id))
            .map(|(id, clip)| (id, Arc::clone(clip)))
            .collect()
    }

    /// The clip whose frames are counted.
    pub fn active_clip(&self) -> Option<&Arc<Clip>> {
        self.document().clip(self.session.active?)
    }

    /// How long the selected clips take, from the start of the first to the end of the last.
    pub fn length_secs(&self) -> f64 {
        if let Some(secs) = self.family_secs().or_else(|| self.keyed_secs()) {
            return secs;
        }
        let selected = self.session.selection.iter().take(Self::MOST_SHOWN);
        selected
            .filter_map(|id| Some((*id, self.as_shown(*id)?)))
            .map(|(id, clip)| self.pace(id, clip).secs_at(clip.n_frames() as f64))
            .fold(0.0, f64::max)
    }

    /// Moves the playhead by frames of the active clip, onto a whole frame, without leaving the clips.
    pub fn step_frames(&mut self, frames: f64) {
        let keying = self.shows_posed().then(|| self.keying_now()).flatten();
        let keyed = keying.map(|(_, keying)| keying.fps);
        let fps = keyed.or_else(|| self.counted_clip().map(|clip| clip.fps()));
        let Some(fps) = fps else {
            return;
        };
        self.session.is_playing = false;
        let last = (self.length_secs() * fps - 1.0).max(0.0);
        let frame = (self.session.playhead_secs * fps).round() + frames;
        self.session.playhead_secs = frame.clamp(0.0, last) / fps;
    }

    /// After other clips came into view: all of them, from their start.
    pub fn show_from_start(&mut self) {
        self.session.playhead_secs = 0.0;
        self.session.range_secs = None;
        self.session.span = None;
        self.session.framing = Some(Framing::All);
    }

    /// Whether closing would lose something. A demo or an empty project that nobody touched is no loss.
    pub fn has_unsaved_work(&self) -> bool {
        !self.history.is_saved() && (self.history.revision() > 0 || self.is_recovered)
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
                self.is_recovered = false;
                self.replace_document(History::default());
            }
            Then::Demo => {
                self.is_recovered = false;
                self.open_demo();
            }
            Then::Open(path, access) => {
                self.is_recovered = false;
                self.open_project(path, access);
            }
            Then::Quit => {
                self.may_quit = true;
                self.ctx.send_viewport_cmd(egui::ViewportCommand::Close);
            }
        }
    }

    fn save_then(&mut self, then: Then) {
        self.after_save = Some(then);
        self.save_project();
    }

    /// Called when a save has ended well.
    pub(in crate::app) fn go_on_after_save(&mut self) {
        self.is_recovered = false;
        if let Some(then) = self.after_save.take() {
            self.leave(then);
        }
    }

    /// Asks for a folder to save in.
    pub fn ask_where_to_save(&mut self) {
        let name = format!("{}.kinfolk", self.document().name());
        let folder = directories::UserDirs::new()
            .and_then(|dirs| dirs.document_dir().map(std::path::Path::to_owned))
            .unwrap_or_default();
        self.dialog = Some(Dialog::Path(PathBox::new(
            PathPurpose::SaveAs,
            folder.join(name).display().to_string(),
        )));
    }

    /// The system's dialog was cancelled, or there is none.
    pub fn dialog_gave_nothing(&mut self) {
        self.say(
            Severity::Info,
            "nothing was picked; a path can also be typed or dropped",
        );
    }
}

/// "1 clip", "3 clips".
pub fn counted(n: usize, what: &str) -> String {
    if n == 1 {
        format!("1 {what}")
    } else {
        format!("{n} {what}s")
    }
}
