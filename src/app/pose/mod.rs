//! Work of the pose workspace: characters, styles, and the solver that answers to handles.

pub mod handles;
pub mod keys;
pub mod map;
pub mod picture;
pub mod poses;
pub mod repair;
pub mod state;
pub mod styles;

use std::sync::Arc;

use crate::app::pose::handles::rig::Rig;
use crate::app::pose::handles::solver::{Aim, Order, SolverThread};
use crate::app::render::Mannequin;
use crate::app::shell::jobs::Shown;
use crate::app::shell::messages::Severity;
use crate::app::shell::preferences::Workspace;
use crate::app::shell::studio::Studio;
use crate::document::{Command, Pin, PinMode, Posed, PosedId};
use crate::motion::{Clip, ClipInfo, Motion, Skeleton, WorldPose, edit};

/// A body as it is drawn and taken hold of; the same for all characters of one skeleton.
#[derive(Debug, Clone)]
pub struct Figure {
    /// Its bones.
    pub skeleton: Arc<Skeleton>,
    /// Its skin.
    pub mannequin: Arc<Mannequin>,
    /// Its handles.
    pub rig: Arc<Rig>,
}

/// A foot whose lowest part is nearer to the floor than this share of the body's height stands on it.
const STANDS_HEIGHTS: f64 = 0.04;

impl Studio {
    /// The character that is posed: the chosen one, or else the first there is.
    pub fn active_posed(&self) -> Option<(PosedId, &Arc<Posed>)> {
        let all = self.document().posed();
        let chosen = self.pose.active;
        let chosen = chosen.and_then(|id| all.iter().find(|(other, _)| *other == id));
        chosen.or(all.first()).map(|(id, posed)| (*id, posed))
    }

    /// The same as it is seen: while it is dragged, not yet as the document has it.
    pub fn posed_now(&self) -> Option<(PosedId, Arc<Posed>)> {
        let (id, posed) = self.active_posed()?;
        let posed = self.adopted(id, posed).unwrap_or(posed);
        let grab = self.pose.grab.as_ref().filter(|grab| grab.id == id);
        Some((id, Arc::clone(grab.map_or(posed, |grab| &grab.draft))))
    }

    /// Whether the 3D view shows characters to be posed instead of clips.
    pub fn shows_posed(&self) -> bool {
        self.preferences.workspace == Workspace::Pose
            && self.library.previews.shown().is_none()
            && !self.pose.shows_clips
            && self.active_posed().is_some()
    }

    /// Skin and handles of a skeleton, once they are made.
    pub fn figure(&self, skeleton: &Arc<Skeleton>) -> Option<&Figure> {
        let is_same = |figure: &&Figure| {
            Arc::ptr_eq(&figure.skeleton, skeleton) || figure.skeleton == *skeleton
        };
        self.pose.figures.iter().find(is_same)
    }

    /// Once per frame: makes what is needed to draw the characters.
    pub(in crate::app) fn turn_pose(&mut self, ctx: &egui::Context) {
        self.turn_keys();
        self.pose.extras.turn();
        if let Some(why) = self.pose.solver.as_ref().and_then(SolverThread::crash) {
            self.pose.solver = None;
            self.pose.grab = None;
            let words =
                format!("the solver crashed, nothing was changed; please report this: {why}");
            self.say(Severity::Error, words);
        }
        let answer = self.pose.solver.as_ref().and_then(SolverThread::answer);
        if let Some(answer) = answer {
            self.take_answer(answer);
        }
        self.turn_grab();
        if self.preferences.workspace != Workspace::Pose {
            self.finish_grab();
            return;
        }
        if self.pose.grab.is_some() {
            // So that letting go is seen to its end.
            ctx.request_repaint();
        }
        self.make_figures();
        self.judge_at_rest();
    }

    /// Asks what is thought of a pose that was not judged yet.
    fn judge_at_rest(&mut self) {
        let Some((_, posed)) = self.posed_now().filter(|_| self.pose.grab.is_none()) else {
            return;
        };
        let Some(setup) = self.setup_of(&posed) else {
            return;
        };
        let is_same = |asked: &Arc<Posed>| Arc::ptr_eq(asked, &posed);
        let same_judge = self.pose.judge.as_ref();
        let same_judge = same_judge.is_some_and(|judge| Arc::ptr_eq(judge, &setup.judge));
        if same_judge && self.pose.judged.as_ref().is_some_and(is_same) {
            return;
        }
        self.pose.n_orders += 1;
        self.pose.judged_number = self.pose.n_orders;
        self.pose.judged = Some(Arc::clone(&posed));
        self.pose.judge = Some(Arc::clone(&setup.judge));
        self.leave_order(Order {
            number: self.pose.n_orders,
            drag: self.pose.n_orders,
            setup,
            start: posed,
            first: Vec::new(),
            wishes: Vec::new(),
            aim: Aim::Judge,
        });
    }

    fn make_figures(&mut self) {
        const MAKE: &str = "look at characters";
        if self.work.is_running(MAKE) {
            return;
        }
        let posed = self.document().posed().iter().map(|(_, posed)| posed);
        let is_refused = |posed: &Posed| {
            let mut refused = self.pose.no_figures.iter();
            refused.any(|skeleton| Arc::ptr_eq(skeleton, &posed.skeleton))
        };
        let missing =
            posed.filter(|posed| self.figure(&posed.skeleton).is_none() && !is_refused(posed));
        let Some(posed) = missing.map(Arc::clone).next() else {
            return;
        };
        let skeleton = Arc::clone(&posed.skeleton);
        self.look(
            MAKE,
            Shown::Quietly,
            move |_| Ok(figure_of(&posed)),
            move |studio, figure| {
                if let Ok(Some(figure)) = figure {
                    studio.pose.figures.push(figure);
                } else {
                    studio.pose.no_figures.push(skeleton);
                    let words = "this character cannot be drawn, please report this";
                    studio.say(Severity::Error, words);
                }
            },
        );
    }

    /// Puts a character on stage in the pose that the active clip has at the playhead.
    pub fn new_character(&mut self) {
        self.finish_grab();
        let Some(posed) = self.character_from_clip() else {
            self.say(
                Severity::Warning,
                "select a clip first: the character takes its pose",
            );
            return;
        };
        let command = Command::AddPosed(Arc::new(posed));
        if self.edit(command).is_some() {
            self.pose.active = self.document().posed().last().map(|(id, _)| *id);
            self.pose.shows_clips = false;
        }
    }

    /// That character; none without an active clip.
    fn character_from_clip(&self) -> Option<Posed> {
        let id = self.session.active?;
        let clip = self.document().clip(id)?;
        let frame = self.pace(id, clip).frame_at(self.session.playhead_secs);
        let facts = self.facts.of(id, clip);
        let floor = facts.map_or_else(|| edit::find_floor(clip).height, |facts| facts.floor);
        let mut posed = Posed {
            name: free_character_name(self, &clip.info.name),
            skeleton: Arc::clone(clip.skeleton()),
            up: clip.info.up,
            floor,
            pose: clip.pose_at(frame),
            pins: Vec::new(),
            styles: Vec::new(),
        };
        let styles = styles::styles_of(self.document());
        let known = styles
            .filter(|(_, _, style)| styles::knows(style, &posed))
            .last();
        let known = known.map(|(id, _, _)| (id, 1.0));
        posed.styles.extend(known);
        let contacts: Vec<usize> = facts.map_or_else(Vec::new, |facts| {
            let now = facts.contacts.iter();
            let now = now.filter(|contact| contact.frames.contains(&(frame.round() as usize)));
            now.map(|contact| contact.joint).collect()
        });
        plant_feet(&mut posed, &contacts, crate::motion::body::height(clip));
        Some(posed)
    }
}

/// Feet that stand are held where they stand from the start: those that the clip says touch the floor, and those that are
/// on it.
fn plant_feet(posed: &mut Posed, contacts: &[usize], height: f64) {
    let rig = Rig::of(&posed.skeleton);
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

fn free_character_name(studio: &Studio, wish: &str) -> String {
    let taken = |name: &String| {
        let mut posed = studio.document().posed().iter();
        posed.any(|(_, posed)| posed.name == *name)
    };
    let numbered = (2..).map(|n| format!("{wish} {n}"));
    let mut names = std::iter::once(wish.to_owned()).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or_default()
}

fn figure_of(posed: &Posed) -> Option<Figure> {
    let mut motion = Motion::with_capacity(&posed.skeleton, 1.0, 1);
    motion.push(posed.pose.as_ref());
    let mut info = ClipInfo::named(posed.name.as_str());
    info.up = posed.up;
    let clip = Clip::new(info, Arc::clone(&posed.skeleton), motion).ok()?;
    Some(Figure {
        skeleton: Arc::clone(&posed.skeleton),
        mannequin: Arc::new(Mannequin::of(&clip)),
        rig: Arc::new(Rig::of(&posed.skeleton)),
    })
}
