//! The regression at the heart of both learning and sampling: for every node the moments most like this one.
//!
//! Eq. (5) of the paper: weights `exp(-D^2 / K_W^2)` over the k nearest instances, where D runs over the parents of the
//! node and, weighted, its own speed. Two things are open there and settled here. `K_W^2` is a share of the squared
//! distance of the k-th neighbour, since any fixed width fails as parents are added. And where a parent is seen in both
//! frames its speed counts like the node's own, because a knee at one angle may be bending or stretching.
//!
//! What it costs decides everything else, so: parents that all nodes share (and progress) are summed once; instances
//! are then taken in the order of that sum, and a node stops looking as soon as the sum alone exceeds its k-th best.
//! Eight nodes are done side by side. The result is that of looking at every instance for every node.

use std::sync::Arc;

use super::instances::{Column, Instances, own};
use super::structure::{PaperStructure, Seen};
use crate::numerics::kernel::exp_negative;

/// Nodes that are done side by side.
const LANES: usize = 8;
/// Instances in order of the shared sum have their place in the low bits of their distance, while they are sorted in.
const PLACE_BITS: u32 = 10;
/// So many instances can be told apart by these bits; the rest is looked at one node at a time.
const MOST_PLACES: usize = 1 << PLACE_BITS;
const PLACE_MASK: i32 = (1 << PLACE_BITS) - 1;
/// The bits of a distance beyond all others.
const FAR: i32 = f32::MAX.to_bits().cast_signed();
/// So many instances are put in order at first.
const FIRST_SORTED: usize = 96;

/// A structure together with the instances it looks at.
#[derive(Debug, Clone)]
pub(super) struct Network {
    pub(super) instances: Arc<Instances>,
    /// How many neighbours each node is regressed on.
    pub(super) k: usize,
    /// `K_W^2` in squared distances of the k-th neighbour.
    width: f32,
    /// What all nodes look at.
    shared: Vec<(usize, Column)>,
    /// By node: whether what it sees of itself is added from [`Instances::own`]; 1 or 0.
    sees_own: Vec<f32>,
    /// Whom single nodes look at beside, in both frames and with its speed: lane and degree of freedom, by group of
    /// [`LANES`] nodes.
    edges: Vec<Vec<(usize, usize)>>,
    /// What else single nodes look at: lane and column.
    odd_edges: Vec<Vec<(usize, usize, Column)>>,
}

/// Where a motion is: its last two frames.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment<'a> {
    pub(super) before: &'a [f64],
    pub(super) now: &'a [f64],
    /// In the units of distances, see [`super::course::Progress::features`].
    pub(super) phase: [f32; 2],
}

/// Neighbours found, and room to work in.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    /// Shared sums and instances, in order as far as `n_sorted`.
    order: Vec<(f32, u32)>,
    n_sorted: usize,
    sums: Vec<f32>,
    own: Vec<f32>,
    /// By place in the order and degree of freedom: squared distance of what nodes see of themselves.
    squares: Vec<f32>,
    best: Vec<[i32; LANES]>,
    /// Neighbours by node, `k` each, the nearest first.
    pub(super) near: Vec<u32>,
    /// Their weights, which add up to 1.
    pub(super) weights: Vec<f32>,
    /// How many of them there are.
    pub(super) k: usize,
}

impl Scratch {
    /// Neighbours of a node and their weights.
    pub(super) fn of(&self, node: usize) -> (&[u32], &[f32]) {
        let at = node * self.k..(node + 1) * self.k;
        (&self.near[at.clone()], &self.weights[at])
    }
}

impl Network {
    pub(super) fn new(
        instances: &Arc<Instances>,
        structure: &PaperStructure,
        k: usize,
        width: f64,
    ) -> Self {
        let n_dofs = instances.n_dofs;
        let seen: Vec<Vec<(usize, Column)>> =
            (0..n_dofs).map(|node| seen_by(structure, node)).collect();
        let shared: Vec<(usize, Column)> = seen[0]
            .iter()
            .filter(|column| seen.iter().all(|s| s.contains(column)))
            .copied()
            .collect();
        let mut sees_own = vec![0.0; instances.stride];
        let mut edges = vec![Vec::new(); instances.stride / LANES];
        let mut odd_edges = vec![Vec::new(); instances.stride / LANES];
        for (node, seen) in seen.iter().enumerate() {
            let all_own = shared.iter().all(|&(dof, _)| dof != node);
            sees_own[node] = f32::from(u8::from(all_own));
            let rest: Vec<(usize, Column)> = seen
                .iter()
                .filter(|c| !shared.contains(c) && (!all_own || c.0 != node))
                .copied()
                .collect();
            for &(dof, column) in &rest {
                let is_whole = rest.iter().filter(|c| c.0 == dof).count() == 3;
                match column {
                    Column::Now if is_whole => edges[node / LANES].push((node % LANES, dof)),
                    _ if is_whole => {}
                    _ => odd_edges[node / LANES].push((node % LANES, dof, column)),
                }
            }
        }
        Self {
            instances: Arc::clone(instances),
            k,
            width: width as f32,
            shared,
            sees_own,
            edges,
            odd_edges,
        }
    }

    /// The moments most like this one, for every node, without those of one take.
    pub(super) fn look(&self, at: Moment<'_>, without: Option<usize>, scratch: &mut Scratch) {
        let n = self.sum_shared(at, without, scratch);
        self.sum_own(at, scratch);
        let k = self.k.min(n).max(1);
        scratch.k = k;
        scratch.near.resize(self.instances.n_dofs * k, 0);
        scratch.weights.resize(self.instances.n_dofs * k, 0.0);
        for group in 0..self.instances.stride / LANES {
            self.look_group(at, group, scratch);
        }
    }

    /// Sums what all nodes share over all instances, and orders the nearest. Says how many instances there are.
    fn sum_shared(&self, at: Moment<'_>, without: Option<usize>, scratch: &mut Scratch) -> usize {
        let instances = &*self.instances;
        let sums = &mut scratch.sums;
        sums.clear();
        sums.resize(instances.n, 0.0);
        for (column, &query) in instances.phase.iter().zip(&at.phase) {
            add_squares(sums, column, query);
        }
        for &(dof, which) in &self.shared {
            add_squares(
                sums,
                instances.column(dof, which),
                self.query(at, dof, which),
            );
        }
        scratch.order.clear();
        let left_out = without.map_or(0..0, |take| instances.of_take[take].clone());
        let kept = (0..left_out.start).chain(left_out.end..instances.n);
        scratch
            .order
            .extend(kept.map(|i| (scratch.sums[i], i as u32)));
        scratch.n_sorted = 0;
        scratch.order.len()
    }

    /// One number of a moment as it is compared.
    fn query(&self, at: Moment<'_>, dof: usize, which: Column) -> f32 {
        let (before, now) = (at.before[dof] as f32, at.now[dof] as f32);
        match which {
            Column::Before => before,
            Column::Now => now,
            Column::Speed => (now - before) * self.instances.speed_scale[dof],
        }
    }

    fn sum_own(&self, at: Moment<'_>, scratch: &mut Scratch) {
        let stride = self.instances.stride;
        scratch.own.clear();
        scratch.own.resize(2 * stride, 0.0);
        for dof in 0..self.instances.n_dofs {
            let scale = self.instances.speed_scale[dof];
            let [place, speed] = own(at.before[dof] as f32, at.now[dof] as f32, scale);
            scratch.own[dof] = place;
            scratch.own[stride + dof] = speed;
        }
        scratch.squares.clear();
    }

    /// Squared distances of one instance in every degree of freedom, by its place in the order; worked out when first
    /// asked for, since most instances never are.
    fn fill_squares(&self, place: usize, scratch: &mut Scratch) {
        let stride = self.instances.stride;
        while scratch.squares.len() <= place * stride {
            let at = scratch.squares.len() / stride;
            sort_as_far_as(scratch, at);
            let from = scratch.order[at].1 as usize * 2 * stride;
            let row = &self.instances.own[from..from + 2 * stride];
            let (places, speeds) = row.split_at(stride);
            let (own_places, own_speeds) = scratch.own.split_at(stride);
            let place_pairs = places.iter().zip(own_places);
            let pairs = place_pairs.zip(speeds.iter().zip(own_speeds));
            scratch.squares.extend(pairs.map(|((p, q), (s, r))| {
                let (p, s) = (p - q, s - r);
                p * p + s * s
            }));
        }
    }

    /// Neighbours of eight nodes.
    fn look_group(&self, at: Moment<'_>, group: usize, scratch: &mut Scratch) {
        let instances = &*self.instances;
        let stride = instances.stride;
        let k = scratch.k;
        let first = group * LANES;
        let mask: [f32; LANES] = std::array::from_fn(|lane| self.sees_own[first + lane]);
        let n_lanes = LANES.min(instances.n_dofs - first);
        scratch.best.clear();
        scratch.best.resize(k, [FAR; LANES]);
        let mut worst = f32::MAX;
        let mut is_exact = false;
        for place in 0..scratch.order.len().min(MOST_PLACES) {
            self.fill_squares(place, scratch);
            let (sum, instance) = scratch.order[place];
            if sum > worst {
                is_exact = true;
                break;
            }
            let squares = &scratch.squares[place * stride..(place + 1) * stride];
            let own = &squares[first..first + LANES];
            let mut distances: [f32; LANES] =
                std::array::from_fn(|lane| sum + mask[lane] * own[lane]);
            for &(lane, dof) in &self.edges[group] {
                distances[lane] += squares[dof];
            }
            for &(lane, dof, which) in &self.odd_edges[group] {
                let value = instances.column(dof, which)[instance as usize];
                let d = value - self.query(at, dof, which);
                distances[lane] += d * d;
            }
            insert(&mut scratch.best, &distances, (place as u32).cast_signed());
            let last = &scratch.best[k - 1][..n_lanes];
            let furthest = last.iter().copied().max().unwrap_or(FAR);
            worst = f32::from_bits(furthest.cast_unsigned());
        }
        if !is_exact && scratch.order.len() > MOST_PLACES {
            for node in first..first + n_lanes {
                self.look_one(at, node, scratch);
            }
            return;
        }
        for lane in 0..n_lanes {
            let from = (first + lane) * k;
            for j in 0..k {
                let packed = scratch.best[j][lane];
                let place = (packed & PLACE_MASK) as usize;
                scratch.near[from + j] = scratch.order[place].1;
                scratch.weights[from + j] = f32::from_bits((packed & !PLACE_MASK).cast_unsigned());
            }
            weigh(&mut scratch.weights[from..from + k], self.width);
        }
    }

    /// Neighbours of one node, by looking at every instance.
    fn look_one(&self, at: Moment<'_>, node: usize, scratch: &mut Scratch) {
        let instances = &*self.instances;
        let scale = instances.speed_scale[node];
        let [place, speed] = own(at.before[node] as f32, at.now[node] as f32, scale);
        let all_columns = [Column::Before, Column::Now, Column::Speed];
        let lane = node % LANES;
        let whole = self.edges[node / LANES]
            .iter()
            .filter(|edge| edge.0 == lane)
            .flat_map(|&(_, dof)| all_columns.map(|which| (dof, which)));
        let odd = self.odd_edges[node / LANES]
            .iter()
            .filter(|edge| edge.0 == lane)
            .map(|&(_, dof, which)| (dof, which));
        let edges: Vec<(&[f32], f32)> = whole
            .chain(odd)
            .map(|(dof, which)| (instances.column(dof, which), self.query(at, dof, which)))
            .collect();
        let mut all: Vec<(f32, u32)> = scratch
            .order
            .iter()
            .map(|&(sum, instance)| {
                let row = instance as usize * 2 * instances.stride + node;
                let p = instances.own[row] - place;
                let s = instances.own[row + instances.stride] - speed;
                let beside: f32 = edges
                    .iter()
                    .map(|(column, query)| (column[instance as usize] - query).powi(2))
                    .sum();
                (
                    sum + self.sees_own[node] * (p * p + s * s) + beside,
                    instance,
                )
            })
            .collect();
        let k = scratch.k;
        let by_distance = |a: &(f32, u32), b: &(f32, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        all.select_nth_unstable_by(k - 1, by_distance);
        all.truncate(k);
        all.sort_unstable_by(by_distance);
        for (j, &(distance, instance)) in all.iter().enumerate() {
            scratch.near[node * k + j] = instance;
            scratch.weights[node * k + j] = distance;
        }
        weigh(&mut scratch.weights[node * k..(node + 1) * k], self.width);
    }
}

/// What a node looks at: its parents, itself, and the speed of what it sees in both frames.
fn seen_by(structure: &PaperStructure, node: usize) -> Vec<(usize, Column)> {
    let parents = structure.parents(node);
    let mut seen = vec![
        (node, Column::Before),
        (node, Column::Now),
        (node, Column::Speed),
    ];
    for parent in parents {
        match parent.seen {
            Seen::Before => seen.push((parent.dof, Column::Before)),
            Seen::Now => {
                seen.push((parent.dof, Column::Now));
                if parents
                    .iter()
                    .any(|p| p.dof == parent.dof && p.seen == Seen::Before)
                {
                    seen.push((parent.dof, Column::Speed));
                }
            }
        }
    }
    seen
}

fn add_squares(sums: &mut [f32], column: &[f32], query: f32) {
    for (sum, value) in sums.iter_mut().zip(column) {
        let d = value - query;
        *sum += d * d;
    }
}

/// Puts the instances in order at least as far as this place.
fn sort_as_far_as(scratch: &mut Scratch, place: usize) {
    if place < scratch.n_sorted {
        return;
    }
    let by_sum = |a: &(f32, u32), b: &(f32, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    let rest = &mut scratch.order[scratch.n_sorted..];
    // Each time twice as many as there are already.
    let n = FIRST_SORTED.max(2 * scratch.n_sorted).min(rest.len());
    if n < rest.len() {
        rest.select_nth_unstable_by(n, by_sum);
    }
    rest[..n].sort_unstable_by(by_sum);
    scratch.n_sorted += n;
}

/// Sorts eight distances into eight lists, with the place of their instance in the lowest bits.
///
/// Distances are never negative, so their bits are in the same order as they are; whole numbers are exchanged without a
/// branch.
fn insert(best: &mut [[i32; LANES]], distances: &[f32; LANES], place: i32) {
    let mut carried: [i32; LANES] =
        distances.map(|d| (d.to_bits().cast_signed() & !PLACE_MASK) | place);
    let is_below = |list: &[i32; LANES], carried: &[i32; LANES]| {
        let mut any = 0;
        for lane in 0..LANES {
            any |= i32::from(carried[lane] < list[lane]);
        }
        any != 0
    };
    if !is_below(&best[best.len() - 1], &carried) {
        return;
    }
    // Instances come in order of a part of their distance, so late ones mostly belong into the further half.
    let middle = best.len() / 2;
    let from = if is_below(&best[middle], &carried) {
        0
    } else {
        middle
    };
    for list in &mut best[from..] {
        for lane in 0..LANES {
            let (a, b) = (list[lane], carried[lane]);
            let exchanged = (a ^ b) & -i32::from(b < a);
            list[lane] = a ^ exchanged;
            carried[lane] = b ^ exchanged;
        }
    }
}

/// Eq. (5): squared distances, in order, become weights that add up to 1.
fn weigh(distances: &mut [f32], width: f32) {
    let last = distances.last().copied().unwrap_or(0.0);
    let scale = if last > 1e-12 {
        -1.0 / (width * last)
    } else {
        0.0
    };
    // From the nearest on, so that the largest weight is 1 whatever the distances.
    let first = distances.first().copied().unwrap_or(0.0);
    for d in distances.iter_mut() {
        *d = exp_negative((*d - first) * scale);
    }
    let total: f32 = distances.iter().sum();
    for d in distances.iter_mut() {
        *d /= total;
    }
}

/// What the neighbours of one node say, Eq. (6).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Regressed {
    /// Mean change to the next frame.
    pub(super) change: f64,
    /// Variance of that change.
    pub(super) variance: f64,
    /// The mean value at this frame.
    pub(super) now: f64,
}

/// Eq. (6) for one node.
pub(super) fn regress(instances: &Instances, scratch: &Scratch, node: usize) -> Regressed {
    let (near, weights) = scratch.of(node);
    let (mut change, mut square, mut now) = (0.0_f64, 0.0_f64, 0.0_f64);
    for (&instance, &weight) in near.iter().zip(weights) {
        let at = instance as usize * instances.stride + node;
        let (w, c) = (f64::from(weight), f64::from(instances.change[at]));
        change += w * c;
        square += w * c * c;
        now += w * f64::from(instances.now[at]);
    }
    let n = near.len() as f64;
    let spread = (square - change * change).max(0.0);
    Regressed {
        change,
        variance: spread * n / (n - 1.0).max(1.0),
        now,
    }
}
