//! One frame after the other: Eq. 7 of Lau, Bar-Joseph and Kuffner 2009.
//!
//! | paper | here |
//! |---|---|
//! | q | four angles: the rotation vector of hip or shoulder about its mean, and the turn of the hinge |
//! | q bar | the given pose |
//! | w1, w2 | `nearness`, `smoothness` |
//! | f(q) = pos | the end joint at its target; frames without a hold have no such condition |
//!
//! Both soft terms are plain squares, so together they pull towards one point q*, and each step of the sequential
//! quadratic programme is the projection of q* onto the linearised condition: a 3 x 3 system.

use nalgebra::{Matrix3, SMatrix, SVector};

use super::geometry::LimbPose;
use super::plan::LimbPlan;
use crate::motion::rotation::{mean, right_jacobian, twist};
use crate::motion::{Clip, Quat, Vec3};

type Angles = SVector<f64, 4>;

/// The solutions of the last two frames, and where angles are counted from.
#[derive(Debug, Clone)]
pub(super) struct FrameStepper {
    upper_mean: Quat,
    middle_mean: Quat,
    last: Option<Angles>,
    before_last: Option<Angles>,
}

impl FrameStepper {
    pub(super) fn new(clip: &Clip, plan: &LimbPlan) -> Self {
        let n_joints = clip.skeleton().n_joints();
        let of_joint =
            |joint: usize| mean(clip.motion().rotations[joint..].iter().step_by(n_joints));
        Self {
            upper_mean: of_joint(plan.limb.upper),
            middle_mean: of_joint(plan.limb.middle),
            last: None,
            before_last: None,
        }
    }

    /// Solves the next frame, given as `limb`.
    pub(super) fn next(
        &mut self,
        limb: &LimbPose,
        plan: &LimbPlan,
        frame: usize,
        nearness: f64,
        smoothness: f64,
    ) -> LimbPose {
        let given = self.angles(limb, &plan.hinge);
        let last = self.last.unwrap_or(given);
        let before_last = self.before_last.unwrap_or(last);
        let smooth = last * 2.0 - before_last;
        let has_past = self.before_last.is_some();
        // Eq. (7): the minimum of both terms, without the condition.
        let wanted = if has_past {
            (given * nearness + smooth * smoothness) / (nearness + smoothness)
        } else {
            given
        };
        let chain = LimbChain {
            limb,
            hinge: &plan.hinge,
            upper_mean: self.upper_mean,
            given_turn: given[3],
        };
        let solution = if plan.is_held[frame] {
            chain.nearest(&wanted, &given, &plan.targets[frame])
        } else {
            wanted
        };
        self.before_last = Some(last);
        self.last = Some(solution);
        chain.posed(&solution)
    }

    /// The angles of a pose, nearest to those of the last frame.
    fn angles(&self, limb: &LimbPose, hinge: &Vec3) -> Angles {
        let turn = twist(&(self.middle_mean.inverse() * limb.middle), hinge).0;
        let upper = (self.upper_mean.inverse() * limb.upper).scaled_axis();
        Angles::new(upper.x, upper.y, upper.z, turn)
    }
}

struct LimbChain<'a> {
    limb: &'a LimbPose,
    hinge: &'a Vec3,
    upper_mean: Quat,
    given_turn: f64,
}

impl LimbChain<'_> {
    fn posed(&self, q: &Angles) -> LimbPose {
        let mut posed = *self.limb;
        posed.upper = self.upper_mean * Quat::from_scaled_axis(q.fixed_rows::<3>(0).into_owned());
        let turn = q[3] - self.given_turn;
        posed.middle = self.limb.middle * Quat::from_scaled_axis(self.hinge * turn);
        posed
    }

    /// The end's world position and its change with each angle.
    fn end_and_jacobian(&self, q: &Angles) -> (Vec3, SMatrix<f64, 3, 4>) {
        let posed = self.posed(q);
        let end = posed.end_pos_world();
        let world_from_upper = posed.world_from_parent * posed.upper;
        let arm = end - posed.upper_pos_world;
        let upper_axes = world_from_upper.to_rotation_matrix().into_inner()
            * right_jacobian(&q.fixed_rows::<3>(0).into_owned());
        let world_from_middle = world_from_upper * posed.upper_from_middle_parent * posed.middle;
        let lower = world_from_middle * posed.lower_bone;
        let mut jacobian = SMatrix::<f64, 3, 4>::zeros();
        jacobian
            .fixed_columns_mut::<3>(0)
            .copy_from(&(-arm.cross_matrix() * upper_axes));
        jacobian.set_column(3, &(world_from_middle * self.hinge).cross(&lower));
        (end, jacobian)
    }

    /// The angles nearest to `wanted` that bring the end to the target.
    fn nearest(&self, wanted: &Angles, start: &Angles, target: &Vec3) -> Angles {
        const MAX_ROUNDS: usize = 30;
        const MAX_STEP_RAD: f64 = 0.3;
        let length = self.limb.upper_bone.norm() + self.limb.lower_bone.norm();
        let mut q = *start;
        for _ in 0..MAX_ROUNDS {
            let (end, jacobian) = self.end_and_jacobian(&q);
            let gap = target - end;
            // A straight limb cannot come nearer along its line: the damping keeps the system solvable there.
            let damping = Matrix3::identity() * (1e-9 * length * length);
            let system = jacobian * jacobian.transpose() + damping;
            let Some(cholesky) = system.cholesky() else {
                return q;
            };
            let lambda = cholesky.solve(&(gap - jacobian * (wanted - q)));
            let mut step = wanted + jacobian.transpose() * lambda - q;
            let size = step.amax();
            if size > MAX_STEP_RAD {
                step *= MAX_STEP_RAD / size;
            }
            q += step;
            if gap.norm() < 1e-9 * length && size < 1e-7 {
                break;
            }
        }
        q
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arm() -> LimbPose {
        let turn = |x: f64, y: f64, z: f64| Quat::from_scaled_axis(Vec3::new(x, y, z));
        LimbPose {
            upper_pos_world: Vec3::new(1.0, 5.0, -2.0),
            world_from_parent: turn(0.3, -0.4, 1.0),
            upper: turn(-0.2, 0.5, 0.1),
            upper_bone: Vec3::new(0.1, -4.0, 0.2),
            upper_from_middle_parent: turn(0.0, 0.1, 0.0),
            middle: turn(0.7, 0.0, 0.0),
            lower_bone: Vec3::new(0.0, -4.2, 0.1),
            middle_from_end_parent: Quat::identity(),
            end: turn(0.1, 0.2, 0.3),
        }
    }

    #[test]
    fn the_jacobian_agrees_with_finite_differences() {
        let limb = arm();
        let chain = LimbChain {
            limb: &limb,
            hinge: &Vec3::x(),
            upper_mean: Quat::from_scaled_axis(Vec3::new(0.4, 0.1, -0.6)),
            given_turn: 0.2,
        };
        let h = 1e-6;
        for q in [
            Angles::zeros(),
            Angles::new(0.3, -1.2, 0.8, 1.0),
            Angles::new(1e-5, 0.0, 2e-5, 0.1),
        ] {
            let (_, jacobian) = chain.end_and_jacobian(&q);
            for axis in 0..4 {
                let mut step = Angles::zeros();
                step[axis] = h;
                let (plus, _) = chain.end_and_jacobian(&(q + step));
                let (minus, _) = chain.end_and_jacobian(&(q - step));
                let difference = (plus - minus) / (2.0 * h);
                let error = (jacobian.column(axis) - difference).norm();
                assert!(error < 1e-7, "axis {axis} at {q:?}: {error:e}");
            }
        }
    }

    #[test]
    fn the_solution_meets_the_condition_and_no_neighbour_is_nearer() {
        let limb = arm();
        let chain = LimbChain {
            limb: &limb,
            hinge: &Vec3::x(),
            upper_mean: limb.upper,
            given_turn: 0.0,
        };
        let given = Angles::zeros();
        let target = limb.end_pos_world() + Vec3::new(0.3, 0.5, -0.4);
        let wanted = Angles::new(0.02, -0.05, 0.03, 0.04);
        let q = chain.nearest(&wanted, &given, &target);
        let (end, jacobian) = chain.end_and_jacobian(&q);
        assert!(
            (end - target).norm() < 1e-7,
            "off by {:e}",
            (end - target).norm()
        );
        // At the optimum the way back to `wanted` stands square on the manifold of solutions.
        let back = wanted - q;
        let normal = jacobian.transpose()
            * (jacobian * jacobian.transpose()).try_inverse().unwrap()
            * (jacobian * back);
        let along = (back - normal).norm();
        assert!(along < 1e-6, "slides {along:e} along the solutions");
    }
}
