//! The takes that a model learns from, laid out for the search of neighbours.
//!
//! Every moment with a frame before and a frame after it is an *instance*: the network looks at the two frames
//! *before* and *now* and says what comes next. Distances are sums over parents, so columns are kept by degree of
//! freedom (what all nodes look at is added up once, over all instances side by side) and what each node sees of itself
//! by instance (added up over all nodes side by side).

use std::ops::Range;

use super::course::{Course, Progress};
use super::error::LearnError;

/// Fewer frames cannot tell a change of velocity.
pub const FEWEST_FRAMES: usize = 4;

/// One take as numbers: standardised curves, frame after frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Take {
    /// What it is called.
    pub name: String,
    /// Frame by frame, as many numbers as there are degrees of freedom.
    pub values: Vec<f64>,
}

/// All takes of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Examples {
    /// Numbers per frame.
    pub(super) n_dofs: usize,
    /// Time from one frame to the next, in all takes.
    pub(super) frame_secs: f64,
    pub(super) names: Vec<String>,
    /// The rows of each take.
    pub(super) takes: Vec<Range<usize>>,
    /// Row by row.
    pub(super) values: Vec<f64>,
    /// How far along each row is.
    pub(super) progress: Progress,
}

impl Examples {
    /// Checks that all takes have whole frames of finite numbers, at least [`FEWEST_FRAMES`] of them.
    pub fn new(
        n_dofs: usize,
        frame_secs: f64,
        takes: &[Take],
        course: Option<Course>,
    ) -> Result<Self, LearnError> {
        if takes.is_empty() {
            return Err(LearnError::NoTakes);
        }
        if n_dofs == 0 {
            return Err(LearnError::NothingMoves);
        }
        if !(frame_secs > 0.0 && frame_secs.is_finite()) {
            return Err(LearnError::FrameTime(frame_secs));
        }
        let mut rows = Vec::with_capacity(takes.len());
        let mut values = Vec::new();
        for take in takes {
            let n_frames = take.values.len() / n_dofs;
            if n_frames < FEWEST_FRAMES || n_frames * n_dofs != take.values.len() {
                return Err(LearnError::TooShort {
                    take: take.name.clone(),
                    found: n_frames,
                    needed: FEWEST_FRAMES,
                });
            }
            if let Some(at) = take.values.iter().position(|x| !x.is_finite()) {
                return Err(LearnError::NotFinite {
                    take: take.name.clone(),
                    frame: at / n_dofs,
                });
            }
            let start = values.len() / n_dofs;
            rows.push(start..start + n_frames);
            values.extend_from_slice(&take.values);
        }
        let mut made = Self {
            n_dofs,
            frame_secs,
            names: takes.iter().map(|t| t.name.clone()).collect(),
            takes: rows,
            values,
            progress: Progress::none(),
        };
        made.progress = Progress::learn(&made, course)?;
        Ok(made)
    }

    /// Takes whose progress is known: where each frame of each take is, and the mean time of a run.
    pub fn with_progress(
        n_dofs: usize,
        frame_secs: f64,
        takes: &[Take],
        course: Course,
        secs: f64,
        progress: &[Vec<f64>],
    ) -> Result<Self, LearnError> {
        let mut made = Self::new(n_dofs, frame_secs, takes, Some(Course::Free))?;
        made.progress = Progress::known(course, secs, &made.takes, progress)?;
        Ok(made)
    }

    /// The mean time of one run through or round.
    pub fn run_secs(&self) -> f64 {
        self.progress.secs
    }

    /// Progress of every frame of a take; empty if it is not known.
    pub fn take_progress(&self, take: usize) -> &[f64] {
        self.progress
            .at
            .get(self.takes[take].clone())
            .unwrap_or(&[])
    }

    /// Numbers per frame.
    pub fn n_dofs(&self) -> usize {
        self.n_dofs
    }

    /// How many takes.
    pub fn n_takes(&self) -> usize {
        self.takes.len()
    }

    /// Frames of all takes together.
    pub fn n_frames(&self) -> usize {
        self.values.len() / self.n_dofs
    }

    /// Time from one frame to the next.
    pub fn frame_secs(&self) -> f64 {
        self.frame_secs
    }

    /// What a take is called.
    pub fn name(&self, take: usize) -> &str {
        &self.names[take]
    }

    /// Frames of one take.
    pub fn take_frames(&self, take: usize) -> usize {
        self.takes[take].len()
    }

    /// How the motion runs.
    pub fn course(&self) -> Course {
        self.progress.course
    }

    /// One take's numbers, frame after frame.
    pub fn take(&self, take: usize) -> &[f64] {
        let rows = &self.takes[take];
        &self.values[rows.start * self.n_dofs..rows.end * self.n_dofs]
    }

    /// One row of all.
    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.n_dofs..][..self.n_dofs]
    }

    /// Every n-th frame of every take, if that leaves enough of them.
    pub(super) fn every(&self, stride: usize) -> Self {
        let shortest = self.takes.iter().map(Range::len).min().unwrap_or(0);
        let stride = stride.min((shortest - 1) / (FEWEST_FRAMES - 1)).max(1);
        let mut takes = Vec::with_capacity(self.takes.len());
        let mut kept = Vec::new();
        for rows in &self.takes {
            let start = kept.len();
            kept.extend(rows.clone().step_by(stride));
            takes.push(start..kept.len());
        }
        Self {
            n_dofs: self.n_dofs,
            frame_secs: self.frame_secs * stride as f64,
            names: self.names.clone(),
            values: kept
                .iter()
                .flat_map(|&row| self.row(row))
                .copied()
                .collect(),
            progress: self.progress.at_rows(&kept),
            takes,
        }
    }

    /// The same takes without some of them.
    pub fn only(&self, takes: &[usize]) -> Self {
        let mut rows = Vec::with_capacity(takes.len());
        let mut values = Vec::new();
        let kept: Vec<usize> = takes.iter().flat_map(|&t| self.takes[t].clone()).collect();
        for &take in takes {
            let start = values.len() / self.n_dofs;
            values.extend_from_slice(self.take(take));
            rows.push(start..start + self.take_frames(take));
        }
        Self {
            n_dofs: self.n_dofs,
            frame_secs: self.frame_secs,
            names: takes.iter().map(|&t| self.names[t].clone()).collect(),
            progress: self.progress.at_rows(&kept),
            takes: rows,
            values,
        }
    }
}

/// Changes faster than about twice this count as detail: what averaging over neighbours takes away.
const DETAIL_SECS: f64 = 0.05;
/// Lanes that the compiler's vector instructions fill; rows over nodes are padded to this.
const LANES: usize = 8;

/// What the network compares, in single precision: distances need no more, and twice as many fit a register.
#[derive(Debug, Clone)]
pub(super) struct Instances {
    pub(super) n: usize,
    pub(super) n_dofs: usize,
    /// Numbers per instance in `own`, a multiple of [`LANES`].
    pub(super) stride: usize,
    /// The take of each instance, in order.
    pub(super) take: Vec<u32>,
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
    /// By instance: what the change to the next frame has beside the mean of the changes around it.
    pub(super) detail: Vec<f32>,
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
        let mut take = Vec::new();
        let mut row = Vec::new();
        let mut of_take = Vec::new();
        for (at, rows) in examples.takes.iter().enumerate() {
            let first = row.len();
            row.extend((rows.start + 1..rows.end - 1).map(|r| r as u32));
            take.resize(row.len(), at as u32);
            of_take.push(first..row.len());
        }
        let n = row.len();
        let stride = n_dofs.next_multiple_of(LANES);
        let mut made = Self {
            n,
            n_dofs,
            stride,
            take,
            row,
            of_take,
            speed_scale: speed_scales(examples, speed_weight),
            columns: vec![0.0; 3 * n_dofs * n],
            own: vec![0.0; 2 * stride * n],
            change: vec![0.0; stride * n],
            detail: vec![0.0; stride * n],
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
        let reach = ((DETAIL_SECS / examples.frame_secs).round() as usize).max(1);
        for range in made.of_take.clone() {
            let rows = made.row[range.start] as usize..made.row[range.end - 1] as usize + 2;
            for at in range {
                fill_detail(
                    examples,
                    &rows,
                    made.row[at] as usize,
                    reach,
                    &mut made.detail[at * stride..],
                );
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

/// The change after a row beside the mean of the changes up to `reach` frames around it, for every degree of freedom.
fn fill_detail(
    examples: &Examples,
    rows: &Range<usize>,
    row: usize,
    reach: usize,
    detail: &mut [f32],
) {
    // As far to both sides as the nearer end allows, so that a steady change has no detail.
    let reach = reach.min(row - (rows.start - 1)).min(rows.end - 2 - row);
    let (first, last) = (examples.row(row - reach), examples.row(row + reach + 1));
    let (now, next) = (examples.row(row), examples.row(row + 1));
    for dof in 0..examples.n_dofs {
        let mean = (last[dof] - first[dof]) / (2 * reach + 1) as f64;
        detail[dof] = (next[dof] - now[dof] - mean) as f32;
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
