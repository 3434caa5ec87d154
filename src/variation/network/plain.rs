//! The model of a single take: its own motion, with the spread and memory that are usual between takes, and no edges.

use std::sync::Arc;

use super::conditional::Conditional;
use super::detail::Detail;
use super::fit::Network;
use super::knots::Knots;
use super::moments::Past;
use super::phase_model::{PhaseModel, paces, rules};
use super::structure::Structure;
use crate::variation::error::LearnError;
use crate::variation::search::Folds;
use crate::variation::takes::{Columns, Examples, MotionType, NodeKind, Phases};

/// How far takes are apart, in standard deviations of a degree of freedom, and likewise where the body is beside its path. Medians over
/// walks, jumps, kicks, cheers and strokes of four takes each are 0.55 and 0.77; without edges joints do not make up for each
/// other, so it is about half of that.
const JOINTS: f64 = 0.3;
const PATH: f64 = 0.3;
/// Medians over the same: how much later or earlier a take is, as a share of the motion; how much longer or shorter, and how far the
/// way of a cycle differs, by half as well.
const TIMING: f64 = 0.012;
const TEMPO: f64 = 0.03;
const DRIFT: f64 = 0.5;
/// Medians of the correlations from one knot to the next, and to the one after; of what is one number for each take.
const MEMORY: [f64; 2] = [0.8, 0.5];
const LEVEL_MEMORY: [f64; 2] = [0.97, 0.94];
/// No variant is faster or slower at a moment than the take by more than this, in logarithms of time.
const PACE: f64 = 0.2;

impl PhaseModel {
    /// Of one take in step with itself.
    pub(in crate::variation) fn plain(examples: &Examples) -> Self {
        let phases = Phases::of(examples);
        let mean = phases.columns(examples.take(0), examples.take_progress(0));
        let common = Columns::zeros(mean.nrows(), mean.ncols());
        let is_level: Vec<bool> = phases.kinds.iter().map(|kind| kind.is_level()).collect();
        let size = |node: usize| match phases.kinds[node] {
            NodeKind::Dof(dof) if phases.anatomy.rate_of(dof).is_some() => PATH,
            NodeKind::Dof(_) => JOINTS,
            NodeKind::Timing => TIMING * phases.n as f64,
            NodeKind::Tempo => TEMPO,
            NodeKind::Drift(_) => DRIFT,
        };
        let is_cyclic = phases.motion_type == MotionType::Cyclic;
        let ends = |phase: usize, node: usize| match phases.kinds[node] {
            // A path begins where it begins, and nothing is late at either end.
            NodeKind::Timing => (std::f64::consts::PI * phase as f64 / (phases.n - 1) as f64).sin(),
            NodeKind::Dof(dof) if phases.anatomy.rate_of(dof).is_some() && !is_cyclic => {
                phase as f64 / (phases.n - 1) as f64
            }
            _ => 1.0,
        };
        let spread = Columns::from_fn(phases.n, phases.width(), |phase, node| {
            (size(node) * ends(phase, node)).max(1e-3)
        });
        let knots = Knots::new(
            phases.n,
            phases.frame_secs,
            is_cyclic.then(|| phases.period()),
        );
        let usual = paces(&phases, &mean);
        let nothing = Columns::zeros(knots.len(), phases.width());
        let nodes = is_level.iter().map(|level| {
            let memory = if *level { LEVEL_MEMORY } else { MEMORY };
            Conditional::new(Vec::new(), Vec::new(), 1.0, memory)
        });
        Self {
            network: Network::unlinked(nodes.collect()),
            pace_bounds: usual.iter().map(|at| (at - PACE, at + PACE)).collect(),
            detail: Arc::new(vec![Detail::of(
                (examples.take(0), examples.take_progress(0)),
                (&mean, &common),
                &phases,
                &knots,
            )]),
            common,
            folds: Folds::halves(&nothing, Past::new(MEMORY)),
            rules: rules(&phases, &is_level),
            takes: vec![mean.clone()],
            mean,
            spread,
            knots,
            phases,
        }
    }

    /// The same network without some of its edges: one take can tell what to leave out, but not what to put in.
    pub(super) fn with_fewer_edges(&self, structure: &Structure) -> Result<Self, LearnError> {
        let nodes = self.network.nodes().iter().enumerate().map(|(at, node)| {
            let kept = |parent: &usize| structure.parents(at).contains(parent);
            if structure.parents(at).iter().any(|p| !node.parents.contains(p)) {
                return Err(LearnError::Structure(
                    "a single take does not tell what an edge is worth; learn from two takes or more".to_owned(),
                ));
            }
            let pairs = node.parents.iter().zip(&node.coefficients);
            let (parents, coefficients) = pairs.filter(|(p, _)| kept(p)).unzip();
            Ok(Conditional {
                parents,
                coefficients,
                ..node.clone()
            })
        });
        let nodes = nodes.collect::<Result<Vec<Conditional>, LearnError>>()?;
        Ok(Self {
            network: Network::new(nodes)?,
            ..self.clone()
        })
    }
}
