//! The network unrolled, knot after knot (section 6): first from the prior network, then each given the two before.

use std::collections::VecDeque;
use std::sync::Arc;

use nalgebra::DMatrix;

use crate::numerics::interpolate::{sample, spline_weights};
use crate::numerics::random::Stream;
use crate::variation::network::condition::Given;
use crate::variation::network::phase_model::PhaseModel;
use crate::variation::takes::Columns;

/// Nodes that are given at every phase, in units of spread.
#[derive(Debug, Clone)]
pub(super) struct Fixed {
    pub(super) is_given: Vec<bool>,
    /// By phase and node; what is not given is 0.
    pub(super) values: Columns,
    /// Of the first knots, which have no past, and of all others.
    pub(super) blocks: Arc<[Given; 2]>,
}

/// Values at knots, as far as they are needed.
#[derive(Debug, Clone)]
pub(super) struct KnotProcess {
    model: Arc<PhaseModel>,
    stream: Stream,
    /// By node, how much it varies.
    amounts: Vec<f64>,
    fixed: Option<Fixed>,
    /// The last two `u`, the later one first.
    past: VecDeque<Vec<f64>>,
    /// Knots that were drawn ahead of their use.
    ahead: VecDeque<Vec<f64>>,
    /// The knots around the phase; the first has this number.
    window: VecDeque<Vec<f64>>,
    first: isize,
}

impl KnotProcess {
    pub(super) fn new(
        model: &Arc<PhaseModel>,
        amounts: Vec<f64>,
        fixed: Option<Fixed>,
        stream: Stream,
    ) -> Self {
        Self {
            model: Arc::clone(model),
            stream,
            amounts,
            fixed,
            past: VecDeque::new(),
            ahead: VecDeque::new(),
            window: VecDeque::new(),
            // A curve needs a knot before its first.
            first: -1,
        }
    }

    /// All nodes at a phase that is not before the last one asked for.
    pub(super) fn at(&mut self, phase: isize) -> Vec<f64> {
        let at = self.model.knots.at(phase).max(0.0);
        let base = at.floor() as isize;
        while self.first < base - 1 {
            self.window.pop_front();
            self.first += 1;
        }
        while self.window.len() < 4 {
            let knot = self.next_knot();
            self.window.push_back(knot);
        }
        let shares = spline_weights(at - base as f64);
        let knots = || self.window.iter().zip(shares);
        (0..self.amounts.len())
            .map(|node| knots().map(|(knot, share)| share * knot[node]).sum())
            .collect()
    }

    fn next_knot(&mut self) -> Vec<f64> {
        if self.fixed.is_some() {
            if self.ahead.is_empty() {
                self.draw_block();
            }
            return self.ahead.pop_front().unwrap_or_default();
        }
        let network = &self.model.network;
        let past: Vec<&[f64]> = self.past.iter().map(Vec::as_slice).collect();
        let own = network.draw(&past, &mut self.stream);
        let bounded: Vec<f64> = network
            .nodes()
            .iter()
            .zip(&own)
            .map(|(node, u)| node.bounded(*u))
            .collect();
        let mut row = vec![0.0; own.len()];
        network.assemble(&bounded, &mut row);
        self.past.push_front(own);
        self.past.truncate(2);
        row.iter_mut()
            .zip(&self.amounts)
            .for_each(|(s, amount)| *s *= amount);
        row
    }

    /// Knots given what is fixed in all of them.
    fn draw_block(&mut self) {
        let Some(fixed) = &self.fixed else {
            return;
        };
        let is_first = self.past.len() < 2;
        let block = &fixed.blocks[usize::from(!is_first)];
        let number = self.first + self.window.len().cast_signed();
        let known = self.known(fixed, number, block.n_frames());
        let past: Vec<Vec<f64>> = self.past.iter().cloned().collect();
        let past = (past.len() == 2).then(|| [past[0].as_slice(), past[1].as_slice()]);
        let past = past.filter(|_| block.has_past());
        let mean = block.draw(&known, past, None);
        let drawn = block.draw(&known, past, Some(&mut self.stream));
        let network = &self.model.network;
        let n = self.amounts.len();
        for frame in 0..block.n_frames() {
            let of =
                |from: &DMatrix<f64>| -> Vec<f64> { from.row(frame).iter().copied().collect() };
            let (mean, mut row) = (of(&mean), of(&drawn));
            let own = network.own_parts(&row);
            let bounded: Vec<f64> = (0..n).map(|i| network.node(i).bounded(own[i])).collect();
            for &node in network.order() {
                if !fixed.is_given[node] {
                    row[node] = bounded[node] + network.node(node).told_by_parents(&row);
                }
            }
            for node in 0..n {
                row[node] = mean[node] + self.amounts[node] * (row[node] - mean[node]);
            }
            self.past.push_front(own);
            self.past.truncate(2);
            self.ahead.push_back(row);
        }
    }

    /// What is given at some knots.
    fn known(&self, fixed: &Fixed, first: isize, n_knots: usize) -> DMatrix<f64> {
        let columns: Vec<Vec<f64>> = fixed
            .values
            .column_iter()
            .map(|column| column.iter().copied().collect())
            .collect();
        DMatrix::from_fn(n_knots, self.amounts.len(), |row, node| {
            if !fixed.is_given[node] {
                return 0.0;
            }
            let phase = self
                .model
                .knots
                .phase_at((first + row.cast_signed()) as f64);
            sample(&columns[node], phase)
        })
    }
}
