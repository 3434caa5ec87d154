//! Mathematics that the other rooms share.

pub mod cheapest_paths;
pub mod cholesky;
pub mod dtw;
pub mod further;
pub mod kernel;
pub mod lbfgs;
pub mod metric_tree;
pub mod random;
pub mod rows;
pub mod spectrum;
pub mod trig;
