//! Why a graph or a sequence cannot be made.

use crate::jobs::Cancelled;
use crate::motion::ClipError;
use crate::motion::join::JoinError;
use crate::motion::limb::LimbError;
use crate::numerics::cheapest_paths::GraphError;

/// Why a graph, a transition or a sequence could not be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TransitionError {
    /// The list of clips is empty.
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
        /// Name of the setting.
        what: &'static str,
        /// The values that are allowed.
        expected: &'static str,
        /// The value that was given.
        found: f64,
    },
    /// There is no such clip.
    #[error("the graph has no clip \"{0}\"")]
    NoSuchClip(String),
    /// An interruption is after the end of its clip.
    #[error("clip \"{clip}\" cannot be left at frame {frame}: it has frames 0..{n_frames}")]
    PastTheEnd {
        /// Name of the clip.
        clip: String,
        /// The frame asked for.
        frame: usize,
        /// Frames of the clip.
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
