//! Inverse kinematics without a style: the yardstick.
//!
//! Damped least squares on the handles alone, which moves every joint as little as it can from where it starts: what most
//! animation programs offer. It gets the same start as the style does, turned and moved to the handles, so that what is
//! compared is the style and not the start.

use super::constraint::{Constraint, Wishes};
use super::descent::{DescentSettings, Energy, State};
use super::linear::Quadratic;
use super::solver::{SolveError, Solver};
use crate::motion::{Pose, PoseRef};

/// Where plain inverse kinematics starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainStart {
    /// The mean of all training poses.
    Mean,
    /// The training pose that suits the handles best.
    Nearest,
}

/// No opinion about poses.
struct NoOpinion;

impl Energy for NoOpinion {
    fn evaluate(&mut self, pose: PoseRef<'_>, latent: &[f64], model: &mut Quadratic) {
        model.clear(pose.rotations.len(), latent.len());
    }
}

impl Solver {
    /// The pose that plain damped inverse kinematics finds.
    pub fn plain(
        &mut self,
        start: PlainStart,
        constraints: &[Constraint],
    ) -> Result<Pose, SolveError> {
        let pose = match start {
            PlainStart::Mean => self.mean_start(constraints),
            PlainStart::Nearest => self.nearest_start(constraints),
        };
        self.plain_from(pose, constraints)
    }

    /// The same from any pose.
    pub fn plain_from(
        &mut self,
        pose: Pose,
        constraints: &[Constraint],
    ) -> Result<Pose, SolveError> {
        let mut state = State {
            pose,
            latent: Vec::new(),
        };
        let wishes = Wishes::new(&self.skeleton, &self.placing, constraints, self.tolerances)?;
        let settings = DescentSettings {
            max_iterations: 100,
            tolerance: 1e-6,
            first_damping: 1.0,
            body_height: self.height,
        };
        self.descent
            .run(&wishes, &mut NoOpinion, &mut state, &settings, &mut || true);
        Ok(state.pose)
    }
}
