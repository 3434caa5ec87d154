//! Simple operations on the selected clips: each is one undoable step.

use crate::motion::Clip;
use crate::motion::edit::{self, InPlace};
use crate::motion::foot_slide::{self, FootSlideSettings};

/// What is done to each clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operation {
    /// Swaps left and right.
    Mirror,
    /// Takes off the T-pose that a converter put before the motion.
    DropTPose,
    /// Mends joints that jump for a frame.
    MendGlitches,
    /// Puts the floor at height zero.
    SetFloor,
    /// Takes out the travel over the floor.
    InPlace,
    /// Holds feet still while they stand.
    PlantFeet,
    /// Gives the clip another rate.
    Resample {
        /// The new frame rate, in frames per second.
        fps: f64,
    },
    /// Keeps one range of frames and drops the rest.
    Trim {
        /// Where the range starts and ends.
        range_secs: (f64, f64),
    },
}

impl Operation {
    /// For "Undo mirror 3 clips".
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Mirror => "mirror",
            Self::DropTPose => "drop T-pose of",
            Self::MendGlitches => "remove spikes of",
            Self::SetFloor => "set floor of",
            Self::InPlace => "set in place",
            Self::PlantFeet => "lock feet of",
            Self::Resample { .. } => "resample",
            Self::Trim { .. } => "trim",
        }
    }

    pub(super) fn apply(self, clip: &Clip) -> anyhow::Result<Clip> {
        Ok(match self {
            Self::Mirror => edit::mirror(clip)?,
            Self::DropTPose => edit::drop_tpose(clip)?,
            Self::MendGlitches => edit::mend_glitches(clip, &edit::find_glitches(clip))?,
            Self::SetFloor => edit::set_floor(clip, edit::find_floor(clip).height)?,
            Self::InPlace => edit::root_in_place(clip, InPlace::Travel)?.0,
            Self::PlantFeet => foot_slide::remove(clip, &FootSlideSettings::default())?.clip,
            Self::Resample { fps } => edit::resample(clip, fps)?,
            Self::Trim { range_secs } => edit::trim(clip, frames_in(clip, range_secs))?,
        })
    }
}

/// The frames from the one nearest to the start up to the one nearest to the end, at least one.
pub fn frames_in(clip: &Clip, (from_secs, to_secs): (f64, f64)) -> std::ops::Range<usize> {
    let n_frames = clip.n_frames();
    // Casts of numbers out of range stop at the ends, which is what is wanted.
    let from = ((from_secs * clip.fps()).round() as usize).min(n_frames - 1);
    let to = ((to_secs * clip.fps()).round() as usize).min(n_frames);
    from..to.max(from + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{Action, make};

    #[test]
    fn a_stretch_of_seconds_is_a_stretch_of_frames() {
        let clip = make(Action::ALL[0], 1, 0).clip;
        let (n, fps) = (clip.n_frames(), clip.fps());
        assert_eq!(frames_in(&clip, (0.0, clip.seconds())), 0..n);
        assert_eq!(frames_in(&clip, (2.0 / fps, 7.0 / fps)), 2..7);
        assert_eq!(frames_in(&clip, (5.0 / fps, 5.0 / fps)), 5..6);
        assert_eq!(frames_in(&clip, (-1.0, f64::INFINITY)), 0..n);
        assert_eq!(frames_in(&clip, (1e300, 0.0)), n - 1..n);
    }
}
