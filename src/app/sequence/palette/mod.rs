//! Actions that can be put on the strip.

pub mod ui;

/// What the panel remembers.
#[derive(Debug, Default)]
pub struct PaletteView;
