//! What a network says about one node at one moment, for whoever wants to look inside.

use super::clips::ClipModel;
use super::error::LearnError;
use super::model::Model;
use super::takes::NodeKind;

/// What one parent says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Told {
    /// The index of the parent among the nodes.
    pub parent: usize,
    /// What a unit of its spread adds to the node, in units of the node's spread.
    pub coefficient: f64,
    /// Correlation with the node when all its other parents are known.
    pub partial_correlation: f64,
    /// How far the parent is from its mean now, in units of its spread.
    pub parent_off: f64,
}

/// A node at a moment: the conditional distribution that it is drawn from, and what came.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    /// The contribution of each parent.
    pub parents: Vec<Told>,
    /// What its own past adds, in units of its spread.
    pub from_past: f64,
    /// Mean of the node over the takes at this phase, in the units of the takes.
    pub usual: f64,
    /// What is expected now given parents and past, in the units of the takes.
    pub mean: f64,
    /// Standard deviation about that.
    pub sigma: f64,
    /// What came, without detail.
    pub value: f64,
}

impl Model {
    /// A node at a frame of a motion, given as rows in the units of the takes; brought into step unless its progress is known.
    pub fn explain(
        &self,
        node: usize,
        rows: &[f64],
        progress: Option<&[f64]>,
        frame: usize,
    ) -> Result<Explained, LearnError> {
        let Some(engine) = self.engine() else {
            return Err(LearnError::PaperEdges);
        };
        let model = &engine.model;
        if node >= model.phases.width() {
            return Err(LearnError::Structure(format!("there is no node {node}")));
        }
        let n_frames = rows.len() / self.examples().n_dofs();
        let progress = match progress.filter(|p| p.len() == n_frames) {
            Some(known) => known.to_vec(),
            None => model.progress_of(rows)?,
        };
        let last = (model.phases.n - 1) as f64;
        let share = progress.get(frame).copied().unwrap_or(0.0) / model.phases.end;
        let phase = (share * last).round().clamp(0.0, last) as usize;
        let seen = model.seen(rows, &progress);
        let knot = (model.knots.at(phase.cast_signed()).round() as usize + 1).min(seen.nrows() - 1);
        let network = &model.network;
        let conditional = network.node(node);
        let row = |knot: usize| -> Vec<f64> { seen.row(knot).iter().copied().collect() };
        let now = row(knot);
        let past: Vec<f64> = (1..=knot.min(2))
            .map(|back| network.own_parts(&row(knot - back))[node])
            .collect();
        let (from_past, variance) = conditional.given(&past);
        let spread = model.spread[(phase, node)];
        let usual = model.mean[(phase, node)];
        let off = from_past + conditional.told_by_parents(&now);
        let told = |(&parent, &coefficient): (&usize, &f64)| Told {
            parent,
            coefficient,
            partial_correlation: network.partial_correlation(parent, node),
            parent_off: now[parent],
        };
        let parents = conditional.parents.iter().zip(&conditional.coefficients);
        Ok(Explained {
            parents: parents.map(told).collect(),
            from_past,
            usual,
            mean: usual + spread * off,
            sigma: spread * variance.sqrt(),
            value: usual + spread * now[node],
        })
    }
}

impl ClipModel {
    /// How many nodes the network has; none for the paper's recipe.
    pub fn n_nodes(&self) -> usize {
        self.model().nodes().len()
    }

    /// The degree of freedom of a node; none for timing and drift.
    pub fn node_dof(&self, node: usize) -> Option<usize> {
        match self.model().nodes().get(node)? {
            NodeKind::Dof(dof) => Some(*dof),
            NodeKind::Timing | NodeKind::Tempo | NodeKind::Drift(_) => None,
        }
    }

    /// What a node is called. Speeds of the body stand for where it is: the network places it.
    pub fn node_name(&self, node: usize) -> String {
        match self.model().nodes().get(node) {
            Some(NodeKind::Dof(dof)) => {
                let name = &self.chart().dofs()[*dof].name;
                let placed = name
                    .strip_suffix(" forward speed")
                    .map(|joint| format!("{joint} place forward"));
                let placed = placed.or_else(|| {
                    let joint = name.strip_suffix(" sideways speed")?;
                    Some(format!("{joint} place sideways"))
                });
                let placed = placed.or_else(|| {
                    let joint = name.strip_suffix(" turn rate")?;
                    Some(format!("{joint} heading"))
                });
                placed.unwrap_or_else(|| name.clone())
            }
            Some(NodeKind::Timing) => "timing".to_owned(),
            Some(NodeKind::Tempo) => "tempo".to_owned(),
            Some(NodeKind::Drift(0)) => "way forward in a cycle".to_owned(),
            Some(NodeKind::Drift(1)) => "way sideways in a cycle".to_owned(),
            Some(NodeKind::Drift(_)) => "turn in a cycle".to_owned(),
            None => format!("node {node}"),
        }
    }
}
