//! Files in and out.

pub mod ask;
pub mod contents;
pub mod export;
pub mod import;
pub mod import_report;
pub(in crate::app) mod manifest;
pub mod naming;
pub mod order;
pub mod pick;
pub mod write_file;
