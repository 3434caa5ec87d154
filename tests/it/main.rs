//! One integration binary: it links once.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "test helpers may panic, and say when a test is skipped"
)]

mod atomic;
mod bvh_read;
mod bvh_write;
mod cli_info;
mod command;
mod data;
mod document;
mod rooms;
mod tiny_bvh;
