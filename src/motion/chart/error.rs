//! Why there is no chart, and which clips fit one.

use crate::motion::{Axis, Clip, ClipError, Skeleton};

/// Why there is no chart, or no way through it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ChartError {
    /// The list of clips is empty.
    #[error("a chart needs at least one clip to learn from")]
    NoClips,
    /// A clip on other bones.
    #[error(
        "clip \"{clip}\" is on another skeleton: {difference}; `kinfolk retarget` brings it there"
    )]
    Skeleton {
        /// Name of the clip whose joints differ.
        clip: String,
        /// The first joint that differs, and how.
        difference: String,
    },
    /// A clip with another up.
    #[error("clip \"{clip}\" has {found} up where the others have {expected}")]
    Up {
        /// Name of the clip with the other up axis.
        clip: String,
        /// Up of the chart.
        expected: Axis,
        /// Up of the clip.
        found: Axis,
    },
    /// A setting that means nothing.
    #[error("{name} must be a positive number, found {value}")]
    Setting {
        /// The field of [`super::ChartSettings`].
        name: &'static str,
        /// The value that was given.
        value: f64,
    },
    /// The bones are longer than numbers reach.
    #[error("the body is {0} units tall")]
    BodyHeight(f64),
    /// The numbers of the inputs overflow.
    #[error("the values of \"{name}\" are too large to work with")]
    TooLarge {
        /// Name of the coordinate.
        name: String,
    },
    /// A curve is infinite or not a number.
    #[error("frame {frame}, \"{name}\": not a finite number")]
    NotFinite {
        /// The frame, counted from 0.
        frame: usize,
        /// Name of the DOF.
        name: String,
    },
    /// A row of another chart.
    #[error("a frame has {expected} degrees of freedom, found {found}")]
    Width {
        /// As many as the chart has.
        expected: usize,
        /// The number that was given.
        found: usize,
    },
    /// The numbers do not fill a table.
    #[error("{n_frames} frames of {n_dofs} degrees of freedom are not {n_values} numbers")]
    Table {
        /// How many rows, or frames, were given.
        n_frames: usize,
        /// How many columns each row has.
        n_dofs: usize,
        /// How many numbers were given.
        n_values: usize,
    },
    /// A chart put together from parts that do not fit.
    #[error("the parts of the chart do not fit together: {0}")]
    Parts(&'static str),
    /// The poses do not make a clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// A clip fits if its joints and its up are those of the chart; bones may differ in length.
pub(super) fn check_fits(skeleton: &Skeleton, up: Axis, clip: &Clip) -> Result<(), ChartError> {
    if let Some(difference) = difference(skeleton, clip.skeleton()) {
        return Err(ChartError::Skeleton {
            clip: clip.info.name.clone(),
            difference,
        });
    }
    if clip.info.up != up {
        return Err(ChartError::Up {
            clip: clip.info.name.clone(),
            expected: up,
            found: clip.info.up,
        });
    }
    Ok(())
}

/// The first joint by which two skeletons differ in structure.
fn difference(expected: &Skeleton, found: &Skeleton) -> Option<String> {
    if expected.same_structure(found) {
        return None;
    }
    for (idx, (a, b)) in expected.joints().iter().zip(found.joints()).enumerate() {
        if a.name != b.name {
            return Some(format!(
                "joint {idx} is \"{}\" instead of \"{}\"",
                b.name, a.name
            ));
        }
        if a.parent != b.parent {
            return Some(format!("joint \"{}\" hangs on another parent", a.name));
        }
        if expected.translation_slot(idx).is_some() != found.translation_slot(idx).is_some() {
            return Some(format!(
                "joint \"{}\" has position channels in only one of them",
                a.name
            ));
        }
    }
    Some(format!(
        "it has {} joints instead of {}",
        found.n_joints(),
        expected.n_joints()
    ))
}
