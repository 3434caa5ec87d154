//! Levenberg-Marquardt over latent points and pose together.
//!
//! Rotations are changed by small turns in the joint's own axes, never by adding to angles. The damping follows
//! Nielsen (1999). All buffers are kept between solves: a drag step allocates nothing here. There is no clock in the
//! engine: the caller passes a closure that says whether to go on, and gets the best pose so far when it says no.

use super::constraint::{ConstraintRows, ConstraintSet};
use super::linear::{Damping, Quadratic, Stepper};
use crate::motion::{Pose, PoseRef, Quat, Vec3, WorldPose};

/// What a pose costs beside the constraints: the style, springs, limits.
pub(super) trait Energy {
    /// Cost and local model at a pose and latent point.
    fn evaluate(&mut self, pose: PoseRef<'_>, latent: &[f64], model: &mut Quadratic);
}

/// When to stop, and how far to go at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DescentSettings {
    pub(super) max_iterations: usize,
    /// Stop when a step gains less than this share of one plus the cost.
    pub(super) tolerance: f64,
    /// Damping of the first step, per squared radian.
    pub(super) first_damping: f64,
    /// A unit of length in units of the body, so that shifts and turns are damped alike.
    pub(super) body_height: f64,
}

/// Turns larger than this leave the region where the local model means anything.
const MAX_TURN_RAD: f64 = 0.7;
/// With more damping than this no step moves anything.
const MAX_DAMPING: f64 = 1e12;
const MIN_DAMPING: f64 = 1e-7;

/// A pose in the making.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SolveState {
    pub(super) pose: Pose,
    pub(super) latent: Vec<f64>,
}

/// How a descent ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DescentEnd {
    /// Style and constraints together.
    pub(super) cost: f64,
    pub(super) n_iterations: usize,
    /// False if it was stopped before it stood still.
    pub(super) has_settled: bool,
}

/// Levenberg-Marquardt with its buffers, kept between solves.
#[derive(Debug, Clone)]
pub(super) struct Descent {
    stepper: Stepper,
    model: Quadratic,
    trial_model: Quadratic,
    rows: ConstraintRows,
    world: WorldPose,
    trial: SolveState,
}

impl Descent {
    pub(super) fn new(n_joints: usize) -> Self {
        Self {
            stepper: Stepper::default(),
            model: Quadratic::default(),
            trial_model: Quadratic::default(),
            rows: ConstraintRows::default(),
            world: WorldPose {
                positions: vec![Vec3::zeros(); n_joints],
                rotations: vec![Quat::identity(); n_joints],
            },
            trial: SolveState {
                pose: Pose {
                    translations: Vec::new(),
                    rotations: Vec::new(),
                },
                latent: Vec::new(),
            },
        }
    }

    /// Goes downhill from `state` and leaves the best pose there.
    pub(super) fn run(
        &mut self,
        set: &ConstraintSet<'_>,
        energy: &mut impl Energy,
        state: &mut SolveState,
        settings: &DescentSettings,
        go_on: &mut dyn FnMut() -> bool,
    ) -> DescentEnd {
        energy.evaluate(state.pose.as_ref(), &state.latent, &mut self.model);
        self.world.update(set.skeleton, state.pose.as_ref());
        let mut cost = self.model.cost + set.cost(&self.world);
        set.fill(&self.world, false, &mut self.rows);
        let mut damping = settings.first_damping;
        let mut growth = 2.0;
        let mut ended = DescentEnd {
            cost,
            n_iterations: 0,
            has_settled: false,
        };
        while ended.n_iterations < settings.max_iterations && go_on() {
            ended.n_iterations += 1;
            let share = self.step(damping, settings);
            let promised = share.map_or(0.0, |s| self.stepper.promise(s));
            if share.is_some() && promised <= 1e-3 * settings.tolerance * (1.0 + cost) {
                ended.has_settled = true;
                break;
            }
            let gained = share.map_or(f64::NEG_INFINITY, |s| {
                cost - self.try_step(s, set, energy, state)
            });
            if gained > 0.0 {
                let ratio = gained / promised;
                damping *= (1.0 - (2.0 * ratio - 1.0).powi(3)).max(0.2);
                damping = damping.max(MIN_DAMPING);
                growth = 2.0;
                cost -= gained;
                std::mem::swap(state, &mut self.trial);
                std::mem::swap(&mut self.model, &mut self.trial_model);
                set.fill(&self.world, false, &mut self.rows);
                if gained < settings.tolerance * (1.0 + cost) && ratio > 0.25 {
                    ended.has_settled = true;
                    break;
                }
            } else {
                damping *= growth;
                growth *= 2.0;
                if damping > MAX_DAMPING {
                    // No direction leads down: as low as numbers allow.
                    ended.has_settled = true;
                    break;
                }
            }
        }
        ended.cost = cost;
        ended
    }

    /// The next step and which share of it may be taken.
    fn step(&mut self, damping: f64, settings: &DescentSettings) -> Option<f64> {
        let solved = self.stepper.solve(
            &self.model,
            &self.rows,
            Damping {
                turn: damping,
                shift: damping / (settings.body_height * settings.body_height),
                latent: damping,
            },
        );
        solved.then(|| share_within(&self.stepper, MAX_TURN_RAD))
    }

    /// Cost after a share of the step; leaves the pose in `trial` and its place in `world`.
    fn try_step(
        &mut self,
        share: f64,
        set: &ConstraintSet<'_>,
        energy: &mut impl Energy,
        state: &SolveState,
    ) -> f64 {
        take(&self.stepper, share, set, state, &mut self.trial);
        energy.evaluate(
            self.trial.pose.as_ref(),
            &self.trial.latent,
            &mut self.trial_model,
        );
        self.world.update(set.skeleton, self.trial.pose.as_ref());
        let cost = self.trial_model.cost + set.cost(&self.world);
        if cost.is_finite() {
            cost
        } else {
            f64::INFINITY
        }
    }

    /// Meets the hard constraints with the least change of pose, as the style measures change: Gauss-Newton on the
    /// constraints alone, with the style's matrix as the yardstick. Returns their largest error in millimetres; stops
    /// when that is good enough.
    pub(super) fn meet_hard(
        &mut self,
        set: &ConstraintSet<'_>,
        energy: &mut impl Energy,
        state: &mut SolveState,
        body_height: f64,
        good_enough_mm: f64,
    ) -> f64 {
        const ROUNDS: usize = 20;
        /// Rows count as tolerances a thousand times finer: as good as exact, and never singular.
        const STIFF: f64 = 1e3;
        self.world.update(set.skeleton, state.pose.as_ref());
        let mut worst = set.worst_hard(&self.world);
        if worst <= good_enough_mm {
            return worst;
        }
        self.yardstick(energy, state);
        let mut squares = set.hard_squares(&self.world);
        let mut damping = 1e-3;
        for _ in 0..ROUNDS {
            self.world.update(set.skeleton, state.pose.as_ref());
            set.fill(&self.world, true, &mut self.rows);
            self.rows.residuals.iter_mut().for_each(|r| *r *= STIFF);
            self.rows.matrix.iter_mut().for_each(|r| *r *= STIFF);
            let step = Damping {
                turn: damping,
                shift: damping / (body_height * body_height),
                latent: damping,
            };
            let before = squares;
            if self.stepper.solve(&self.model, &self.rows, step) {
                let share = share_within(&self.stepper, 0.3);
                take(&self.stepper, share, set, state, &mut self.trial);
                self.world.update(set.skeleton, self.trial.pose.as_ref());
                let after = set.hard_squares(&self.world);
                if after < squares {
                    squares = after;
                    worst = set.worst_hard(&self.world);
                    std::mem::swap(&mut state.pose, &mut self.trial.pose);
                }
            }
            if worst <= good_enough_mm {
                break;
            }
            if squares < before {
                damping = (damping * 0.1).max(1e-3);
                if squares > 0.999 * before {
                    // As near as it gets.
                    break;
                }
            } else {
                // Out of reach, or too far for one step: trust the straight line less.
                damping = (damping * 1e3).max(1e3);
            }
        }
        worst
    }

    /// Leaves in `model` how the style measures changes of the pose; the latent points stay where they are.
    fn yardstick(&mut self, energy: &mut impl Energy, state: &SolveState) {
        energy.evaluate(state.pose.as_ref(), &state.latent, &mut self.model);
        self.model.n_latent = 0;
        self.model.grad_latent.clear();
        self.model.latent.clear();
        self.model.mixed.clear();
        self.model.grad.fill(Vec3::zeros());
    }
}

/// The share of a step in which no joint turns further than this.
fn share_within(stepper: &Stepper, max_turn_rad: f64) -> f64 {
    let turns = &stepper.moves[..stepper.moves.len() - 3];
    let widest = turns
        .chunks_exact(3)
        .map(|w| w.iter().map(|x| x * x).sum::<f64>())
        .fold(0.0, f64::max)
        .sqrt();
    if widest > max_turn_rad {
        max_turn_rad / widest
    } else {
        1.0
    }
}

/// The pose after a share of the step.
fn take(
    stepper: &Stepper,
    share: f64,
    set: &ConstraintSet<'_>,
    from: &SolveState,
    to: &mut SolveState,
) {
    to.pose.rotations.clear();
    let turns = stepper.moves.chunks_exact(3);
    to.pose
        .rotations
        .extend(from.pose.rotations.iter().zip(turns).map(|(q, w)| {
            let turn = Quat::from_scaled_axis(Vec3::new(w[0], w[1], w[2]) * share);
            Quat::new_normalize((q * turn).into_inner())
        }));
    to.pose.translations.clear();
    to.pose
        .translations
        .extend_from_slice(&from.pose.translations);
    let shift = &stepper.moves[stepper.moves.len() - 3..];
    let slot = set.placing.slot(set.skeleton);
    to.pose.translations[slot] += Vec3::new(shift[0], shift[1], shift[2]) * share;
    to.latent.clear();
    // Where only the pose is moved, the latent points have no step.
    let steps = stepper.latent.iter().chain(std::iter::repeat(&0.0));
    to.latent
        .extend(from.latent.iter().zip(steps).map(|(x, d)| x + d * share));
}
