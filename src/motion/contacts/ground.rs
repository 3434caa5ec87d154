//! Where the floor is, and how high ankle and toe joints are above it when the foot is down.
//!
//! Markers, shoes and skeletons differ, so each joint has a height of its own at which it stands. A foot that is held
//! up all the time (standing on one leg) takes the height of the other one. Floors of real takes tilt and sink by up to
//! a hand's breadth from one end of the room to the other, so the floor may rise slowly with the lower foot.

use super::JointTrack;
use crate::motion::{Clip, WorldPose};
use crate::numerics::quantile::quantile;

/// Below this share of the slow moments a point may be by chance (a foot pushed into the floor by a bad fit).
const OUTLIERS: f64 = 0.05;
/// A foot that never comes down to within this many body heights of where the other one stands is held up.
const SAME_FLOOR: f64 = 0.03;
/// Body heights that the floor may rise; above it a slow foot is taken to be in the air.
const MAX_RISE: f64 = 0.06;
/// The lower foot has stood on the floor at some moment within this time.
const RISE_SECS: f64 = 0.5;

/// Heights along the clip's up axis, in its units.
#[derive(Debug, Clone, PartialEq)]
pub struct Ground {
    /// The floor: the lowest joint of a foot that is down.
    pub level: f64,
    /// For each joint of the feet the height at which it stands.
    pub stands: Vec<(usize, f64)>,
    /// How far above `level` the floor is at each frame; empty if that is not known.
    pub rises: Vec<f64>,
}

impl Ground {
    /// From the tracks of each kind of point; `slow` in units a second.
    pub(super) fn of(kinds: &[Vec<&JointTrack>], slow: f64, body_height: f64, fps: f64) -> Self {
        let mut stands = Vec::new();
        for tracks in kinds {
            let own: Vec<f64> = tracks.iter().map(|t| low_height(t, slow)).collect();
            let lowest = own.iter().copied().fold(f64::INFINITY, f64::min);
            for (track, own) in tracks.iter().zip(own) {
                let is_held_up = own > lowest + SAME_FLOOR * body_height;
                stands.push((track.joint, if is_held_up { lowest } else { own }));
            }
        }
        let level = stands.iter().map(|s| s.1).fold(f64::INFINITY, f64::min);
        let mut ground = Self {
            level,
            stands,
            rises: Vec::new(),
        };
        let above = slow_heights_above(&ground, kinds, slow);
        let reach = (RISE_SECS * fps).round() as usize;
        let most = MAX_RISE * body_height;
        ground.rises = (0..above.len())
            .map(|frame| {
                let near = frame.saturating_sub(reach)..(frame + reach + 1).min(above.len());
                let lowest = above[near].iter().copied().fold(f64::INFINITY, f64::min);
                // Higher than the most, or never slow: it is no evidence of the floor.
                if lowest <= most { lowest.max(0.0) } else { 0.0 }
            })
            .collect();
        ground
    }

    /// Without feet: as low as any joint comes.
    pub(super) fn under_everything(clip: &Clip) -> Self {
        let up = clip.info.up;
        let mut world = WorldPose::of(clip.skeleton(), clip.frame(0));
        let mut lowest: Vec<f64> = clip
            .frames()
            .map(|pose| {
                world.update(clip.skeleton(), pose);
                let heights = world.positions.iter().map(|p| up.along(p));
                heights.fold(f64::INFINITY, f64::min)
            })
            .collect();
        Self {
            level: quantile(&mut lowest, OUTLIERS).expect("a clip has frames"),
            stands: Vec::new(),
            rises: Vec::new(),
        }
    }

    /// How far above `level` the floor is at a frame.
    pub fn rise_at(&self, frame: usize) -> f64 {
        self.rises.get(frame).copied().unwrap_or(0.0)
    }

    /// How high a joint of a foot stands; any other stands on the floor.
    pub fn stand(&self, joint: usize) -> f64 {
        let own = self.stands.iter().find(|(j, _)| *j == joint);
        own.map_or(self.level, |(_, height)| *height)
    }
}

/// For each frame how far the lowest of the slow points is above where it stands; infinite if none is slow.
fn slow_heights_above(ground: &Ground, kinds: &[Vec<&JointTrack>], slow: f64) -> Vec<f64> {
    let tracks = || kinds.iter().flatten();
    let n_frames = tracks().next().map_or(0, |t| t.heights.len());
    let mut above = vec![f64::INFINITY; n_frames];
    for track in tracks() {
        let stand = ground.stand(track.joint);
        for (frame, lowest) in above.iter_mut().enumerate() {
            if track.speeds[frame] <= slow {
                *lowest = lowest.min(track.heights[frame] - stand);
            }
        }
    }
    above
}

/// As low as a point comes while it is slow; if it never is, at all.
fn low_height(track: &JointTrack, slow: f64) -> f64 {
    let moments = track.heights.iter().zip(&track.speeds);
    let mut heights: Vec<f64> = moments
        .filter(|(_, speed)| **speed <= slow)
        .map(|(height, _)| *height)
        .collect();
    if heights.is_empty() {
        heights.clone_from(&track.heights);
    }
    quantile(&mut heights, OUTLIERS).expect("a clip has frames")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::contacts::ContactPart;

    fn track(joint: usize, heights: &[f64], speeds: &[f64]) -> JointTrack {
        JointTrack {
            joint,
            part: ContactPart::Toe,
            way: Vec::new(),
            heights: heights.to_vec(),
            speeds: speeds.to_vec(),
        }
    }

    #[test]
    fn a_foot_held_up_stands_where_the_other_does() {
        let down = track(3, &[0.02; 40], &[0.0; 40]);
        let raised = track(7, &[0.4; 40], &[0.0; 40]);
        let ground = Ground::of(&[vec![&down, &raised]], 0.1, 1.7, 30.0);
        assert_eq!(ground.stand(3), 0.02);
        assert_eq!(ground.stand(7), 0.02);
    }

    #[test]
    fn small_differences_between_left_and_right_are_kept() {
        let left = track(3, &[0.02; 40], &[0.0; 40]);
        let right = track(7, &[0.05; 40], &[0.0; 40]);
        let ground = Ground::of(&[vec![&left, &right]], 0.1, 1.7, 30.0);
        assert_eq!(ground.stands, [(3, 0.02), (7, 0.05)]);
        assert_eq!(ground.level, 0.02);
    }

    #[test]
    fn a_sinking_floor_is_followed_and_a_raised_foot_is_not() {
        let still = [0.0; 300];
        let sinking: Vec<f64> = (0..300)
            .map(|f| 0.08 - f64::from(f) * 0.08 / 300.0)
            .collect();
        let left = track(3, &sinking, &still);
        let raised: Vec<f64> = sinking.iter().map(|h| h + 0.2).collect();
        let right = track(7, &raised, &still);
        let ground = Ground::of(&[vec![&left, &right]], 0.1, 1.7, 30.0);
        for (frame, height) in sinking.iter().enumerate() {
            let off = height - ground.stand(3) - ground.rise_at(frame);
            assert!((-0.01..0.01).contains(&off), "frame {frame}: {off}");
        }
    }

    #[test]
    fn one_bad_frame_does_not_lower_the_floor() {
        let mut heights = [0.1; 60];
        heights[10] = -3.0;
        let ground = Ground::of(&[vec![&track(1, &heights, &[0.0; 60])]], 0.1, 1.7, 30.0);
        assert_eq!(ground.level, 0.1);
    }
}
