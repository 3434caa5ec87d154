//! Curves of takes and variants.

pub mod curves;
pub mod look;
pub mod ui;
pub mod view;
