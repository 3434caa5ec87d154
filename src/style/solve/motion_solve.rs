//! Whole motions: a pose for every frame that meets the constraints of that frame, in one smooth motion.
//!
//! Solved one by one, poses jump between local minima and jitter: features hold nothing about time. So every frame is
//! solved three times, afresh and from its neighbours on both sides; the cheapest path through these is found
//! (Viterbi), with a cost of speed; and then the whole motion is smoothed ([`super::spacetime`]) and solved in turn,
//! each frame pulled to the smooth motion, so that what the constraints leave open moves no faster than a body does.
//! The paper's velocity features do less: they look backwards only, and lag fast motion. Costs are per second, so that
//! the frame rate does not matter.

use rayon::prelude::*;

use super::constraint::{Constraint, ConstraintSet};
use super::energy::PosePull;
use super::solver::{SolveError, Solved, Solver};
use super::spacetime::{SpacetimeProblem, Units};
use super::whittaker::stiffness;
use crate::jobs::{Cancelled, Ticket};
use crate::motion::{Pose, PoseRef, Quat, rotation};

/// Settings for solving a whole motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MotionSolveSettings {
    /// Frames per second of the motion.
    pub fps: f64,
    /// Cutoff frequency of smoothing where the constraints leave the motion open; constraints are followed at any
    /// speed.
    pub cutoff_hz: f64,
    /// How often the motion is smoothed and solved again.
    pub n_rounds: usize,
}

impl MotionSolveSettings {
    /// The defaults at this rate.
    pub fn at(fps: f64) -> Self {
        Self {
            fps,
            cutoff_hz: 5.0,
            n_rounds: 3,
        }
    }
}

/// The constraints of one frame, and the weights of styles there.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FrameConstraints {
    /// Any number, any kind.
    pub constraints: Vec<Constraint>,
    /// Weights of the styles at this frame; empty leaves the solver's own.
    pub weights: Vec<f64>,
}

/// Why a motion could not be solved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MotionSolveError {
    /// There is no frame to solve.
    #[error("the motion has no frames")]
    NoFrames,
    /// The rate is no rate.
    #[error("the frame rate must be over zero, found {0}")]
    Fps(f64),
    /// One frame cannot be solved.
    #[error("frame {frame}")]
    Frame {
        /// The frame, counted from 0.
        frame: usize,
        /// What the solver said about it.
        #[source]
        why: SolveError,
    },
    /// The animator stopped it.
    #[error("{0}")]
    Cancelled(#[from] Cancelled),
}

/// One standard deviation of a joint's speed, when paths are priced.
const SPEED_RAD_PER_SEC: f64 = 3.0;
/// The same for the body's place, in heights.
const SPEED_HEIGHTS_PER_SEC: f64 = 1.0;
/// A jump farther than this many deviations costs no more than that: some motions are fast.
const MOST_DEVIATIONS: f64 = 20.0;
/// How near a frame is held to the smoothed motion.
const PULL_RAD: f64 = 0.02;
const PULL_HEIGHTS: f64 = 0.002;
/// Frames that one worker takes at a time. Fixed, so that results do not depend on the number of threads.
const CHUNK: usize = 16;

impl Solver {
    /// Solves all frames as one motion.
    pub fn solve_motion(
        &self,
        frames: &[FrameConstraints],
        settings: &MotionSolveSettings,
        ticket: &Ticket,
    ) -> Result<Vec<Solved>, MotionSolveError> {
        if frames.is_empty() {
            return Err(MotionSolveError::NoFrames);
        }
        if !(settings.fps > 0.0 && settings.fps.is_finite()) {
            return Err(MotionSolveError::Fps(settings.fps));
        }
        let rounds = settings.n_rounds as f64 + 3.0;
        ticket.step(0.0)?;
        let fresh = self.every_frame(frames, ticket, |solver, _, frame| {
            solver.solve(&frame.constraints, &mut || true)
        })?;
        ticket.step(1.0 / rounds)?;
        let (ahead, back) = rayon::join(
            || self.chain(frames, &fresh, (0..frames.len()).collect(), ticket),
            || self.chain(frames, &fresh, (0..frames.len()).rev().collect(), ticket),
        );
        let mut take = self.best_path(&[fresh, ahead?, back?], settings.fps);
        for round in 0..settings.n_rounds {
            ticket.step((2.0 + round as f64) / rounds)?;
            let smooth = self.smoothed(frames, &take, settings, 1)?;
            take = self.every_frame(frames, ticket, |solver, at, frame| {
                solver.set_pulls(vec![solver.pull_to(&smooth[at])]);
                // From the smooth pose: from where it was it would only go back there.
                let from = Solved {
                    pose: smooth[at].clone(),
                    ..take[at].clone()
                };
                solver.solve_from(&from, &frame.constraints, &mut || true)
            })?;
        }
        ticket.step((rounds - 1.0) / rounds)?;
        let smooth = self.smoothed(frames, &take, settings, 3)?;
        self.every_frame(frames, ticket, |solver, at, frame| {
            // Still pulled: the handles are met by the limbs that they are on, not by shifting the body to and fro.
            solver.set_pulls(vec![solver.pull_to(&smooth[at])]);
            solver.met_from(&smooth[at], &take[at], &frame.constraints)
        })
    }

    /// The motion without what is faster than a body moves, with the constraints as they are.
    fn smoothed(
        &self,
        frames: &[FrameConstraints],
        take: &[Solved],
        settings: &MotionSolveSettings,
        n_steps: usize,
    ) -> Result<Vec<Pose>, MotionSolveError> {
        let set = frames.iter().enumerate().map(|(at, frame)| {
            ConstraintSet::new(
                &self.skeleton,
                &self.placing,
                &frame.constraints,
                self.tolerances,
            )
            .map_err(|why| MotionSolveError::Frame {
                frame: at,
                why: why.into(),
            })
        });
        let found: Vec<Pose> = take.iter().map(|s| s.pose.clone()).collect();
        let units = Units {
            turn_rad: PULL_RAD,
            place: PULL_HEIGHTS * self.height(),
        };
        let stiffness = stiffness(settings.fps, settings.cutoff_hz);
        let smooth = SpacetimeProblem::new(
            set.collect::<Result<_, _>>()?,
            &found,
            &self.energy.loose_joints(),
            stiffness,
            units,
        );
        Ok(smooth.solve(n_steps))
    }

    /// Does something with every frame, on all threads, each worker with a solver of its own.
    fn every_frame(
        &self,
        frames: &[FrameConstraints],
        ticket: &Ticket,
        work: impl Fn(&mut Self, usize, &FrameConstraints) -> Result<Solved, SolveError> + Sync,
    ) -> Result<Vec<Solved>, MotionSolveError> {
        let chunks = frames.par_chunks(CHUNK).enumerate();
        let solved: Result<Vec<Vec<Solved>>, MotionSolveError> = chunks
            .map(|(chunk, frames)| {
                let mut solver = self.clone();
                let each = frames.iter().enumerate().map(|(i, frame)| {
                    ticket.check()?;
                    let at = chunk * CHUNK + i;
                    solver
                        .weigh(frame)
                        .and_then(|()| work(&mut solver, at, frame))
                        .map_err(|why| MotionSolveError::Frame { frame: at, why })
                });
                each.collect()
            })
            .collect();
        Ok(solved?.into_iter().flatten().collect())
    }

    fn weigh(&mut self, frame: &FrameConstraints) -> Result<(), SolveError> {
        if frame.weights.is_empty() {
            Ok(())
        } else {
            self.set_weights(&frame.weights)
        }
    }

    /// Every frame from the one before it in this order. Where a fresh solution is clearly cheaper, the chain goes on
    /// from there.
    fn chain(
        &self,
        frames: &[FrameConstraints],
        fresh: &[Solved],
        order: Vec<usize>,
        ticket: &Ticket,
    ) -> Result<Vec<Solved>, MotionSolveError> {
        const CLEARLY: f64 = 0.8;
        let mut solver = self.clone();
        let mut chain = fresh.to_vec();
        let mut last: Option<usize> = None;
        for at in order {
            ticket.check()?;
            if let Some(before) = last {
                let failed = |why| MotionSolveError::Frame { frame: at, why };
                solver.weigh(&frames[at]).map_err(failed)?;
                let from = &chain[before];
                let set = &frames[at].constraints;
                let next = solver.solve_from(from, set, &mut || true);
                let next = next.map_err(failed)?;
                if CLEARLY * next.cost <= fresh[at].cost {
                    chain[at] = next;
                }
            }
            last = Some(at);
        }
        Ok(chain)
    }

    /// The cheapest way through the frames, taking one of the candidates at each.
    fn best_path(&self, candidates: &[Vec<Solved>], fps: f64) -> Vec<Solved> {
        let n = candidates[0].len();
        let mut costs: Vec<f64> = candidates.iter().map(|c| c[0].cost).collect();
        let mut came_from: Vec<Vec<usize>> = Vec::with_capacity(n);
        for at in 1..n {
            let mut next = Vec::with_capacity(candidates.len());
            let mut from = Vec::with_capacity(candidates.len());
            for to in candidates {
                let ways = candidates.iter().zip(&costs).map(|(c, cost)| {
                    cost + self.price_of_speed(&c[at - 1].pose, &to[at].pose, fps)
                });
                let (best, cost) = ways
                    .enumerate()
                    .min_by(|a, b| a.1.total_cmp(&b.1))
                    .unwrap_or((0, 0.0));
                from.push(best);
                next.push(cost + to[at].cost);
            }
            costs = next;
            came_from.push(from);
        }
        let mut pick = (0..costs.len())
            .min_by(|&a, &b| costs[a].total_cmp(&costs[b]))
            .unwrap_or(0);
        let mut path = vec![candidates[pick][n - 1].clone()];
        for at in (0..n - 1).rev() {
            pick = came_from[at][pick];
            path.push(candidates[pick][at].clone());
        }
        path.reverse();
        path
    }

    fn price_of_speed(&self, a: &Pose, b: &Pose, fps: f64) -> f64 {
        let pairs = a.rotations.iter().zip(&b.rotations);
        let turns = pairs.map(|(a, b)| a.angle_to(b) * fps / SPEED_RAD_PER_SEC);
        let slot = self.energy.place_slot;
        let shift = (a.translations[slot] - b.translations[slot]).norm() / self.height();
        let deviations = turns.chain([shift * fps / SPEED_HEIGHTS_PER_SEC]);
        deviations
            .map(|d| 0.5 * d.min(MOST_DEVIATIONS).powi(2))
            .sum()
    }

    fn pull_to(&self, pose: &Pose) -> PosePull {
        let place = PULL_HEIGHTS * self.height();
        PosePull {
            turns: vec![PULL_RAD.powi(-2); pose.rotations.len()],
            place: place.powi(-2),
            pose: pose.clone(),
        }
    }
}

/// Fades from a given pose into a motion: the difference at its first frame is carried along, less and less.
pub(super) fn faded_in(motion: &mut [Pose], pose: PoseRef<'_>, n_frames: usize) {
    let Some(first) = motion.first().cloned() else {
        return;
    };
    for (t, frame) in motion.iter_mut().take(n_frames).enumerate() {
        let left = 1.0 - t as f64 / n_frames as f64;
        // The smoothest step that starts and ends at rest.
        let share = left * left * left * (10.0 - 15.0 * left + 6.0 * left * left);
        for (j, q) in frame.rotations.iter_mut().enumerate() {
            let off = first.rotations[j].inverse() * pose.rotations[j];
            *q *= rotation::slerp(&Quat::identity(), &off, share);
        }
        for (k, place) in frame.translations.iter_mut().enumerate() {
            *place += (pose.translations[k] - first.translations[k]) * share;
        }
    }
}
