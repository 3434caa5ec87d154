//! One integration binary: it links once.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "test helpers may panic, and say when a test is skipped"
)]

mod alignment;
mod bvh_read;
mod chart;
mod cycles;
mod data;
mod figure;
mod metrics;
mod repeats;
mod rooms;
mod takes;
