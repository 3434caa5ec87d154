//! What a model learns from: takes as numbers, in step with each other, on a common phase.

pub(super) mod anatomy;
mod concerns;
pub(super) mod examples;
pub(super) mod phases;
pub(super) mod progress;
pub(super) mod root_path;

pub use anatomy::{Anatomy, Rate};
pub use concerns::{Checked, Concern, check_takes};
pub use examples::{Examples, FEWEST_FRAMES, Take};
pub use phases::NodeKind;
pub(super) use phases::{Columns, Phases};
pub use progress::MotionType;
