//! What was played, and how it is written and reported.

use super::course::Course;
use crate::motion::path::PathFit;
use crate::texture::Performance;
use crate::texture::search::Followed;

/// What is written and told.
pub(super) struct Played {
    pub(super) motion: Performance,
    pub(super) along: Option<Along>,
    pub(super) ms_per_frame: f64,
}

/// How a path was followed.
pub(super) struct Along {
    pub(super) course: Course,
    pub(super) fit: PathFit,
    pub(super) followed: Followed,
    pub(super) stretch: f64,
}

impl From<Performance> for Played {
    fn from(motion: Performance) -> Self {
        Self {
            motion,
            along: None,
            ms_per_frame: 0.0,
        }
    }
}
