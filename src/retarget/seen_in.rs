//! The pose in which a skeleton is seen.

/// The pose in which a body was recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeenIn {
    /// All rotations zero.
    Rest,
    /// The first frame of the clip.
    FirstFrame,
}
