//! Why a path cannot be followed.

/// Why a path cannot be followed at all.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FollowError {
    /// No frame of the first section's labels can begin.
    #[error("no clip of the wanted actions is long enough to begin the path with")]
    NoStart,
}
