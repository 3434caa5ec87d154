//! One integration binary: it links once.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "test helpers may panic, and say when a test is skipped"
)]

mod asf_amc;
mod atomic;
mod bvh_read;
mod bvh_write;
mod chart;
mod cli_convert;
mod cli_info;
mod command;
mod data;
mod document;
mod edit;
mod edit_real;
mod gltf;
mod project;
mod rooms;
