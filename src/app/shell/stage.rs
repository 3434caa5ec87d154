//! Names for what the 3D view and the timeline show: clips of the document, and what is only previewed.

use crate::document::ClipId;

/// Something that is shown. What is known about clips themselves is not forgotten over a preview of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StageId {
    /// A clip of the document, as it is.
    Clip(ClipId),
    /// The same, as it would become.
    Changed(ClipId),
    /// This one of the motions that a preview shows in place of clips.
    Preview(usize),
}

impl StageId {
    /// The clip of the document that is shown as it is.
    pub const fn clip(self) -> Option<ClipId> {
        match self {
            Self::Clip(id) => Some(id),
            Self::Changed(_) | Self::Preview(_) => None,
        }
    }

    /// Whether it is no clip of the document.
    pub const fn is_preview(self) -> bool {
        self.clip().is_none()
    }
}

impl From<ClipId> for StageId {
    fn from(id: ClipId) -> Self {
        Self::Clip(id)
    }
}
