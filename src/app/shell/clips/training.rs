//! What models learn from: the same motions as on the command line.

use std::sync::Arc;

use crate::motion::{Clip, edit};

/// The clips without the T-pose that converters put before the motion: no model should take it for a part of it.
pub(in crate::app) fn training_motions(clips: &[Arc<Clip>]) -> anyhow::Result<Vec<Clip>> {
    let motions = clips.iter().map(|clip| Ok(edit::drop_tpose(clip)?));
    motions.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{Action, make};
    use crate::motion::edit::{RestPose, rest_as};
    use crate::motion::{Motion, Pose};

    #[test]
    fn a_t_pose_before_the_motion_is_not_learned() {
        let clip = rest_as(&make(Action::Walk, 1, 0).clip, RestPose::T).unwrap();
        let skeleton = Arc::clone(clip.skeleton());
        let mut motion = Motion::with_capacity(&skeleton, clip.frame_secs(), clip.n_frames() + 1);
        motion.push(Pose::rest(&skeleton).as_ref());
        for frame in clip.frames() {
            motion.push(frame);
        }
        let exported = Clip::new(clip.info.clone(), skeleton, motion).unwrap();
        let learned = training_motions(&[Arc::new(exported), Arc::new(clip.clone())]).unwrap();
        for motion in &learned {
            assert!(motion.same_motion(&clip), "{:?}", motion.info.notes);
        }
    }
}
