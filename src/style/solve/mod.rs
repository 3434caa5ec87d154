//! Poses that meet an animator's wishes and stay natural: inverse kinematics with a style.
//!
//! Grochow, Martin, Hertzmann and Popovic, *Style-based inverse kinematics*, 2004, sections 6 and 7. A [`Solver`]
//! minimises how unnatural a pose is, over latent point and pose together, under [`Constraint`]s on any joint or end
//! site. On top of it: [`Drag`] for a hand on a handle, [`Solver::bend`] for poses taken from the map, [`Solver::take`] for whole motions, [`Curve`] for keyframed
//! trajectories, [`Solver::through`] for keyed poses, [`fill`] for missing markers, [`Camera`] for posing over a picture, and plain inverse kinematics as the
//! yardstick ([`Solver::plain`]).
//!
//! Where this departs from the paper, and why:
//!
//! - Least squares with Levenberg-Marquardt instead of general optimisers, and a step that costs time in proportion to the
//!   number of joints: a drag step takes a fraction of a millisecond (the paper: 43 ms).
//! - Hard constraints are met in the end by the least change of pose, as the style measures change, instead of by SQP;
//!   a constraint out of reach only means that the pose comes as near as it can.
//! - Starts from the training poses that suit the handles best; annealing alone gets stuck.
//! - Blends mix predictions, not costs: see the experts.
//! - Motions are solved whole, forwards and backwards, instead of frame after frame with velocity features.
//!
//! Assumes that lengths of bones are right; leaves out dynamics and collisions.

mod aim;
mod around;
mod blend;
mod camera;
mod compare;
mod constraint;
mod curve;
mod descent;
mod drag;
mod energy;
mod expert;
mod fill;
#[cfg(test)]
mod gradients;
mod linear;
mod model;
mod plain;
mod posing;
mod share;
mod smooth;
mod solver;
mod start;
mod steady;
mod take;
mod through;

pub use camera::Camera;
pub use compare::{handle_sites, joint_error, pins};
pub use constraint::{Constraint, ConstraintError, Goal, Hold, Tolerances};
pub use curve::{Curve, CurveError, Key, frames_of};
pub use drag::Drag;
pub use fill::{FillError, Filled, fill};
pub use plain::PlainStart;
pub use posing::{copied, mirrored, on_floor};
pub use share::on_shared_features;
pub use solver::{SolveError, SolveSettings, Solved, Solver};
pub use take::{TakeError, TakeFrame, TakeSettings};
pub use through::Spline;
