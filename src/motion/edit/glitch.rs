//! Joints that jump for a moment: a marker was lost, a solver flipped a leg, a T-pose was left over.
//!
//! A jump is a turn from one frame to the next that is fast for any body and several times as fast as the same joint
//! is around that moment. A kick or throw is fast too, but takes several frames to become so. If the joint comes back
//! soon, all frames in between are wrong; near an end of the clip the shorter side is; elsewhere a joint that jumps and
//! stays is marked at the first frame after the jump, and no interpolation can tell which side is right.
//!
//! Looks at rotations only: travel that jumps is a cut, not a glitch.

use std::sync::Arc;

use super::{EditError, remade};
use crate::motion::rotation::slerp;
use crate::motion::{Clip, Quat};
use crate::numerics::quantile::median;

/// A frame in which one joint is wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glitch {
    /// The frame, counted from 0.
    pub frame: usize,
    /// The joint's index in the skeleton.
    pub joint: usize,
    /// How far the joint jumps.
    pub jump_rad: f64,
}

/// No limb turns faster than this within one frame unless it was fast before: 1500 degrees a second. The fastest knees
/// and shoulders (kicks, throws) reach it, after several frames of getting faster.
const FAST_RAD_PER_SEC: f64 = 26.0;
/// And less than this is hard to see, at whatever rate.
const SEEN_RAD: f64 = 0.52;
/// As many times faster than around it.
const RATIO: f64 = 4.0;
/// How many steps on either side are "around".
const AROUND: usize = 3;
/// A joint that is back after this time was away; longer is another pose.
const AWAY_SECS: f64 = 0.2;
/// Back means within this share of the jump.
const BACK: f64 = 0.5;

/// All wrong frames, by joint and then by time.
pub fn find_glitches(clip: &Clip) -> Vec<Glitch> {
    let n_joints = clip.skeleton().n_joints();
    let mut found = Vec::new();
    for joint in 0..n_joints {
        let all = clip.motion().rotations.iter();
        let way: Vec<Quat> = all.skip(joint).step_by(n_joints).copied().collect();
        let wrong = wrong_frames(&way, clip.fps());
        found.extend(wrong.into_iter().map(|(frame, jump_rad)| Glitch {
            frame,
            joint,
            jump_rad,
        }));
    }
    found
}

/// The wrong frames of one joint, each with the size of its jump.
fn wrong_frames(way: &[Quat], fps: f64) -> Vec<(usize, f64)> {
    let steps: Vec<f64> = way.windows(2).map(|w| w[0].angle_to(&w[1])).collect();
    let least = SEEN_RAD.max(FAST_RAD_PER_SEC / fps);
    let away = ((AWAY_SECS * fps) as usize).max(2);
    let n = way.len();
    let mut wrong: Vec<(usize, f64)> = Vec::new();
    // What is wrong up to here already; a way back is no second glitch.
    let mut done = 0;
    for (at, &jump) in steps.iter().enumerate() {
        let frame = at + 1;
        if jump < least || frame < done {
            continue;
        }
        let back = (frame + 1..(frame + 1 + away).min(n))
            .find(|&f| way[at].angle_to(&way[f]) <= BACK * jump);
        let is_jump = jump > RATIO * around(&steps, at)
            || (back.is_some() && at > 0 && jump > RATIO * before(&steps, at));
        if !is_jump {
            continue;
        }
        let frames = match back {
            Some(back) => frame..back,
            None if frame <= away / 2 => 0..frame,
            None if n - frame <= away / 2 => frame..n,
            None => frame..frame + 1,
        };
        done = frames.end + 1;
        // A flip may begin with a twitch and be at its worst a frame later.
        let worst = steps[at..frames.end.min(steps.len()).max(frame)]
            .iter()
            .copied()
            .fold(jump, f64::max);
        wrong.extend(frames.map(|f| (f, worst)));
    }
    wrong.sort_by_key(|w| w.0);
    wrong.dedup_by_key(|w| w.0);
    wrong
}

/// The usual step around one, itself left out.
fn around(steps: &[f64], at: usize) -> f64 {
    let from = at.saturating_sub(AROUND);
    let to = (at + AROUND + 1).min(steps.len());
    let mut others: Vec<f64> = steps[from..at].to_vec();
    others.extend_from_slice(&steps[at + 1..to]);
    // With two frames alone there is nothing to compare with.
    median(&mut others).unwrap_or(f64::INFINITY)
}

/// The largest step shortly before one.
fn before(steps: &[f64], at: usize) -> f64 {
    let from = at.saturating_sub(AROUND);
    steps[from..at].iter().copied().fold(0.0, f64::max)
}

/// Turns the marked joints, in the marked frames only, evenly between the clean frames around them; at the clip's ends
/// the nearest clean frame is held.
pub fn mend_glitches(clip: &Clip, glitches: &[Glitch]) -> Result<Clip, EditError> {
    let (n_joints, n_frames) = (clip.skeleton().n_joints(), clip.n_frames());
    let mut marks: Vec<(usize, usize)> = Vec::with_capacity(glitches.len());
    for &Glitch { frame, joint, .. } in glitches {
        if frame >= n_frames {
            return Err(EditError::Frame { frame, n_frames });
        }
        if joint >= n_joints {
            return Err(EditError::Joint { joint, n_joints });
        }
        marks.push((joint, frame));
    }
    if marks.is_empty() {
        return Ok(clip.clone());
    }
    marks.sort_unstable();
    marks.dedup();
    let mut motion = clip.motion().clone();
    let follows = |a: &(usize, usize), b: &(usize, usize)| a.0 == b.0 && a.1 + 1 == b.1;
    for run in marks.chunk_by(follows) {
        let (joint, first) = run[0];
        let after = first + run.len();
        let clean = |frame: usize| clip.frame(frame).rotations[joint];
        for &(_, frame) in run {
            let mended = match (first.checked_sub(1), (after < n_frames).then_some(after)) {
                (Some(from), Some(to)) => {
                    let share = (frame - from) as f64 / (to - from) as f64;
                    slerp(&clean(from), &clean(to), share)
                }
                (Some(from), None) => clean(from),
                (None, Some(to)) => clean(to),
                (None, None) => clean(frame),
            };
            motion.rotations[frame * n_joints + joint] = mended;
        }
    }
    let done = format!("mended {} one-frame jumps of joints", marks.len()).replace(
        "mended 1 one-frame jumps of joints",
        "mended a one-frame jump of a joint",
    );
    let contacts = clip.contacts().to_vec();
    remade(clip, Arc::clone(clip.skeleton()), motion, contacts, done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::Vec3;

    fn turned(angle: f64) -> Quat {
        Quat::from_scaled_axis(Vec3::x() * angle)
    }

    /// A kick: out and back within half a second, at 1300 degrees a second at the fastest.
    fn kick(fps: f64) -> Vec<Quat> {
        let angle = |t: f64| 1.9 * (-((t - 0.7) / 0.09).powi(2)).exp();
        (0..(1.4 * fps) as usize)
            .map(|f| turned(angle(f as f64 / fps)))
            .collect()
    }

    #[test]
    fn a_kick_is_no_glitch_but_a_flip_within_it_is() {
        for fps in [24.0, 30.0, 60.0, 120.0, 240.0] {
            let clean = kick(fps);
            assert_eq!(wrong_frames(&clean, fps), [], "{fps} fps");
            for away in 1..=3 {
                let at = clean.len() / 4;
                let mut flipped = clean.clone();
                for q in &mut flipped[at..at + away] {
                    *q *= Quat::from_scaled_axis(Vec3::y() * 2.0);
                }
                let frames: Vec<usize> = wrong_frames(&flipped, fps).iter().map(|w| w.0).collect();
                assert_eq!(frames, (at..at + away).collect::<Vec<_>>(), "{fps} fps");
            }
        }
    }

    #[test]
    fn near_an_end_the_shorter_side_is_wrong() {
        let mut way = vec![turned(0.1); 40];
        way[0] = turned(1.5);
        way[39] = turned(-1.5);
        let frames: Vec<usize> = wrong_frames(&way, 30.0).iter().map(|w| w.0).collect();
        assert_eq!(frames, [0, 39]);
        let step: Vec<Quat> = (0..40)
            .map(|f| turned(if f < 20 { 0.0 } else { 2.0 }))
            .collect();
        let frames: Vec<usize> = wrong_frames(&step, 30.0).iter().map(|w| w.0).collect();
        assert_eq!(frames, [20], "it jumps and stays");
    }

    #[test]
    fn too_few_frames_have_no_glitch() {
        assert_eq!(wrong_frames(&[turned(0.0)], 30.0), []);
        assert_eq!(wrong_frames(&[turned(0.0), turned(2.0)], 30.0), []);
    }
}
