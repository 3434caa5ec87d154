//! One integration binary: it links once.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "test helpers may panic, and say when a test is skipped"
)]

mod bvh_read;
mod contacts;
mod data;
mod limbs;
mod planted;
mod rooms;
