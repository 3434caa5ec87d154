//! The pose in which a skeleton is seen.

/// The pose in which a body was recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeenIn {
    /// The rest pose, in which all rotations are zero.
    Rest,
    /// The first frame of the clip.
    FirstFrame,
}
