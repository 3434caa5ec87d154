//! What several benches measure with.

use kinfolk::demo::{Action, LIBRARY_SEED, make};
use kinfolk::motion::{Clip, edit};

/// Demo takes of these kinds, one after the other, at 30 frames a second, until there are so many frames.
pub(crate) fn demo_takes(kinds: &[Action], n_frames: usize) -> Vec<Clip> {
    let mut clips = Vec::new();
    let mut left = n_frames;
    for number in 0.. {
        let kind = kinds[number % kinds.len()];
        let made = make(kind, LIBRARY_SEED, (number / kinds.len()) as u64);
        let clip = edit::resample(&made.clip, 30.0).expect("30 is a rate");
        let n = clip.n_frames().min(left);
        clips.push(edit::trim(&clip, 0..n.max(2)).expect("frames of the clip"));
        left -= n;
        if left == 0 {
            break;
        }
    }
    clips
}
