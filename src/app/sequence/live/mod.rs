//! Endless play that listens to keys.

pub mod ui;

/// What the panel remembers.
#[derive(Debug, Default)]
pub struct LiveView;
