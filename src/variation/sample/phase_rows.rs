//! A variant phase by phase: the mean and what the network drew.

use std::sync::Arc;

use super::detail::detail_share;
use super::knot_process::{Fixed, KnotProcess};
use super::tables::Tables;
use crate::numerics::random::Stream;
use crate::variation::network::phase_model::PhaseModel;
use crate::variation::settings::SampleSettings;
use crate::variation::takes::NodeKind;

/// Names the random numbers of the network.
const KNOTS: u64 = 0x4B4E;

/// All nodes of a variant, one phase after the other.
#[derive(Debug, Clone)]
pub(super) struct PhaseRows {
    tables: Arc<Tables>,
    process: KnotProcess,
    /// By node, how much of the mean's detail it has.
    mean_details: Vec<f64>,
    time_nodes: Option<[usize; 2]>,
    /// By how many phases the last one was late, and would usually be.
    late: Option<[f64; 2]>,
    phase: isize,
}

/// What was drawn for one phase.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PhaseRow {
    pub(super) values: Vec<f64>,
    /// Logarithm of the frames that this phase takes.
    pub(super) time: f64,
}

impl PhaseRows {
    /// From a phase on, which may lie before the first.
    pub(super) fn new(
        (model, tables): (&Arc<PhaseModel>, &Arc<Tables>),
        settings: &SampleSettings,
        fixed: Option<Fixed>,
        variant: u64,
        first_phase: isize,
    ) -> Self {
        let kinds = &model.phases.kinds;
        let amounts: Vec<f64> = kinds
            .iter()
            .map(|kind| match kind {
                NodeKind::Dof(dof) => settings.amount_of(*dof),
                NodeKind::Timing | NodeKind::Tempo | NodeKind::Drift(_) => settings.amount,
            })
            .collect();
        let mean_details = amounts
            .iter()
            .map(|&amount| 1.0 - detail_share(amount))
            .collect();
        let stream = Stream::named(settings.seed, &[KNOTS, variant]);
        let times = [NodeKind::Timing, NodeKind::Tempo].map(|kind| model.phases.node(kind));
        Self {
            tables: Arc::clone(tables),
            process: KnotProcess::new(model, amounts, fixed, stream),
            mean_details,
            time_nodes: times[0].zip(times[1]).map(|(a, b)| [a, b]),
            late: None,
            phase: first_phase,
        }
    }

    pub(super) fn next(&mut self) -> PhaseRow {
        let phase = self.phase;
        self.phase += 1;
        let drawn = self.process.at(phase);
        let tables = &self.tables;
        let values: Vec<f64> = drawn
            .into_iter()
            .enumerate()
            .map(|(node, s)| {
                let detail = self.mean_details[node] * tables.mean_detail(phase, node);
                tables.mean(phase, node) + tables.spread(phase, node) * s + detail
            })
            .collect();
        let time = self.time(phase, &values);
        PhaseRow { values, time }
    }

    /// Tempo, and how much later than the phase before this one is; within what takes do here.
    fn time(&mut self, phase: isize, values: &[f64]) -> f64 {
        let Some([timing, tempo]) = self.time_nodes else {
            return 0.0;
        };
        let usual_late = self.tables.mean(phase, timing);
        let late = [values[timing], usual_late];
        let before = self.late.replace(late).unwrap_or(late);
        let pace = |at: usize| (1.0 + late[at] - before[at]).max(0.05).ln();
        let usual = self.tables.mean(phase, tempo) + pace(1);
        self.tables
            .bounded_pace(phase, values[tempo] + pace(0), usual)
    }
}
