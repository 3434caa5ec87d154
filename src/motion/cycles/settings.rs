//! How cycles are looked for, and why none can be.

use crate::motion::ClipError;
use crate::motion::features::FeatureError;

/// Cycles cannot be found or made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CycleError {
    /// The poses cannot be described.
    #[error(transparent)]
    Features(#[from] FeatureError),
    /// The body does not move.
    #[error("the body does not move, so there is nothing to cut")]
    Still,
    /// The motion never comes back to where it was.
    #[error("the motion does not repeat itself within {seconds:.1} s")]
    NoCycle {
        /// The longest time looked at.
        seconds: f64,
    },
    /// Too few frames to speak of velocity.
    #[error("{found} frames are too few to {what}; at least {needed} are needed")]
    TooShort {
        /// The operation that needs more frames.
        what: &'static str,
        /// Frames of the clip or range.
        found: usize,
        /// The least number of frames.
        needed: usize,
    },
    /// The range is empty or reaches beyond the clip.
    #[error("frames {from}..{to} are not inside the clip of {n_frames} frames")]
    Range {
        /// First frame of the range.
        from: usize,
        /// One past the last.
        to: usize,
        /// Length of the clip.
        n_frames: usize,
    },
    /// The repeated loop would be too long.
    #[error("{n_frames} frames are too many for one clip; at most {most} are made")]
    TooLong {
        /// Frames of the repeated loop.
        n_frames: usize,
        /// The largest number of frames allowed.
        most: usize,
    },
    /// The numbers make no clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// Where cuts may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CutStart {
    /// Wherever the seam is smallest.
    #[default]
    Anywhere,
    /// Where the left foot is furthest ahead of the body, about heel-strike, so that cycles of many takes begin alike.
    LeftFootAhead,
}

/// How to look for cycles.
#[derive(Debug, Clone, PartialEq)]
pub struct CycleSettings {
    /// The longest cycle looked for, in seconds.
    pub longest_secs: f64,
    /// Poses are compared over so many seconds before and after a seam.
    pub window_secs: f64,
    /// Where cuts may begin.
    pub start: CutStart,
}

impl Default for CycleSettings {
    fn default() -> Self {
        Self {
            longest_secs: 6.0,
            window_secs: 0.1,
            start: CutStart::Anywhere,
        }
    }
}
