//! Feet and hands held where they should be, for any clip.
//!
//! A [`Hold`] says where a place on a leg or arm has to be over some frames; [`constrain`] makes a clip in which it is
//! there, changing as little else as it can and nothing abruptly.
//!
//! Lau, Bar-Joseph and Kuffner 2009, section 7, solve one limb and frame after the other: near the given pose, smooth
//! after the two frames before, with the place as a hard constraint (Eq. 7). That is here as
//! [`LimbMethod::FrameByFrame`]. The default departs from it: looking only backwards, Eq. 7 cannot prepare for a hold,
//! so the limb pops at its first frame, and after the last one it swings about the given motion with a period of about
//! 15 frames (the roots of `w1 + w2 (1 - 1/z)^2` have the length 0.91 at 24 degrees). [`LimbMethod::WholeCurve`] works
//! out the correction of the foot's way for the whole clip, in the world: given while held, fading before and after
//! along the curve of least jerk, and solves each frame for it in closed form. Same hard constraint, no lag, no
//! ringing, any order of frames. Jerk of the body after taking out foot slide, against the given clips: 0.99 (frame by
//! frame 1.37) in 23 walks, 0.99 (1.97) in 15 jumps, 1.01 (2.76) in 12 sneaks.
//!
//! A hold is met whatever the body did meanwhile. [`constrain_within_limits`] lets it give way for some frames where a
//! knee would pop or the body would jerk more than [`Limits`] allow.
//!
//! Kept: knees and elbows turn about the axis they use in the clip, to the side they bend; the limb's plane follows the
//! given one; ankles and wrists keep their orientation in the world, unless two places of a foot are held, which
//! then tell where it points.
//!
//! Left out: holds of knees, elbows or the trunk; limits of joints other than the hinge; collisions with the floor.

mod check;
mod fade;
mod geometry;
mod limits;
mod plan;
mod root;
mod smoothing_radius;
mod step;
mod two_bone;
mod within_limits;

use std::ops::Range;

use super::contacts::at_frame::AtFrame;
use super::heading::body_root;
use super::setting::BadSetting;
use super::{Body, Clip, ClipError, Limb, Motion, Quat, Site, Skeleton, Vec3, WorldPose, body};
use geometry::LimbPose;
use plan::LimbPlan;

pub use limits::Limits;
pub use within_limits::{
    ConstrainedWithinLimits, constrain_within_limits, constrain_within_limits_on,
};

/// Where a place on a limb has to be for some time.
#[derive(Debug, Clone, PartialEq)]
pub struct Hold {
    /// Ankle, wrist, or a joint or end site that hangs on one.
    pub site: Site,
    /// Frames of the clip, the end not included.
    pub frames: Range<usize>,
    /// Where, in the world.
    pub at: HoldPosition,
}

/// One place, or one for each frame.
#[derive(Debug, Clone, PartialEq)]
pub enum HoldPosition {
    /// The same position in every frame.
    Point(Vec3),
    /// Moves: one entry for each frame of the hold.
    Path(Vec<Vec3>),
}

impl Hold {
    /// Where the site has to be at a frame, if it is held then.
    pub fn at_frame(&self, frame: usize) -> Option<Vec3> {
        if !self.frames.contains(&frame) {
            return None;
        }
        match &self.at {
            HoldPosition::Point(point) => Some(*point),
            HoldPosition::Path(path) => path.get(frame - self.frames.start).copied(),
        }
    }
}

/// What happens when a limb is too short for its hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReachPolicy {
    /// The whole body follows smoothly by what is missing; legs that are not held keep the ways of their feet.
    RootFollows,
    /// The body stays; the limb stretches out towards it and [`Constrained::misses`] says by how much it fails.
    Report,
}

/// How the poses are found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LimbMethod {
    /// The correction of each limb as one smooth curve over the clip.
    WholeCurve,
    /// The paper's Eq. 7, one frame after the other.
    FrameByFrame {
        /// w1: nearness to the given pose.
        nearness: f64,
        /// w2: smoothness after the two frames before.
        smoothness: f64,
    },
}

impl LimbMethod {
    /// Eq. 7 with the paper's weights.
    pub const PAPER: Self = Self::FrameByFrame {
        nearness: 1.0,
        smoothness: 5.0,
    };
}

/// How holds are met.
#[derive(Debug, Clone, PartialEq)]
pub struct LimbSettings {
    /// How long a correction takes to come before a hold, and to go after it.
    pub ease_secs: f64,
    /// What happens when a limb is too short.
    pub reach: ReachPolicy,
    /// How the poses are found.
    pub method: LimbMethod,
    /// Axes of knees and elbows that are known, by the end joint of the limb ([`leg_hinges`]). Others are read off the
    /// clip, which says little if it is short and the limb straight.
    pub hinges: Vec<(usize, Vec3)>,
}

impl Default for LimbSettings {
    fn default() -> Self {
        Self {
            // About half a swing of the leg in a walk.
            ease_secs: 0.25,
            reach: ReachPolicy::RootFollows,
            method: LimbMethod::WholeCurve,
            hinges: Vec::new(),
        }
    }
}

/// The axes that the knees of a body turn about in all of some clips on one skeleton, by the end joint of the leg.
pub fn leg_hinges(clips: &[&Clip]) -> Vec<(usize, Vec3)> {
    let Some(first) = clips.first() else {
        return Vec::new();
    };
    let legs = Body::of(first.skeleton()).legs;
    let hinges = legs.iter().map(|leg| {
        let axes = clips.iter().map(|clip| {
            let weight = clip.n_frames() as f64;
            geometry::hinge_axis(clip, leg) * weight
        });
        (leg.end, axes.sum::<Vec3>().try_normalize(0.0))
    });
    hinges
        .filter_map(|(end, axis)| Some((end, axis?)))
        .collect()
}

/// Why holds cannot be met at all.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LimbError {
    /// No leg or arm was recognised.
    #[error("no legs or arms were found by the names of the joints")]
    NoLimbs,
    /// The site is not on the end of a leg or arm.
    #[error(
        "\"{site}\" is no ankle or wrist and hangs on none; only the ends of legs and arms can be held"
    )]
    NotOnALimb {
        /// Name of the joint or end site.
        site: String,
    },
    /// There is no such joint or end site.
    #[error("the skeleton has no {0:?}")]
    NoSuchSite(Site),
    /// The frames are empty or outside the clip.
    #[error("the hold of \"{site}\" covers frames {from}..{to}; the clip has frames 0..{n_frames}")]
    Frames {
        /// Name of the joint or end site.
        site: String,
        /// First frame of the hold.
        from: usize,
        /// One past the last.
        to: usize,
        /// Frames of the clip.
        n_frames: usize,
    },
    /// The path has not one place for each frame.
    #[error("the hold of \"{site}\" lasts {frames} frames but its path has {places} positions")]
    PathLength {
        /// Name of the joint or end site.
        site: String,
        /// Frames of the hold.
        frames: usize,
        /// Places of the path.
        places: usize,
    },
    /// A place is infinite or not a number.
    #[error("the hold of \"{site}\" has a position that is not a finite number")]
    NotFinite {
        /// Name of the joint or end site.
        site: String,
    },
    /// Two holds want one site at the same time.
    #[error("\"{site}\" is held twice at frame {frame}")]
    Twice {
        /// Name of the joint or end site.
        site: String,
        /// The first such frame.
        frame: usize,
    },
    /// A setting cannot be meant.
    #[error(transparent)]
    Setting(#[from] BadSetting),
    /// No contacts could be looked for.
    #[error(transparent)]
    Contacts(#[from] super::contacts::ContactError),
    /// The solved poses are no clip: numbers of the given one are so large that they overflow.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// A frame at which a hold is not met.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Miss {
    /// Index into the holds.
    pub hold: usize,
    /// The frame, counted from 0.
    pub frame: usize,
    /// How far off the site is.
    pub distance: f64,
}

/// A clip with its holds met.
#[derive(Debug, Clone, PartialEq)]
pub struct Constrained {
    /// The clip in which the holds are met.
    pub clip: Clip,
    /// Frames at which a site is further off than a millimetre of a grown-up, by hold and frame.
    pub misses: Vec<Miss>,
    /// How far the whole body was moved, at most.
    pub root_moved: f64,
}

/// 1 mm of 1.75 m.
const TOLERANCE_BODY_HEIGHTS: f64 = 0.001 / 1.75;

/// Makes a clip in which every hold is met.
pub fn constrain(
    clip: &Clip,
    holds: &[Hold],
    settings: &LimbSettings,
) -> Result<Constrained, LimbError> {
    constrain_on(clip, &Body::of(clip.skeleton()), holds, settings)
}

/// [`constrain`] for a body whose limbs were found some other way than by [`Body::of`].
pub fn constrain_on(
    clip: &Clip,
    body: &Body,
    holds: &[Hold],
    settings: &LimbSettings,
) -> Result<Constrained, LimbError> {
    let work = LimbProblem::new(clip, body, holds, settings)?;
    let solved = work.solve(&work.plans);
    work.finish(solved)
}

/// A hold, or a part of it, that is not met exactly, so that the rest of the body stays smooth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelaxedHold {
    /// Index into the holds.
    pub hold: usize,
    /// Frames of the clip, the end not included.
    pub frames: Range<usize>,
    /// The limit that an exact hold would exceed.
    pub why: RelaxReason,
}

/// What a hold that gives way prevents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RelaxReason {
    /// A knee would have popped.
    KneeStep,
    /// The body would have jerked.
    Jerk,
}

/// What all rounds of solving one clip share.
pub(super) struct LimbProblem<'a> {
    clip: &'a Clip,
    holds: &'a [Hold],
    settings: &'a LimbSettings,
    body: &'a Body,
    /// One for each limb that is held at some time.
    plans: Vec<LimbPlan>,
}

/// Poses that were found, and how far the body was moved for them; no shifts stand for none.
struct SolvedMotion {
    motion: Motion,
    shifts: Vec<Vec3>,
}

impl<'a> LimbProblem<'a> {
    pub(super) fn new(
        clip: &'a Clip,
        body: &'a Body,
        holds: &'a [Hold],
        settings: &'a LimbSettings,
    ) -> Result<Self, LimbError> {
        check::settings(settings)?;
        check::holds(clip, body, holds)?;
        Ok(Self {
            plans: plan::of_holds(clip, body, holds, settings),
            clip,
            holds,
            settings,
            body,
        })
    }

    /// The same with settings that do not change what is planned: all but the time to ease.
    pub(super) fn with(&self, settings: &'a LimbSettings) -> Self {
        Self {
            settings,
            plans: self.plans.clone(),
            ..*self
        }
    }

    /// The poses of [`constrain`], without a look at what was missed.
    pub(super) fn firm(&self) -> Motion {
        self.solve(&self.plans).motion
    }

    /// The poses of [`constrain_within_limits`], without a look at what was missed.
    pub(super) fn gentle(&self, limits: &Limits) -> Motion {
        within_limits::relaxed(self, limits).solved.motion
    }

    fn solve(&self, plans: &[LimbPlan]) -> SolvedMotion {
        let (clip, settings) = (self.clip, self.settings);
        let mut plans = std::borrow::Cow::Borrowed(plans);
        let mut shifts = Vec::new();
        if settings.reach == ReachPolicy::RootFollows {
            shifts = root::follow(&plans, clip, settings.ease_secs);
            let others = if shifts.is_empty() {
                Vec::new()
            } else {
                plan::of_other_legs(clip, self.body, &plans, &settings.hinges)
            };
            if !others.is_empty() {
                plans.to_mut().extend(others);
                shifts = root::follow(&plans, clip, settings.ease_secs);
            }
        }
        SolvedMotion {
            motion: solved(clip, &plans, &shifts, settings.method),
            shifts,
        }
    }

    fn finish(&self, solved: SolvedMotion) -> Result<Constrained, LimbError> {
        let Self { clip, holds, .. } = self;
        let skeleton = std::sync::Arc::clone(clip.skeleton());
        let mut made = Clip::new(clip.info.clone(), skeleton, solved.motion)?
            .with_contacts(clip.contacts().to_vec())?;
        if !holds.is_empty() {
            made.info.history.push(match holds.len() {
                1 => "held 1 foot or hand in place".to_owned(),
                n => format!("held feet or hands in place {n} times"),
            });
        }
        let tolerance = TOLERANCE_BODY_HEIGHTS * body::height(clip);
        Ok(Constrained {
            misses: misses(&made, holds, tolerance),
            root_moved: solved.shifts.iter().map(Vec3::norm).fold(0.0, f64::max),
            clip: made,
        })
    }
}

/// The leg or arm whose end carries a site.
pub fn limb_of<'a>(skeleton: &Skeleton, body: &'a Body, site: Site) -> Option<&'a Limb> {
    let carrier = skeleton.carrier(site);
    let mut limbs = body.legs.iter().chain(&body.arms);
    limbs.find(|limb| skeleton.ancestors(carrier).any(|a| a == limb.end))
}

/// The given motion with the joints of the planned limbs solved anew, and the body moved by `shifts` (if any).
fn solved(clip: &Clip, plans: &[LimbPlan], shifts: &[Vec3], method: LimbMethod) -> Motion {
    let skeleton = clip.skeleton();
    let mut motion = clip.motion().clone();
    let (n_joints, n_translating) = (skeleton.n_joints(), skeleton.translating().len());
    let mover = mover(clip);
    let is_stepping = matches!(method, LimbMethod::FrameByFrame { .. });
    let stepped = plans.iter().filter(|_| is_stepping);
    let mut steps: Vec<step::FrameStepper> =
        stepped.map(|p| step::FrameStepper::new(clip, p)).collect();
    let mut world = WorldPose::of(skeleton, clip.frame(0));
    let ends = plans.iter().map(|plan| plan.limb.end);
    let chains = skeleton.with_ancestors(ends.chain([mover.joint]));
    for frame in 0..clip.n_frames() {
        let shift = shifts.get(frame).copied().unwrap_or_else(Vec3::zeros);
        let is_moved = shift != Vec3::zeros();
        if !(is_moved || is_stepping || plans.iter().any(|p| p.is_changed(frame))) {
            continue;
        }
        let pose = clip.frame(frame);
        world.update_some(skeleton, pose, &chains);
        if is_moved {
            let parent = skeleton.joints()[mover.joint].parent;
            let from_world = parent.map_or_else(Quat::identity, |p| world.rotations[p].inverse());
            motion.translations[frame * n_translating + mover.slot] += from_world * shift;
        }
        let rotations = &mut motion.rotations[frame * n_joints..][..n_joints];
        for (at, plan) in plans.iter().enumerate() {
            let mut limb = LimbPose::of(skeleton, &plan.limb, &world, pose.rotations);
            limb.upper_pos_world += shift;
            let solved = match method {
                LimbMethod::WholeCurve if is_moved || plan.is_changed(frame) => {
                    two_bone::reach_for(&limb, &plan.hinge, &plan.targets[frame])
                }
                LimbMethod::WholeCurve => continue,
                LimbMethod::FrameByFrame {
                    nearness,
                    smoothness,
                } => steps[at].next(&limb, plan, frame, nearness, smoothness),
            };
            // The end keeps its orientation in the world, but for what the plan turns it.
            let world_from_end = Quat::from_scaled_axis(plan.turns[frame]) * limb.world_from_end();
            rotations[plan.limb.upper] = renormalized(solved.upper);
            rotations[plan.limb.middle] = renormalized(solved.middle);
            rotations[plan.limb.end] =
                renormalized(solved.world_from_end_parent().inverse() * world_from_end);
        }
    }
    motion
}

/// Products of many rotations drift from unit length.
fn renormalized(q: Quat) -> Quat {
    Quat::new_normalize(q.into_inner())
}

/// The joint that is shifted when the whole body moves, and where a pose keeps its translation.
struct BodyMover {
    joint: usize,
    slot: usize,
}

fn mover(clip: &Clip) -> BodyMover {
    let joint = body_root(&[clip]);
    match clip.skeleton().translation_slot(joint) {
        Some(slot) => BodyMover { joint, slot },
        None => BodyMover { joint: 0, slot: 0 },
    }
}

fn misses(clip: &Clip, holds: &[Hold], tolerance: f64) -> Vec<Miss> {
    let skeleton = clip.skeleton();
    let mut world = WorldPose::of(skeleton, clip.frame(0));
    let mut misses = Vec::new();
    let held = AtFrame::new(holds.iter().map(|hold| &hold.frames), clip.n_frames());
    for (frame, pose) in clip.frames().enumerate() {
        let held = held.get(frame);
        if !held.is_empty() {
            world.update(skeleton, pose);
        }
        for &hold in held {
            let Some(place) = holds[hold].at_frame(frame) else {
                continue;
            };
            let distance = (world.site(skeleton, holds[hold].site) - place).norm();
            if distance > tolerance {
                misses.push(Miss {
                    hold,
                    frame,
                    distance,
                });
            }
        }
    }
    misses.sort_by_key(|m| (m.hold, m.frame));
    misses
}
