//! How several clips share one playhead: by the clock, frame by frame, or with the same moments of the motion together.
//!
//! The playhead always counts seconds of the active clip. A [`TimeMap`] says which frame of a clip that is.

use std::sync::Arc;

/// How several clips go by together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SyncMode {
    /// A second is a second in all of them.
    #[default]
    Time,
    /// The same frame number in all of them, whatever their rates.
    Frame,
    /// Each is warped so that it does the same as the active clip at the same moment.
    Aligned,
}

impl SyncMode {
    /// In the order of the switch.
    pub const ALL: [Self; 3] = [Self::Time, Self::Frame, Self::Aligned];

    /// The word on its switch.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Time => "Time",
            Self::Frame => "Frame",
            Self::Aligned => "Time-warped",
        }
    }

    /// What it does, as its tooltip says.
    pub const fn tip(self) -> &'static str {
        match self {
            Self::Time => "A second is a second: clips play at their own speed",
            Self::Frame => "Frame 12 is frame 12 in all clips, whatever their rates",
            Self::Aligned => {
                "Clips are warped onto the active one, so that the same moments of the motion come together"
            }
        }
    }
}

/// Which frame of a clip belongs to which moment of the playhead.
#[derive(Debug, Clone, PartialEq)]
pub enum TimeMap {
    /// So many frames go by in a second.
    Even {
        /// Frames per second; over zero.
        fps: f64,
    },
    /// The same from another moment on; before it the first frame stays.
    From {
        /// The moment of the first frame.
        start_secs: f64,
        /// Frames per second; over zero.
        fps: f64,
    },
    /// As the clip was time-warped along the active one.
    Warped {
        /// For each frame of the active clip the moment of this one, in frames; never turns back, and has at least one.
        moments: Arc<[f64]>,
        /// Of the active clip.
        fps: f64,
    },
}

impl TimeMap {
    /// The moment of the clip, in frames. Past the ends it goes on as if the clip did.
    pub fn frame_at(&self, secs: f64) -> f64 {
        match self {
            Self::Even { fps } => secs * fps,
            Self::From { start_secs, fps } => (secs - start_secs).max(0.0) * fps,
            Self::Warped { moments, fps } => {
                let at = (secs * fps).max(0.0);
                let last = moments.len() - 1;
                let before = (at as usize).min(last);
                match moments.get(before + 1) {
                    Some(after) => moments[before] + (after - moments[before]) * at.fract(),
                    None => moments[last] + (at - last as f64),
                }
            }
        }
    }

    /// When a frame of the clip comes.
    pub fn secs_at(&self, frame: f64) -> f64 {
        match self {
            Self::Even { fps } => frame / fps,
            Self::From { start_secs, fps } => start_secs + frame / fps,
            Self::Warped { moments, fps } => {
                let last = moments.len() - 1;
                if frame >= moments[last] {
                    return (last as f64 + frame - moments[last]) / fps;
                }
                let after = moments.partition_point(|moment| *moment <= frame);
                let Some(before) = after.checked_sub(1) else {
                    return 0.0;
                };
                // The next one lies after the frame, so they differ.
                let share = (frame - moments[before]) / (moments[after] - moments[before]);
                (before as f64 + share) / fps
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warped() -> TimeMap {
        TimeMap::Warped {
            moments: [0.0, 2.0, 2.0, 3.0, 7.0].into(),
            fps: 10.0,
        }
    }

    #[test]
    fn frames_and_seconds_agree_both_ways() {
        let late = TimeMap::From {
            start_secs: 1.5,
            fps: 24.0,
        };
        assert_eq!(late.frame_at(1.0), 0.0, "it waits for its start");
        for time_map in [TimeMap::Even { fps: 24.0 }, late, warped()] {
            for frame in [0.0, 0.5, 1.9, 2.5, 3.0, 6.9, 7.0, 8.0, 20.0] {
                let back = time_map.frame_at(time_map.secs_at(frame));
                assert!(
                    (back - frame).abs() < 1e-9,
                    "{time_map:?}: {frame} is {back}"
                );
            }
        }
    }

    #[test]
    fn a_warped_clip_begins_and_ends_with_the_active_one() {
        let time_map = warped();
        assert_eq!(time_map.frame_at(0.0), 0.0);
        assert_eq!(time_map.frame_at(-1.0), 0.0, "not before it begins");
        assert_eq!(time_map.frame_at(0.4), 7.0);
        assert_eq!(
            time_map.secs_at(8.0),
            0.5,
            "the end of the last frame of both"
        );
        assert_eq!(time_map.frame_at(0.15), 2.0, "it waits");
        let one = TimeMap::Warped {
            moments: [0.0].into(),
            fps: 10.0,
        };
        assert_eq!(one.secs_at(1.0), 0.1, "a clip of one frame");
    }
}
