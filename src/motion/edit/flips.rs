//! Joints that flip over and stay so for a while: a solver found the mirrored solution of an ankle or a wrist.
//!
//! [`super::find_glitches`] knows a jump by one clip alone, where the joint is soon back. A flip may last longer; what
//! tells it from a real motion is what the joint does in all clips together: it goes far beyond where it usually is,
//! and it gets there, or back, within one frame. Kicks go as far, but over several frames.

use super::Glitch;
use crate::motion::rotation::mean;
use crate::motion::{Clip, Quat};

/// Nearer to its mean rotation than this no joint has flipped; radians.
const NEAR_RAD: f64 = 1.1;
/// Nor within so many times the angle that it stays below in nine of ten frames.
const TIMES_USUAL: f64 = 2.5;
/// A step into or out of a flip; radians a second, as fast as no joint turns for a single frame.
const JUMP_RAD_PER_SEC: f64 = 15.0;
/// Longer than this it is another pose; seconds.
const MOST_SECS: f64 = 0.7;
/// A mean over more frames than these does not change.
const ENOUGH: usize = 2000;

/// The flipped frames of each clip, all on one skeleton, by joint and then by time.
pub fn find_flips(clips: &[&Clip]) -> Vec<Vec<Glitch>> {
    let mut found = vec![Vec::new(); clips.len()];
    let Some(first) = clips.first() else {
        return found;
    };
    for joint in 1..first.skeleton().n_joints() {
        let typical = TypicalRotation::of(clips, joint);
        for (clip, found) in clips.iter().zip(&mut found) {
            typical.flips(clip, joint, found);
        }
    }
    found
}

/// Where a joint usually is.
struct TypicalRotation {
    middle: Quat,
    reach_rad: f64,
}

impl TypicalRotation {
    fn of(clips: &[&Clip], joint: usize) -> Self {
        let total: usize = clips.iter().map(|c| c.n_frames()).sum();
        let stride = total.div_ceil(ENOUGH).max(1);
        let all = clips.iter().flat_map(|c| c.frames());
        let some: Vec<Quat> = all.step_by(stride).map(|p| p.rotations[joint]).collect();
        let middle = mean(&some);
        let mut angles: Vec<f64> = some.iter().map(|q| q.angle_to(&middle)).collect();
        let at = angles.len() * 9 / 10;
        let typical = *angles.select_nth_unstable_by(at, f64::total_cmp).1;
        Self {
            middle,
            reach_rad: NEAR_RAD.max(TIMES_USUAL * typical),
        }
    }

    fn flips(&self, clip: &Clip, joint: usize, found: &mut Vec<Glitch>) {
        let way: Vec<Quat> = clip.frames().map(|p| p.rotations[joint]).collect();
        let is_far = |f: usize| way[f].angle_to(&self.middle) > self.reach_rad;
        let most = (MOST_SECS * clip.fps()).max(1.0) as usize;
        let step = |to: usize| match to {
            0 => 0.0,
            to if to >= way.len() => 0.0,
            to => way[to - 1].angle_to(&way[to]),
        };
        let mut at = 0;
        while at < way.len() {
            if !is_far(at) {
                at += 1;
                continue;
            }
            let end = (at..way.len()).find(|&f| !is_far(f)).unwrap_or(way.len());
            let jump_rad = step(at).max(step(end));
            if end - at <= most && jump_rad * clip.fps() > JUMP_RAD_PER_SEC {
                found.extend((at..end).map(|frame| Glitch {
                    frame,
                    joint,
                    jump_rad,
                }));
            }
            at = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::motion::{Channels, ClipInfo, Joint, Motion, Pose, RotationOrder, Skeleton, Vec3};

    /// A joint that bends to and fro; `bend` gives its angle by frame.
    fn clip(bend: impl Fn(usize) -> f64) -> Clip {
        let joint = |name: &str, parent| Joint {
            name: name.to_owned(),
            parent,
            offset: Vec3::y(),
            channels: Channels::rotation(RotationOrder::ZXY),
        };
        let joints = vec![joint("a", None), joint("b", Some(0))];
        let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
        let mut motion = Motion::with_capacity(&skeleton, 1.0 / 30.0, 200);
        for frame in 0..200 {
            let mut pose = Pose::rest(&skeleton);
            pose.rotations[1] = Quat::from_scaled_axis(Vec3::x() * bend(frame));
            motion.push(pose.as_ref());
        }
        Clip::new(ClipInfo::named("bends"), skeleton, motion).unwrap()
    }

    fn sway(frame: usize) -> f64 {
        0.3 * (frame as f64 * 0.2).sin()
    }

    #[test]
    fn a_flip_of_half_a_second_is_found_and_a_kick_is_not() {
        let flipped = clip(|f| sway(f) + if (50..65).contains(&f) { 2.5 } else { 0.0 });
        let frames: Vec<usize> = find_flips(&[&flipped])[0].iter().map(|g| g.frame).collect();
        assert_eq!(frames, (50..65).collect::<Vec<_>>());
        // As far, within seven frames there and seven back.
        let kick = |f: usize| 2.5 * (1.0 - (f as f64 - 57.0).abs() / 7.0).max(0.0);
        let kicking = clip(|f| sway(f) + kick(f));
        assert!(find_flips(&[&kicking])[0].is_empty(), "no jump");
    }

    #[test]
    fn another_pose_is_no_flip() {
        let other = clip(|f| sway(f) + if f > 100 { 2.5 } else { 0.0 });
        assert!(find_flips(&[&other])[0].is_empty(), "it stays there");
        assert!(find_flips(&[]).is_empty(), "no clips, no flips");
    }
}
