//! The library workspace.

pub mod cleaning;
pub mod clips;
pub mod cutting;
pub mod inspector_ui;
pub mod sets;
pub mod strokes;
