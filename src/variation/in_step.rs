//! The next frame of a motion whose takes are in step.
//!
//! The paper adds changes to the last frame, each with a mean and a spread over the neighbours of a node (Eqs. 5 and 6). On real
//! clips small errors add up; and since a neighbour may be at another moment of its take, changes are mixed that do not belong
//! together: of two hundred jumps two did not leave the floor, and kicking feet got nearly three times as fast as real ones. Here takes are
//! known at equal progress ([`Between`]), so *places* are mixed, and speeds follow by themselves:
//!
//! `x = mean + sum_c (W_c + g_c / sqrt(n - 1)) (x_c - mean)`
//!
//! - **`W_c`, the company that a node keeps**, is the weight of take c among its neighbours: Eq. (5), by its parents in the last
//!   two frames. This is where the network speaks: who is like a take goes along with it, as do those who listen to him.
//!   Neighbours come and go, so it is smoothed over [`COMPANY_SECS`].
//! - **`g_c`, a mood** ([`super::moods`]), gives the spread between takes of Eq. (6). Beyond 1 it goes further than any take did.
//!   Values and speeds follow the same moods, so a variant is as smooth as what it is mixed from.
//! - **A bound**: four takes do not say that a fifth may be anything. [`FURTHEST`] keeps the sum near to what takes do at that moment.

use std::sync::Arc;

use super::between::Between;
use super::moods::Today;
use super::network::{Network, Scratch};

/// Time that it takes to go over to another company, in each of several stages: the more, the smoother.
const COMPANY_SECS: f64 = 0.07;
const STAGES: usize = 4;
/// A variant leaves the mean of the takes by about so many times what takes leave it by, to the same side, and no further.
const FURTHEST: f64 = 1.6;
/// Where takes happen to cross there is still this much room, in standard deviations between takes: a variant need not cross there.
const LEAST_ROOM: f64 = 0.3;

/// What a variant of takes in step knows beside its last two frames.
#[derive(Debug, Clone)]
pub(super) struct InStep {
    between: Arc<Between>,
    /// By take and node: `W_c`, smoothed once, twice and so on.
    company: Vec<[f64; STAGES]>,
    /// The part of a difference in company that is made up for in a frame.
    company_share: f64,
    /// By node: how far the second frame was from where it should have been; forgotten bit by bit.
    start: Vec<f64>,
    /// By node: detail so far; it leaks away.
    detail: Vec<f64>,
    /// By node: the mean of the takes in the first frame, and in the last that was placed.
    first_means: Vec<f64>,
    means: Vec<f64>,
    /// Room to work in: by take and node, how far takes are from their mean.
    differences: Vec<f64>,
    sums: Vec<Sum>,
}

/// A node's differences between takes, added up.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    company: f64,
    mood: f64,
    /// Fourth powers of those above the mean and below.
    above: f64,
    below: f64,
}

impl InStep {
    /// With the company that nodes keep in the first two frames, at which the network has just looked.
    pub(super) fn begin(
        between: &Arc<Between>,
        network: &Network,
        scratch: &Scratch,
        frame_secs: f64,
    ) -> Self {
        let n = network.instances.n_dofs;
        let n_takes = network.instances.of_take.len();
        let mut made = Self {
            between: Arc::clone(between),
            company: vec![[0.0; STAGES]; n_takes * n],
            company_share: 1.0,
            start: vec![0.0; n],
            detail: vec![0.0; n],
            first_means: Vec::new(),
            means: Vec::new(),
            differences: Vec::new(),
            sums: Vec::new(),
        };
        made.keep_company(network, scratch);
        made.company_share = -f64::exp_m1(-frame_secs / COMPANY_SECS);
        made
    }

    /// Goes on from this frame, wherever it would be expected.
    pub(super) fn start_from(&mut self, frame: &[f64], expected: &[f64]) {
        let off = frame.iter().zip(expected).map(|(x, expected)| x - expected);
        self.start = off.collect();
    }

    /// Which takes every node goes along with, after the network has looked.
    pub(super) fn keep_company(&mut self, network: &Network, scratch: &Scratch) {
        let instances = &network.instances;
        let share = self.company_share;
        for [first, ..] in &mut self.company {
            *first *= 1.0 - share;
        }
        for node in 0..instances.n_dofs {
            let (near, weights) = scratch.of(node);
            for (&instance, &weight) in near.iter().zip(weights) {
                let take = instances.take[instance as usize] as usize;
                self.company[take * instances.n_dofs + node][0] += share * f64::from(weight);
            }
        }
        for stages in &mut self.company {
            for stage in 1..STAGES {
                stages[stage] += share * (stages[stage - 1] - stages[stage]);
            }
        }
    }

    /// Adds the detail of a frame, and lets a part of all before it go.
    pub(super) fn add_detail(&mut self, added: &[f64], leak: f64) {
        for (detail, added) in self.detail.iter_mut().zip(added) {
            *detail += added - leak * *detail;
        }
    }

    /// Where every node is at this progress. `start` says how much of the first frames still counts.
    pub(super) fn place(
        &mut self,
        progress: f64,
        start: f64,
        today: Today<'_>,
        places: &mut [f64],
    ) {
        self.add_up(progress, places.len(), today);
        let n_takes = self.company.len() / places.len();
        let scale = today.manner.scale / ((n_takes - 1) as f64).sqrt();
        self.means.clear();
        self.means.extend(self.between.means(progress));
        if self.first_means.is_empty() {
            self.first_means.clone_from(&self.means);
        }
        for (node, (place, mean)) in places.iter_mut().zip(&self.means).enumerate() {
            let amount = today.settings.amount_of(node);
            let sum = self.sums[node];
            // The mean motion keeps no company, and nobody keeps more than all of it.
            let off = amount.min(1.0) * sum.company + amount * scale * sum.mood;
            let side = if off > 0.0 { sum.above } else { sum.below };
            let side = side + (LEAST_ROOM * today.manner.spread[node]).powi(4);
            let furthest = FURTHEST * amount.max(1.0) * side.sqrt().sqrt();
            let from_start = start * self.start[node];
            *place = mean + bounded(off, furthest) + from_start + self.detail[node];
        }
    }

    /// The mean of the takes in the last frame that was placed, or in the first.
    pub(super) fn means(&self, is_first: bool) -> &[f64] {
        if is_first {
            &self.first_means
        } else {
            &self.means
        }
    }

    fn add_up(&mut self, progress: f64, n: usize, today: Today<'_>) {
        self.differences.clear();
        self.differences.extend(self.between.differences(progress));
        self.sums.clear();
        self.sums.resize(n, Sum::default());
        let takes = self
            .differences
            .chunks_exact(n)
            .zip(self.company.chunks_exact(n));
        for (take, (differences, company)) in takes.enumerate() {
            let moods = today.moods.towards(take, n, today.manner.together);
            let each = differences.iter().zip(company).zip(moods);
            for (sum, ((&difference, [.., company]), mood)) in self.sums.iter_mut().zip(each) {
                sum.company += company * difference;
                sum.mood += mood * difference;
                let fourth = (difference * difference).powi(2);
                let is_above = difference > 0.0;
                sum.above += if is_above { fourth } else { 0.0 };
                sum.below += if is_above { 0.0 } else { fourth };
            }
        }
    }
}

/// Small values as they are, large ones at most this far from 0, without a corner between.
fn bounded(value: f64, furthest: f64) -> f64 {
    if furthest > 0.0 {
        value / (1.0 + (value / furthest).powi(4)).sqrt().sqrt()
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_soft() {
        assert_eq!(bounded(0.3, 0.0), 0.0);
        assert!((bounded(0.3, 1.0) - 0.3).abs() < 1e-3, "small values stay");
        assert!(bounded(1e9, 1.0) <= 1.0 && bounded(-1e9, 1.0) >= -1.0);
        let steps = (-300..300).map(|i| f64::from(i) * 0.01);
        let bent: Vec<f64> = steps.map(|x| bounded(x, 1.0)).collect();
        assert!(bent.is_sorted(), "further is further");
    }
}
