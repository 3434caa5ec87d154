//! Why an operation could not be carried out.

use crate::motion::{ClipError, Skeleton, SkeletonError};

/// A resampled clip that grows may hold at most this many joint rotations (frames times joints).
///
/// That is one gigabyte, or an hour and more at 120 frames a second on a skeleton of 60 joints. A file of two rows can
/// claim a frame time of thirty years; resampling it must end in words, not in a full memory.
pub const MAX_GROWN_ROTATIONS: usize = 32_000_000;

/// Why an operation could not be carried out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EditError {
    /// The frames are not in the clip, or there are none.
    #[error("frames {from}..{to} are not a range of the clip, which has frames 0..{n_frames}")]
    Range {
        /// First frame asked for.
        from: usize,
        /// One past the last.
        to: usize,
        /// Frames of the clip.
        n_frames: usize,
    },
    /// One frame is not in the clip.
    #[error("frame {frame} is not in the clip, which has frames 0..{n_frames}")]
    Frame {
        /// The frame, counted from 0.
        frame: usize,
        /// Frames of the clip.
        n_frames: usize,
    },
    /// A cut must leave something on both sides.
    #[error("a cut at frame {frame} leaves nothing on one side; the clip has frames 0..{n_frames}")]
    Cut {
        /// Where the second part would begin.
        frame: usize,
        /// Frames of the clip.
        n_frames: usize,
    },
    /// The clips do not move the same joints.
    #[error("\"{clip}\" has another skeleton: {difference}")]
    Skeletons {
        /// The clip that does not fit the first one.
        clip: String,
        /// Which joint, and how it differs.
        difference: String,
    },
    /// The list of clips is empty.
    #[error("there is no clip to join")]
    NoClips,
    /// The result would exceed [`MAX_GROWN_ROTATIONS`].
    #[error(
        "the result would have {frames:.0} frames of {joints} joints, too long to be meant; is the frame time right?"
    )]
    TooLong {
        /// May be far beyond what can be counted.
        frames: f64,
        /// Joints of the skeleton.
        joints: usize,
    },
    /// A number that makes no sense.
    #[error("{what} must be {expected}, found {found}")]
    Number {
        /// What the number is, with its article: "the scale".
        what: &'static str,
        /// The values that are allowed: "a positive number".
        expected: &'static str,
        /// The value that was given.
        found: f64,
    },
    /// A path of another length than the clip.
    #[error("the path has {path} frames, the clip {n_frames}")]
    PathLength {
        /// Frames of the path.
        path: usize,
        /// Frames of the clip.
        n_frames: usize,
    },
    /// A joint index that is not in the skeleton, or names a joint that cannot move so.
    #[error("joint {joint} cannot be moved in this way in a skeleton of {n_joints} joints")]
    Joint {
        /// The joint's index, counted from 0.
        joint: usize,
        /// Joints of the skeleton.
        n_joints: usize,
    },
    /// A T-pose needs limbs.
    #[error("no arms and legs were recognised in this skeleton, so it has no T-pose")]
    NoLimbs,
    /// The result is no skeleton, because numbers grew beyond all bounds.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// The result is no clip, because numbers grew beyond all bounds.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// Refuses results that grow beyond all proportion.
pub(super) fn check_growth(frames: f64, joints: usize) -> Result<(), EditError> {
    if frames * joints as f64 <= MAX_GROWN_ROTATIONS as f64 {
        Ok(())
    } else {
        Err(EditError::TooLong { frames, joints })
    }
}

/// Refuses what is not a positive, finite number.
pub(super) fn check_positive(what: &'static str, found: f64) -> Result<(), EditError> {
    if found > 0.0 && found.is_finite() {
        Ok(())
    } else {
        let expected = "a positive number";
        Err(EditError::Number {
            what,
            expected,
            found,
        })
    }
}

/// Refuses what is infinite or not a number.
pub(super) fn check_finite(what: &'static str, found: f64) -> Result<(), EditError> {
    if found.is_finite() {
        Ok(())
    } else {
        let expected = "a finite number";
        Err(EditError::Number {
            what,
            expected,
            found,
        })
    }
}

/// In which way the second skeleton differs from the first, if poses of one are not poses of the other.
pub(super) fn difference(first: &Skeleton, second: &Skeleton) -> Option<String> {
    if first.same_structure(second) {
        return None;
    }
    let parent = |s: &Skeleton, j: usize| match s.joints()[j].parent {
        Some(p) => format!("on \"{}\"", s.joints()[p].name),
        None => "the root".to_owned(),
    };
    for (j, (a, b)) in first.joints().iter().zip(second.joints()).enumerate() {
        if a.name != b.name {
            return Some(format!(
                "joint {j} is \"{}\", expected \"{}\"",
                b.name, a.name
            ));
        }
        if a.parent != b.parent {
            let (is, should) = (parent(second, j), parent(first, j));
            return Some(format!("joint \"{}\" is {is}, expected {should}", a.name));
        }
        if first.translation_slot(j) != second.translation_slot(j) {
            let name = &a.name;
            return Some(format!(
                "joint \"{name}\" has its own position in only one of them"
            ));
        }
    }
    let (n, m) = (first.n_joints(), second.n_joints());
    Some(format!("it has {m} joints, expected {n}"))
}
