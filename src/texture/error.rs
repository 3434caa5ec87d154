//! Why a texture cannot be learned or played.

use super::search::FollowError;
use crate::jobs::Cancelled;
use crate::motion::edit::EditError;
use crate::motion::join::JoinError;
use crate::motion::limb::LimbError;
use crate::motion::path::WarpError;
use crate::motion::{ChartError, ClipError};
use crate::numerics::cholesky::NotPositive;
use crate::numerics::linear_system::ridge::SystemError;
use crate::numerics::mixture::MixtureError;

/// Why a texture cannot be learned or played.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TextureError {
    /// No clips were given.
    #[error("a texture needs at least one clip")]
    NoClips,
    /// Clips are too short or too broken to learn from.
    #[error(
        "only {clean} of {all} frames can be used; at least {needed} are needed, without spikes"
    )]
    TooFew {
        /// Frames that can be used.
        clean: usize,
        /// How many frames there are.
        all: usize,
        /// How many frames are needed.
        needed: usize,
    },
    /// Nobody performed the action.
    #[error("no action is called \"{wanted}\"; there are: {known}")]
    NoSuchAction {
        /// The action asked for.
        wanted: String,
        /// All actions, separated by commas.
        known: String,
    },
    /// No actions were given.
    #[error("an order of actions needs at least one action")]
    NoActions,
    /// An annotation covers frames that are not there.
    #[error("\"{clip}\" has frames 0..{n_frames}; {from}..{to} cannot be annotated")]
    Span {
        /// Name of the clip.
        clip: String,
        /// How many frames the clip has.
        n_frames: usize,
        /// First frame asked for.
        from: usize,
        /// One past the last.
        to: usize,
    },
    /// No frame of an action can be played.
    #[error("\"{0}\" is performed nowhere for long enough to begin with")]
    NoStart(String),
    /// A clip ends and nothing leads on.
    #[error(
        "the motion has come to the end of a clip from which no transition leads on; a higher --threshold makes more"
    )]
    DeadEnd,
    /// A path cannot be begun.
    #[error(transparent)]
    Follow(#[from] FollowError),
    /// A motion cannot be bent along a path.
    #[error(transparent)]
    Warp(#[from] WarpError),
    /// There is no frame yet.
    #[error("nothing was played")]
    NothingPlayed,
    /// What was saved does not fit together.
    #[error("not a whole texture: {0}")]
    Parts(&'static str),
    /// A setting cannot be meant.
    #[error("{what} must be {expected}, found {found}")]
    Setting {
        /// Which number it is.
        what: &'static str,
        /// Which values would do.
        expected: &'static str,
        /// The value that was found.
        found: f64,
    },
    /// Clips do not go together.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// A clip cannot be mended or resampled.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// Clips have no common coordinates.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// Frames cannot be clustered.
    #[error(transparent)]
    Mixture(#[from] MixtureError),
    /// A system cannot be fitted.
    #[error(transparent)]
    System(#[from] SystemError),
    /// A covariance is singular.
    #[error(transparent)]
    NotPositive(#[from] NotPositive),
    /// Feet cannot be held.
    #[error(transparent)]
    Limb(#[from] LimbError),
    /// The result is no motion.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// The work was stopped on request.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
