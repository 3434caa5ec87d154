//! Real takes for tests of the craft: read, set upright, without the T-pose that raw CMU files begin with.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use kinfolk::file::bvh::{ReadSettings, read};
use kinfolk::motion::{Clip, Motion, body};

/// One unit of the CMU files.
pub(crate) const CMU_CM: f64 = 5.644;

/// A file of the development set, named after it.
pub(crate) fn take(path: &Path) -> Clip {
    let mut clip = read(&fs::read(path).unwrap(), &ReadSettings::default()).unwrap();
    clip.info.up = body::guess_up(&clip).axis;
    clip.info.name = path.file_stem().unwrap().to_string_lossy().into_owned();
    if path.parent().is_some_and(|dir| dir.ends_with("walk_full")) {
        cut(&clip, 1, clip.n_frames(), 1)
    } else {
        clip
    }
}

/// Every `stride`-th of these frames.
pub(crate) fn cut(clip: &Clip, from: usize, to: usize, stride: usize) -> Clip {
    let frame_secs = clip.frame_secs() * stride as f64;
    let mut motion = Motion::with_capacity(clip.skeleton(), frame_secs, to - from);
    for frame in (from..to).step_by(stride) {
        motion.push(clip.frame(frame));
    }
    Clip::new(clip.info.clone(), Arc::clone(clip.skeleton()), motion).unwrap()
}

/// The same clip with all lengths multiplied.
pub(crate) fn scaled(clip: &Clip, factor: f64) -> Clip {
    let skeleton = clip.skeleton().with_offsets(|o| o * factor).unwrap();
    let mut motion = clip.motion().clone();
    for t in &mut motion.translations {
        *t *= factor;
    }
    Clip::new(clip.info.clone(), Arc::new(skeleton), motion).unwrap()
}
