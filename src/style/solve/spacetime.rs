//! All frames at once: the smoothest motion near the style's poses that meets the constraints of every frame, in the
//! sense of spacetime constraints (Witkin and Kass 1988), without physics.
//!
//! Smoothing first and meeting the constraints of each frame afterwards brings jitter back: a nearly straight arm
//! whose hand is off by a millimetre has to bend its elbow by centimetres, in that frame alone. Here both are one
//! problem over all frames,
//!
//! ```text
//! sum_t  |q_t - p_t|^2  +  s |q_{t-1} - 2 q_t + q_{t+1}|^2  +  |c_t(q_t)|^2
//! ```
//!
//! with the poses `p` of the style, the smoother's stiffness `s` and the constraints over their tolerances `c`, solved
//! by Gauss-Newton. Of its matrix the first two terms are the smoother, the same for every coordinate, which is solved
//! in a few multiplications per frame; the constraints are left with one multiplier per row (as in [`super::linear`]),
//!
//! ```text
//! (J S J' + I) m = c + J e0        S: the smoother    J: rows of constraints, frame by frame    e0: the step without them
//! ```
//!
//! found by conjugate gradients, which never needs the matrix: time and memory grow with the number of frames.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};
use rayon::prelude::*;

use super::constraint::{ConstraintRows, ConstraintSet};
use super::whittaker::WhittakerSmoother;
use crate::motion::{Pose, Quat, Vec3, WorldPose};

/// What one unit of a coordinate stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Units {
    /// One deviation of a joint's turn.
    pub(super) turn_rad: f64,
    /// One deviation of the body's place.
    pub(super) place: f64,
}

/// The least-squares problem over all frames of a motion.
pub(super) struct SpacetimeProblem<'a> {
    /// One list per frame.
    constraints: Vec<ConstraintSet<'a>>,
    /// The style's poses, one per frame.
    found: &'a [Pose],
    units: Units,
    /// One per joint, then the body's place: what the bend at each frame costs.
    stiffness: Vec<Vec<f64>>,
    smoothers: Vec<WhittakerSmoother>,
}

/// No step turns a joint further.
const MAX_TURN_RAD: f64 = 0.3;
/// A joint that turns further than this between two frames does not move but flips, as joints do that were never
/// captured: there is nothing smooth between the two.
const FLIP_RAD: f64 = 2.0;
/// Conjugate gradients stop when this share of the residual is left, or after so many rounds.
const CG_SHARE: f64 = 1e-2;
const CG_ROUNDS: usize = 60;

/// Coordinates of all frames: for each joint, then for the body's place, one triple after another in time. In units.
type MotionStep = Vec<Vec<f64>>;

impl<'a> SpacetimeProblem<'a> {
    /// For at least one frame. Joints that were never captured (`is_loose`) have no motion that could be smooth.
    pub(super) fn new(
        constraints: Vec<ConstraintSet<'a>>,
        found: &'a [Pose],
        is_loose: &[bool],
        stiffness: f64,
        units: Units,
    ) -> Self {
        let n = found.len();
        let n_joints = found[0].rotations.len();
        let of_joint = |joint: usize| -> Vec<f64> {
            let flips = |t: usize| {
                let (a, b) = (&found[t].rotations[joint], &found[t + 1].rotations[joint]);
                a.angle_to(b) > FLIP_RAD
            };
            let inside = |t: usize| t > 0 && t + 1 < n && !is_loose[joint];
            let accelerations = (0..n).map(|t| inside(t) && !flips(t - 1) && !flips(t));
            accelerations
                .map(|is_smooth| if is_smooth { stiffness } else { 0.0 })
                .collect()
        };
        let mut each: Vec<Vec<f64>> = (0..n_joints).map(of_joint).collect();
        each.push(vec![stiffness; n]);
        Self {
            smoothers: each.iter().map(|s| WhittakerSmoother::new(s)).collect(),
            stiffness: each,
            constraints,
            found,
            units,
        }
    }

    /// The smooth motion, after at most so many Gauss-Newton steps. Three are enough; before another solve one is.
    pub(super) fn solve(&self, n_steps: usize) -> Vec<Pose> {
        let mut poses = self.found.to_vec();
        let mut cost = self.cost(&poses);
        for _ in 0..n_steps {
            let step = self.step(&poses);
            let mut share = 1.0;
            let mut next = self.moved(&poses, &step, share);
            let mut next_cost = self.cost(&next);
            // Curved constraints may ask for a shorter step.
            while next_cost >= cost && share > 0.1 {
                share *= 0.5;
                next = self.moved(&poses, &step, share);
                next_cost = self.cost(&next);
            }
            if next_cost >= cost {
                break;
            }
            let gained = cost - next_cost;
            (poses, cost) = (next, next_cost);
            if gained < 1e-3 * cost {
                break;
            }
        }
        poses
    }

    fn slot(&self) -> usize {
        self.constraints[0]
            .placing
            .slot(self.constraints[0].skeleton)
    }

    /// How far a joint, or the body's place after the last joint, has to go from one pose to another, in units.
    fn step_between(&self, part: usize, from: &Pose, to: &Pose) -> Vec3 {
        if part < from.rotations.len() {
            let turn = from.rotations[part].inverse() * to.rotations[part];
            turn.scaled_axis() / self.units.turn_rad
        } else {
            let slot = self.slot();
            (to.translations[slot] - from.translations[slot]) / self.units.place
        }
    }

    /// For every part its deviations from the style's poses, and its accelerations: changes of the way from frame to
    /// frame.
    fn deviations_and_accelerations(&self, poses: &[Pose]) -> Vec<(Vec<f64>, Vec<f64>)> {
        let n = poses.len();
        let parts = self.stiffness.par_iter().enumerate();
        parts
            .map(|(part, stiffness)| {
                let deviations = (0..n).map(|t| self.step_between(part, &self.found[t], &poses[t]));
                let deviations: Vec<f64> = deviations.flat_map(<[f64; 3]>::from).collect();
                let steps = (1..n).map(|t| self.step_between(part, &poses[t - 1], &poses[t]));
                let steps: Vec<Vec3> = steps.collect();
                let mut accelerations = vec![0.0; 3 * n];
                for t in (1..n.saturating_sub(1)).filter(|&t| stiffness[t] > 0.0) {
                    accelerations[3 * t..3 * t + 3]
                        .copy_from_slice((steps[t] - steps[t - 1]).as_slice());
                }
                (deviations, accelerations)
            })
            .collect()
    }

    fn cost(&self, poses: &[Pose]) -> f64 {
        let parts = self.deviations_and_accelerations(poses);
        let smooth = parts
            .iter()
            .zip(&self.stiffness)
            .map(|((deviations, accelerations), s)| {
                let deviations: f64 = deviations.iter().map(|x| x * x).sum();
                let squares = accelerations
                    .chunks_exact(3)
                    .map(|b| b.iter().map(|x| x * x).sum::<f64>());
                deviations + squares.zip(s).map(|(square, s)| square * s).sum::<f64>()
            });
        let constraints: Vec<f64> = (self.constraints.par_iter().zip(poses))
            .map(|(constraints, pose)| {
                constraints.cost(&WorldPose::of(constraints.skeleton, pose.as_ref()))
            })
            .collect();
        0.5 * smooth.sum::<f64>() + constraints.iter().sum::<f64>()
    }

    /// The Gauss-Newton step from these poses.
    fn step(&self, poses: &[Pose]) -> MotionStep {
        let parts = self
            .deviations_and_accelerations(poses)
            .into_iter()
            .zip(&self.stiffness);
        let mut step: MotionStep = parts
            .map(|((mut deviations, accelerations), stiffness)| {
                for t in (1..poses.len().saturating_sub(1)).filter(|&t| stiffness[t] > 0.0) {
                    for k in 0..3 {
                        let pull = stiffness[t] * accelerations[3 * t + k];
                        deviations[3 * (t - 1) + k] += pull;
                        deviations[3 * t + k] -= 2.0 * pull;
                        deviations[3 * (t + 1) + k] += pull;
                    }
                }
                for x in &mut deviations {
                    *x = -*x;
                }
                deviations
            })
            .collect();
        self.smooth(&mut step);
        let linear = self.linearised(poses);
        let multipliers = self.multipliers(&linear, &step);
        let push = self.answer(&linear, &multipliers);
        for (step, push) in step.iter_mut().zip(&push) {
            for (step, push) in step.iter_mut().zip(push) {
                *step -= push;
            }
        }
        step
    }

    fn smooth(&self, steps: &mut MotionStep) {
        let parts = steps.par_iter_mut().zip(&self.smoothers);
        parts.for_each(|(steps, smoother)| smoother.smooth(steps, 3));
    }

    fn linearised(&self, poses: &[Pose]) -> Vec<FrameRows> {
        let frames = self.constraints.par_iter().zip(poses);
        frames
            .map_init(ConstraintRows::default, |rows, (constraints, pose)| {
                let world = WorldPose::of(constraints.skeleton, pose.as_ref());
                constraints.fill(&world, false, rows);
                FrameRows::of(rows, self.units)
            })
            .collect()
    }

    fn moved(&self, poses: &[Pose], step: &MotionStep, share: f64) -> Vec<Pose> {
        let slot = self.slot();
        let each = poses.iter().enumerate().map(|(t, pose)| {
            let mut pose = pose.clone();
            let part = |part: usize| Vec3::from_column_slice(&step[part][3 * t..3 * t + 3]);
            for (joint, q) in pose.rotations.iter_mut().enumerate() {
                let turn = part(joint) * self.units.turn_rad;
                let turn = turn.cap_magnitude(MAX_TURN_RAD) * share;
                *q = Quat::new_normalize((*q * Quat::from_scaled_axis(turn)).into_inner());
            }
            let place = part(pose.rotations.len()) * self.units.place;
            pose.translations[slot] += place * share;
            pose
        });
        each.collect()
    }

    /// S J' m: how the motion responds to multipliers.
    fn answer(&self, linear: &[FrameRows], multipliers: &[DVector<f64>]) -> MotionStep {
        let parts = self.smoothers.par_iter().enumerate();
        parts
            .map(|(part, smoother)| {
                let frames = linear.iter().zip(multipliers);
                let back = frames.flat_map(|(rows, m)| rows.back(part, m.as_slice()));
                let mut steps: Vec<f64> = back.collect();
                smoother.smooth(&mut steps, 3);
                steps
            })
            .collect()
    }

    /// Conjugate gradients on (J S J' + I) m = c + J e0, each frame conditioned by its own J J' + I.
    fn multipliers(&self, linear: &[FrameRows], unconstrained: &MotionStep) -> Vec<DVector<f64>> {
        let across = |steps: &MotionStep| -> Vec<DVector<f64>> {
            let frames = linear.par_iter().enumerate();
            frames.map(|(t, rows)| rows.across(t, steps)).collect()
        };
        let mut left = across(unconstrained);
        for (left, rows) in left.iter_mut().zip(linear) {
            *left += &rows.residuals;
        }
        let condition = |left: &[DVector<f64>]| -> Vec<DVector<f64>> {
            let frames = left.par_iter().zip(linear);
            frames.map(|(left, rows)| rows.conditioned(left)).collect()
        };
        let dot = |a: &[DVector<f64>], b: &[DVector<f64>]| -> f64 {
            a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
        };
        let mut found: Vec<DVector<f64>> = left.iter().map(|l| DVector::zeros(l.len())).collect();
        let mut conditioned = condition(&left);
        let mut direction = conditioned.clone();
        let mut size = dot(&left, &conditioned);
        let enough = CG_SHARE * CG_SHARE * size;
        for _ in 0..CG_ROUNDS {
            if size <= enough {
                break;
            }
            let mut image = across(&self.answer(linear, &direction));
            for (image, direction) in image.iter_mut().zip(&direction) {
                *image += direction;
            }
            let along = size / dot(&direction, &image);
            for t in 0..left.len() {
                found[t].axpy(along, &direction[t], 1.0);
                left[t].axpy(-along, &image[t], 1.0);
            }
            conditioned = condition(&left);
            let next = dot(&left, &conditioned);
            for (direction, conditioned) in direction.iter_mut().zip(&conditioned) {
                *direction *= next / size;
                *direction += conditioned;
            }
            size = next;
        }
        found
    }
}

/// The constraints of one frame as rows.
struct FrameRows {
    residuals: DVector<f64>,
    /// For each part of the body the rows that depend on it, three values each.
    blocks: Vec<Vec<(usize, [f64; 3])>>,
    /// J J' + I.
    factor: Option<Cholesky<f64, Dyn>>,
}

impl FrameRows {
    fn of(rows: &ConstraintRows, units: Units) -> Self {
        let n_rows = rows.residuals.len();
        let mut square = DMatrix::identity(n_rows, n_rows);
        let n_parts = rows.n_cols / 3;
        let blocks = (0..n_parts).map(|part| {
            let unit = if part + 1 == n_parts {
                units.place
            } else {
                units.turn_rad
            };
            let each = (0..n_rows).map(|row| {
                let at = row * rows.n_cols + 3 * part;
                (row, [0, 1, 2].map(|k| rows.matrix[at + k] * unit))
            });
            let block: Vec<(usize, [f64; 3])> = each.filter(|(_, v)| *v != [0.0; 3]).collect();
            for (n, (i, a)) in block.iter().enumerate() {
                for (j, b) in &block[..=n] {
                    square[(*i, *j)] += a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
                }
            }
            block
        });
        Self {
            blocks: blocks.collect(),
            residuals: DVector::from_column_slice(&rows.residuals),
            factor: Cholesky::new(square),
        }
    }

    fn conditioned(&self, left: &DVector<f64>) -> DVector<f64> {
        match &self.factor {
            Some(factor) => factor.solve(left),
            None => left.clone(),
        }
    }

    /// J e: change of this frame's residuals under a step.
    fn across(&self, frame: usize, steps: &MotionStep) -> DVector<f64> {
        let mut out = DVector::zeros(self.residuals.len());
        for (block, steps) in self.blocks.iter().zip(steps) {
            let e = &steps[3 * frame..3 * frame + 3];
            for (row, v) in block {
                out[*row] += v[0] * e[0] + v[1] * e[1] + v[2] * e[2];
            }
        }
        out
    }

    /// J' m of one part.
    fn back(&self, part: usize, multipliers: &[f64]) -> [f64; 3] {
        let mut e = [0.0; 3];
        for (row, v) in &self.blocks[part] {
            for k in 0..3 {
                e[k] += multipliers[*row] * v[k];
            }
        }
        e
    }
}

#[cfg(test)]
mod tests {
    use super::super::constraint::{Constraint, Placing, Tolerances};
    use super::super::gradients::skeleton;
    use super::*;
    use crate::motion::Site;
    use crate::numerics::random::Stream;

    const UNITS: Units = Units {
        turn_rad: 0.02,
        place: 0.003,
    };
    const STIFFNESS: f64 = 20.0;

    /// An arm that swings, and the same with tremor.
    fn motions(n_frames: usize) -> (Vec<Pose>, Vec<Pose>) {
        let mut random = Stream::named(8, &[]);
        let skeleton = skeleton();
        let truth: Vec<Pose> = (0..n_frames)
            .map(|t| {
                let mut pose = Pose::rest(&skeleton);
                pose.translations[0] = Vec3::new(0.01 * t as f64, 1.0, 0.0);
                let swing = (0.05 * t as f64).sin();
                for (j, q) in pose.rotations.iter_mut().enumerate() {
                    *q = Quat::from_scaled_axis(Vec3::new(0.2, 0.1 * j as f64, 0.3 * swing));
                }
                pose
            })
            .collect();
        let mut shaken = truth.clone();
        for q in shaken.iter_mut().flat_map(|pose| &mut pose.rotations) {
            let shake = Vec3::new(random.normal(), random.normal(), random.normal());
            *q *= Quat::from_scaled_axis(shake * 0.02);
        }
        (truth, shaken)
    }

    fn pinned(truth: &[Pose]) -> Vec<Vec<Constraint>> {
        let skeleton = skeleton();
        let each = truth.iter().map(|pose| {
            let world = WorldPose::of(&skeleton, pose.as_ref());
            let pin = |site| Constraint::pin(site, world.site(&skeleton, site));
            vec![pin(Site::Joint(0)), pin(Site::End(0))]
        });
        each.collect()
    }

    fn with_take(n_frames: usize, look: impl FnOnce(&SpacetimeProblem<'_>, &[Pose])) {
        let (truth, shaken) = motions(n_frames);
        let (skeleton, lists) = (skeleton(), pinned(&truth));
        let placing = Placing::new(&skeleton, 0);
        let tolerances = Tolerances::of_height(1.7);
        let constraints = lists
            .iter()
            .map(|list| ConstraintSet::new(&skeleton, &placing, list, tolerances).unwrap());
        let problem = SpacetimeProblem::new(
            constraints.collect(),
            &shaken,
            &[false; 5],
            STIFFNESS,
            UNITS,
        );
        look(&problem, &truth);
    }

    /// The step found without a matrix is that of the whole matrix, written out.
    #[test]
    fn the_step_is_the_dense_one() {
        with_take(7, |problem, _| {
            let poses = problem.found;
            let (n, n_parts) = (poses.len(), problem.stiffness.len());
            let size = 3 * n * n_parts;
            let at = |part: usize, t: usize, k: usize| (part * n + t) * 3 + k;
            let mut matrix = DMatrix::<f64>::identity(size, size);
            let mut gradient = DVector::<f64>::zeros(size);
            for (part, (_, accelerations)) in problem
                .deviations_and_accelerations(poses)
                .iter()
                .enumerate()
            {
                for t in 1..n - 1 {
                    for k in 0..3 {
                        let row = [(t - 1, 1.0), (t, -2.0), (t + 1, 1.0)];
                        for (a, wa) in row {
                            gradient[at(part, a, k)] += STIFFNESS * wa * accelerations[3 * t + k];
                            for (b, wb) in row {
                                matrix[(at(part, a, k), at(part, b, k))] += STIFFNESS * wa * wb;
                            }
                        }
                    }
                }
            }
            for (t, rows) in problem.linearised(poses).iter().enumerate() {
                let jacobian = DMatrix::from_fn(rows.residuals.len(), size, |row, column| {
                    let (part, frame, k) = (column / 3 / n, column / 3 % n, column % 3);
                    let values = rows.blocks[part].iter().find(|(r, _)| *r == row);
                    values.filter(|_| frame == t).map_or(0.0, |(_, v)| v[k])
                });
                matrix += jacobian.tr_mul(&jacobian);
                gradient += jacobian.tr_mul(&rows.residuals);
            }
            let truth = matrix.lu().solve(&-gradient).unwrap();
            let found = DVector::from_vec(problem.step(poses).concat());
            let error = (&found - &truth).norm() / truth.norm();
            // Conjugate gradients stop at a hundredth of the residual, which is not the error.
            assert!(error < 0.1, "{error:e}");
        });
    }

    #[test]
    fn tremor_goes_and_what_is_asked_for_stays() {
        with_take(60, |problem, truth| {
            let poses = problem.solve(3);
            let skeleton = skeleton();
            let place =
                |pose: &Pose, site| WorldPose::of(&skeleton, pose.as_ref()).site(&skeleton, site);
            let accelerations = |poses: &[Pose]| -> f64 {
                let elbow = |t: usize| place(&poses[t], Site::Joint(4));
                let each = (1..poses.len() - 1)
                    .map(|t| (elbow(t - 1) - 2.0 * elbow(t) + elbow(t + 1)).norm());
                each.sum()
            };
            let (before, after, least) = (
                accelerations(problem.found),
                accelerations(&poses),
                accelerations(truth),
            );
            assert!(before > 10.0 * least, "it trembles: {before} {least}");
            assert!(after < 0.1 * before, "elbow: {after} of {before}");
            for (pose, truth) in poses.iter().zip(truth) {
                let off = (place(pose, Site::End(0)) - place(truth, Site::End(0))).norm();
                assert!(off < 0.001, "hand off by {off} m");
            }
        });
    }
}
