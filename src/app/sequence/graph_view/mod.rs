//! The transition graph as a picture.

pub mod ui;

/// What the panel remembers.
#[derive(Debug, Default)]
pub struct GraphView;
