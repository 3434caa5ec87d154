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
