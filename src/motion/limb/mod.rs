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
mod problem;
mod root;
mod smoothing_radius;
mod solved;
mod step;
mod two_bone;
mod within_limits;

use super::contacts::at_frame::AtFrame;
use super::heading::body_root;
use super::{Body, Clip, Motion, Quat, Vec3, WorldPose, body};
use crate::motion::limb::solved::SolvedMotion;
use geometry::LimbPose;
use plan::LimbPlan;
use problem::TOLERANCE_BODY_HEIGHTS;

pub use limits::Limits;
pub use problem::{
    Constrained, Hold, HoldPosition, LimbError, LimbMethod, LimbSettings, Miss, ReachPolicy,
    RelaxReason, RelaxedHold, limb_of,
};
pub(super) use solved::LimbProblem;
pub use within_limits::{
    ConstrainedWithinLimits, constrain_within_limits, constrain_within_limits_on,
};

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
