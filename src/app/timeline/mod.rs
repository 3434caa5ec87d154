//! The timeline: playhead and range, trims, contacts by hand, loop quality, several clips in sync.

pub(in crate::app) mod drag;
pub(in crate::app) mod edits;
pub(in crate::app) mod layout;
pub mod match_curve;
pub mod match_repeats;
pub(in crate::app) mod menu;
pub(in crate::app) mod paint;
pub(in crate::app) mod scale;
pub mod state;
pub mod transport;
pub mod ui;
