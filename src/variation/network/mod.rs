//! The dynamic Bayesian network: one conditional distribution for every node.

pub(super) mod condition;
pub(super) mod conditional;
pub(super) mod detail;
pub(super) mod fit;
pub(super) mod knots;
pub(super) mod moments;
pub(super) mod phase_model;
mod plain;
pub(super) mod spread;
pub(super) mod structure;
