//! What a node is drawn from at the playhead: found again only when the moment is another one.

use std::sync::Arc;

use crate::motion::Clip;
use crate::variation::{ClipModel, Explained};

/// Whose moment is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A take of the model.
    Take(usize),
    /// A variant, by its place in the list.
    Variant(usize),
}

/// A node at one moment of a motion.
#[derive(Debug, Clone)]
pub(in crate::app) struct Moment {
    pub(super) model: Arc<ClipModel>,
    pub(super) clip: Arc<Clip>,
    pub(super) node: usize,
    /// The take or variant that is looked at.
    pub subject: Subject,
    /// The frame that is explained.
    pub frame: usize,
    /// What the model goes by and what it expects, standardised; or why it cannot say.
    pub explained: Result<Explained, String>,
}

impl Moment {
    /// The degree of freedom of the node, if its values are those of a curve of the chart: where the body is and faces
    /// is none.
    pub(in crate::app) fn curve(&self) -> Option<usize> {
        let dof = self.model.node_dof(self.node)?;
        Some(dof).filter(|&dof| !self.model.chart().dofs()[dof].kind.is_rate())
    }

    /// A place in the unit that is shown; what is no curve stays in the units of the network.
    pub(in crate::app) fn shown(&self, value: f64) -> f64 {
        match self.curve() {
            Some(dof) => {
                let dof = &self.model.chart().dofs()[dof];
                dof.kind.display(dof.destandardise(value))
            }
            None => value,
        }
    }

    /// A difference in the unit that is shown.
    pub(in crate::app) fn shown_difference(&self, value: f64) -> f64 {
        self.shown(value) - self.shown(0.0)
    }

    /// The unit that is shown.
    pub(in crate::app) fn unit(&self) -> &'static str {
        match self.curve() {
            Some(dof) => self.model.chart().dofs()[dof].kind.unit(),
            None => "",
        }
    }

    pub(super) fn is_at(&self, other: (&Arc<ClipModel>, &Arc<Clip>, usize, usize)) -> bool {
        let (model, clip, node, frame) = other;
        Arc::ptr_eq(&self.model, model)
            && Arc::ptr_eq(&self.clip, clip)
            && (self.node, self.frame) == (node, frame)
    }
}
