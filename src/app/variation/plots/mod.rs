//! Curves of takes and variants.

pub mod curves;
pub mod ui;
