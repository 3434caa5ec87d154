//! What the panels of rating studies remember.

use crate::app::study::rating::draft::Draft;
use crate::document::StudyId;

/// What the panels remember.
#[derive(Debug, Default)]
pub struct RatingView {
    /// The study that is shown; none is the newest.
    pub chosen: Option<StudyId>,
    /// A study that is being put together.
    pub draft: Draft,
    /// Whether it is being put together.
    pub is_making: bool,
    /// The name of the person who rates next.
    pub rater: String,
    /// The session that is being rated.
    pub running: Option<Running>,
    /// Paths for packing and reading.
    pub files: FilesView,
}

/// A session on its way.
#[derive(Debug, Clone)]
pub struct Running {
    /// The study that is rated.
    pub study: StudyId,
    /// The name of the rater.
    pub rater: String,
    /// The question that is on stage, and since when.
    pub(super) asked: Option<(usize, f64)>,
    /// Whether clips went round before.
    pub(super) was_looping: bool,
}

/// Paths that are typed.
#[derive(Debug, Default)]
pub struct FilesView {
    /// Where a study is packed.
    pub folder: String,
    /// Whether files that are there may be replaced.
    pub replaces: bool,
    /// A table of ratings, or a folder of them.
    pub ratings: String,
}

/// What a path is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app::study) enum PathFor {
    /// The folder of a packed study.
    Pack,
    /// A table of ratings.
    Ratings,
}
