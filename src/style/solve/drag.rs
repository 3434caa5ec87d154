//! Interactive dragging: one pose after another, each solved from the one before, without jumps.
//!
//! The cost has several local minima. While a handle moves, the minimum that the pose is in may vanish, and the pose
//! falls into the next: an elbow flips, a hip swings over. Where that moves a joint much farther than the handle, the
//! change is spread over the following steps: the pose goes only part of the way, and the handles are met from there.

use super::constraint::{Constraint, Goal};
use super::descent::SolveState;
use super::solver::{SolveError, Solved, Solver};
use crate::motion::{Pose, PoseRef, WorldPose};

/// A joint may move this many times as far as the fastest handle in one step.
const MOST_TIMES_HANDLE: f64 = 2.0;
/// While handles rest, a change that is still under way goes on by this share of the body's height each step.
const LEAST_STEP_HEIGHTS: f64 = 0.003;
/// Meeting the handles from a half-way pose moves joints, too; a shorter way is tried this often.
const SHORTER_WAYS: usize = 4;

/// A drag under way.
#[derive(Debug, Clone)]
pub struct DragSolver {
    solver: Solver,
    constraints: Vec<Constraint>,
    last: Solved,
    is_easing: bool,
}

impl DragSolver {
    /// Begins at a pose that was solved for these constraints.
    pub fn new(solver: Solver, constraints: Vec<Constraint>, start: Solved) -> Self {
        Self {
            solver,
            constraints,
            last: start,
            is_easing: false,
        }
    }

    /// The pose as it is now.
    pub fn pose(&self) -> &Solved {
        &self.last
    }

    /// Whether a change to another minimum is still being spread out: go on stepping, even if the handles rest.
    pub fn is_easing(&self) -> bool {
        self.is_easing
    }

    /// Moves on to other constraints, in the time that `go_on` gives.
    pub fn step(
        &mut self,
        constraints: &[Constraint],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<&Solved, SolveError> {
        let solved = self.solver.solve_from(&self.last, constraints, go_on)?;
        self.arrive(solved, constraints)?;
        Ok(&self.last)
    }

    /// Looks for a better minimum while the pointer rests: a new solve, eased into if it is cheaper.
    pub fn settle(&mut self, go_on: &mut dyn FnMut() -> bool) -> Result<&Solved, SolveError> {
        /// A new minimum has to be clearly better, or the pose would flicker between two of about equal cost.
        const CLEARLY: f64 = 0.95;
        let constraints = self.constraints.clone();
        let fresh = self.solver.solve(&constraints, go_on)?;
        if fresh.cost < CLEARLY * self.last.cost {
            self.arrive(fresh, &constraints)?;
        }
        Ok(&self.last)
    }

    /// Takes the solution, or as much of it as may be taken in one step.
    fn arrive(&mut self, solved: Solved, constraints: &[Constraint]) -> Result<(), SolveError> {
        let moved = farthest_goal(&self.constraints, constraints, self.solver.height());
        let allowed = (MOST_TIMES_HANDLE * moved).max(LEAST_STEP_HEIGHTS * self.solver.height());
        self.constraints.clear();
        self.constraints.extend_from_slice(constraints);
        let way = self.farthest_joint(solved.pose.as_ref());
        self.is_easing = way > allowed;
        if !self.is_easing {
            self.last = solved;
            return Ok(());
        }
        let mut share = allowed / way;
        let mut eased = self.part_way(&solved, share)?;
        for _ in 0..SHORTER_WAYS {
            if self.farthest_joint(eased.pose.as_ref()) <= 1.25 * allowed {
                break;
            }
            share *= 0.6;
            eased = self.part_way(&solved, share)?;
        }
        self.last = eased;
        Ok(())
    }

    /// A share of the way, with the handles met from there.
    fn part_way(&mut self, to: &Solved, share: f64) -> Result<Solved, SolveError> {
        let from = &self.last;
        let latent = from.latent.iter().zip(&to.latent);
        let mut state = SolveState {
            pose: Pose::between(from.pose.as_ref(), to.pose.as_ref(), share),
            latent: latent.map(|(a, b)| a + share * (b - a)).collect(),
        };
        self.solver.meet(&self.constraints, &mut state)
    }

    fn farthest_joint(&self, pose: PoseRef<'_>) -> f64 {
        let skeleton = self.solver.skeleton();
        let before = WorldPose::of(skeleton, self.last.pose.as_ref());
        let after = WorldPose::of(skeleton, pose);
        let pairs = before.positions.iter().zip(&after.positions);
        pairs.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
    }
}

/// How far the fastest of the handles went. A ray counts as long as the body is tall, a rotated hand moves its
/// fingers. A new or removed handle counts as none.
fn farthest_goal(before: &[Constraint], after: &[Constraint], height: f64) -> f64 {
    let mut farthest = 0.0_f64;
    for (a, b) in before.iter().zip(after) {
        if a.site != b.site {
            continue;
        }
        let moved = match (&a.goal, &b.goal) {
            (Goal::Position(p), Goal::Position(q))
            | (Goal::Plane { point: p, .. }, Goal::Plane { point: q, .. })
            | (Goal::LookAt { target: p, .. }, Goal::LookAt { target: q, .. }) => (p - q).norm(),
            (
                Goal::Ray { origin, direction },
                Goal::Ray {
                    origin: other,
                    direction: turned,
                },
            ) => (origin - other).norm() + height * direction.angle(turned),
            (Goal::Orientation(p), Goal::Orientation(q)) => 0.2 * height * p.angle_to(q),
            _ => 0.0,
        };
        farthest = farthest.max(moved);
    }
    farthest
}
