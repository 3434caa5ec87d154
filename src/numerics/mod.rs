//! Mathematics that the other rooms share.

pub mod banded;
pub mod box_tree;
mod boxes;
pub mod cheapest_paths;
pub mod cholesky;
pub mod dtw;
mod em;
pub mod interpolate;
pub mod kernel;
pub mod lbfgs;
pub mod linear_system;
pub mod metric_tree;
pub mod mixture;
pub mod prediction_interval;
pub mod projection;
pub mod quantile;
pub mod random;
pub mod rows;
pub mod scaling;
pub mod smoothing;
pub mod spectrum;
pub mod trig;
