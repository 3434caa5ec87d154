//! What a model learns from.

pub mod learn;
pub(in crate::app) mod ui;
pub(in crate::app) mod view;
