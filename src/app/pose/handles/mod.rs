//! Handles and the solver that answers to them.

pub mod grab;
pub mod judge;
pub mod rig;
pub mod solver;
pub mod symmetry;
pub mod targets;
pub mod tools;
pub mod ui;
