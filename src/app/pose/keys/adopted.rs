//! The pose that a character takes at the playhead.

use std::sync::Arc;

use crate::app::pose::keys::motion::KeyMotion;
use crate::document::Posed;

/// A character as it is seen at a frame of its motion, although the document has it in another pose.
#[derive(Debug, Clone)]
pub struct Adopted {
    /// The document's, to see whether it was changed since.
    pub(super) base: Arc<Posed>,
    pub(super) frame: usize,
    pub(super) from: PoseSource,
    /// The character in the pose of that frame.
    pub posed: Arc<Posed>,
}

/// Where the pose at the playhead comes from, if it is not the document's own.
#[derive(Debug, Clone)]
pub(super) enum PoseSource {
    Motion(Arc<KeyMotion>),
    /// A pose that was made at that frame and is in no key.
    Unkeyed(Arc<Posed>),
}

impl PoseSource {
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Motion(a), Self::Motion(b)) => Arc::ptr_eq(a, b),
            (Self::Unkeyed(a), Self::Unkeyed(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}
