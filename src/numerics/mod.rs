//! Mathematics that the other rooms share.

pub mod dtw;
pub mod rows;
pub mod spectrum;
pub mod trig;
pub mod random;
