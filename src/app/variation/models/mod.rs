//! Models of variation in the project: which there are, and what is known of each.

pub mod known;
pub mod look;
pub(in crate::app) mod score_ui;
pub(in crate::app) mod ui;
