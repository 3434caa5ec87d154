//! Paths on the floor that a motion texture follows: drawn, edited, walked again when they change.
//!
//! While the panel is seen, the 3D view shows the path, and the mouse edits it. A drag is one step; the walk is made
//! anew in the background, and the last one stays to be seen until then.

pub mod keyboard;
pub mod simplify;
pub mod solve;
pub mod ui;
mod view;
pub mod view_ui;

use std::sync::Arc;

use crate::app::render::Mannequin;
use crate::app::sequence::path::simplify::simplified;
use crate::app::sequence::path::solve::{WalkError, Walked, walk};
use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::context::{Timebase, UiContext};
use crate::app::shell::jobs::Unseen;
use crate::app::shell::messages::Severity;
use crate::app::shell::requests::Request;
use crate::app::shell::session::{Framing, Subject};
use crate::app::shell::work::Shown;
use crate::document::{Command, DrawnPath, PathId};
use crate::jobs::Cancelled;
use crate::motion::edit;
use crate::motion::path::PathPoint;
use crate::texture::{Texture, TextureError};
use view::{Wanted, is_same_walk};

pub(in crate::app::sequence) use view::Body;
pub use view::{PathTool, PathView};

/// The job, as the status bar calls it.
pub const WALK_JOB: &str = "walk the path";

/// A line by hand is kept to this; metres of a body of 1.75 m. Hands shake by less.
const TOLERANCE_METRES: f64 = 0.12;

/// Shorter lines are clicks that slipped; metres.
const LEAST_METRES: f64 = 0.5;

impl SequenceWorkspace {
    /// Whether the 3D view is about paths.
    pub fn shows_path(&self, cx: &UiContext) -> bool {
        Self::is_shown(cx)
            && self.path.is_open
            && self.live.playing.is_none()
            && self.path_texture(cx).is_some()
    }

    /// The path that is seen: the chosen one, or else the last there is.
    pub fn chosen_path(&self, cx: &UiContext) -> Option<(PathId, Arc<DrawnPath>)> {
        let document = cx.document();
        let of = |id: PathId| Some((id, Arc::clone(document.path(id)?)));
        let last = document.paths().last().map(|(id, _)| *id);
        self.path.chosen.and_then(of).or_else(|| of(last?))
    }

    /// The same as it is seen: while a point is dragged, not yet as the document has it.
    pub fn path_now(&self, cx: &UiContext) -> Option<Arc<DrawnPath>> {
        let draft = self.path.draft.as_ref().map(Arc::clone);
        draft.or_else(|| self.chosen_path(cx).map(|(_, path)| path))
    }

    /// The texture of the chosen path; for one that has none, or before there is a path, the chosen texture.
    pub fn path_texture(&self, cx: &UiContext) -> Option<Arc<Texture>> {
        let of_path = self.chosen_path(cx).and_then(|(_, path)| path.texture);
        let of_path = of_path.and_then(|id| match &cx.document().model(id)?.learned {
            crate::document::Learned::Texture(texture) => Some(Arc::clone(texture)),
            _ => None,
        });
        of_path.or_else(|| self.chosen_texture(cx).map(|(_, texture)| texture))
    }

    /// The walk along the chosen path; it may lag behind its points.
    pub fn walked(&self) -> Option<&Arc<Walked>> {
        self.path.walked.as_ref()
    }

    /// Whether the walk is about the path as it is.
    pub fn is_walk_current(&self, cx: &UiContext) -> bool {
        let (Some(walked), Some((_, path))) = (self.walked(), self.chosen_path(cx)) else {
            return false;
        };
        is_same_walk(&walked.path, &path)
    }

    /// Why the path cannot be walked.
    pub fn walk_failure(&self) -> Option<&str> {
        self.path.failed.as_ref().map(|(_, why)| why.as_str())
    }

    /// Who walks, once it is known how to draw it.
    pub(in crate::app::sequence) fn path_body(&self, texture: &Arc<Texture>) -> Option<&Arc<Body>> {
        let (of, body) = self.path.body.as_ref()?;
        Arc::ptr_eq(of, texture).then_some(body)
    }

    /// How long the walk is that the 3D view shows.
    pub(in crate::app::sequence) fn path_timebase(&self, cx: &UiContext) -> Option<Timebase> {
        let walked = self.walked().filter(|_| self.shows_path(cx))?;
        let (id, _) = self.chosen_path(cx)?;
        Some(Timebase {
            subject: Subject::Own("path", id.0),
            secs: walked.clip.seconds(),
            fps: walked.clip.fps(),
        })
    }

    /// Once per frame: walks what is to be walked.
    pub(in crate::app::sequence) fn turn_path(&mut self, cx: &mut UiContext) {
        let was_open = self.path.is_open;
        self.path.is_open = std::mem::take(&mut self.path.is_seen);
        if !self.path.is_open {
            self.path.draft = None;
            self.path.stroke.clear();
            return;
        }
        if !was_open {
            cx.session.framing = Some(Framing::All);
        }
        let Some(texture) = self.path_texture(cx) else {
            return;
        };
        self.make_body(cx, &texture);
        let Some((_, path)) = self.chosen_path(cx) else {
            self.path.walked = None;
            self.path.failed = None;
            return;
        };
        let is_walked = self
            .walked()
            .is_some_and(|w| Arc::ptr_eq(&w.texture, &texture) && is_same_walk(&w.path, &path));
        let is = |wanted: &Wanted| wanted.is(&path, &texture);
        if let Some(walking) = &self.path.walking {
            // What is not wanted any more need not come to its end.
            if !is(walking)
                && let Some(job) = cx.work.named(WALK_JOB)
            {
                job.cancel();
            }
            return;
        }
        if is_walked || self.path.failed.as_ref().is_some_and(|(f, _)| is(f)) {
            return;
        }
        self.start_walk(cx, Wanted { path, texture });
    }

    fn start_walk(&mut self, cx: &mut UiContext, wanted: Wanted) {
        let own = wanted.clone();
        self.path.failed = None;
        self.path.walking = Some(wanted);
        let work = move |ticket: &crate::jobs::Ticket| match walk(&own.path, &own.texture, ticket) {
            Ok(walked) => Ok(Ok(Arc::new(walked))),
            Err(WalkError::Texture(TextureError::Cancelled(cancelled))) => Err(cancelled),
            Err(error) => Ok(Err(error.to_string())),
        };
        let answer = |workspace: &mut Self, _: &mut Shell, outcome| workspace.take_walk(outcome);
        if !self.inbox.look(cx, WALK_JOB, Shown::InBar, work, answer) {
            self.path.walking = None;
        }
    }

    fn take_walk(&mut self, outcome: Result<Result<Arc<Walked>, String>, Unseen>) {
        let wanted = self.path.walking.take();
        let why = match outcome {
            Ok(Ok(walked)) => {
                self.path.walked = Some(walked);
                return;
            }
            Ok(Err(why)) => why,
            // Another path is to be walked now, or the animator stopped it.
            Err(Unseen::Cancelled) => "cancelled".to_owned(),
            Err(Unseen::Crashed) => "it crashed; please report this".to_owned(),
        };
        self.path.failed = wanted.map(|wanted| (wanted, why));
    }

    /// Tries again what failed or was stopped.
    pub(in crate::app::sequence) fn walk_again(&mut self) {
        self.path.failed = None;
    }

    fn make_body(&mut self, cx: &mut UiContext, texture: &Arc<Texture>) {
        if self.path.is_making_body || self.path_body(texture).is_some() {
            return;
        }
        let (own, of) = (Arc::clone(texture), Arc::clone(texture));
        self.path.is_making_body = self.inbox.look(
            cx,
            "make the character",
            Shown::Quietly,
            move |_| {
                let clips = own.corpus().clips.first();
                Ok::<_, Cancelled>(clips.map(|first| Body {
                    mannequin: Arc::new(Mannequin::of(&first.join.clip)),
                    floor: edit::find_floor(&first.join.clip).height,
                }))
            },
            move |workspace: &mut Self, _, made| {
                workspace.path.is_making_body = false;
                if let Ok(Some(body)) = made {
                    workspace.path.body = Some((of, Arc::new(body)));
                }
            },
        );
    }

    /// Puts a path into the project and chooses it.
    pub(in crate::app::sequence) fn add_path(
        &mut self,
        shell: &mut Shell,
        path: DrawnPath,
    ) -> bool {
        let id = PathId(shell.document().next_number());
        let is_added = shell.edit(Command::AddPath(Arc::new(path))).is_some();
        if is_added {
            self.path.chosen = Some(id);
            self.path.selected = None;
        }
        is_added
    }

    /// Makes a path of the line that was drawn, or of the first points that were put down.
    pub(in crate::app::sequence) fn draw_path(&mut self, shell: &mut Shell) {
        let stroke = std::mem::take(&mut self.path.stroke);
        let Some((id, texture)) = self.chosen_texture(shell) else {
            return;
        };
        let metres = texture.corpus().rig.metric.metres;
        let places = match self.path.tool {
            PathTool::Draw => simplified(&stroke, TOLERANCE_METRES / metres),
            PathTool::Edit | PathTool::Points => stroke,
        };
        let length: f64 = places.windows(2).map(|p| (p[1] - p[0]).norm()).sum();
        if length * metres < LEAST_METRES {
            shell.say(
                Severity::Warning,
                "too short for a path: drag further over the floor",
            );
            return;
        }
        let of_path = self.chosen_path(shell).and_then(|(_, path)| path.texture);
        let points = places.iter().map(|p| PathPoint::at(p.x, p.y)).collect();
        let name = Self::free_path_name(shell);
        let path = DrawnPath::new(name, of_path.unwrap_or(id), points);
        self.add_path(shell, path);
        if self.path.tool == PathTool::Draw {
            self.path.tool = PathTool::Edit;
        }
    }

    /// Changes the chosen path, as one step.
    pub(in crate::app::sequence) fn change_path(
        &self,
        cx: &mut UiContext,
        what: impl Into<String>,
        change: impl FnOnce(&mut DrawnPath),
    ) {
        let Some((id, path)) = self.chosen_path(cx) else {
            return;
        };
        let mut changed = DrawnPath::clone(&path);
        change(&mut changed);
        if changed != *path {
            cx.ask(Request::Edit(Command::ChangePath {
                what: what.into(),
                id,
                path: Arc::new(changed),
            }));
        }
    }

    /// Takes the selected point out of the path.
    pub(in crate::app::sequence) fn remove_point(&mut self, cx: &mut UiContext) {
        let Some(at) = self.path.selected.take() else {
            return;
        };
        let n = self
            .chosen_path(cx)
            .map_or(0, |(_, path)| path.points.len());
        if n <= 2 {
            cx.say(Severity::Warning, "a path keeps two points at least");
            return;
        }
        self.change_path(cx, format!("remove point {} of", at + 1), |path| {
            if at < path.points.len() {
                let gone = path.points.remove(at);
                // What was done from there on is done from the next one on.
                if let Some(next) = path.points.get_mut(at)
                    && next.action.is_none()
                {
                    next.action = gone.action;
                }
            }
        });
    }

    /// Puts the walk into the library.
    pub(in crate::app::sequence) fn keep_walk(&mut self, shell: &mut Shell) {
        let Some(walked) = self.walked().map(Arc::clone) else {
            return;
        };
        let mut clip = crate::motion::Clip::clone(&walked.clip);
        clip.info.name.clone_from(&walked.path.name);
        clip.info.tags.insert("path".to_owned());
        let name = clip.info.name.clone();
        if shell
            .edit(Command::AddClips(vec![Arc::new(clip)]))
            .is_some()
        {
            shell.say(Severity::Info, format!("{name} is in the library"));
        }
    }
}
