//! Files in and out.

pub mod export;
pub mod import;
pub mod naming;
pub mod pick;
pub mod write_file;
