//! BVH: the text format that every animation program reads, and each a little differently.

mod names;
mod write;
mod write_plan;

pub use write::{WriteSettings, Written, write};
