//! Poses that meet an animator's constraints and stay natural: inverse kinematics with a style.
//!
//! Grochow, Martin, Hertzmann and Popovic, *Style-based inverse kinematics*, 2004, sections 6 and 7. A [`Solver`]
//! minimises how unnatural a pose is, over latent point and pose together, under [`Constraint`]s on any joint or end
//! site. On top of it: [`DragSolver`] for dragging a handle, [`Solver::adjust`] for poses taken from the map,
//! [`Solver::solve_motion`] for whole motions, [`Trajectory`] for keyframed trajectories, [`Solver::inbetween`] for
//! keyed poses, [`fill`] for missing markers, [`PinholeCamera`] for posing over a picture, and damped inverse
//! kinematics without a style as the baseline ([`Solver::damped_ik`]).
//!
//! Where this departs from the paper, and why:
//!
//! - Least squares with Levenberg-Marquardt instead of general optimisers, and a step that costs time in proportion to
//!   the number of joints: a drag step takes a fraction of a millisecond (the paper: 43 ms).
//! - Hard constraints are met in the end by the least change of pose, as the style measures change, instead of by SQP;
//!   a constraint out of reach only means that the pose comes as near as it can.
//! - Starts from the training poses that suit the handles best; annealing alone gets stuck.
//! - Blends mix predictions, not costs: see the experts.
//! - Motions are solved whole, forwards and backwards, instead of frame after frame with velocity features.
//!
//! Assumes that lengths of bones are right; leaves out dynamics and collisions.

mod align_bones;
mod blend;
mod camera;
mod compare;
mod constraint;
mod damped_ik;
mod descent;
mod drag;
mod energy;
mod expert;
mod fill;
#[cfg(test)]
mod gradients;
mod inbetween;
mod linear;
mod model;
mod motion_solve;
mod pose_deviation;
mod posing;
mod shared_features;
mod solver;
mod spacetime;
mod start;
mod trajectory;
mod whittaker;

pub use camera::PinholeCamera;
pub use compare::{handle_sites, joint_error, pins};
pub use constraint::{Constraint, ConstraintError, ConstraintMode, Goal, Tolerances};
pub use damped_ik::IkStart;
pub use drag::DragSolver;
pub use fill::{FillError, Filled, fill};
pub use inbetween::PoseSpline;
pub use motion_solve::{FrameConstraints, MotionSolveError, MotionSolveSettings};
pub use posing::{copied, mirrored, on_floor};
pub use shared_features::on_shared_features;
pub use solver::{SolveError, SolveSettings, Solved, Solver};
pub use trajectory::{Trajectory, TrajectoryError, TrajectoryKey, frames_of};
