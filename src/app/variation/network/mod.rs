//! Edges of a model by hand: named in the animator's words, tried in the background, put in as one step.
//!
//! An edge says who depends on whom. Trying one fits the network with it and without it, which gives the score before
//! and after and makes the model ready to be used: the playing variant can be seen with both. Nothing changes until it
//! is applied.

pub mod export;
mod trials;
pub mod ui;

use std::collections::VecDeque;
use std::sync::Arc;

use crate::app::shell::words::counted;
use crate::document::ModelId;
use crate::jobs::Ticket;
use crate::variation::{ClipModel, LearnError, Structure};

/// The job that tries an edge, as the status bar names it.
pub const TRY: &str = "try an edge";

/// An edge of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The node that is depended on.
    pub from: usize,
    /// The node that depends on it.
    pub to: usize,
}

/// A change of a network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// An edge that comes if it is not there, and goes if it is.
    Toggle(Link),
    /// All edges between two parts of the body go, in both directions.
    Part(String, String),
}

/// Why an edge cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A node cannot come before itself.
    #[error("{0} cannot depend on itself: its own last two frames always count")]
    Itself(String),
    /// A frame is drawn one node after the other, parents first.
    #[error("that would close a circle, and a frame is drawn parents first: {0}")]
    Circle(String),
    /// What is one number for each take depends on nothing.
    #[error("{0} is one number for each take and depends on nothing")]
    Level(String),
    /// There is nothing to remove.
    #[error("there are no edges between {0} and {1}")]
    NoEdges(String, String),
    /// The engine has the last word.
    #[error("{0}")]
    Engine(String),
}

/// The structure of a model; nothing for the paper's recipe.
pub fn structure_of(model: &ClipModel) -> Structure {
    let network = model.model().network();
    network.map_or_else(|| Structure::none(0), |n| n.structure().clone())
}

impl Link {
    /// Whether it is there.
    pub fn is_in(self, structure: &Structure) -> bool {
        self.to < structure.n_nodes() && structure.has(self.from, self.to)
    }

    /// "`LeftArm` bend to `RightLeg` bend".
    pub fn words(self, model: &ClipModel) -> String {
        format!(
            "{} to {}",
            model.node_name(self.from),
            model.node_name(self.to)
        )
    }

    /// The structure with this edge if it is not there, without it if it is.
    pub fn toggled(self, model: &ClipModel) -> Result<Structure, Refusal> {
        let structure = structure_of(model);
        if self.is_in(&structure) {
            return Ok(structure.without(|from, to| (from, to) == (self.from, self.to)));
        }
        if self.from == self.to {
            return Err(Refusal::Itself(model.node_name(self.to)));
        }
        if !model.model().allows_edge(self.from, self.to) {
            return Err(Refusal::Level(model.node_name(self.to)));
        }
        if let Some(way) = way_down(&structure, self.to, self.from) {
            let circle = way.iter().chain([&self.to]);
            let names: Vec<String> = circle.map(|node| model.node_name(*node)).collect();
            return Err(Refusal::Circle(names.join(" > ")));
        }
        let edited = structure.with(self.from, self.to);
        edited.map_err(|error| Refusal::Engine(error.to_string()))
    }
}

/// The part of the body that a node belongs to.
pub fn part_of(model: &ClipModel, node: usize) -> String {
    let dof = model.node_dof(node);
    let part = |dof: usize| model.chart().dofs()[dof].part.to_string();
    dof.map_or_else(|| "timing".to_owned(), part)
}

impl Change {
    /// The structure after it.
    pub fn applied(&self, model: &ClipModel) -> Result<Structure, Refusal> {
        match self {
            Self::Toggle(link) => link.toggled(model),
            Self::Part(a, b) => {
                let structure = structure_of(model);
                let edited = structure.without(|from, to| {
                    let (from, to) = (part_of(model, from), part_of(model, to));
                    (from == *a && to == *b) || (from == *b && to == *a)
                });
                if edited.n_edges() == structure.n_edges() {
                    return Err(Refusal::NoEdges(a.clone(), b.clone()));
                }
                Ok(edited)
            }
        }
    }

    /// As the card says it.
    pub fn words(&self, model: &ClipModel) -> String {
        match self {
            Self::Toggle(link) if link.is_in(&structure_of(model)) => {
                format!("Remove {}", link.words(model))
            }
            Self::Toggle(link) => format!("Add {}", link.words(model)),
            Self::Part(a, b) => {
                let n = self
                    .applied(model)
                    .map_or(0, |edited| structure_of(model).n_edges() - edited.n_edges());
                format!("Remove {} between {a} and {b}", counted(n, "edge"))
            }
        }
    }
}

/// The shortest way along edges from an ancestor down to a node, both ends included.
fn way_down(structure: &Structure, ancestor: usize, node: usize) -> Option<Vec<usize>> {
    let mut child_of: Vec<Option<usize>> = vec![None; structure.n_nodes()];
    let mut open = VecDeque::from([node]);
    while let Some(at) = open.pop_front() {
        if at == ancestor {
            let mut way = vec![at];
            while let Some(child) = way.last().and_then(|last| child_of[*last]) {
                way.push(child);
            }
            return Some(way);
        }
        for &parent in structure.parents(at) {
            if parent != node && child_of[parent].is_none() {
                child_of[parent] = Some(at);
                open.push_back(parent);
            }
        }
    }
    None
}

/// All edges, node by node.
pub fn links(model: &ClipModel) -> Vec<Link> {
    let structure = structure_of(model);
    structure
        .edges()
        .map(|(from, to)| Link { from, to })
        .collect()
}

/// What every edge is worth: by how many nats takes left out would be less likely without it. In the order of
/// [`links`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Worths(pub Vec<f64>);

impl Worths {
    /// Measures by how much each edge raises the likelihood of takes left out.
    pub fn of(model: &ClipModel) -> Self {
        Self(model.model().worths().concat())
    }
}

/// The worths of the model that was asked for last.
#[derive(Debug, Default)]
pub struct KnownWorths {
    known: Option<(Arc<ClipModel>, Arc<Worths>)>,
}

/// A change that was tried, ready to be applied.
#[derive(Debug, Clone)]
pub struct Trial {
    /// The model whose edge is tried.
    pub id: ModelId,
    base: Arc<ClipModel>,
    /// The change of its edges.
    pub change: Change,
    /// Score of the network as it is: mean log-likelihood of a value of takes left out.
    pub before: f64,
    /// Score with the change.
    pub after: f64,
    edited: Arc<ClipModel>,
}

impl Trial {
    /// Tries a change of a model.
    fn of(
        id: ModelId,
        base: Arc<ClipModel>,
        change: Change,
        structure: &Structure,
        ticket: &Ticket,
    ) -> Result<Self, LearnError> {
        let score = |model: &ClipModel| model.model().score().unwrap_or(f64::NAN);
        let before = score(&base);
        let edited = base.with_structure(structure)?;
        let after = score(&edited);
        // The panel shows both while the rest is still at work.
        ticket.tell(before);
        ticket.tell(after);
        ticket.step(1.0)?;
        Ok(Self {
            id,
            change,
            before,
            after,
            edited: Arc::new(edited),
            base,
        })
    }

    /// Whether the model is still what it was tried on.
    pub fn is_of(&self, id: ModelId, model: &Arc<ClipModel>) -> bool {
        self.id == id && Arc::ptr_eq(&self.base, model)
    }

    /// The model with the change.
    pub fn edited(&self) -> &Arc<ClipModel> {
        &self.edited
    }

    /// As the menu says it, before the name of the model.
    fn step_name(&self) -> String {
        match &self.change {
            Change::Toggle(link) => {
                let edge = link.words(&self.base);
                if link.is_in(&structure_of(&self.base)) {
                    format!("remove edge {edge} in")
                } else {
                    format!("add edge {edge} in")
                }
            }
            Change::Part(a, b) => format!("remove edges between {a} and {b} in"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::variation::quick_jumps;

    #[test]
    fn edges_go_and_come_and_circles_are_named() {
        let model = quick_jumps();
        let structure = structure_of(&model);
        let all = links(&model);
        assert!(!all.is_empty(), "there are edges");
        for link in all.iter().step_by(7) {
            assert!(link.is_in(&structure), "{link:?}");
            let without = link.toggled(&model).unwrap();
            assert!(!link.is_in(&without), "{link:?} is gone");
            let back = Link {
                from: link.to,
                to: link.from,
            };
            let refused = back.toggled(&model).unwrap_err().to_string();
            let there = model.node_name(link.from);
            let is_told = refused.contains("circle") && refused.ends_with(&there);
            assert!(is_told || refused.contains("one number"), "{refused}");
        }
        let own = Link { from: 3, to: 3 };
        assert!(
            matches!(own.toggled(&model), Err(Refusal::Itself(_))),
            "itself"
        );
    }

    #[test]
    fn all_edges_between_two_parts_go_together() {
        let model = quick_jumps();
        let part = |node| part_of(&model, node);
        let link = links(&model)[0];
        let (a, b) = (part(link.from), part(link.to));
        let gone = Change::Part(a.clone(), b.clone()).applied(&model).unwrap();
        let is_between = |from, to| {
            let ends = (part(from), part(to));
            ends == (a.clone(), b.clone()) || ends == (b.clone(), a.clone())
        };
        assert!(gone.edges().all(|(from, to)| !is_between(from, to)));
        assert!(gone.n_edges() < structure_of(&model).n_edges());
        let none = Change::Part("tail".to_owned(), "head".to_owned());
        assert!(matches!(none.applied(&model), Err(Refusal::NoEdges(..))));
    }

    #[test]
    fn the_way_around_a_circle_is_told_from_parent_to_child() {
        // 0 > 1 > 2 > 4, and 3 > 2.
        let parents = vec![vec![], vec![0], vec![1, 3], vec![], vec![2]];
        let structure = Structure::from_parents(parents).unwrap();
        assert_eq!(way_down(&structure, 0, 4), Some(vec![0, 1, 2, 4]));
        assert_eq!(way_down(&structure, 3, 4), Some(vec![3, 2, 4]));
        assert_eq!(way_down(&structure, 4, 0), None);
    }

    #[test]
    fn worths_are_in_the_order_of_the_edges() {
        let model = quick_jumps();
        assert_eq!(Worths::of(&model).0.len(), links(&model).len());
    }
}
