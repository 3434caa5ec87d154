//! Why no parametric action could be learned or carried out.

use crate::jobs::Cancelled;
use crate::motion::alignment::AlignError;
use crate::motion::edit::EditError;
use crate::motion::limb::LimbError;
use crate::motion::repeats::RepeatError;
use crate::motion::{ClipError, Site};

/// Why no parametric action could be learned or carried out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ParametricError {
    /// One example, or none, shows no way to vary.
    #[error("a parametric action needs at least 2 examples, found {found}")]
    TooFew {
        /// As many as were given, or were left without outliers.
        found: usize,
    },
    /// The examples move different bones.
    #[error("example \"{clip}\" is on another skeleton than \"{first}\": {difference}")]
    Skeletons {
        /// Name of the first example.
        first: String,
        /// Name of the one that differs.
        clip: String,
        /// What differs, in words.
        difference: String,
    },
    /// There is no such joint or end site.
    #[error("the skeleton has no {0:?}")]
    NoSuchSite(Site),
    /// The site hangs on no joint that is moved with the body.
    #[error("\"{site}\" does not move with the body")]
    SiteApart {
        /// Name of the joint or end site.
        site: String,
    },
    /// A single frame is a pose, not an action.
    #[error("example \"{clip}\" has a single frame; an action needs at least 2")]
    OneFrame {
        /// Name of the clip.
        clip: String,
    },
    /// All examples bring the site to one point, so there is nothing to choose from.
    #[error(
        "all {n_examples} examples bring \"{site}\" to the same point (within {spread_percent:.2} % of body height); \
         examples that reach in different directions are needed"
    )]
    SamePoint {
        /// Name of the site.
        site: String,
        /// The number of examples.
        n_examples: usize,
        /// The largest distance between two of the points.
        spread_percent: f64,
    },
    /// A number of the question is infinite or not a number.
    #[error("{what} is not a finite number")]
    NotFinite {
        /// What the number is: the target, the start.
        what: &'static str,
    },
    /// A setting cannot be meant.
    #[error("{field} must be {expected}, found {found}")]
    Setting {
        /// The field of the settings.
        field: &'static str,
        /// The values that are allowed.
        expected: &'static str,
        /// The value that was given.
        found: f64,
    },
    /// The examples cannot be brought into step.
    #[error(transparent)]
    Align(#[from] AlignError),
    /// The limb cannot be brought to the target.
    #[error(transparent)]
    Limb(#[from] LimbError),
    /// Examples cannot be searched for.
    #[error(transparent)]
    Repeats(#[from] RepeatError),
    /// A found example cannot be cut out.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The blended numbers are no clip: those of the examples are so large that they overflow.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// The animator stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
