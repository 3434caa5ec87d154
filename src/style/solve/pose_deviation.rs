//! A given pose, changed by constraints as little as possible: for poses that are picked on the latent map.
//!
//! The latent point is given there, so it stays; changes of the pose cost what the style predicts at that point (Eq. 3
//! with `x` fixed), measured from the pose itself and with a part of the style's precision. So a pose without
//! constraints is returned unchanged, hard constraints are met, and soft ones are weighed against the style as in
//! every other solve.

use nalgebra::Matrix3;

use super::constraint::{Constraint, ConstraintSet, inverse_left_jacobian};
use super::descent::{Energy, SolveState};
use super::energy::StyleEnergy;
use super::linear::Quadratic;
use super::solver::{SolveError, Solved, Solver};
use crate::motion::{Pose, PoseRef};

/// Share of the style's precision that counts. A style has standard deviations of a degree or two at its own poses: in
/// full, a soft pin (about a centimetre) is missed by half of a distance of fifteen; with this share by a tenth.
const CERTAINTY: f64 = 0.1;

/// The cost of deviating from a pose. Position and heading of the body are free, since no style knows them.
pub(super) struct PoseDeviation {
    pose: Pose,
    /// For each joint what a small turn costs.
    blocks: Vec<Matrix3<f64>>,
}

impl PoseDeviation {
    pub(super) fn of(energy: &mut StyleEnergy, state: &SolveState) -> Self {
        let mut model = Quadratic::default();
        energy.evaluate(state.pose.as_ref(), &state.latent, &mut model);
        let blocks = model.blocks.iter().map(|block| block * CERTAINTY);
        Self {
            pose: state.pose.clone(),
            blocks: blocks.collect(),
        }
    }
}

impl Energy for PoseDeviation {
    fn evaluate(&mut self, pose: PoseRef<'_>, _latent: &[f64], model: &mut Quadratic) {
        model.clear(pose.rotations.len(), 0);
        for (joint, turn) in pose.rotations.iter().enumerate() {
            let block = &self.blocks[joint];
            let away = (self.pose.rotations[joint].inverse() * turn).scaled_axis();
            // The right Jacobian is the transpose of the left one.
            let jacobian = inverse_left_jacobian(&away).transpose();
            let pull = block * away;
            model.cost += 0.5 * away.dot(&pull);
            model.grad[joint] += jacobian.tr_mul(&pull);
            model.blocks[joint] += jacobian.tr_mul(&(block * jacobian));
        }
    }
}

impl Solver {
    /// This pose, bent by the constraints and by nothing else. `go_on` is asked before every step.
    pub fn adjust(
        &mut self,
        pose: PoseRef<'_>,
        constraints: &[Constraint],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Solved, SolveError> {
        let (skeleton, placing) = self.stage();
        let set = ConstraintSet::new(&skeleton, &placing, constraints, self.tolerances)?;
        let mut state = self.state_near(pose)?;
        let mut deviation = PoseDeviation::of(&mut self.energy, &state);
        let settings = self.last_descent();
        let ended = self
            .descent
            .run(&set, &mut deviation, &mut state, &settings, go_on);
        let mut solved = self.meet(constraints, &mut state)?;
        solved.n_iterations = ended.n_iterations;
        solved.has_settled = ended.has_settled;
        Ok(solved)
    }
}
