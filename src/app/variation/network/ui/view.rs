//! What the network inspector remembers.

use std::sync::Arc;

use crate::app::shell::ui::lens::Lens;
use crate::app::variation::network::ui::graph::Graph;
use crate::app::variation::network::ui::moment::{Moment, Subject};
use crate::app::variation::network::{Change, KnownWorths, Trial, Worths};
use crate::variation::ClipModel;

/// Which edges are drawn behind those of the node that is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Edges {
    /// All edges of the network.
    #[default]
    All,
    /// Those that are worth most.
    Strongest,
    /// Only edges of the node under the pointer or selected.
    OfNode,
}

impl Edges {
    pub(super) const ALL: [Self; 3] = [Self::All, Self::Strongest, Self::OfNode];

    pub(super) const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Strongest => ("strongest", "Only edges that are worth much"),
            Self::All => ("all", "Every single edge"),
            Self::OfNode => ("of the node", "Only edges of the node that is looked at"),
        }
    }
}

/// What should be brought into view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// The selected node with its parents and children; without one everything.
    Selection,
    /// The whole network is brought into view.
    All,
}

/// What the inspector remembers.
#[derive(Debug, Default)]
pub struct NetworkView {
    /// Whether it is a matrix instead of a graph.
    pub is_matrix: bool,
    /// The node that is looked at.
    pub selected: Option<usize>,
    /// The node under the pointer.
    pub hovered: Option<usize>,
    /// Only nodes whose name holds this.
    pub filter: String,
    /// Only nodes with at least so many parents.
    pub least_parents: usize,
    /// Only nodes with at most so many parents; none for any number.
    pub most_parents: Option<usize>,
    /// What is drawn behind.
    pub edges: Edges,
    /// What is seen of the graph; none for all of it.
    pub lens: Option<Lens>,
    /// What is seen of the matrix.
    pub matrix_lens: Option<Lens>,
    /// A wish for the next frame.
    pub framing: Option<Frame>,
    /// Whether the pointer is over the drawing: then F frames it instead of the characters.
    pub is_under_pointer: bool,
    /// Whether edges are not drawn over the character.
    pub is_off_body: bool,
    /// Whose moment is looked at; none for the variant that is looked at, or else the first take.
    pub subject: Option<Subject>,
    /// What each edge brings, once it is known.
    pub worths: KnownWorths,
    /// The change that is being tried.
    pub trying: Option<Change>,
    /// The change that was tried.
    pub trial: Option<Trial>,
    /// Whether the looked-at variant is shown with the change that was tried.
    pub shows_after: bool,
    /// Why the last edge cannot be.
    pub refusal: Option<String>,
    pub(super) graph: Option<Arc<Graph>>,
    pub(super) moment: Option<Arc<Moment>>,
    pub(super) adding: Adding,
}

impl NetworkView {
    /// Once per frame: where the pointer is will be said again by what is drawn.
    pub(in crate::app) fn forget_pointer(&mut self) {
        self.is_under_pointer = false;
        self.hovered = None;
    }

    /// The laid-out network, made anew only when it is another one.
    pub(super) fn graph_of(&mut self, model: &Arc<ClipModel>, worths: &Worths) -> Arc<Graph> {
        let known = self.graph.as_ref();
        let known = known.filter(|g| g.is_of(model));
        if let Some(graph) = known {
            return Arc::clone(graph);
        }
        let graph = Arc::new(Graph::new(model, Some(worths)));
        self.graph = Some(Arc::clone(&graph));
        graph
    }

    /// For every node, whether the filters let it through.
    pub(super) fn matching(&self, model: &ClipModel, graph: &Graph) -> Vec<bool> {
        let wanted = self.filter.trim().to_lowercase();
        let most = self.most_parents.unwrap_or(usize::MAX);
        (0..model.n_nodes())
            .map(|node| {
                let n_parents = graph.n_parents(node);
                let is_named = || model.node_name(node).to_lowercase().contains(&wanted);
                (self.least_parents..=most).contains(&n_parents)
                    && (wanted.is_empty() || is_named())
            })
            .collect()
    }
}

/// An edge that is being chosen.
#[derive(Debug, Default)]
pub(in crate::app::variation) struct Adding {
    pub(super) filter: String,
}
