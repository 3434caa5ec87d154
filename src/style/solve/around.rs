//! A pose that is wanted as it is, bent by wishes as little as may be: what walking over the map of poses asks for.
//!
//! The latent point is given there, so it stays; changes of the pose cost what the style says at that point (Eq. 3 with
//! `x` held), measured from the pose itself and in part. So a pose without wishes comes back untouched, hard wishes are met, and soft ones
//! are weighed against the style as in every other solve.

use nalgebra::Matrix3;

use super::constraint::{Constraint, Wishes, inverse_left_jacobian};
use super::descent::{Energy, State};
use super::energy::StyleEnergy;
use super::linear::Quadratic;
use super::solver::{SolveError, Solved, Solver};
use crate::motion::{Pose, PoseRef};

/// A style is sure of its own poses within a degree or two: taken at its word, it would leave a soft pin, which lets go by
/// about a centimetre, half of a way of fifteen. With this share of its certainty it leaves a tenth.
const CERTAINTY: f64 = 0.1;

/// The pose as the middle of everything. The body's place and heading are free, since no style knows them.
pub(super) struct Around {
    pose: Pose,
    /// For each joint what a small turn costs.
    blocks: Vec<Matrix3<f64>>,
}

impl Around {
    pub(super) fn of(energy: &mut StyleEnergy, state: &State) -> Self {
        let mut model = Quadratic::default();
        energy.evaluate(state.pose.as_ref(), &state.latent, &mut model);
        let blocks = model.blocks.iter().map(|block| block * CERTAINTY);
        Self {
            pose: state.pose.clone(),
            blocks: blocks.collect(),
        }
    }
}

impl Energy for Around {
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
    /// This pose, bent by the wishes and by nothing else. `go_on` is asked before every step.
    pub fn bend(
        &mut self,
        pose: PoseRef<'_>,
        constraints: &[Constraint],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Solved, SolveError> {
        if !self.fits(pose) {
            return Err(SolveError::Pose);
        }
        let (skeleton, placing) = self.stage();
        let wishes = Wishes::new(&skeleton, &placing, constraints, self.tolerances)?;
        let mut state = self.state_of(pose.to_pose());
        let mut around = Around::of(&mut self.energy, &state);
        let settings = self.last_descent();
        let ended = self
            .descent
            .run(&wishes, &mut around, &mut state, &settings, go_on);
        let mut solved = self.meet(constraints, &mut state)?;
        solved.n_iterations = ended.n_iterations;
        solved.has_settled = ended.has_settled;
        Ok(solved)
    }
}
