//! Why nothing can be learned, sampled or compared.

use crate::jobs::Cancelled;
use crate::motion::ChartError;
use crate::motion::alignment::AlignError;
use crate::motion::cycles::CycleError;

/// A model cannot be learned from these takes.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LearnError {
    /// No take was given.
    #[error("at least one take is needed")]
    NoTakes,
    /// Learning compares each take with the others.
    #[error("at least {needed} takes are needed to learn from, found {found}")]
    TooFewTakes {
        /// How many takes there are.
        found: usize,
        /// How many takes are needed.
        needed: usize,
    },
    /// Poses of one skeleton mean nothing on another.
    #[error(
        "\"{take}\" has another skeleton than \"{first}\": only takes on one skeleton can be learned from together, and `kinfolk retarget` brings them there"
    )]
    OtherSkeleton {
        /// The name of the take that differs.
        take: String,
        /// The name of the first take.
        first: String,
    },
    /// All takes are still.
    #[error("nothing moves in any of the takes")]
    NothingMoves,
    /// The frame time is no positive number.
    #[error("the frame time must be a positive number of seconds, found {0}")]
    FrameTime(f64),
    /// A take has too few frames.
    #[error("take \"{take}\" is too short: {found} of at least {needed} frames")]
    TooShort {
        /// The name of the take.
        take: String,
        /// How many frames it has.
        found: usize,
        /// How many frames it needs.
        needed: usize,
    },
    /// A number is infinite or not a number.
    #[error("take \"{take}\", frame {frame}: not a finite number")]
    NotFinite {
        /// The name of the take.
        take: String,
        /// The frame, counted from 0.
        frame: usize,
    },
    /// A setting cannot be meant.
    #[error("{field} must be {expected}, found {found}")]
    Setting {
        /// The field of the settings.
        field: &'static str,
        /// What would have been right.
        expected: &'static str,
        /// The value that was given.
        found: f64,
    },
    /// An edge leads to or from nothing, or closes a circle where none may be.
    #[error("the structure does not fit: {0}")]
    Structure(String),
    /// The paper's recipe has no network to change.
    #[error("this model follows the paper's own recipe; its edges can be looked at, not changed")]
    PaperEdges,
    /// A take has other degrees of freedom than the model.
    #[error("take \"{take}\" has {found} degrees of freedom, the model {expected}")]
    Width {
        /// The name of the take.
        take: String,
        /// The degrees of freedom of the model.
        expected: usize,
        /// The degrees of freedom of the take.
        found: usize,
    },
    /// A motion that ends cannot be streamed.
    #[error(
        "this motion has an end, so it cannot go on for a given number of frames; learn it as a cycle to stream it"
    )]
    HasAnEnd,
    /// Feet or hands cannot be held.
    #[error(transparent)]
    Limb(#[from] crate::motion::limb::LimbError),
    /// A stroke cannot be resampled or made.
    #[error(transparent)]
    Stroke(#[from] crate::motion::StrokeError),
    /// The clips have no common coordinates.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// The takes cannot be brought into step.
    #[error(transparent)]
    Align(#[from] AlignError),
    /// A clip cannot be brought to the model's frame rate.
    #[error(transparent)]
    Edit(#[from] crate::motion::edit::EditError),
    /// A round cannot be closed.
    #[error(transparent)]
    Loop(#[from] CycleError),
    /// The animator stopped it.
    #[error("{0}")]
    Cancelled(#[from] Cancelled),
}
