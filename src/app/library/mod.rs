//! The library workspace: the clips of the project, and how they are cleaned, cut and put into sets.

pub(in crate::app) mod actions;
pub mod cleaning;
pub mod clips;
pub mod cutting;
pub mod inspector_ui;
pub mod sets;
pub mod state;
pub mod strokes;
