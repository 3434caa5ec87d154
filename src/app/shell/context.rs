//! What every panel gets of the shell: the document and what is known about clips to read, session and preferences to
//! change, and a queue for everything else.
//!
//! Panels cannot change the document: the history is not here. They ask, and the shell answers before the next frame is
//! drawn. Jobs may be started from here, since their results come back as requests do: in the window's own time.

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::Arc;

use crate::app::shell::actions::ActionStates;
use crate::app::shell::clips::analysis::AnalysisCache;
use crate::app::shell::clips::warps::WarpCache;
use crate::app::shell::demo_models::DemoModels;
use crate::app::shell::dialogs::dialog::Dialog;
use crate::app::shell::files::import_report::ImportReport;
use crate::app::shell::messages::{Messages, Severity};
use crate::app::shell::pane::Pane;
use crate::app::shell::preferences::Preferences;
use crate::app::shell::previews::Previews;
use crate::app::shell::projects::Projects;
use crate::app::shell::requests::{Request, Then};
use crate::app::shell::retarget::findings::RetargetTool;
use crate::app::shell::retarget::maps::BoneMaps;
use crate::app::shell::session::{Framing, Session, Subject};
use crate::app::shell::ui::tour_step::Tour;
use crate::app::shell::work::Work;
use crate::document::{ClipId, Document, History};
use crate::motion::Clip;

/// What is played in place of clips: a workspace that has something of its own to play says so in every frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timebase {
    /// What it is; it has a playhead of its own.
    pub subject: Subject,
    /// From start to end.
    pub secs: f64,
    /// The frame rate, in frames per second.
    pub fps: f64,
}

impl Timebase {
    /// Its length in frames, rounded to a whole number.
    pub fn n_frames(self) -> usize {
        (self.secs * self.fps).round() as usize
    }
}

/// The document as the history has it, copied after every change; copies share their clips.
#[derive(Debug, Default)]
struct Snapshot {
    document: Document,
    revision: u64,
    undo_label: Option<String>,
    redo_label: Option<String>,
    is_unsaved: bool,
}

/// What every panel gets of the shell.
pub struct UiContext {
    snapshot: Snapshot,
    /// Selection, playhead, camera: things of the moment.
    pub session: Session,
    /// What the animator likes.
    pub preferences: Preferences,
    /// What is shown before it is done.
    pub previews: Previews,
    /// What plays in place of clips.
    pub timebase: Option<Timebase>,
    /// What runs in the background.
    pub work: Work<Delivery>,
    /// The messages of the status bar and their list.
    pub messages: Messages,
    /// The dialog that is open.
    pub dialog: Option<Dialog>,
    /// The tour, while it is taken.
    pub tour: Option<Tour>,
    /// The tool that brings clips onto another skeleton, while it is open.
    pub retarget_tool: Option<RetargetTool>,
    /// Bone maps that were set by hand.
    pub bone_maps: BoneMaps,
    /// A panel that should come to the front.
    pub wanted_pane: Option<Pane>,
    /// The project's place on disk.
    pub projects: Projects,
    /// What is known about clips.
    pub analyses: AnalysisCache,
    /// Which frames of clips go together.
    pub warps: WarpCache,
    /// What became of the files that were imported last.
    pub last_import: Option<ImportReport>,
    /// Which actions make sense now, and which are on.
    pub actions: ActionStates,
    /// Whether no file can be dropped on the window.
    pub is_on_wayland: bool,
    /// The time of the window's clock, from its start.
    pub now_secs: f64,
    /// What to do once the project is saved.
    pub(in crate::app::shell) after_save: Option<Then>,
    /// Whether large work began: what is not saved is autosaved, since that may take the machine down.
    pub(in crate::app::shell) wants_autosave: bool,
    requests: Vec<Request>,
    ctx: egui::Context,
}

/// Document and history, and everything that the workspaces share.
pub struct Shell {
    pub(super) history: History,
    pub(super) cx: UiContext,
    /// Whether the document came back after a crash and is nowhere else.
    pub(super) is_recovered: bool,
    /// Whether the window may close.
    pub may_quit: bool,
    /// What was learned of the demo, until the workspaces show it.
    pub(in crate::app) demo_models: Option<DemoModels>,
    /// The document whose clips the selection was last compared with.
    pub(super) swept: Document,
}

/// Whoever may change the document may do everything that panels may.
impl Deref for Shell {
    type Target = UiContext;

    fn deref(&self) -> &UiContext {
        &self.cx
    }
}

impl DerefMut for Shell {
    fn deref_mut(&mut self) -> &mut UiContext {
        &mut self.cx
    }
}

/// What is done with a result, in the window's own thread.
pub type Delivery = Box<dyn FnOnce(&mut Shell) + Send>;

impl UiContext {
    /// Copies what panels may see of the history.
    pub(in crate::app::shell) fn show_history(&mut self, history: &History, is_unsaved: bool) {
        self.snapshot = Snapshot {
            document: history.document().clone(),
            revision: history.revision(),
            undo_label: history.undo_label().map(str::to_owned),
            redo_label: history.redo_label().map(str::to_owned),
            is_unsaved,
        };
    }

    /// More characters at once would be a crowd.
    pub const MOST_SHOWN: usize = 64;

    pub(in crate::app::shell) fn new(
        ctx: egui::Context,
        preferences: Preferences,
        data_folder: Option<PathBuf>,
    ) -> Self {
        Self {
            snapshot: Snapshot::default(),
            session: Session::default(),
            preferences,
            previews: Previews::default(),
            timebase: None,
            work: Work::default(),
            messages: Messages::default(),
            dialog: None,
            tour: None,
            retarget_tool: None,
            bone_maps: BoneMaps::below(data_folder.as_ref()),
            wanted_pane: None,
            projects: Projects::new(data_folder),
            analyses: AnalysisCache::default(),
            warps: WarpCache::default(),
            last_import: None,
            actions: ActionStates::default(),
            is_on_wayland: false,
            now_secs: 0.0,
            after_save: None,
            wants_autosave: false,
            requests: Vec::new(),
            ctx,
        }
    }

    /// The document as it is now.
    pub fn document(&self) -> &Document {
        &self.snapshot.document
    }

    /// Names the state of the document, as [`History::revision`] does.
    pub fn revision(&self) -> u64 {
        self.snapshot.revision
    }

    /// What undo would take back.
    pub fn undo_label(&self) -> Option<&str> {
        self.snapshot.undo_label.as_deref()
    }

    /// What redo would do again.
    pub fn redo_label(&self) -> Option<&str> {
        self.snapshot.redo_label.as_deref()
    }

    /// Whether closing would lose something. A demo or an empty project that nobody touched is no loss.
    pub fn has_unsaved_work(&self) -> bool {
        self.snapshot.is_unsaved
    }

    /// What was asked for since the queue was last emptied.
    pub fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    /// Queues something to be done before the next frame is drawn.
    pub fn ask(&mut self, request: Request) {
        self.requests.push(request);
        self.ctx.request_repaint();
    }

    /// Closes the window; the program ends.
    pub(in crate::app::shell) fn close_window(&self) {
        self.ctx.send_viewport_cmd(egui::ViewportCommand::Close);
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
        let workspace = self.timebase.map(|timebase| timebase.secs);
        if let Some(secs) = self.family_secs().or(workspace) {
            return secs;
        }
        let selected = self.session.selection.iter().take(Self::MOST_SHOWN);
        selected
            .filter_map(|id| Some((*id, self.as_shown(*id)?)))
            .map(|(id, clip)| self.time_map(id, clip).secs_at(clip.n_frames() as f64))
            .fold(0.0, f64::max)
    }

    /// Once what is shown is known: the playhead is that of it, and within it.
    pub(in crate::app) fn turn_to_subject(&mut self) {
        let own = self.timebase.map(|timebase| timebase.subject);
        let subject = self.family_subject().or(own).unwrap_or(Subject::Clips);
        let arrangement = &mut self.preferences.view.arrangement;
        self.session.turn_to(subject, arrangement);
        let length = self.length_secs();
        self.session.keep_within(length);
    }

    /// Moves the playhead by frames of the active clip, onto a whole frame, without leaving the clips.
    pub fn step_frames(&mut self, frames: f64) {
        let fps = self.timebase.map(|timebase| timebase.fps);
        let fps = fps.or_else(|| self.counted_clip().map(|clip| clip.fps()));
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

    /// The system's dialog was cancelled, or there is none.
    pub fn dialog_gave_nothing(&mut self) {
        self.say(
            Severity::Info,
            "nothing was picked; a path can also be typed or dropped",
        );
    }
}
