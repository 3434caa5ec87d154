//! What is known about clips, and what menus do to them.

pub mod analysis;
pub mod likeness;
pub mod operations;
pub(in crate::app) mod training;
pub mod trim;
pub mod warps;
