//! Paths on the floor that actions follow.

pub mod ui;

/// What the panel remembers.
#[derive(Debug, Default)]
pub struct PathView;
