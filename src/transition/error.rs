//! Why a graph or a sequence cannot be made.

use crate::jobs::Cancelled;
use crate::motion::ClipError;
use crate::motion::join::JoinError;
use crate::motion::limb::LimbError;
use crate::numerics::cheapest_paths::GraphError;

/// What went wrong.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TransitionError {
    /// Nothing was given.
    #[error("a transition graph needs at least one clip")]
    NoClips,
    /// No action was given.
    #[error("a sequence needs at least one action")]
    NoActions,
    /// Clips do not go together, or one is too short.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// Every frame has a glitch.
    #[error("every frame of the clips has a joint that jumps; remove the spikes first")]
    OnlyGlitches,
    /// A setting cannot be meant.
    #[error("{what} must be {expected}, found {found}")]
    Setting {
        /// Which.
        what: &'static str,
        /// What would do.
        expected: &'static str,
        /// What it was.
        found: f64,
    },
    /// There is no such clip.
    #[error("the graph has no clip \"{0}\"")]
    NoSuchClip(String),
    /// An interruption is after the end of its clip.
    #[error("clip \"{clip}\" cannot be left at frame {frame}: it has frames 0..{n_frames}")]
    PastTheEnd {
        /// Its name.
        clip: String,
        /// The frame asked for.
        frame: usize,
        /// Frames there are.
        n_frames: usize,
    },
    /// Feet cannot be held.
    #[error(transparent)]
    Limb(#[from] LimbError),
    /// The result is no motion.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// The weights of edges make no sense.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The animator stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
