//! What is known about clips, and what menus do to them.

pub mod facts;
pub mod likeness;
pub mod operations;
pub mod trim;
pub mod warps;
