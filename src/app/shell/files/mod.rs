//! Files in and out.

pub mod export;
pub mod import;
pub(in crate::app) mod manifest;
pub mod naming;
pub mod pick;
pub mod write_file;
