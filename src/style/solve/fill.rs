//! Missing markers: a clip rebuilt from the joints that were captured.

use std::ops::Range;
use std::sync::Arc;

use super::constraint::{Constraint, ConstraintMode, Goal};
use super::motion_solve::{FrameConstraints, MotionSolveError, MotionSolveSettings, faded_in};
use super::solver::{SolveError, Solver};
use crate::jobs::Ticket;
use crate::motion::{Clip, ClipError, Motion, Pose, PoseRef, Quat, Site, Skeleton, WorldPose};

/// A rebuilt clip, and how far its joints are from where they were.
#[derive(Debug, Clone, PartialEq)]
pub struct Filled {
    /// The clip with the rebuilt range in place.
    pub clip: Clip,
    /// Mean distance of missing joints from the clip.
    pub mean_error: f64,
    /// Largest distance of a missing joint from the clip, in the clip's units.
    pub max_error: f64,
    /// Largest distance of a joint that was not missing from the clip: under a millimetre of a body of 1.7 m, unless
    /// what was seen cannot be met.
    pub max_seen_error: f64,
}

/// Why a clip could not be rebuilt.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FillError {
    /// Frames that the clip does not have.
    #[error("frames {from}..{to} are not in the clip, which has {n_frames}")]
    Range {
        /// First frame of the range.
        from: usize,
        /// One past the last.
        to: usize,
        /// Frames of the clip.
        n_frames: usize,
    },
    /// The clip is on other bones.
    #[error("the clip cannot be solved with this style")]
    Solver(#[from] SolveError),
    /// A frame could not be solved.
    #[error(transparent)]
    Take(#[from] MotionSolveError),
    /// The result is no clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// Time over which a rebuilt range is blended with the frames beside it.
const FADE_SECS: f64 = 0.2;

/// Rebuilds a range of a clip from the positions of the joints that are not missing.
///
/// `is_missing` says which are, by frame and joint; that may change from frame to frame. At the ends of a range inside
/// the clip the motion is continuous with the frames around it. What was captured stays exactly as it was, also
/// rotations that positions do not determine, such as that of a hand about the forearm.
pub fn fill(
    solver: &Solver,
    clip: &Clip,
    frames: Range<usize>,
    is_missing: &(dyn Fn(usize, usize) -> bool + Sync),
    ticket: &Ticket,
) -> Result<Filled, FillError> {
    let n_frames = clip.n_frames();
    if frames.start >= frames.end || frames.end > n_frames {
        return Err(FillError::Range {
            from: frames.start,
            to: frames.end,
            n_frames,
        });
    }
    let solver = solver.clone().on_skeleton(clip.skeleton())?;
    let seen: Vec<FrameConstraints> = frames
        .clone()
        .map(|f| seen_joints(clip, f, is_missing))
        .collect();
    let solved = solver.solve_motion(&seen, &MotionSolveSettings::at(clip.fps()), ticket)?;
    let mut poses: Vec<Pose> = solved.iter().map(|s| s.pose.clone()).collect();
    let n_fade = ((FADE_SECS * clip.fps()).ceil() as usize).clamp(1, poses.len());
    if frames.start > 0 {
        faded_in(&mut poses, clip.frame(frames.start), n_fade);
    }
    if frames.end < n_frames {
        poses.reverse();
        faded_in(&mut poses, clip.frame(frames.end - 1), n_fade);
        poses.reverse();
    }
    let mut solver = solver;
    for (at, ((pose, near), frame)) in poses.iter_mut().zip(&solved).zip(&seen).enumerate() {
        *pose = solver.met_from(pose, near, &frame.constraints)?.pose;
        let f = frames.start + at;
        let is_kept = kept(clip.skeleton(), &|j| is_missing(f, j));
        keep_seen(clip.skeleton(), clip.frame(f), pose, &is_kept, &|j| {
            is_missing(f, j)
        });
    }
    finished(clip, frames, &poses, is_missing)
}

/// Which joints were captured together with all their children: their rotations in the world are known.
fn kept(skeleton: &Skeleton, is_missing: &dyn Fn(usize) -> bool) -> Vec<bool> {
    let joints = 0..skeleton.n_joints();
    joints
        .map(|j| !is_missing(j) && !skeleton.children(j).any(is_missing))
        .collect()
}

/// Where the captured joints of a frame are, and how those are turned that the rebuilt ones hang on.
///
/// Places alone leave that open where bones have no length: a chest whose neck and collar bones start at its own place
/// may turn, and a collar bone back, until an arm reaches its hand in a way that the chest does not allow.
fn seen_joints(
    clip: &Clip,
    frame: usize,
    is_missing: &(dyn Fn(usize, usize) -> bool + Sync),
) -> FrameConstraints {
    let skeleton = clip.skeleton();
    let world = WorldPose::of(skeleton, clip.frame(frame));
    let is_kept = kept(skeleton, &|j| is_missing(frame, j));
    let carries_rebuilt =
        |j: usize| is_kept[j] && skeleton.children(j).any(|child| !is_kept[child]);
    let places = world.positions.iter().enumerate();
    let places = places
        .filter(|(joint, _)| !is_missing(frame, *joint))
        .map(|(joint, place)| Constraint::pin(Site::Joint(joint), *place));
    let turns = world.rotations.iter().enumerate();
    let turns = turns
        .filter(|(joint, _)| carries_rebuilt(*joint))
        .map(|(joint, turn)| Constraint {
            site: Site::Joint(joint),
            goal: Goal::Orientation(*turn),
            mode: ConstraintMode::Hard,
        });
    FrameConstraints {
        constraints: places.chain(turns).collect(),
        weights: Vec::new(),
    }
}

/// Restores the world rotation of joints that were captured together with all their children: these are known, and the
/// style does not change them. All others stay turned in the world as they were solved, whatever carries them: so the
/// places that the solver met are met still.
fn keep_seen(
    skeleton: &Skeleton,
    was: PoseRef<'_>,
    pose: &mut Pose,
    is_kept: &[bool],
    is_missing: &dyn Fn(usize) -> bool,
) {
    let was_world = WorldPose::of(skeleton, was);
    let solved = WorldPose::of(skeleton, pose.as_ref());
    let mut world: Vec<Quat> = Vec::with_capacity(skeleton.n_joints());
    for (j, joint) in skeleton.joints().iter().enumerate() {
        let above = joint.parent.map_or(Quat::identity(), |p| world[p]);
        // With an unchanged parent the local rotation is copied, so that it is equal to the last bit.
        let is_carried = joint.parent.is_none_or(|p| is_kept[p]);
        pose.rotations[j] = match (is_kept[j], is_carried) {
            (true, true) => was.rotations[j],
            (true, false) => above.inverse() * was_world.rotations[j],
            (false, _) => above.inverse() * solved.rotations[j],
        };
        let is_placed = !is_missing(j) && is_carried;
        if let Some(slot) = skeleton.translation_slot(j).filter(|_| is_placed) {
            pose.translations[slot] = was.translations[slot];
        }
        world.push(above * pose.rotations[j]);
    }
}

fn finished(
    clip: &Clip,
    frames: Range<usize>,
    poses: &[Pose],
    is_missing: &(dyn Fn(usize, usize) -> bool + Sync),
) -> Result<Filled, FillError> {
    let skeleton = clip.skeleton();
    let mut motion = Motion::with_capacity(skeleton, clip.frame_secs(), clip.n_frames());
    let (mut sum, mut n, mut max_error, mut max_seen_error) = (0.0, 0_usize, 0.0_f64, 0.0_f64);
    for f in 0..clip.n_frames() {
        let inside = frames.contains(&f).then(|| &poses[f - frames.start]);
        motion.push(inside.map_or(clip.frame(f), Pose::as_ref));
        let Some(pose) = inside else { continue };
        let was = WorldPose::of(skeleton, clip.frame(f));
        let is = WorldPose::of(skeleton, pose.as_ref());
        for joint in 0..skeleton.n_joints() {
            let error = (was.positions[joint] - is.positions[joint]).norm();
            if is_missing(f, joint) {
                sum += error;
                n += 1;
                max_error = max_error.max(error);
            } else {
                max_seen_error = max_seen_error.max(error);
            }
        }
    }
    let mut info = clip.info.clone();
    info.history
        .push(format!("rebuilt frames {}..{}", frames.start, frames.end));
    let filled = Clip::new(info, Arc::clone(skeleton), motion)?;
    Ok(Filled {
        clip: filled.with_contacts(clip.contacts().to_vec())?,
        mean_error: if n > 0 { sum / n as f64 } else { 0.0 },
        max_error,
        max_seen_error,
    })
}
