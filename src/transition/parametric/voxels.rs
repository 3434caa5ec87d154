//! The target space in voxels: which of them the action reaches, and with which weights (Peng 2007, section 6.3).
//!
//! Random blends of neighbouring examples are carried out at the moment of effect (Kovar and Gleicher 2004, section
//! 5.1); the voxels they fall into are reached. From there the region is filled: a voxel beside a reached one is
//! reached if refined weights bring the site to within half an edge of its centre. Each keeps its weights, which is
//! where the search for a target in it starts.
//!
//! With two examples the region is a line of voxels, with three a sheet, from four on a body.

use std::collections::VecDeque;

use super::ParametricSettings;
use super::effect::EffectPose;
use super::weights::{Refiner, bounds};
use crate::jobs::{Cancelled, Ticket};
use crate::motion::Vec3;
use crate::numerics::random::Stream;

/// So many neighbours beside an example are blended at random.
const NEIGHBOURS: usize = 5;

/// Where an action reaches, for drawing and for words. In the action's frame: left, up, forward.
#[derive(Debug, Clone, PartialEq)]
pub struct ReachableRegion {
    /// Centres of the voxels that are reached.
    pub centres: Vec<Vec3>,
    /// Edge of a voxel.
    pub edge: f64,
    /// Least and largest corner.
    pub bounds: (Vec3, Vec3),
}

impl ReachableRegion {
    /// Of all voxels, in cubed file units. Lines and sheets count as thick as a voxel.
    pub fn volume(&self) -> f64 {
        self.centres.len() as f64 * self.edge.powi(3)
    }

    /// Length along left, up and forward.
    pub fn size(&self) -> Vec3 {
        self.bounds.1 - self.bounds.0
    }
}

type Cell = [usize; 3];

/// Reached voxels with their weights.
#[derive(Debug, Clone)]
pub(super) struct VoxelTable {
    n_examples: usize,
    origin: Vec3,
    edge: f64,
    dims: Cell,
    /// For each cell of the box its place among the reached ones.
    slots: Vec<Option<u32>>,
    cells: Vec<Cell>,
    /// Reached voxel by reached voxel.
    weights: Vec<f64>,
}

impl VoxelTable {
    pub(super) fn build(
        effect: &EffectPose,
        refiner: &mut Refiner<'_>,
        body_height: f64,
        settings: &ParametricSettings,
        ticket: &Ticket,
    ) -> Result<Self, Cancelled> {
        let samples = samples(effect, settings, ticket)?;
        let mut table = Self::around(&samples, effect.points.len(), body_height, settings);
        // The best sample of each cell, nearest to its centre; the first of equals.
        let mut best: Vec<Option<usize>> = vec![None; table.slots.len()];
        for (i, (point, _)) in samples.iter().enumerate() {
            let Some(cell) = table.cell(point) else {
                continue;
            };
            let distance = |i: usize| (samples[i].0 - table.centre(cell)).norm_squared();
            let kept = &mut best[table.index(cell)];
            if kept.is_none_or(|other| distance(i) < distance(other)) {
                *kept = Some(i);
            }
        }
        let mut open = VecDeque::new();
        for (index, sample) in best.iter().enumerate() {
            if let Some(sample) = sample {
                let cell = table.cell_at(index);
                table.add(cell, &samples[*sample].1);
                open.push_back(cell);
            }
        }
        table.fill(open, refiner, ticket)?;
        Ok(table)
    }

    /// A box of cells about all samples, with one to spare on each side.
    fn around(
        samples: &[(Vec3, Vec<f64>)],
        n_examples: usize,
        body_height: f64,
        settings: &ParametricSettings,
    ) -> Self {
        let (mut low, mut high) = (samples[0].0, samples[0].0);
        for (point, _) in samples {
            low = low.inf(point);
            high = high.sup(point);
        }
        let mut edge = settings.voxel_heights * body_height;
        let most = settings.max_voxels as f64;
        let cells = |edge: f64| {
            let counts = (high - low).map(|length| (length / edge).floor() + 3.0);
            (counts, counts.product())
        };
        while cells(edge).1 > most && edge < 1e3 * body_height {
            edge *= 1.1;
        }
        let counts = cells(edge).0;
        let dims = [0, 1, 2].map(|i| (counts[i].min(most) as usize).max(1));
        let middle = (low + high) * 0.5;
        let half = Vec3::new(dims[0] as f64, dims[1] as f64, dims[2] as f64) * (0.5 * edge);
        Self {
            n_examples,
            origin: middle - half,
            edge,
            dims,
            slots: vec![None; dims.iter().product()],
            cells: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// Goes on from reached voxels to their neighbours until none is left that blending reaches.
    fn fill(
        &mut self,
        mut open: VecDeque<Cell>,
        refiner: &mut Refiner<'_>,
        ticket: &Ticket,
    ) -> Result<(), Cancelled> {
        let mut is_tried = vec![false; self.slots.len()];
        let n = self.slots.len() as f64;
        let mut n_done = 0_usize;
        while let Some(cell) = open.pop_front() {
            n_done += 1;
            if n_done.is_multiple_of(64) {
                ticket.step(0.3 + 0.7 * n_done as f64 / n)?;
            }
            let start = self.weights_of(cell).to_vec();
            for neighbour in self.neighbours(cell) {
                let index = self.index(neighbour);
                if self.slots[index].is_some() || std::mem::replace(&mut is_tried[index], true) {
                    continue;
                }
                let centre = self.centre(neighbour);
                let refined = refiner.refine(&centre, &start);
                if (refined.point - centre).norm() <= 0.5 * self.edge {
                    self.add(neighbour, &refined.weights);
                    open.push_back(neighbour);
                }
            }
        }
        Ok(())
    }

    fn neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
        let dims = self.dims;
        (0..6).filter_map(move |side| {
            let (axis, is_up) = (side / 2, side % 2 == 1);
            let mut next = cell;
            next[axis] = if is_up {
                Some(cell[axis] + 1).filter(|&c| c < dims[axis])?
            } else {
                cell[axis].checked_sub(1)?
            };
            Some(next)
        })
    }

    fn add(&mut self, cell: Cell, weights: &[f64]) {
        let index = self.index(cell);
        self.slots[index] = u32::try_from(self.cells.len()).ok();
        self.cells.push(cell);
        self.weights.extend_from_slice(weights);
    }

    fn index(&self, cell: Cell) -> usize {
        (cell[0] * self.dims[1] + cell[1]) * self.dims[2] + cell[2]
    }

    fn cell_at(&self, index: usize) -> Cell {
        let [_, ny, nz] = self.dims;
        [index / (ny * nz), index / nz % ny, index % nz]
    }

    fn cell(&self, point: &Vec3) -> Option<Cell> {
        let at = (point - self.origin) / self.edge;
        let inside = |i: usize| at[i] >= 0.0 && at[i] < self.dims[i] as f64;
        (0..3)
            .all(inside)
            .then(|| [0, 1, 2].map(|i| at[i] as usize))
    }

    fn centre(&self, cell: Cell) -> Vec3 {
        let at = Vec3::new(cell[0] as f64, cell[1] as f64, cell[2] as f64);
        self.origin + (at + Vec3::repeat(0.5)) * self.edge
    }

    fn weights_of(&self, cell: Cell) -> &[f64] {
        let slot = self.slots[self.index(cell)].map_or(0, |slot| slot as usize);
        &self.weights[slot * self.n_examples..][..self.n_examples]
    }

    /// Whether a point lies in a reached voxel.
    pub(super) fn contains(&self, point: &Vec3) -> bool {
        let cell = self.cell(point);
        cell.is_some_and(|cell| self.slots[self.index(cell)].is_some())
    }

    /// The nearest point of the region, and the weights of its voxel; the first of equals.
    pub(super) fn nearest(&self, point: &Vec3) -> (Vec3, &[f64]) {
        if let Some(cell) = self.cell(point).filter(|_| self.contains(point)) {
            return (*point, self.weights_of(cell));
        }
        // Corners of boxes would lie in the voxel beyond by rounding: stay inside by a hair.
        let half = 0.5 * self.edge * (1.0 - 1e-9);
        let (mut best, mut least) = ((self.cells[0], *point), f64::INFINITY);
        for &cell in &self.cells {
            let centre = self.centre(cell);
            let off = (point - centre).map(|x| x.clamp(-half, half));
            let inside = centre + off;
            let distance = (inside - point).norm_squared();
            if distance < least {
                (best, least) = ((cell, inside), distance);
            }
        }
        (best.1, self.weights_of(best.0))
    }

    pub(super) fn region(&self) -> ReachableRegion {
        let centres: Vec<Vec3> = self.cells.iter().map(|&cell| self.centre(cell)).collect();
        let half = Vec3::repeat(0.5 * self.edge);
        let first = centres[0];
        let low = centres.iter().fold(first, |low, c| low.inf(c)) - half;
        let high = centres.iter().fold(first, |high, c| high.sup(c)) + half;
        ReachableRegion {
            centres,
            edge: self.edge,
            bounds: (low, high),
        }
    }
}

/// The examples, and random blends of neighbours, carried out at the moment of effect.
fn samples(
    effect: &EffectPose,
    settings: &ParametricSettings,
    ticket: &Ticket,
) -> Result<Vec<(Vec3, Vec<f64>)>, Cancelled> {
    let n = effect.points.len();
    let near: Vec<Vec<usize>> = (0..n)
        .map(|example| {
            let distance = |k: &usize| (effect.points[*k] - effect.points[example]).norm();
            let mut others: Vec<usize> = (0..n).collect();
            others.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
            others
        })
        .collect();
    let mut samples: Vec<(Vec3, Vec<f64>)> = Vec::with_capacity(n + settings.n_samples);
    for (example, point) in effect.points.iter().enumerate() {
        let mut weights = vec![0.0; n];
        weights[example] = 1.0;
        samples.push((*point, weights));
    }
    for i in 0..settings.n_samples {
        if i.is_multiple_of(256) {
            ticket.step(0.2 + 0.1 * i as f64 / settings.n_samples as f64)?;
        }
        let mut stream = Stream::named(settings.seed, &[i as u64]);
        let nearest = &near[i % n];
        let some = &nearest[..(2 + stream.below(NEIGHBOURS)).min(n)];
        let weights = random_weights(&mut stream, some, n, bounds(n, settings.extrapolation));
        samples.push((effect.point(&weights), weights));
    }
    Ok(samples)
}

/// Evenly over all convex weights, drawn out from their middle as far as the bounds allow.
fn random_weights(
    stream: &mut Stream,
    some: &[usize],
    n: usize,
    (low, high): (f64, f64),
) -> Vec<f64> {
    let shares: Vec<f64> = some
        .iter()
        .map(|_| -(1.0 - stream.uniform()).ln())
        .collect();
    let sum: f64 = shares.iter().sum();
    let middle = 1.0 / some.len() as f64;
    let offs: Vec<f64> = shares
        .iter()
        .map(|s| s / sum.max(1e-300) - middle)
        .collect();
    let widest = offs.iter().map(|off| {
        let room = if *off < 0.0 {
            middle - low
        } else {
            high - middle
        };
        room / off.abs().max(1e-9)
    });
    let widest = widest.fold(f64::INFINITY, f64::min);
    let drawn_out = (1.0 - low * stream.uniform() / middle).min(widest);
    let mut weights = vec![0.0; n];
    for (&example, off) in some.iter().zip(&offs) {
        weights[example] = middle + off * drawn_out;
    }
    weights
}
