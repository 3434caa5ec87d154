//! The prior network: how a motion begins (sections 5.1 and 6).
//!
//! Two nodes per degree of freedom: its value in the first frame and its change to the second. The paper has the value
//! in the second frame there, but a value drawn by itself makes a jump in speed; the same reason for which its
//! transition network has changes. Instances are pairs of frames near the beginning of every take, the first pair of each
//! counting most through progress, which is a parent of all nodes. What varies is the difference between takes, one
//! independent draw per node; parents carry it from node to node.

use super::settings::PaperSettings;
use super::structure::PaperStructure;
use crate::numerics::random::Stream;
use crate::variation::settings::SampleSettings;
use crate::variation::takes::Examples;

/// More instances than these tell little more about a beginning.
pub(super) const MOST_INSTANCES: usize = 48;
/// Neighbours per node: beginnings are few.
pub(super) const NEIGHBOURS: usize = 15;

/// Two frames to begin with.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Start {
    pub(super) before: Vec<f64>,
    pub(super) now: Vec<f64>,
    /// Of the second frame.
    pub(super) progress: f64,
}

/// Pairs of frames as rows of numbers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pairs {
    pub(super) n_nodes: usize,
    /// Row by row: all first values, then all changes, each divided by its usual size.
    pub(super) values: Vec<f64>,
    pub(super) take: Vec<usize>,
    /// The first frame of each pair.
    pub(super) frame: Vec<usize>,
    /// In the units of distances.
    pub(super) phase: Vec<[f32; 2]>,
    /// The usual size of each change.
    pub(super) change_size: Vec<f64>,
}

impl Pairs {
    pub(super) fn new(examples: &Examples, settings: &PaperSettings) -> Self {
        let n = examples.n_dofs();
        let change_size = change_sizes(examples);
        let frames = (settings.start_secs / examples.frame_secs).round() as usize;
        let per_take = (MOST_INSTANCES / examples.n_takes()).clamp(1, 10);
        let mut made = Self {
            n_nodes: 2 * n,
            values: Vec::new(),
            take: Vec::new(),
            frame: Vec::new(),
            phase: Vec::new(),
            change_size,
        };
        for (take, rows) in examples.takes.iter().enumerate() {
            let most = frames.clamp(1, rows.len() - 1);
            let n_pairs = per_take.min(most);
            for pair in 0..n_pairs {
                let row = rows.start + pair * most / n_pairs;
                let (first, second) = (examples.row(row), examples.row(row + 1));
                made.values.extend_from_slice(first);
                let sizes = first.iter().zip(second).zip(&made.change_size);
                made.values
                    .extend(sizes.map(|((a, b), size)| (b - a) / size));
                made.take.push(take);
                made.frame.push(row - rows.start);
                let progress = examples.progress.of(row);
                let phase = examples.progress.features(progress, settings.phase_secs);
                made.phase.push(phase);
            }
        }
        made
    }

    pub(super) fn len(&self) -> usize {
        self.take.len()
    }

    pub(super) fn row(&self, pair: usize) -> &[f64] {
        &self.values[pair * self.n_nodes..][..self.n_nodes]
    }
}

/// Root mean square change of each degree of freedom; 1 for what never changes.
fn change_sizes(examples: &Examples) -> Vec<f64> {
    let mut sums = vec![0.0; examples.n_dofs()];
    let mut n = 0.0;
    for rows in &examples.takes {
        for row in rows.start + 1..rows.end {
            let pairs = examples.row(row).iter().zip(examples.row(row - 1));
            for (sum, (a, b)) in sums.iter_mut().zip(pairs) {
                *sum += (a - b).powi(2);
            }
            n += 1.0;
        }
    }
    sums.iter()
        .map(|sum| f64::sqrt(sum / n))
        .map(|size| if size > 1e-9 { size } else { 1.0 })
        .collect()
}

/// Weights of Eq. (5) in place of squared distances. Only the `k` nearest keep one.
pub(super) fn weigh(distances: &mut [f64], k: usize, width: f64) {
    if distances.is_empty() {
        return;
    }
    let mut sorted = distances.to_vec();
    let k = k.min(sorted.len());
    let kth = *sorted.select_nth_unstable_by(k - 1, f64::total_cmp).1;
    let nearest = sorted[..k].iter().copied().fold(kth, f64::min);
    let scale = if kth > 1e-12 {
        -1.0 / (width * kth)
    } else {
        0.0
    };
    let mut total = 0.0;
    for d in distances.iter_mut() {
        *d = if *d <= kth {
            ((*d - nearest) * scale).exp()
        } else {
            0.0
        };
        total += *d;
    }
    for weight in distances {
        *weight /= total;
    }
}

/// The prior network, ready to draw from.
#[derive(Debug, Clone)]
pub(super) struct Prior {
    pairs: Pairs,
    parents: Vec<Vec<usize>>,
    order: Vec<usize>,
    width: f64,
    /// Phase and progress that variants begin with.
    begin: ([f32; 2], f64),
}

impl Prior {
    pub(super) fn new(
        examples: &Examples,
        structure: &PaperStructure,
        settings: &PaperSettings,
    ) -> Self {
        let progress = &examples.progress;
        let second = examples
            .takes
            .iter()
            .map(|rows| progress.of(rows.start + 1));
        let second = second.sum::<f64>() / examples.n_takes() as f64;
        Self {
            pairs: Pairs::new(examples, settings),
            parents: structure.prior().to_vec(),
            order: structure.prior_order(),
            width: settings.width,
            begin: (progress.features(0.0, settings.phase_secs), second),
        }
    }

    /// Draws every node after its parents.
    pub(super) fn draw(&self, settings: &SampleSettings, stream: &mut Stream) -> Start {
        let n = self.pairs.n_nodes / 2;
        let n_takes = self.pairs.take.last().map_or(0, |last| last + 1);
        let mut values = vec![0.0; 2 * n];
        let mut weights = vec![0.0; self.pairs.len()];
        for &node in &self.order {
            self.distances(node, &values, &mut weights);
            weigh(&mut weights, NEIGHBOURS, self.width);
            let (mean, variance) = between(&self.pairs, &weights, node, n_takes);
            let part = settings.part_amounts.get(node % n).copied().unwrap_or(1.0);
            values[node] = mean + settings.amount * part * variance.sqrt() * stream.normal();
        }
        let before = values[..n].to_vec();
        let changes = values[n..].iter().zip(&self.pairs.change_size);
        let now = before
            .iter()
            .zip(changes)
            .map(|(x, (change, size))| x + change * size)
            .collect();
        Start {
            before,
            now,
            progress: self.begin.1,
        }
    }

    fn distances(&self, node: usize, values: &[f64], distances: &mut [f64]) {
        for (pair, distance) in distances.iter_mut().enumerate() {
            let row = self.pairs.row(pair);
            let phase = &self.pairs.phase[pair];
            let begin = &self.begin.0;
            let apart: f32 = phase.iter().zip(begin).map(|(a, b)| (a - b).powi(2)).sum();
            let parents = self.parents[node].iter();
            *distance =
                f64::from(apart) + parents.map(|&p| (row[p] - values[p]).powi(2)).sum::<f64>();
        }
    }
}

/// Mean of a node, and variance between takes.
fn between(pairs: &Pairs, weights: &[f64], node: usize, n_takes: usize) -> (f64, f64) {
    let mut sums = vec![(0.0, 0.0); n_takes];
    for (pair, &weight) in weights.iter().enumerate() {
        let sum = &mut sums[pairs.take[pair]];
        sum.0 += weight;
        sum.1 += weight * pairs.row(pair)[node];
    }
    let mean: f64 = sums.iter().map(|s| s.1).sum();
    let some = sums.iter().filter(|s| s.0 > 0.0);
    let variance: f64 = some.map(|(w, x)| w * (x / w - mean).powi(2)).sum();
    let squares: f64 = sums.iter().map(|s| s.0 * s.0).sum();
    (mean, variance / (1.0 - squares).max(0.25))
}
