//! Why a motion could not be brought onto another skeleton.

use super::labels::NoBody;
use crate::motion::edit::EditError;
use crate::motion::limb::LimbError;
use crate::motion::{ClipError, SkeletonError};

/// Why a motion could not be brought onto another skeleton.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RetargetError {
    /// The skeleton of the clip is no body.
    #[error(transparent)]
    Source(#[from] NoBody),
    /// The skeleton to bring it onto is no body.
    #[error("the skeleton to bring it onto: {0}")]
    Target(NoBody),
    /// A map was made for skeletons with other joints.
    #[error("the bone map does not fit: {0}")]
    Map(#[from] super::map::MapError),
    /// There is no root bone apart from the hips.
    #[error(
        "this skeleton has no root bone apart from its hips (\"{0}\"), so the travel cannot be put on one"
    )]
    NoRootBone(String),
    /// Feet or hands could not be placed.
    #[error(transparent)]
    Limb(#[from] LimbError),
    /// The travel could not be taken out.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The bones make no skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// The numbers make no clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
}
