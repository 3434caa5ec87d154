//! The table of clips.

pub mod keyboard;
pub mod listing;
pub(in crate::app) mod menu;
pub(in crate::app) mod table;
pub mod ui;
