//! Fingers that were never captured: a suit without gloves leaves them still, or full of noise.

use super::Body;
use crate::motion::Clip;

/// A glove has at least so many joints on each hand; fewer stand for nothing that was measured.
const GLOVE_JOINTS: usize = 8;

/// Joints beyond the wrists that no glove has captured.
pub fn uncaptured_fingers(clip: &Clip) -> Vec<usize> {
    let skeleton = clip.skeleton();
    let body = Body::of(skeleton);
    body.arms
        .iter()
        .flat_map(|arm| {
            let is_beyond = |joint: &usize| {
                let mut above = skeleton.ancestors(*joint).skip(1);
                above.any(|above| above == arm.end)
            };
            let beyond: Vec<usize> = (0..skeleton.n_joints()).filter(is_beyond).collect();
            if beyond.len() < GLOVE_JOINTS {
                beyond
            } else {
                Vec::new()
            }
        })
        .collect()
}
