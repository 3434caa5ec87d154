//! The next frame of a motion whose takes are not in step, or that has only one: by neighbours alone, as in the paper. Also of nodes
//! whose places cannot be mixed ([`super::between::Between::leaping`]), beside others that are in step.
//!
//! The paper adds to every change of every node white noise with the spread of the neighbours' changes (section 6). On real clips
//! that leaves the data within seconds, and trembles, because neighbours in *time* differ as well as neighbours in
//! *other takes*: at a take-off the spread is large although all takes agree. Here instead:
//!
//! - **What varies is what differs between takes.** With `W_c` the weight of take c among the neighbours of a node and `m_c`
//!   its own mean, the node goes to `m + sum_c g_c sqrt(W_c) (m_c - m)` with moods `g_c` ([`super::moods`]): the
//!   mean and variance of Eq. (6) over takes. Values and changes follow the same moods. One take alone varies by the
//!   spread that others had.
//! - **A pull** towards the neighbours' values keeps a stream on the data for as long as it runs.

use super::moods::Today;
use super::network::{Network, Scratch};

/// With few takes among the neighbours the variance between them is known badly: it is raised by this at most.
const MOST_CORRECTION: f64 = 4.0;

/// What a variant knows beside its last two frames.
#[derive(Debug, Clone)]
pub(super) struct ByNeighbours {
    /// Which nodes go so.
    nodes: Vec<usize>,
    /// How far the first frames were from where the moods want to be; forgotten bit by bit. Empty until it is known.
    start: Vec<f64>,
    by_take: Vec<TakeSum>,
}

/// What the neighbours from one take say.
#[derive(Debug, Clone, Copy, Default)]
struct TakeSum {
    weight: f64,
    change: f64,
    now: f64,
}

/// How a frame goes on from the one before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace<'a> {
    /// By how much it moves against the usual.
    pub(super) pace: f64,
    /// The part of its distance from its neighbours by which a node is drawn back.
    pub(super) pull: f64,
    /// How much of the first frames still counts.
    pub(super) start: f64,
    /// By node.
    pub(super) detail: &'a [f64],
}

impl ByNeighbours {
    pub(super) fn new(nodes: Vec<usize>, n_takes: usize) -> Self {
        Self {
            nodes,
            start: Vec::new(),
            by_take: vec![TakeSum::default(); n_takes],
        }
    }

    pub(super) fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    /// Where its nodes go from the frame that the network has looked at, and where it would go without a mood.
    pub(super) fn go_on(
        &mut self,
        looked: (&Network, &Scratch),
        pace: Pace<'_>,
        today: Today<'_>,
        now: &[f64],
        [next, expected]: [&mut [f64]; 2],
    ) {
        if self.nodes.is_empty() {
            return;
        }
        let (network, scratch) = looked;
        let manner = today.manner;
        let n = now.len();
        let is_first = self.start.is_empty();
        self.start.resize(n, 0.0);
        let n_takes = self.by_take.len();
        let moods: Vec<Vec<f64>> = (0..n_takes)
            .map(|take| today.moods.towards(take, n, manner.together).collect())
            .collect();
        for at in 0..self.nodes.len() {
            let node = self.nodes[at];
            self.sum_takes(network, scratch, node);
            let change: f64 = self.by_take.iter().map(|s| s.change).sum();
            let value: f64 = self.by_take.iter().map(|s| s.now).sum();
            let (off_change, off_value) = if n_takes == 1 {
                (0.0, manner.spread[node] * moods[0][node])
            } else {
                between_takes(&self.by_take, change, value, |take| moods[take][node])
            };
            let scale = today.settings.amount_of(node) * manner.scale;
            let target = value + scale * off_value;
            if is_first {
                self.start[node] = now[node] - target;
            }
            let back = target + pace.start * self.start[node] - now[node];
            let usual = now[node] + pace.pace * change + pace.detail[node];
            expected[node] = usual + pace.pull * (value - now[node]);
            next[node] = usual + pace.pace * scale * off_change + pace.pull * back;
        }
    }

    fn sum_takes(&mut self, network: &Network, scratch: &Scratch, node: usize) {
        let instances = &network.instances;
        let (near, weights) = scratch.of(node);
        self.by_take.fill(TakeSum::default());
        for (&instance, &weight) in near.iter().zip(weights) {
            let at = instance as usize * instances.stride + node;
            let weight = f64::from(weight);
            let sum = &mut self.by_take[instances.take[instance as usize] as usize];
            sum.weight += weight;
            sum.change += weight * f64::from(instances.change[at]);
            sum.now += weight * f64::from(instances.now[at]);
        }
    }
}

/// Change and value mixed from what the takes have beside their mean. Eq. (6) divides by n - 1: with weights, by 1 - sum of
/// their squares.
fn between_takes(
    takes: &[TakeSum],
    change: f64,
    value: f64,
    mood: impl Fn(usize) -> f64,
) -> (f64, f64) {
    let squares: f64 = takes.iter().map(|s| s.weight * s.weight).sum();
    let correction = (1.0 / (1.0 - squares).max(1.0 / MOST_CORRECTION)).sqrt();
    let (mut off_change, mut off_value) = (0.0, 0.0);
    for (take, sum) in takes.iter().enumerate() {
        if sum.weight > 0.0 {
            let strength = correction * mood(take) * sum.weight.sqrt();
            off_change += strength * (sum.change / sum.weight - change);
            off_value += strength * (sum.now / sum.weight - value);
        }
    }
    (off_change, off_value)
}
