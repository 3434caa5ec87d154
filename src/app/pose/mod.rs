//! Work of the pose workspace: characters, styles, and the solver that answers to handles.

pub(in crate::app) mod actions;
pub mod answers;
mod export;
mod figure;
pub mod handles;
pub mod keys;
pub mod map;
pub mod picture;
pub mod poses;
pub mod repair;
pub mod requests;
pub mod state;
pub mod styles;

use std::sync::Arc;

use crate::app::pose::handles::rig::BodyHandles;
use crate::app::pose::handles::solver::{Aim, SolverOrder, SolverThread};
use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::messages::Severity;
use crate::app::shell::preferences::Workspace;
use crate::app::shell::session::Subject;
use crate::app::shell::words::free_name;
use crate::app::shell::work::Shown;
use crate::document::{ClipId, Command, Pin, PinMode, Posed, PosedId};
use crate::motion::{Skeleton, WorldPose, edit};
use figure::figure_of;

pub use figure::Figure;

/// A foot whose lowest part is nearer to the floor than this share of the body's height stands on it.
const STANDS_HEIGHTS: f64 = 0.04;

impl PoseWorkspace {
    /// Applies a command as one step. With automatic keying a new pose is a key as well.
    pub(in crate::app::pose) fn edit(
        &self,
        shell: &mut Shell,
        command: Command,
    ) -> Option<Vec<ClipId>> {
        let command = self.auto_keyed(shell, command);
        shell.edit(command)
    }

    /// The character that is posed: the chosen one, or else the first there is.
    pub fn active_posed<'a>(&self, cx: &'a UiContext) -> Option<(PosedId, &'a Arc<Posed>)> {
        let all = cx.document().posed();
        let chosen = self.active;
        let chosen = chosen.and_then(|id| all.iter().find(|(other, _)| *other == id));
        chosen.or(all.first()).map(|(id, posed)| (*id, posed))
    }

    /// The same as it is seen: while it is dragged, not yet as the document has it.
    pub fn posed_now(&self, cx: &UiContext) -> Option<(PosedId, Arc<Posed>)> {
        let (id, posed) = self.active_posed(cx)?;
        let posed = self.adopted(id, posed).unwrap_or(posed);
        let grab = self.handles.grab.as_ref().filter(|grab| grab.id == id);
        Some((id, Arc::clone(grab.map_or(posed, |grab| &grab.draft))))
    }

    /// Whether the 3D view shows characters to be posed instead of clips.
    pub fn shows_posed(&self, cx: &UiContext) -> bool {
        cx.preferences.workspace == Workspace::Pose
            && cx.previews.shown().is_none()
            && !self.shows_clips
            && self.active_posed(cx).is_some()
    }

    /// Skin and handles of a skeleton, once they are made.
    pub fn figure(&self, skeleton: &Arc<Skeleton>) -> Option<&Figure> {
        let is_same = |figure: &&Figure| {
            Arc::ptr_eq(&figure.skeleton, skeleton) || figure.skeleton == *skeleton
        };
        self.handles.figures.iter().find(is_same)
    }

    /// Once per frame: makes what is needed to draw the characters.
    pub(in crate::app) fn turn(&mut self, shell: &mut Shell, ctx: &egui::Context) {
        self.turn_keys(shell);
        self.extras.turn();
        self.leave_repair(shell);
        if let Some(why) = self.handles.solver.as_ref().and_then(SolverThread::crash) {
            self.handles.solver = None;
            self.handles.grab = None;
            let words =
                format!("the solver crashed, nothing was changed; please report this: {why}");
            shell.say(Severity::Error, words);
        }
        let answer = self.handles.solver.as_ref().and_then(SolverThread::answer);
        if let Some(answer) = answer {
            self.take_answer(shell, answer);
        }
        self.turn_grab(shell);
        if shell.preferences.workspace != Workspace::Pose {
            self.finish_grab(shell);
            return;
        }
        if self.handles.grab.is_some() {
            // So that letting go is seen to its end.
            ctx.request_repaint();
        }
        self.make_figures(shell);
        self.judge_at_rest(shell);
    }

    /// Where all selected clips are seen again after one take alone, they are seen as before.
    fn leave_repair(&mut self, shell: &mut Shell) {
        if shell.previews.shown().is_none()
            && shell.session.subject() == Subject::Clips
            && self.repair.framed.take().is_some()
            && let Some(camera) = self.repair.camera_before.take()
        {
            shell.session.camera = Some(camera);
        }
    }

    /// Asks what is thought of a pose that was not judged yet.
    fn judge_at_rest(&mut self, cx: &mut UiContext) {
        let Some((_, posed)) = self.posed_now(cx).filter(|_| self.handles.grab.is_none()) else {
            return;
        };
        let Some(setup) = self.setup_of(cx, &posed) else {
            return;
        };
        let is_same = |asked: &Arc<Posed>| Arc::ptr_eq(asked, &posed);
        let same_judge = self.handles.judge.as_ref();
        let same_judge = same_judge.is_some_and(|judge| Arc::ptr_eq(judge, &setup.judge));
        if same_judge && self.handles.judged.as_ref().is_some_and(is_same) {
            return;
        }
        self.handles.n_orders += 1;
        self.handles.judged_number = self.handles.n_orders;
        self.handles.judged = Some(Arc::clone(&posed));
        self.handles.judge = Some(Arc::clone(&setup.judge));
        self.leave_order(
            cx,
            SolverOrder {
                number: self.handles.n_orders,
                drag: self.handles.n_orders,
                setup,
                start: posed,
                first: Vec::new(),
                constraints: Vec::new(),
                aim: Aim::Judge,
            },
        );
    }

    fn make_figures(&mut self, cx: &mut UiContext) {
        const MAKE: &str = "look at characters";
        if cx.work.is_running(MAKE) {
            return;
        }
        let posed = cx.document().posed().iter().map(|(_, posed)| posed);
        let is_refused = |posed: &Posed| {
            let mut refused = self.handles.no_figures.iter();
            refused.any(|skeleton| Arc::ptr_eq(skeleton, &posed.skeleton))
        };
        let missing =
            posed.filter(|posed| self.figure(&posed.skeleton).is_none() && !is_refused(posed));
        let Some(posed) = missing.map(Arc::clone).next() else {
            return;
        };
        let skeleton = Arc::clone(&posed.skeleton);
        self.inbox.look(
            cx,
            MAKE,
            Shown::Quietly,
            move |_| Ok(figure_of(&posed)),
            move |pose, shell, figure| {
                if let Ok(Some(figure)) = figure {
                    pose.handles.figures.push(figure);
                } else {
                    pose.handles.no_figures.push(skeleton);
                    let words = "this character cannot be drawn, please report this";
                    shell.say(Severity::Error, words);
                }
            },
        );
    }

    /// Puts a character on stage in the pose that the active clip has at the playhead.
    pub fn new_character(&mut self, shell: &mut Shell) {
        self.finish_grab(shell);
        let Some(posed) = Self::character_from_clip(shell) else {
            shell.say(
                Severity::Warning,
                "select a clip first: the character takes its pose",
            );
            return;
        };
        let command = Command::AddPosed(Arc::new(posed));
        if shell.edit(command).is_some() {
            self.active = shell.document().posed().last().map(|(id, _)| *id);
            self.shows_clips = false;
        }
    }

    /// That character; none without an active clip.
    fn character_from_clip(cx: &UiContext) -> Option<Posed> {
        let id = cx.session.active?;
        let frame = cx
            .time_map(id, cx.document().clip(id)?)
            .frame_at(cx.session.playhead_secs);
        Self::character_in(cx, id, frame)
    }

    /// A character in the pose that a clip has after so many seconds, in the last style that knows its bones.
    pub(in crate::app) fn character_at(cx: &UiContext, id: ClipId, secs: f64) -> Option<Posed> {
        let fps = cx.document().clip(id)?.fps();
        Self::character_in(cx, id, secs * fps)
    }

    fn character_in(cx: &UiContext, id: ClipId, frame: f64) -> Option<Posed> {
        let clip = cx.document().clip(id)?;
        let analysis = cx.analyses.of(id, clip);
        let floor =
            analysis.map_or_else(|| edit::find_floor(clip).height, |analysis| analysis.floor);
        let mut posed = Posed {
            name: free_character_name(cx, &clip.info.name),
            skeleton: Arc::clone(clip.skeleton()),
            up: clip.info.up,
            floor,
            pose: clip.pose_at(frame),
            pins: Vec::new(),
            styles: Vec::new(),
        };
        let styles = styles::styles_of(cx.document());
        let known = styles
            .filter(|(_, _, style)| styles::knows(style, &posed))
            .last();
        let known = known.map(|(id, _, _)| (id, 1.0));
        posed.styles.extend(known);
        let contacts: Vec<usize> = analysis.map_or_else(Vec::new, |analysis| {
            let now = analysis.contacts.iter();
            let now = now.filter(|contact| contact.frames.contains(&(frame.round() as usize)));
            now.map(|contact| contact.joint).collect()
        });
        plant_feet(&mut posed, &contacts, crate::motion::body::height(clip));
        Some(posed)
    }
}

/// Feet that stand are held where they stand from the start: those that the clip says touch the floor, and those that
/// are on it.
fn plant_feet(posed: &mut Posed, contacts: &[usize], height: f64) {
    let rig = BodyHandles::of(&posed.skeleton);
    let skeleton = Arc::clone(&posed.skeleton);
    let world = WorldPose::of(&skeleton, posed.pose.as_ref());
    for handle in rig.handles().iter().filter(|h| rig.is_foot(h.site)) {
        let ankle = skeleton.carrier(handle.site);
        let touches = |joint: &usize| {
            *joint == ankle || skeleton.ancestors(*joint).any(|above| above == ankle)
        };
        let over = handles::rig::lowest_of_foot(&skeleton, &world, posed.up, ankle) - posed.floor;
        if contacts.iter().any(touches) || over < STANDS_HEIGHTS * height {
            let mut pin = pin_at(posed, &world, handle.site);
            pin.position = PinMode::Hard;
            // So that the sole stays flat.
            pin.rotation = PinMode::Soft;
            posed.set_pin(pin);
        }
    }
}

/// The pin of a site, or a free one where the site is now.
pub fn pin_at(posed: &Posed, world: &WorldPose, site: crate::motion::Site) -> Pin {
    let free = || Pin {
        site,
        position: PinMode::Free,
        rotation: PinMode::Free,
        place: world.site(&posed.skeleton, site),
        turn: world.rotations[posed.skeleton.carrier(site)],
    };
    posed.pin(site).copied().unwrap_or_else(free)
}

fn free_character_name(cx: &UiContext, wish: &str) -> String {
    let posed = cx.document().posed();
    free_name(wish, |name| {
        posed.iter().any(|(_, posed)| posed.name == name)
    })
}
