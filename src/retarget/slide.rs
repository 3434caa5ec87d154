//! How much feet slide while they should stand, the same way before and after.

use crate::motion::{Clip, Contact, WorldPose, body};

/// Mean speed over the floor of feet in contact, in body heights a second; `None` without any contact of two frames.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Slide {
    /// In the clip that was given.
    pub source: Option<f64>,
    /// In the clip that was made.
    pub target: Option<f64>,
}

/// The slide of one clip.
pub(super) fn of<'a>(clip: &Clip, contacts: impl IntoIterator<Item = &'a Contact>) -> Option<f64> {
    let (skeleton, up) = (clip.skeleton(), clip.info.up);
    let mut down: Vec<Vec<usize>> = vec![Vec::new(); clip.n_frames()];
    for contact in contacts {
        for frame in contact.frames.clone().skip(1) {
            down[frame].push(contact.joint);
        }
    }
    let mut before = WorldPose::of(skeleton, clip.frame(0));
    let mut now = before.clone();
    let (mut sum, mut n) = (0.0, 0_usize);
    for frame in 1..clip.n_frames() {
        std::mem::swap(&mut before, &mut now);
        now.update(skeleton, clip.frame(frame));
        for &joint in &down[frame] {
            let step = now.positions[joint] - before.positions[joint];
            sum += (step - up.vector() * up.along(&step)).norm();
            n += 1;
        }
    }
    (n > 0).then(|| sum / n as f64 * clip.fps() / body::height(clip))
}
