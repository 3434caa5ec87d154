//! How far takes are apart at each phase: the unit in which the network works.
//!
//! Four takes tell little about how a single joint scatters at a single moment. So a node's own spread is smoothed over
//! phases, and leans on that of its limb and of the whole body at the same phase.

use nalgebra::DMatrix;

use crate::numerics::smoothing::{Ends, smoothed};
use crate::variation::takes::{MotionType, NodeKind, Phases};

/// Time over which a node's own spread, and that of limbs, is averaged.
const OWN_SECS: f64 = 0.2;
const SHARED_SECS: f64 = 0.13;
/// How much a node counts for itself.
const OWN_SHARE: f64 = 0.4;
/// Nothing varies less than this, in standardised units.
const LEAST: f64 = 1e-3;
/// Whoever does the same thing twice takes a little longer or shorter, by at least this share; also if takes were cut to
/// one length.
const LEAST_TEMPO: f64 = 0.02;

/// Standard deviations by phase and node, of residuals that were corrected for their mean.
pub(in crate::variation) fn spread(residuals: &[DMatrix<f64>], phases: &Phases) -> DMatrix<f64> {
    let (n_phases, n_nodes) = residuals[0].shape();
    let ends = match phases.motion_type {
        MotionType::Cyclic => Ends::Wrap,
        MotionType::OneShot | MotionType::Unaligned => Ends::Hold,
    };
    let secs = |secs: f64| secs / phases.frame_secs;
    let n = residuals.len() as f64;
    let mut squares = DMatrix::zeros(n_phases, n_nodes);
    for take in residuals {
        squares += take.component_mul(take) / n;
    }
    let column = |node: usize| -> Vec<f64> { squares.column(node).iter().copied().collect() };
    let means: Vec<f64> = (0..n_nodes)
        .map(|node| squares.column(node).mean() + LEAST * LEAST)
        .collect();
    // What each node has at a phase against its own mean, averaged over limbs and over the body.
    let relative: Vec<Vec<f64>> = (0..n_nodes)
        .map(|node| {
            let share: Vec<f64> = column(node).iter().map(|x| x / means[node]).collect();
            smoothed(&share, secs(SHARED_SECS), ends)
        })
        .collect();
    let is_body = |node: &usize| is_body(phases, *node);
    let body: Vec<usize> = (0..n_nodes).filter(is_body).collect();
    let mean_of = |nodes: &[usize], phase: usize| {
        let sum: f64 = nodes.iter().map(|&node| relative[node][phase]).sum();
        sum / nodes.len().max(1) as f64
    };
    let of_body: Vec<f64> = (0..n_phases).map(|phase| mean_of(&body, phase)).collect();
    let mut made = DMatrix::zeros(n_phases, n_nodes);
    for node in 0..n_nodes {
        let own = column(node);
        let variance: Vec<f64> = match phases.kinds[node] {
            kind if kind.is_level() => {
                let least = if kind == NodeKind::Tempo {
                    LEAST_TEMPO * LEAST_TEMPO
                } else {
                    0.0
                };
                vec![means[node].max(least); n_phases]
            }
            NodeKind::Timing => smoothed(&own, secs(OWN_SECS), ends),
            // A placed path begins at the origin: its spread says where it is, and must not lean on limbs.
            _ if !is_body(&node) => smoothed(&own, secs(SHARED_SECS), ends),
            _ => {
                let limb: Vec<usize> = body
                    .iter()
                    .copied()
                    .filter(|&other| phases.limbs[other] == phases.limbs[node])
                    .collect();
                let own = smoothed(&own, secs(OWN_SECS), ends);
                (0..n_phases)
                    .map(|phase| {
                        let shared = 0.5 * (mean_of(&limb, phase) + of_body[phase]);
                        OWN_SHARE * own[phase] + (1.0 - OWN_SHARE) * shared * means[node]
                    })
                    .collect()
            }
        };
        for (cell, variance) in made.column_mut(node).iter_mut().zip(variance) {
            *cell = variance.max(LEAST * LEAST).sqrt();
        }
    }
    made
}

/// Whether a node is a joint of the body rather than its path or its timing.
fn is_body(phases: &Phases, node: usize) -> bool {
    match phases.kinds[node] {
        NodeKind::Dof(dof) => phases.anatomy.rate_of(dof).is_none(),
        NodeKind::Timing | NodeKind::Tempo | NodeKind::Drift(_) => false,
    }
}
