//! What a model learns from.

pub(in crate::app) mod choose_ui;
pub mod learn;
pub(in crate::app) mod ui;
