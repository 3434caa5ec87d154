//! Where the end of each limb has to be at every frame: by the holds, with fades before and after them.

use super::geometry::{LimbPose, hinge_axis};
use super::smoothing_radius::SmoothingRadius;
use super::two_bone::Extension;
use super::{Hold, LimbSettings, fade, limb_of};
use crate::motion::contacts::at_frame::AtFrame;
use crate::motion::rotation::align;
use crate::motion::{Body, Clip, Limb, Quat, Site, Skeleton, Vec3, WorldPose};

/// What one limb has to do; all lists have one entry per frame.
#[derive(Debug, Clone)]
pub(super) struct LimbPlan {
    pub limb: Limb,
    /// The axis its middle joint turns about, in that joint's axes.
    pub hinge: Vec3,
    /// Where the end joint has to be in the world.
    pub targets: Vec<Vec3>,
    /// How the end joint is turned from its given orientation, as a rotation vector in the world.
    pub turns: Vec<Vec3>,
    /// Whether something holds it, so that the target is a must.
    pub is_held: Vec<bool>,
    /// Where the upper joint is in the given clip.
    pub uppers: Vec<Vec3>,
    /// The furthest the limb should be stretched.
    pub limits: Vec<f64>,
    /// How far the targets are from the given places.
    moves: Vec<Vec3>,
}

/// A limb is not stretched beyond this share of its length, or beyond what it is in the given pose: the body follows
/// instead. Straighter, a millimetre of reach turns a knee by a degree and more. Over 190 real clips 0.98 (a knee bent
/// by 23 degrees) gave smaller steps of the knees than 0.99 or 0.998, and the body still moved by less than 5 cm.
const STRETCH: f64 = 0.98;

impl LimbPlan {
    /// Whether the limb differs from the given one at a frame, as long as the body stays.
    pub(super) fn is_changed(&self, frame: usize) -> bool {
        self.moves[frame] != Vec3::zeros() || self.turns[frame] != Vec3::zeros()
    }

    /// The same plan with its corrections smoothed where they may be, and weaker by a factor.
    pub(super) fn smoothed(&self, radii: &SmoothingRadius, strength: f64) -> Self {
        let ease = |curve: &[Vec3]| -> Vec<Vec3> {
            let smoothed = radii.smoothed(curve);
            smoothed.iter().map(|v| v * strength).collect()
        };
        let moves = ease(&self.moves);
        let changes = self.moves.iter().zip(&moves).map(|(was, is)| is - was);
        let targets = self.targets.iter().zip(changes);
        Self {
            targets: targets.map(|(target, change)| target + change).collect(),
            turns: ease(&self.turns),
            moves,
            limb: self.limb.clone(),
            hinge: self.hinge,
            is_held: self.is_held.clone(),
            uppers: self.uppers.clone(),
            limits: self.limits.clone(),
        }
    }
}

/// A plan for each limb that is held at some time.
pub(super) fn of_holds(
    clip: &Clip,
    body: &Body,
    holds: &[Hold],
    settings: &LimbSettings,
) -> Vec<LimbPlan> {
    let skeleton = clip.skeleton();
    let limbs = body.legs.iter().chain(&body.arms);
    limbs
        .filter_map(|limb| {
            let own = |h: &&Hold| {
                let of = limb_of(skeleton, body, h.site);
                of.is_some_and(|l| l.end == limb.end)
            };
            let mut own: Vec<&Hold> = holds.iter().filter(own).collect();
            if own.is_empty() {
                return None;
            }
            // From the limb outwards: the nearest held position is met exactly, the next gives the direction.
            own.sort_by_key(|h| (depth(skeleton, h.site), h.site));
            Some(of_limb(
                clip,
                limb,
                &own,
                settings.ease_secs,
                &settings.hinges,
            ))
        })
        .collect()
}

/// Plans that keep the feet of all other legs where they are, for when the body moves.
pub(super) fn of_other_legs(
    clip: &Clip,
    body: &Body,
    plans: &[LimbPlan],
    hinges: &[(usize, Vec3)],
) -> Vec<LimbPlan> {
    let is_planned = |leg: &&Limb| plans.iter().any(|p| p.limb.end == leg.end);
    let others = body.legs.iter().filter(|leg| !is_planned(leg));
    others
        .map(|leg| of_limb(clip, leg, &[], 0.0, hinges))
        .collect()
}

fn depth(skeleton: &Skeleton, site: Site) -> usize {
    let joints = skeleton.ancestors(skeleton.carrier(site)).count();
    joints * 2 + usize::from(matches!(site, Site::End(_)))
}

fn of_limb(
    clip: &Clip,
    limb: &Limb,
    holds: &[&Hold],
    ease_secs: f64,
    hinges: &[(usize, Vec3)],
) -> LimbPlan {
    let n = clip.n_frames();
    let known = hinges.iter().find(|(end, _)| *end == limb.end);
    let hinge = known.map_or_else(|| hinge_axis(clip, limb), |(_, axis)| *axis);
    let held = AtFrame::new(holds.iter().map(|hold| &hold.frames), n);
    let mut plan = LimbPlan {
        limb: limb.clone(),
        hinge,
        targets: Vec::with_capacity(n),
        turns: vec![Vec3::zeros(); n],
        is_held: (0..n).map(|f| !held.get(f).is_empty()).collect(),
        uppers: Vec::with_capacity(n),
        limits: Vec::with_capacity(n),
        moves: vec![Vec3::zeros(); n],
    };
    let skeleton = clip.skeleton();
    let mut world = WorldPose::of(skeleton, clip.frame(0));
    let chain = skeleton.with_ancestors([limb.end]);
    let mut orientations = Vec::with_capacity(n);
    for pose in clip.frames() {
        world.update_some(skeleton, pose, &chain);
        let limb_pose = LimbPose::of(skeleton, limb, &world, pose.rotations);
        let extension = Extension::of(&limb_pose, &hinge);
        plan.limits
            .push((STRETCH * extension.range().1).max(extension.current()));
        plan.uppers.push(limb_pose.upper_pos_world);
        plan.targets.push(world.positions[limb.end]);
        orientations.push(world.rotations[limb.end]);
    }
    if holds.is_empty() {
        return plan;
    }
    let ease_frames = ease_secs * clip.fps();
    let arms = &arms(clip, limb, holds, &orientations);
    let at = |frame: usize| {
        let held = held.get(frame).iter();
        held.filter_map(move |&hold| {
            let place = holds[hold].at_frame(frame)?;
            Some((arms[hold][frame - holds[hold].frames.start], place))
        })
    };
    let known_turns: Vec<Option<Vec3>> = (0..n).map(|f| known_turn(at(f))).collect();
    plan.turns = fade::fill_in(&known_turns, ease_frames, clip.fps());
    let known_moves: Vec<Option<Vec3>> = (0..n)
        .map(|f| known_move(at(f), &plan.turns[f], &plan.targets[f]))
        .collect();
    plan.moves = fade::fill_in(&known_moves, ease_frames, clip.fps());
    for (target, by) in plan.targets.iter_mut().zip(&plan.moves) {
        *target += by;
    }
    plan
}

/// For each hold and frame the way from the end joint to the held site in the given pose, in the world. Only frames of
/// the hold are kept, so memory grows with the holds.
fn arms(clip: &Clip, limb: &Limb, holds: &[&Hold], orientations: &[Quat]) -> Vec<Vec<Vec3>> {
    let skeleton = clip.skeleton();
    let mut world = WorldPose::of(skeleton, clip.frame(0));
    holds
        .iter()
        .map(|hold| {
            let is_rigid = skeleton.carrier(hold.site) == limb.end
                || hold_is_on_child(skeleton, limb, hold.site);
            if is_rigid {
                world.update(skeleton, clip.frame(hold.frames.start));
                let from_world = orientations[hold.frames.start].inverse();
                let arm =
                    from_world * (world.site(skeleton, hold.site) - world.positions[limb.end]);
                return hold.frames.clone().map(|f| orientations[f] * arm).collect();
            }
            let frames = hold.frames.clone();
            frames
                .map(|frame| {
                    world.update(skeleton, clip.frame(frame));
                    world.site(skeleton, hold.site) - world.positions[limb.end]
                })
                .collect()
        })
        .collect()
}

/// A joint right on the end joint, at a fixed place: the toe joint of most feet.
fn hold_is_on_child(skeleton: &Skeleton, limb: &Limb, site: Site) -> bool {
    match site {
        Site::Joint(joint) => {
            skeleton.joints()[joint].parent == Some(limb.end)
                && skeleton.translation_slot(joint).is_none()
        }
        Site::End(_) => false,
    }
}

/// How the end must be turned: only two held places tell. `held` are the ways to the sites that are held, and where
/// they have to be, nearest to the limb first.
fn known_turn(mut held: impl Iterator<Item = (Vec3, Vec3)>) -> Option<Vec3> {
    let (first_arm, first_place) = held.next()?;
    let (second_arm, second_place) = held.next()?;
    let from = second_arm - first_arm;
    let to = second_place - first_place;
    if from.norm() == 0.0 || to.norm() == 0.0 {
        return None;
    }
    Some(align(&from, &to).scaled_axis())
}

/// How far the end must be moved, once it is turned.
fn known_move(
    mut held: impl Iterator<Item = (Vec3, Vec3)>,
    turn: &Vec3,
    given: &Vec3,
) -> Option<Vec3> {
    let (arm, place) = held.next()?;
    Some(place - Quat::from_scaled_axis(*turn) * arm - given)
}
