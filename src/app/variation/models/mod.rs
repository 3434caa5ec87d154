//! Models of variation.

pub mod known;
pub mod look;
pub(in crate::app) mod score_ui;
pub(in crate::app) mod ui;
