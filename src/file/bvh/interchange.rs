//! Clips from and to the types of the crate `bvh_anim`, for programs that use it.
//!
//! Both directions go by the file format, so a clip means to either what a file would. What that costs: `bvh_anim`
//! holds single precision, ends names of joints at a colon, and passes over joints that have neither children nor an
//! end site.
//!
//! ```
//! use kinfolk::demo::{Action, make};
//! use kinfolk::motion::Clip;
//!
//! let walk = make(Action::Walk, 1, 0).clip;
//! let theirs = bvh_anim::Bvh::try_from(&walk)?;
//! assert_eq!(theirs.frames().len(), walk.n_frames());
//! let back = Clip::try_from(&theirs)?;
//! assert_eq!(back.skeleton().n_joints(), walk.skeleton().n_joints());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use bvh_anim::Bvh;
use bvh_anim::errors::LoadError;
use bvh_anim::write::WriteOptions;

use super::{ReadSettings, WriteSettings, read, write_exactly};
use crate::file::ReadError;
use crate::motion::Clip;

impl TryFrom<&Bvh> for Clip {
    type Error = ReadError;

    fn try_from(bvh: &Bvh) -> Result<Self, ReadError> {
        // Digits after the point, whatever they are called; its default of two for angles shows.
        let text = WriteOptions::new()
            .with_offset_significant_figures(9)
            .with_frame_time_significant_figures(9)
            .with_motion_values_significant_figures(9)
            .write_to_string(bvh);
        read(text.as_ref(), &ReadSettings::default())
    }
}

impl TryFrom<&Clip> for Bvh {
    type Error = LoadError;

    fn try_from(clip: &Clip) -> Result<Self, LoadError> {
        Self::from_bytes(write_exactly(clip, &WriteSettings::default()).bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{Action, make};
    use crate::motion::WorldPose;

    #[test]
    fn a_clip_comes_back_in_single_precision() {
        let clip = make(Action::Throw, 3, 0).clip;
        let there = Bvh::try_from(&clip).unwrap();
        let back = Clip::try_from(&there).unwrap();
        let names = |clip: &Clip| -> Vec<String> {
            let joints = clip.skeleton().joints().iter();
            joints.map(|joint| joint.name.clone()).collect()
        };
        assert_eq!(names(&back), names(&clip));
        assert_eq!(back.n_frames(), clip.n_frames());
        assert!((back.frame_secs() - clip.frame_secs()).abs() < 1e-6, "rate");
        for frame in 0..clip.n_frames() {
            let ours = WorldPose::of(clip.skeleton(), clip.frame(frame));
            let theirs = WorldPose::of(back.skeleton(), back.frame(frame));
            for site in clip.skeleton().sites() {
                let off = ours.site(clip.skeleton(), site) - theirs.site(back.skeleton(), site);
                assert!(off.norm() < 1e-3, "frame {frame}: {} cm off", off.norm());
            }
        }
    }

    #[test]
    fn a_skeleton_without_channels_is_refused_in_words() {
        let empty = Clip::try_from(&Bvh::new()).unwrap_err();
        assert!(empty.to_string().contains("line"), "{empty}");
    }
}
