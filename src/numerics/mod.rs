//! Mathematics that the other rooms share.

pub mod random;
