//! Mathematics that the other rooms share.

pub mod cholesky;
pub mod dtw;
pub mod further;
pub mod kernel;
pub mod lbfgs;
pub mod random;
pub mod rows;
pub mod spectrum;
pub mod trig;
