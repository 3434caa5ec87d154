//! One node run by itself while all others go as they went when the whole network ran.
//!
//! Running the whole network for every possible parent of every node would take hours (the paper: up to two). Here only
//! the node in question runs anew, along the ways that the others took when the whole network ran last; not along
//! their true values. That tells which parents are worth a run of the whole network, which alone decides.

use super::instances::{Column, Instances};
use super::prior_search::log_normal;
use super::score::{FLOOR, Run};
use super::settings::PaperSettings;
use crate::numerics::kernel::exp_negative;
use crate::variation::takes::Examples;

/// A node and how it would do with other parents.
pub(super) struct Alone<'a> {
    pub(super) instances: &'a Instances,
    pub(super) examples: &'a Examples,
    pub(super) settings: &'a PaperSettings,
    /// The whole network's last run.
    pub(super) runs: &'a [Run],
}

/// A node with one set of parents, as it runs.
struct Trial {
    /// What it looks at that the others do not.
    columns: Vec<(usize, Column)>,
    before: f64,
    now: f64,
    total: f64,
}

impl Alone<'_> {
    /// Log-likelihood of a node with each of several sets of columns beside those in `common`.
    pub(super) fn scores(
        &self,
        node: usize,
        common: &[(usize, Column)],
        sets: &[Vec<(usize, Column)>],
    ) -> Vec<f64> {
        let mut trials: Vec<Trial> = sets
            .iter()
            .map(|columns| Trial {
                columns: columns.clone(),
                before: 0.0,
                now: 0.0,
                total: 0.0,
            })
            .collect();
        let mut room = Room::default();
        for run in self.runs {
            self.follow(node, common, run, &mut trials, &mut room);
        }
        trials.iter().map(|t| t.total).collect()
    }

    fn follow(
        &self,
        node: usize,
        common: &[(usize, Column)],
        run: &Run,
        trials: &mut [Trial],
        room: &mut Room,
    ) {
        let examples = self.examples;
        let n = examples.n_dofs();
        let truth = examples.take(run.take);
        let n_frames = truth.len() / n;
        let first_row = examples.takes[run.take].start;
        let pull = self.settings.pull(examples.frame_secs());
        for trial in trials.iter_mut() {
            (trial.before, trial.now) = (truth[node], truth[n + node]);
        }
        for frame in 2..n_frames {
            let rows = [
                &run.values[(frame - 2) * n..],
                &run.values[(frame - 1) * n..],
            ];
            let progress = examples.progress.of(first_row + frame - 1);
            let phase = examples
                .progress
                .features(progress, self.settings.phase_secs);
            room.sums.clear();
            room.sums.resize(self.instances.n, 0.0);
            for (column, query) in self.instances.phase.iter().zip(phase) {
                add(&mut room.sums, column, query);
            }
            for &(dof, which) in common.iter().filter(|c| c.0 != node) {
                let query = self.query(dof, which, rows[0][dof], rows[1][dof]);
                add(&mut room.sums, self.instances.column(dof, which), query);
            }
            for trial in trials.iter_mut() {
                room.distances.clone_from(&room.sums);
                for which in [Column::Before, Column::Now, Column::Speed] {
                    let query = self.query(node, which, trial.before, trial.now);
                    add(
                        &mut room.distances,
                        self.instances.column(node, which),
                        query,
                    );
                }
                for &(dof, which) in &trial.columns {
                    let query = self.query(dof, which, rows[0][dof], rows[1][dof]);
                    add(
                        &mut room.distances,
                        self.instances.column(dof, which),
                        query,
                    );
                }
                let (change, variance, value) = self.regress(node, run.take, room);
                let next = trial.now + change + pull * (value - trial.now);
                let off = truth[frame * n + node] - next;
                trial.total += log_normal(off, variance + FLOOR * FLOOR);
                (trial.before, trial.now) = (trial.now, next);
            }
        }
    }

    fn query(&self, dof: usize, which: Column, before: f64, now: f64) -> f32 {
        match which {
            Column::Before => before as f32,
            Column::Now => now as f32,
            Column::Speed => (now as f32 - before as f32) * self.instances.speed_scale[dof],
        }
    }

    /// Eqs. (5) and (6): mean and variance of the change, mean value.
    fn regress(&self, node: usize, without: usize, room: &mut Room) -> (f64, f64, f64) {
        let instances = self.instances;
        let left_out = instances.of_take[without].clone();
        room.order.clear();
        let kept = (0..left_out.start).chain(left_out.end..instances.n);
        room.order
            .extend(kept.map(|i| packed(room.distances[i], i as u32)));
        let k = self.settings.neighbours.min(room.order.len()).max(1);
        room.order.select_nth_unstable(k - 1);
        let kth = unpacked(room.order[k - 1]).0;
        let nearest = room.order[..k].iter().min().map_or(kth, |&b| unpacked(b).0);
        let scale = if kth > 1e-12 {
            -1.0 / (self.settings.width as f32 * kth)
        } else {
            0.0
        };
        let (mut total, mut change, mut square, mut value) = (0.0, 0.0, 0.0, 0.0);
        for &packed in &room.order[..k] {
            let (distance, instance) = unpacked(packed);
            let w = f64::from(exp_negative((distance - nearest) * scale));
            let at = instance as usize * instances.stride + node;
            let c = f64::from(instances.change[at]);
            total += w;
            change += w * c;
            square += w * c * c;
            value += w * f64::from(instances.now[at]);
        }
        let mean = change / total;
        let spread = (square / total - mean * mean).max(0.0);
        let n = k as f64;
        (mean, spread * n / (n - 1.0).max(1.0), value / total)
    }
}

#[derive(Default)]
struct Room {
    sums: Vec<f32>,
    distances: Vec<f32>,
    /// Distances with their instances, see [`packed`].
    order: Vec<u64>,
}

/// A distance and its instance as one number in the same order: whole numbers are put in order twice as fast as pairs. Distances
/// are never negative, so their bits are in order, too.
fn packed(distance: f32, instance: u32) -> u64 {
    (u64::from(distance.to_bits()) << 32) | u64::from(instance)
}

fn unpacked(packed: u64) -> (f32, u32) {
    (f32::from_bits((packed >> 32) as u32), packed as u32)
}

fn add(sums: &mut [f32], column: &[f32], query: f32) {
    for (sum, value) in sums.iter_mut().zip(column) {
        let d = value - query;
        *sum += d * d;
    }
}

/// A degree of freedom in both frames, with its speed.
pub(super) fn both(dof: usize) -> Vec<(usize, Column)> {
    vec![
        (dof, Column::Before),
        (dof, Column::Now),
        (dof, Column::Speed),
    ]
}
