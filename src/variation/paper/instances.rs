//! Moments of the takes, laid out for the search of neighbours.
//!
//! Every moment with a frame before and a frame after it is an *instance*: the network looks at the two frames
//! *before* and *now* and says what comes next. Distances are sums over parents, so columns are kept by degree of
//! freedom (what all nodes look at is added up once, over all instances side by side) and what each node sees of itself
//! by instance (added up over all nodes side by side).

use std::ops::Range;

use crate::variation::takes::Examples;

/// Lanes that the compiler's vector instructions fill; rows over nodes are padded to this.
const LANES: usize = 8;

/// What the network compares, in single precision: distances need no more, and twice as many fit a register.
#[derive(Debug, Clone)]
pub(super) struct Instances {
    pub(super) n: usize,
    pub(super) n_dofs: usize,
    /// Numbers per instance in `own`, a multiple of [`LANES`].
    pub(super) stride: usize,
    /// The row of its frame *now*.
    pub(super) row: Vec<u32>,
    /// Instances of each take.
    pub(super) of_take: Vec<Range<usize>>,
    /// By what a change is multiplied before it is compared: so that speeds count like places.
    pub(super) speed_scale: Vec<f32>,
    /// By degree of freedom: value before, now, and scaled change from before to now, of all instances.
    pub(super) columns: Vec<f32>,
    /// By instance: what each node sees of itself. `before^2 + now^2 + speed^2` as a sum of two squares: first all
    /// sums of both frames, then all changes.
    pub(super) own: Vec<f32>,
    /// By instance: the change to the next frame.
    pub(super) change: Vec<f32>,
    /// By instance: the value now.
    pub(super) now: Vec<f32>,
    /// Columns of how far along each instance is, none, one or two.
    pub(super) phase: Vec<Vec<f32>>,
}

/// Which number of a degree of freedom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    Before,
    Now,
    Speed,
}

impl Instances {
    pub(super) fn new(examples: &Examples, speed_weight: f64, phase_secs: f64) -> Self {
        let n_dofs = examples.n_dofs;
        let mut row = Vec::new();
        let mut of_take = Vec::new();
        for rows in &examples.takes {
            let first = row.len();
            row.extend((rows.start + 1..rows.end - 1).map(|r| r as u32));
            of_take.push(first..row.len());
        }
        let n = row.len();
        let stride = n_dofs.next_multiple_of(LANES);
        let mut made = Self {
            n,
            n_dofs,
            stride,
            row,
            of_take,
            speed_scale: speed_scales(examples, speed_weight),
            columns: vec![0.0; 3 * n_dofs * n],
            own: vec![0.0; 2 * stride * n],
            change: vec![0.0; stride * n],
            now: vec![0.0; stride * n],
            phase: examples.progress.columns(&[], phase_secs),
        };
        for at in 0..n {
            let now_row = made.row[at] as usize;
            let rows = [now_row - 1, now_row, now_row + 1].map(|r| examples.row(r));
            for dof in 0..n_dofs {
                let [before, now, next] = rows.map(|r| r[dof]);
                made.change[at * stride + dof] = (next - now) as f32;
                made.now[at * stride + dof] = now as f32;
                let scale = made.speed_scale[dof];
                let (before, now) = (before as f32, now as f32);
                let [place, speed] = own(before, now, scale);
                made.own[at * 2 * stride + dof] = place;
                made.own[at * 2 * stride + stride + dof] = speed;
                let column = 3 * dof * n + at;
                made.columns[column] = before;
                made.columns[column + n] = now;
                made.columns[column + 2 * n] = (now - before) * scale;
            }
        }
        let rows: Vec<usize> = made.row.iter().map(|&r| r as usize).collect();
        made.phase = examples.progress.columns(&rows, phase_secs);
        made
    }

    pub(super) fn column(&self, dof: usize, which: Column) -> &[f32] {
        let at = 3 * dof + which as usize;
        &self.columns[at * self.n..][..self.n]
    }
}

/// `before^2 + now^2 + (scale * (now - before))^2` is the sum of the squares of these two.
pub(super) fn own(before: f32, now: f32, scale: f32) -> [f32; 2] {
    [
        (before + now) * std::f32::consts::FRAC_1_SQRT_2,
        (now - before) * (0.5 + scale * scale).sqrt(),
    ]
}

/// One over the root mean square change from frame to frame, times the weight; zero for what never changes.
fn speed_scales(examples: &Examples, weight: f64) -> Vec<f32> {
    (0..examples.n_dofs)
        .map(|dof| {
            let (mut sum, mut n) = (0.0, 0.0);
            for rows in &examples.takes {
                for row in rows.start + 1..rows.end {
                    sum += (examples.row(row)[dof] - examples.row(row - 1)[dof]).powi(2);
                    n += 1.0;
                }
            }
            let deviation = f64::sqrt(sum / n);
            if deviation > 1e-9 {
                (weight / deviation) as f32
            } else {
                0.0
            }
        })
        .collect()
}
