//! Motion quality metrics, each with a definition, and with the frame where it is worst.
//!
//! [`jerk`], [`foot_slide`] and [`penetration`] look at one clip; [`measure`] compares variants with the clips they
//! came from and with real motion that was held back. Lengths are in body heights and rates per second. Clips are
//! looked at with at most 60 frames a second, all with the same number, because differences over a shorter time show
//! more of the noise: so neither scale nor frame rate decides. [`super::cycles::closure`] measures loops.
//!
//! They do not measure whether a motion has the intended meaning.

mod correlation;
mod feet;
mod jerk;
mod poses;
mod report;
mod space;
mod table;
mod variety;

use super::chart::ChartError;
use super::cycles::CycleError;
use super::{Clip, Vec3, WorldPose, body};

pub use feet::{FootLevels, FootSlide, Penetration, UNSEEN_SLIDE, foot_slide, penetration};
pub use jerk::{Jerk, jerk};
pub use report::{ClipReport, MeasureSettings, Report, measure};
pub use space::{InSpace, in_space};

/// Clips are looked at with no more frames per second than these.
pub const MOST_FPS: f64 = 60.0;

/// A number cannot be had.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MetricError {
    /// The clip has too few frames for this metric.
    #[error(
        "clip \"{clip}\" has {found} frames at {fps} a second; {needed} are needed to measure {what}"
    )]
    TooShort {
        /// Name of the clip.
        clip: String,
        /// Frames there are at that rate.
        found: usize,
        /// The rate looked at.
        fps: f64,
        /// The least number of frames for the metric.
        needed: usize,
        /// What would have been measured.
        what: &'static str,
    },
    /// No feet are known on this skeleton.
    #[error("the skeleton of \"{clip}\" has no joints that are known to be feet")]
    NoFeet {
        /// Name of the clip.
        clip: String,
    },
    /// A set is empty.
    #[error("there are no {what} to measure")]
    Nothing {
        /// The set that is empty: "variants", "inputs".
        what: &'static str,
    },
    /// The rate is no rate.
    #[error("the frame rate must be a positive number, found {0}")]
    Rate(f64),
    /// The clips have no common coordinates.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// A seam cannot be measured.
    #[error(transparent)]
    Cycle(#[from] CycleError),
}

/// Where a number is worst.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worst {
    /// The metric's value at that frame and joint.
    pub value: f64,
    /// Frame of the clip.
    pub frame: usize,
    /// Joint of its skeleton.
    pub joint: usize,
}

impl Worst {
    const NONE: Self = Self {
        value: 0.0,
        frame: 0,
        joint: 0,
    };

    fn keep(&mut self, value: f64, frame: usize, joint: usize) {
        if value > self.value {
            *self = Self {
                value,
                frame,
                joint,
            };
        }
    }
}

/// The highest rate that all clips have, but at most `limit`.
pub fn common_fps<'a>(clips: impl IntoIterator<Item = &'a Clip>, limit: f64) -> f64 {
    clips.into_iter().map(Clip::fps).fold(limit, f64::min)
}

/// Moments of a clip, in its frames, at another rate; whole frames where the rates allow.
fn moments(clip: &Clip, fps: f64) -> Vec<f64> {
    let step = clip.fps() / fps;
    let n = ((clip.n_frames() - 1) as f64 / step + 1e-6) as usize + 1;
    (0..n)
        .map(|i| {
            let moment = i as f64 * step;
            let whole = moment.round();
            if (moment - whole).abs() < 1e-6 {
                whole
            } else {
                moment
            }
        })
        .collect()
}

/// World positions of all joints at another rate, in body heights.
struct Places {
    fps: f64,
    moments: Vec<f64>,
    n_joints: usize,
    positions: Vec<Vec3>,
}

impl Places {
    fn of(clip: &Clip, fps: f64) -> Result<Self, MetricError> {
        if !(fps > 0.0 && fps.is_finite()) {
            return Err(MetricError::Rate(fps));
        }
        let skeleton = clip.skeleton();
        let moments = moments(clip, fps);
        let per_unit = 1.0 / body::height(clip);
        let mut world = WorldPose::of(skeleton, clip.frame(0));
        let mut positions = Vec::with_capacity(moments.len() * skeleton.n_joints());
        for &moment in &moments {
            if moment.fract() == 0.0 {
                world.update(skeleton, clip.frame(moment as usize));
            } else {
                world.update(skeleton, clip.pose_at(moment).as_ref());
            }
            positions.extend(world.positions.iter().map(|p| p * per_unit));
        }
        Ok(Self {
            fps,
            moments,
            n_joints: skeleton.n_joints(),
            positions,
        })
    }

    fn len(&self) -> usize {
        self.moments.len()
    }

    fn at(&self, row: usize, joint: usize) -> &Vec3 {
        &self.positions[row * self.n_joints + joint]
    }

    /// The frame of the clip nearest to a row.
    fn frame(&self, row: usize) -> usize {
        self.moments[row].round() as usize
    }

    fn need(&self, clip: &Clip, needed: usize, what: &'static str) -> Result<(), MetricError> {
        if self.len() >= needed {
            return Ok(());
        }
        Err(MetricError::TooShort {
            clip: clip.info.name.clone(),
            found: self.len(),
            fps: self.fps,
            needed,
            what,
        })
    }
}
