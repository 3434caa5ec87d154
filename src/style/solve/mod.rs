//! Poses that meet an animator's wishes and stay natural: inverse kinematics with a style.
//!
//! Grochow, Martin, Hertzmann and Popovic, *Style-based inverse kinematics*, 2004, sections 6 and 7. A [`Solver`]
//! minimises how unnatural a pose is, over latent point and pose together, under [`Constraint`]s on any joint or end
//! site.

mod compare;
mod constraint;
mod descent;
mod drag;
mod energy;
mod expert;
mod linear;
mod model;
mod plain;
mod smooth;
mod solver;
mod start;
mod take;

pub use compare::{handle_sites, joint_error, pins};
pub use constraint::{Constraint, ConstraintError, Goal, Hold, Tolerances};
pub use drag::Drag;
pub use plain::PlainStart;
pub use solver::{SolveError, SolveSettings, Solved, Solver};
pub use take::{TakeError, TakeFrame, TakeSettings};
