//! Takes on a common phase: the columns that the network is about.
//!
//! Takes are brought into step by time warping ([`super::progress`]), so that equal phase is the same moment of the motion in all
//! of them. When each take was there becomes two columns of its own: *tempo*, how long it takes as a whole, and *timing*, by how much
//! it is early or late at each phase beside that. So timing goes through the network like everything else, and is placed like the
//! body's path: drawn as a pace, small errors would add up to wrong lengths.

use nalgebra::DMatrix;

use super::anatomy::Anatomy;
use super::examples::Examples;
use super::progress::MotionType;
use super::root_path::{Path, Steps, beside_drift, from_start, path_of};
use crate::numerics::interpolate::sample;
use crate::numerics::smoothing::{Ends, smoothed};

/// Warps are averaged over this time.
const WARP_SECS: f64 = 0.15;
/// No take has fewer frames than this for a phase.
const LEAST_STEP: f64 = 0.05;

/// What a node of the network stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// A degree of freedom; for speeds and turn rates of the body where it is and faces (`super::root_path`).
    Dof(usize),
    /// By how many phases a take is late at a phase, beside its tempo; none at both ends.
    Timing,
    /// Logarithm of the frames that a phase takes on average.
    Tempo,
    /// Way of a cycle: 0 forward, 1 to the left, 2 turn to the left.
    Drift(usize),
}

impl NodeKind {
    /// Whether it is one number for each take rather than a curve.
    pub(in crate::variation) fn is_level(self) -> bool {
        matches!(self, Self::Tempo | Self::Drift(_))
    }
}

/// The nodes of a network, and the phases they are known at.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::variation) struct Phases {
    pub(in crate::variation) kinds: Vec<NodeKind>,
    /// By node, its limb; level nodes and timing have one each.
    pub(in crate::variation) limbs: Vec<usize>,
    pub(in crate::variation) anatomy: Anatomy,
    /// How many phases a take has.
    pub(in crate::variation) n: usize,
    /// Progress at the last of them.
    pub(in crate::variation) end: f64,
    pub(in crate::variation) motion_type: MotionType,
    pub(in crate::variation) frame_secs: f64,
    n_dofs: usize,
    /// What placed paths are divided by: forward, left, heading.
    pub(in crate::variation) path_scale: [f64; 3],
}

/// Columns of a motion: a row for each phase.
pub(in crate::variation) type Columns = DMatrix<f64>;

impl Phases {
    pub(in crate::variation) fn of(examples: &Examples) -> Self {
        let n_dofs = examples.n_dofs();
        let anatomy = examples.anatomy().clone();
        let mut kinds: Vec<NodeKind> = (0..n_dofs).map(NodeKind::Dof).collect();
        let mut limbs = anatomy.limbs.clone();
        let is_cyclic = examples.motion_type() == MotionType::Cyclic;
        let mut extra = vec![NodeKind::Timing, NodeKind::Tempo];
        if let Some(rates) = anatomy.rates.filter(|_| is_cyclic) {
            let moving = (0..3).filter(|&at| rates[at].dof.is_some());
            extra.extend(moving.map(NodeKind::Drift));
        }
        let first = limbs.iter().max().map_or(0, |most| most + 1);
        limbs.extend(first..first + extra.len());
        kinds.extend(extra);
        let n_takes = examples.n_takes() as f64;
        let n = (examples.n_frames() as f64 / n_takes).round() as usize;
        // A placed path counts like a swing of the rate's scale once a second.
        let path_scale = anatomy.rates.map_or([1.0; 3], |rates| {
            rates.map(|rate| rate.scale / std::f64::consts::TAU)
        });
        Self {
            kinds,
            limbs,
            anatomy,
            n: n.max(2),
            end: examples.progress.end(&examples.takes),
            motion_type: examples.motion_type(),
            frame_secs: examples.frame_secs(),
            n_dofs,
            path_scale,
        }
    }

    /// How many nodes there are.
    pub(in crate::variation) fn width(&self) -> usize {
        self.kinds.len()
    }

    /// How many degrees of freedom there are.
    pub(in crate::variation) fn n_dofs(&self) -> usize {
        self.n_dofs
    }

    /// The node of a kind.
    pub(in crate::variation) fn node(&self, kind: NodeKind) -> Option<usize> {
        self.kinds.iter().position(|k| *k == kind)
    }

    /// Phases from the beginning of one cycle to that of the next.
    pub(in crate::variation) fn period(&self) -> usize {
        (((self.n - 1) as f64 / self.end).round() as usize).clamp(self.n - 1, self.n)
    }

    /// A motion by phase, given as rows with the progress of each.
    pub(in crate::variation) fn columns(&self, rows: &[f64], progress: &[f64]) -> Columns {
        let moments = self.moments(progress);
        let mut made = Columns::zeros(self.n, self.width());
        for dof in 0..self.n_dofs {
            let curve: Vec<f64> = rows
                .iter()
                .skip(dof)
                .step_by(self.n_dofs)
                .copied()
                .collect();
            for (cell, &moment) in made.column_mut(dof).iter_mut().zip(&moments) {
                *cell = sample(&curve, moment);
            }
        }
        self.place_path(&mut made, rows, &moments);
        let last = (self.n - 1) as f64;
        let (from, to) = (moments[0], moments[self.n - 1]);
        let per_phase = ((to - from) / last).max(LEAST_STEP);
        let tempo = per_phase.ln();
        for (at, kind) in self.kinds.iter().enumerate() {
            match kind {
                NodeKind::Tempo => made.column_mut(at).fill(tempo),
                NodeKind::Timing => {
                    let cells = made.column_mut(at).into_iter().zip(&moments);
                    for (phase, (cell, moment)) in cells.enumerate() {
                        *cell = (moment - from) / per_phase - phase as f64;
                    }
                }
                NodeKind::Dof(_) | NodeKind::Drift(_) => {}
            }
        }
        made
    }

    /// Replaces places beside the path by speeds and a turn rate, given the share of a run or round since the moment before.
    pub(in crate::variation) fn unplace(&self, values: &mut [f64], steps: &mut Steps, share: f64) {
        let Some(rates) = &self.anatomy.rates else {
            return;
        };
        let drift = std::array::from_fn(|at| {
            let node = self.node(NodeKind::Drift(at));
            node.map_or(0.0, |node| values[node] * self.path_scale[at])
        });
        let beside = std::array::from_fn(|at| {
            let dof = rates[at].dof;
            dof.map_or(0.0, |dof| values[dof] * self.path_scale[at])
        });
        let found = steps.next(share, (beside, drift), self.frame_secs);
        for (rate, value) in rates.iter().zip(found) {
            if let Some(dof) = rate.dof {
                values[dof] = (value - rate.mean) / rate.scale;
            }
        }
    }

    /// Whether a degree of freedom is a speed or a turn rate.
    pub(in crate::variation) fn is_rate(&self, dof: usize) -> bool {
        self.anatomy.rate_of(dof).is_some()
    }

    /// The frame at every phase. Warping by whole frames is rough, and roughness here would be jerk everywhere.
    pub(in crate::variation) fn moments(&self, progress: &[f64]) -> Vec<f64> {
        let last = (self.n - 1) as f64;
        let found: Vec<f64> = (0..self.n)
            .map(|at| frame_at(progress, self.end * at as f64 / last))
            .collect();
        let (from, to) = (found[0], found[self.n - 1]);
        let even = |at: usize| from + (to - from) * at as f64 / last;
        let late: Vec<f64> = (0..self.n).map(|at| found[at] - even(at)).collect();
        // Nothing is late at both ends, and what is averaged beyond them is turned round.
        let mirrored: Vec<f64> = (1 - self.n.cast_signed()..2 * self.n.cast_signed() - 1)
            .map(|at| match at {
                _ if at < 0 => -late[(-at) as usize],
                _ if at < self.n.cast_signed() => late[at as usize],
                _ => -late[2 * self.n - 2 - at as usize],
            })
            .collect();
        let smooth = smoothed(&mirrored, WARP_SECS / self.frame_secs, Ends::Hold);
        (0..self.n)
            .map(|at| even(at) + smooth[at + self.n - 1])
            .collect()
    }

    fn place_path(&self, made: &mut Columns, rows: &[f64], moments: &[f64]) {
        let Some(rates) = &self.anatomy.rates else {
            return;
        };
        let path = path_of(rows, self.n_dofs, rates, self.frame_secs);
        let axis = |at: usize| path.places.iter().map(|p| p[at]).collect::<Vec<f64>>();
        let [ahead, left] = [axis(0), axis(1)];
        let path = Path {
            headings: moments.iter().map(|&m| sample(&path.headings, m)).collect(),
            places: moments
                .iter()
                .map(|&m| [sample(&ahead, m), sample(&left, m)])
                .collect(),
        };
        let placed = match self.motion_type {
            MotionType::Cyclic => beside_drift(&path),
            MotionType::OneShot | MotionType::Unaligned => from_start(&path),
        };
        for (at, rate) in rates.iter().enumerate() {
            let scale = self.path_scale[at];
            if let Some(dof) = rate.dof {
                for (cell, value) in made.column_mut(dof).iter_mut().zip(&placed.beside[at]) {
                    *cell = value / scale;
                }
            }
            if let Some(node) = self.node(NodeKind::Drift(at)) {
                made.column_mut(node).fill(placed.drift[at] / scale);
            }
        }
    }
}

/// At which frame a take is so far along, between frames as well.
pub(in crate::variation) fn frame_at(progress: &[f64], at: f64) -> f64 {
    let last = progress.len() - 1;
    let after = progress.partition_point(|&p| p < at).clamp(1, last);
    let (low, high) = (progress[after - 1], progress[after]);
    // Ends of takes scatter about the mean end; beyond their last frame nothing is known.
    ((after - 1) as f64 + (at - low) / (high - low)).clamp(0.0, last as f64 + 1.0)
}
