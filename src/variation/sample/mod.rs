//! Variants, frame after frame (section 6).

mod detail;
mod frames;
mod knot_process;
mod phase_rows;
mod tables;

pub(super) use frames::NetworkSampler;
pub(super) use tables::Tables;
