//! Poses between styles.
//!
//! Each style is solved on its own first; a blend starts from the mixture of these poses, with the latent points that
//! each style found, and settles from there. The result depends on the weights alone, not on the way they were
//! reached, and follows them without jumps (see [`super::expert`] for what is minimised).

use super::constraint::{Constraint, ConstraintSet};
use super::descent::SolveState;
use super::solver::{SolveError, Solved, Solver};
use crate::motion::Pose;

impl Solver {
    /// Poses from the first style (weight 0) to the second (weight 1), in `n_steps` equal steps of the weight.
    pub fn blend_steps(
        &mut self,
        constraints: &[Constraint],
        n_steps: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<Solved>, SolveError> {
        let n_styles = self.n_styles();
        if n_styles < 2 {
            return Err(SolveError::Weights);
        }
        let ends = self.single_styles(constraints, go_on)?;
        let each = (0..=n_steps).map(|step| {
            let share = step as f64 / n_steps.max(1) as f64;
            let mut weights = vec![0.0; n_styles];
            weights[0] = 1.0 - share;
            weights[1] = share;
            self.set_weights(&weights)?;
            self.between(&ends, constraints, go_on)
        });
        each.collect()
    }

    /// A pose of the blend at its present weights.
    pub(super) fn solve_blend(
        &mut self,
        constraints: &[Constraint],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Solved, SolveError> {
        let ends = self.single_styles(constraints, go_on)?;
        self.between(&ends, constraints, go_on)
    }

    /// Every style on its own; the weights stay as they are.
    fn single_styles(
        &mut self,
        constraints: &[Constraint],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<Solved>, SolveError> {
        let weights = self.weights();
        let n_styles = weights.len();
        let mut ends = Vec::with_capacity(n_styles);
        for style in 0..n_styles {
            let mut alone = vec![0.0; n_styles];
            alone[style] = 1.0;
            self.set_weights(&alone)?;
            ends.push(self.solve_single(constraints, go_on)?);
        }
        self.set_weights(&weights)?;
        Ok(ends)
    }

    /// Settles from the mixture of the styles' own poses.
    fn between(
        &mut self,
        ends: &[Solved],
        constraints: &[Constraint],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Solved, SolveError> {
        // At the ends of a blend the single style's own pose is the answer.
        if let Some(alone) = self.weights().iter().position(|w| *w == 1.0) {
            return Ok(ends[alone].clone());
        }
        let (skeleton, placing) = self.stage();
        let set = ConstraintSet::new(&skeleton, &placing, constraints, self.tolerances)?;
        let mut state = self.mixture(ends);
        Ok(self.finish(&set, &mut state, go_on))
    }

    fn mixture(&self, ends: &[Solved]) -> SolveState {
        let weights = self.weights();
        let mut pose: Option<Pose> = None;
        let mut sum = 0.0;
        for (end, weight) in ends.iter().zip(&weights).filter(|(_, w)| **w > 0.0) {
            sum += weight;
            pose = Some(match pose {
                None => end.pose.clone(),
                Some(before) => Pose::between(before.as_ref(), end.pose.as_ref(), weight / sum),
            });
        }
        let mut latent = vec![0.0; self.energy.n_latent()];
        for expert in &self.energy.experts {
            for (member, end) in expert.members.iter().zip(ends) {
                let range = member.first..member.first + member.model.n_latent();
                latent[range.clone()].copy_from_slice(&end.latent[range]);
            }
        }
        SolveState {
            pose: pose.unwrap_or_else(|| ends[0].pose.clone()),
            latent,
        }
    }
}
