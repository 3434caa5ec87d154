//! One damped Gauss-Newton step, in time that grows with the number of joints.
//!
//! Around a pose the style is a sum of squares whose matrix has three by three blocks on its diagonal, one for each
//! joint (features of one joint depend on that joint alone), and a few dense columns for the latent points.
//! Constraints add a few dense rows. Eliminating the joints first leaves a small system in the latent points and in
//! one multiplier per row (the Woodbury identity, written as a saddle point):
//!
//! ```text
//! | B   C   J' | | dq |     | gq |        B: blocks and damping   C: joints by latent points
//! | C'  Z      | | dz | = - | gz |        Z: latent points        J: rows of constraints over tolerance
//! | J      -I  | | l  |     | c  |        c: residuals of constraints over tolerance
//! ```
//!
//! The matrix is quasi-definite, so it factors as L D L' in this order without pivoting (Vanderbei 1995); a pivot of
//! the wrong sign means that the damping is too small.

use nalgebra::{Matrix3, Vector3};

use super::constraint::ConstraintRows;

/// The style's local model: `cost + g'd + d'Hd/2` for moves `d` of joints, root and latent points.
#[derive(Debug, Clone, Default)]
pub(super) struct Quadratic {
    pub(super) cost: f64,
    /// One block per joint, then one for the root's place.
    pub(super) blocks: Vec<Matrix3<f64>>,
    /// One per joint, then the root's place.
    pub(super) grad: Vec<Vector3<f64>>,
    /// How many latent coordinates there are, of all styles together.
    pub(super) n_latent: usize,
    /// By latent point: gradient.
    pub(super) grad_latent: Vec<f64>,
    /// By latent point: matrix, row by row.
    pub(super) latent: Vec<f64>,
    /// For each latent coordinate one row over all moves.
    pub(super) mixed: Vec<f64>,
}

impl Quadratic {
    /// All zero, for a skeleton of so many joints.
    pub(super) fn clear(&mut self, n_joints: usize, n_latent: usize) {
        let n = n_joints + 1;
        self.cost = 0.0;
        refill(&mut self.blocks, n, Matrix3::zeros());
        refill(&mut self.grad, n, Vector3::zeros());
        self.n_latent = n_latent;
        refill(&mut self.grad_latent, n_latent, 0.0);
        refill(&mut self.latent, n_latent * n_latent, 0.0);
        refill(&mut self.mixed, n_latent * 3 * n, 0.0);
    }
}

pub(super) fn refill<T: Clone>(buffer: &mut Vec<T>, n: usize, value: T) {
    buffer.clear();
    buffer.resize(n, value);
}

/// How much a unit of each kind of move is damped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Damping {
    /// Cost per squared radian of a joint's rotation.
    pub(super) turn: f64,
    /// Per squared unit of length.
    pub(super) shift: f64,
    /// Per squared unit of the latent space.
    pub(super) latent: f64,
}

/// A step and the buffers to find it.
#[derive(Debug, Clone, Default)]
pub(super) struct Stepper {
    /// Three per joint, then the root's place.
    pub(super) moves: Vec<f64>,
    pub(super) latent: Vec<f64>,
    /// Slope of the cost along the step; negative.
    pub(super) slope: f64,
    /// Damping times squared step.
    pub(super) damped: f64,
    inverse: Vec<Matrix3<f64>>,
    /// Latent rows, then constraint rows, and the same times the inverse blocks.
    border: Vec<f64>,
    solved: Vec<f64>,
    small: Vec<f64>,
    right: Vec<f64>,
}

impl Stepper {
    /// Finds the step. False if the matrix is not as it should be: damp more.
    pub(super) fn solve(
        &mut self,
        model: &Quadratic,
        rows: &ConstraintRows,
        damping: Damping,
    ) -> bool {
        let n_blocks = model.blocks.len();
        if !self.invert_blocks(model, damping) {
            return false;
        }
        let (m, r) = (model.n_latent, rows.residuals.len());
        let n = 3 * n_blocks;
        self.border.clear();
        self.border.extend_from_slice(&model.mixed);
        self.border.extend_from_slice(&rows.matrix);
        refill(&mut self.solved, (m + r) * n, 0.0);
        for k in 0..m + r {
            let (from, to) = (
                &self.border[k * n..][..n],
                &mut self.solved[k * n..(k + 1) * n],
            );
            for (b, inverse) in self.inverse.iter().enumerate() {
                let v = Vector3::from_column_slice(&from[3 * b..3 * b + 3]);
                to[3 * b..3 * b + 3].copy_from_slice((inverse * v).as_slice());
            }
        }
        self.gather(model, rows, damping);
        if !factor_quasi_definite(&mut self.small, m, m + r) {
            return false;
        }
        solve_factored(&self.small, &mut self.right, m + r);
        self.back_substitute(model);
        self.measure(model, rows, damping);
        self.slope.is_finite() && self.moves.iter().all(|x| x.is_finite())
    }

    fn invert_blocks(&mut self, model: &Quadratic, damping: Damping) -> bool {
        self.inverse.clear();
        let last = model.blocks.len() - 1;
        for (b, block) in model.blocks.iter().enumerate() {
            let extra = if b == last {
                damping.shift
            } else {
                damping.turn
            };
            let damped = block + Matrix3::identity() * extra;
            let Some(factor) = damped.cholesky() else {
                return false;
            };
            self.inverse.push(factor.inverse());
        }
        true
    }

    /// The small system: what is left when the joints are eliminated.
    fn gather(&mut self, model: &Quadratic, rows: &ConstraintRows, damping: Damping) {
        let (m, r) = (model.n_latent, rows.residuals.len());
        let (size, n) = (m + r, 3 * model.blocks.len());
        refill(&mut self.small, size * size, 0.0);
        refill(&mut self.right, size, 0.0);
        for i in 0..size {
            let solved = &self.solved[i * n..][..n];
            for j in 0..=i {
                self.small[i * size + j] = -dot(solved, &self.border[j * n..][..n]);
            }
            let pushed: f64 = model
                .grad
                .iter()
                .enumerate()
                .map(|(b, g)| {
                    solved[3 * b] * g.x + solved[3 * b + 1] * g.y + solved[3 * b + 2] * g.z
                })
                .sum();
            let own = if i < m {
                model.grad_latent[i]
            } else {
                rows.residuals[i - m]
            };
            self.right[i] = pushed - own;
        }
        for i in 0..m {
            for j in 0..=i {
                self.small[i * size + j] += model.latent[i * m + j];
            }
            self.small[i * size + i] += damping.latent;
        }
        for i in m..size {
            self.small[i * size + i] -= 1.0;
        }
    }

    fn back_substitute(&mut self, model: &Quadratic) {
        let m = model.n_latent;
        let n = 3 * model.blocks.len();
        self.moves.clear();
        for (g, inverse) in model.grad.iter().zip(&self.inverse) {
            self.moves.extend_from_slice((-(inverse * g)).as_slice());
        }
        for (k, v) in self.right.iter().enumerate() {
            for (to, from) in self.moves.iter_mut().zip(&self.solved[k * n..][..n]) {
                *to -= v * from;
            }
        }
        self.latent.clear();
        self.latent.extend_from_slice(&self.right[..m]);
    }

    fn measure(&mut self, model: &Quadratic, rows: &ConstraintRows, damping: Damping) {
        let n = self.moves.len();
        let style: f64 = model
            .grad
            .iter()
            .flat_map(|g| g.iter())
            .zip(&self.moves)
            .map(|(g, d)| g * d)
            .sum();
        let latent = dot(&model.grad_latent, &self.latent);
        let set: f64 = rows
            .residuals
            .iter()
            .enumerate()
            .map(|(k, c)| c * dot(&rows.matrix[k * n..][..n], &self.moves))
            .sum();
        self.slope = style + latent + set;
        let squared = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>();
        let (turns, shift) = self.moves.split_at(n - 3);
        self.damped = damping.turn * squared(turns)
            + damping.shift * squared(shift)
            + damping.latent * squared(&self.latent);
    }

    /// How much the local model promises when this share of the step is taken.
    pub(super) fn promise(&self, share: f64) -> f64 {
        -share * self.slope + 0.5 * share * share * (self.slope + self.damped)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    // Four sums side by side, so that the compiler may use wide registers.
    let mut sums = [0.0; 4];
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a4
        .remainder()
        .iter()
        .zip(b4.remainder())
        .map(|(x, y)| x * y)
        .sum();
    for (x, y) in a4.zip(b4) {
        for k in 0..4 {
            sums[k] += x[k] * y[k];
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// L D L' in place in the lower triangle, row by row. The first `n_positive` pivots are over zero, the others below.
fn factor_quasi_definite(a: &mut [f64], n_positive: usize, n: usize) -> bool {
    for i in 0..n {
        // Row i of L times D, from the rows above it; then L itself.
        for j in 0..i {
            let (above, row) = a.split_at_mut(i * n);
            let known = dot(&row[..j], &above[j * n..][..j]);
            row[j] -= known;
        }
        let mut pivot = a[i * n + i];
        for j in 0..i {
            let scaled = a[i * n + j];
            let l = scaled / a[j * n + j];
            pivot -= scaled * l;
            a[i * n + j] = l;
        }
        let has_sign = if i < n_positive {
            pivot > 0.0
        } else {
            pivot < 0.0
        };
        if !(has_sign && pivot.is_finite()) {
            return false;
        }
        a[i * n + i] = pivot;
    }
    true
}

fn solve_factored(a: &[f64], x: &mut [f64], n: usize) {
    for i in 0..n {
        x[i] -= dot(&a[i * n..][..i], &x[..i]);
    }
    for i in 0..n {
        x[i] /= a[i * n + i];
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            x[i] -= a[j * n + i] * x[j];
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};

    use super::*;
    use crate::numerics::random::Stream;

    /// The step of the eliminated system is the step of the whole one, written out densely.
    #[test]
    fn the_small_system_gives_the_dense_step() {
        let mut random = Stream::named(5, &[]);
        let (n_joints, m, r) = (6, 3, 7);
        let n = 3 * (n_joints + 1);
        let mut model = Quadratic::default();
        model.clear(n_joints, m);
        // Blocks from independent factors, so that the whole is a sum of squares.
        let mut dense = DMatrix::<f64>::zeros(n + m, n + m);
        for b in 0..=n_joints {
            let f = Matrix3::from_fn(|_, _| random.normal());
            let latent = DMatrix::from_fn(3, m, |_, _| random.normal());
            let rows = DMatrix::from_fn(3, n + m, |i, j| {
                if j >= n {
                    latent[(i, j - n)]
                } else if j / 3 == b {
                    f[(i, j % 3)]
                } else {
                    0.0
                }
            });
            dense += rows.transpose() * &rows;
        }
        for b in 0..=n_joints {
            model.blocks[b] = dense.fixed_view::<3, 3>(3 * b, 3 * b).into_owned();
        }
        for i in 0..m {
            for j in 0..m {
                model.latent[i * m + j] = dense[(n + i, n + j)];
            }
            for j in 0..n {
                model.mixed[i * n + j] = dense[(n + i, j)];
            }
        }
        let grad = DVector::from_fn(n + m, |_, _| random.normal());
        for b in 0..=n_joints {
            model.grad[b] = grad.fixed_rows::<3>(3 * b).into_owned();
        }
        model.grad_latent.copy_from_slice(&grad.as_slice()[n..]);
        let mut rows = ConstraintRows::default();
        rows.clear(n_joints);
        rows.residuals = (0..r).map(|_| random.normal()).collect();
        rows.matrix = (0..r * n).map(|_| random.normal()).collect();
        let damping = Damping {
            turn: 0.3,
            shift: 0.1,
            latent: 0.2,
        };
        let mut full_grad = grad.clone();
        for k in 0..r {
            let row = DVector::from_fn(
                n + m,
                |j, _| {
                    if j < n { rows.matrix[k * n + j] } else { 0.0 }
                },
            );
            dense += &row * row.transpose();
            full_grad += row * rows.residuals[k];
        }
        let mut damped = dense.clone();
        for j in 0..n + m {
            damped[(j, j)] += if j >= n {
                0.2
            } else if j >= n - 3 {
                0.1
            } else {
                0.3
            };
        }
        let truth = damped.lu().solve(&-&full_grad).unwrap();
        let mut stepper = Stepper::default();
        assert!(stepper.solve(&model, &rows, damping), "it is definite");
        let found: Vec<f64> = stepper
            .moves
            .iter()
            .chain(&stepper.latent)
            .copied()
            .collect();
        let error = (&truth - DVector::from_vec(found)).norm() / truth.norm();
        assert!(error < 1e-9, "{error:e}");
        let share = 0.4;
        let promised =
            -(share * full_grad.dot(&truth) + 0.5 * share * share * truth.dot(&(&dense * &truth)));
        assert!(
            (stepper.promise(share) - promised).abs() < 1e-9 * promised,
            "promise"
        );
    }
}
