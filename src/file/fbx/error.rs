//! Why an FBX file holds no motion that can be read.

use crate::motion::{ClipError, SkeletonError};

/// Why an FBX file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum FbxError {
    /// The parser gave up.
    #[error("no FBX file, or a broken one: {0}")]
    Parse(String),
    /// Meshes only, or nothing.
    #[error("no bones and no animated objects in this file")]
    NoBones,
    /// More joints than any character has.
    #[error("{found} bones; at most {most} can be read")]
    TooManyBones {
        /// How many the file has.
        found: usize,
        /// How many are allowed.
        most: usize,
    },
    /// The range of a take has nothing to do with the file.
    #[error(
        "take \"{take}\" claims {seconds:.0} seconds at {fps} frames a second for {joints} joints, far more than the file can hold"
    )]
    TooLong {
        /// The name of the take.
        take: String,
        /// The length of the take.
        seconds: f64,
        /// The rate of the scene.
        fps: f64,
        /// Joints of the skeleton.
        joints: usize,
    },
    /// The rate of the scene cannot be meant.
    #[error("the scene runs at {0} frames a second, which cannot be meant")]
    Rate(f64),
    /// The bones make no skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// The numbers make no clip.
    #[error("take \"{take}\": {error}")]
    Clip {
        /// The name of the take.
        take: String,
        /// What is wrong with it.
        error: ClipError,
    },
}
