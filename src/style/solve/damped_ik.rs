//! Inverse kinematics without a style: the baseline of comparisons.
//!
//! Damped least squares on the handles alone, which moves every joint as little as it can from its start: what most
//! animation programs offer. It gets the same start as the style solver, turned and moved to the handles, so that the
//! style is compared and not the start.

use super::constraint::{Constraint, ConstraintSet};
use super::descent::{DescentSettings, Energy, SolveState};
use super::linear::Quadratic;
use super::solver::{SolveError, Solver};
use crate::motion::{Pose, PoseRef};

/// The pose from which damped inverse kinematics starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IkStart {
    /// The mean of all training poses.
    Mean,
    /// The training pose that suits the handles best.
    Nearest,
}

/// No cost beside the constraints.
struct NoPrior;

impl Energy for NoPrior {
    fn evaluate(&mut self, pose: PoseRef<'_>, latent: &[f64], model: &mut Quadratic) {
        model.clear(pose.rotations.len(), latent.len());
    }
}

impl Solver {
    /// The pose that damped least-squares inverse kinematics finds.
    pub fn damped_ik(
        &mut self,
        start: IkStart,
        constraints: &[Constraint],
    ) -> Result<Pose, SolveError> {
        let pose = match start {
            IkStart::Mean => self.mean_start(constraints),
            IkStart::Nearest => self.nearest_start(constraints),
        };
        self.damped_ik_from(pose, constraints)
    }

    /// [`Self::damped_ik`] from a given pose.
    pub fn damped_ik_from(
        &mut self,
        pose: Pose,
        constraints: &[Constraint],
    ) -> Result<Pose, SolveError> {
        let mut state = SolveState {
            pose,
            latent: Vec::new(),
        };
        let set = ConstraintSet::new(&self.skeleton, &self.placing, constraints, self.tolerances)?;
        let settings = DescentSettings {
            max_iterations: 100,
            tolerance: 1e-6,
            first_damping: 1.0,
            body_height: self.height,
        };
        self.descent
            .run(&set, &mut NoPrior, &mut state, &settings, &mut || true);
        Ok(state.pose)
    }
}
