//! How two motions are joined, and why they cannot be.

use crate::motion::PoseMetricError;
use crate::motion::edit::EditError;
use crate::motion::join::shape::JoinShape;

/// How poses are blended over the frames of a join.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum JoinKind {
    /// The source goes on by itself, each axis with a velocity that decays as fast as the way to the target asks for,
    /// and is faded out. Needs no frames beyond the cut and stays within what bodies do.
    Dead,
    /// The target plays, and what it lacks of the source at the cut, in pose and velocity, decays along a quintic.
    Quintic,
    /// The source's own frames beyond the cut, as far as there are, are faded out.
    Fade,
}

/// What goes on in the world as it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Match {
    /// The feet that stand on both sides of the join, else the pelvis.
    #[default]
    Auto,
    /// The pelvis goes on from where it is.
    Pelvis,
    /// The left foot stays where it stands.
    LeftFoot,
    /// The right foot stays where it stands.
    RightFoot,
}

/// How a join is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JoinSettings {
    /// How poses are blended.
    pub kind: JoinKind,
    /// Over how many frames; 0 cuts.
    pub frames: usize,
    /// What goes on in the world.
    pub matching: Match,
    /// What else is asked for.
    pub shape: JoinShape,
}

/// Why motions cannot be joined.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum JoinError {
    /// Poses cannot be compared.
    #[error(transparent)]
    Metric(#[from] PoseMetricError),
    /// The clip is on another skeleton.
    #[error(
        "clip \"{0}\" is on another skeleton than the others; `kinfolk retarget` brings it there"
    )]
    Skeleton(String),
    /// A clip cannot be brought to the common frame rate.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A clip is a single pose.
    #[error("clip \"{0}\" has one frame, which is a pose and no motion; at least two are needed")]
    OneFrame(String),
}
