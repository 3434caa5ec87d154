//! What is taken hold of on the path of a handle.

use crate::document::Keying;
use crate::motion::Site;

/// What can be dragged at a key of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app::pose) enum Grip {
    /// The key itself, where it is the path's own.
    Place,
    /// Where the path goes on.
    Ahead,
    /// Where it comes from.
    Back,
}

/// Something of a path in the animator's hand. Nothing changes before it is let go.
#[derive(Debug, Clone, PartialEq)]
pub struct PathHold {
    pub(super) site: Site,
    pub(super) frame: usize,
    pub(super) grip: Grip,
    /// The keys as they will be.
    pub(super) draft: Keying,
}
