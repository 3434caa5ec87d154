//! What is known about clips, and what menus do to them.

pub mod align;
pub mod analyse;
pub mod analysis;
pub mod operate;
pub mod operations;
pub mod similarity;
pub(in crate::app) mod training;
pub mod trim;
pub mod warps;
