//! Why there is no style, or no way through one.

use crate::jobs::Cancelled;
use crate::motion::edit::EditError;
use crate::motion::{Axis, Clip, Skeleton};

/// Why a style could not be learned, put together or used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StyleError {
    /// The list of clips is empty.
    #[error("a style needs at least one clip to learn from")]
    NoClips,
    /// A clip on other bones.
    #[error(
        "clip \"{clip}\" is on another skeleton than \"{first}\"; `kinfolk retarget` brings it there"
    )]
    Skeleton {
        /// Name of the clip whose joints differ.
        clip: String,
        /// The clip that it was compared with.
        first: String,
    },
    /// A clip with another up.
    #[error("clip \"{clip}\" has {found} up where the others have {expected}")]
    Up {
        /// Name of the clip with the other up axis.
        clip: String,
        /// Up of the others.
        expected: Axis,
        /// Up of the clip.
        found: Axis,
    },
    /// Not enough poses to learn a distribution from.
    #[error("a style needs at least {needed} different poses, found {found}")]
    TooFewPoses {
        /// The least number of different poses.
        needed: usize,
        /// The number of different poses found.
        found: usize,
    },
    /// All poses are the same.
    #[error("no joint moves in these clips, so there is nothing to learn")]
    NothingMoves,
    /// A setting that means nothing.
    #[error("{name} must be {expected}, found {found}")]
    Setting {
        /// The field of the settings.
        name: &'static str,
        /// The values that are allowed.
        expected: &'static str,
        /// The value that was given.
        found: String,
    },
    /// A style put together from parts that do not fit.
    #[error("the parts of the style do not fit together: {0}")]
    Parts(String),
    /// The numbers overflow, or a matrix cannot be inverted however it is padded.
    #[error("the poses are too extreme to learn from: {0}")]
    Numbers(&'static str),
    /// A clip or pose could not be mirrored.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The animator stopped it.
    #[error("{0}")]
    Cancelled(#[from] Cancelled),
}

impl StyleError {
    /// Parts that do not fit, for this reason.
    pub(crate) fn parts(why: impl Into<String>) -> Self {
        Self::Parts(why.into())
    }
}

/// Clips fit together if their joints and their up are the same; bones may differ in length.
pub(super) fn check_clips(clips: &[&Clip]) -> Result<(), StyleError> {
    let first = *clips.first().ok_or(StyleError::NoClips)?;
    for clip in clips {
        check_fits(first.skeleton(), &first.info.name, first.info.up, clip)?;
    }
    Ok(())
}

/// Whether poses of this clip are poses of that skeleton.
pub(super) fn check_fits(
    skeleton: &Skeleton,
    first: &str,
    up: Axis,
    clip: &Clip,
) -> Result<(), StyleError> {
    if !skeleton.same_structure(clip.skeleton()) {
        return Err(StyleError::Skeleton {
            clip: clip.info.name.clone(),
            first: first.to_owned(),
        });
    }
    if clip.info.up != up {
        return Err(StyleError::Up {
            clip: clip.info.name.clone(),
            expected: up,
            found: clip.info.up,
        });
    }
    Ok(())
}
