//! Edges of a model by hand: named in the animator's words, tried in the background, put in as one step.
//!
//! An edge says who listens to whom. Trying one runs the whole network with it and without it, which gives the score
//! before and after, and makes the model ready to be used; nothing changes until it is applied.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::app::messages::Severity;
use crate::app::studio::{Request, Studio};
use crate::app::work::{Delivery, Shown};
use crate::document::{Command, Learned, ModelId};
use crate::jobs::Ticket;
use crate::motion::chart::Dof;
use crate::variation::{ClipModel, LearnError, Parent, Seen, Structure};

/// The job that tries an edge, as the status bar names it.
pub const TRY: &str = "try an edge";

/// Which of the two networks of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Network {
    /// How a motion begins.
    Prior,
    /// How it goes on.
    #[default]
    Transition,
}

impl Network {
    /// How many nodes listen: one for each degree of freedom in the next frame; for the beginning its first value and its
    /// first change.
    pub const fn n_nodes(self, n_dofs: usize) -> usize {
        match self {
            Self::Prior => 2 * n_dofs,
            Self::Transition => n_dofs,
        }
    }

    /// What a node that listens is called.
    pub fn node_name(self, node: usize, dofs: &[Dof]) -> String {
        let n = dofs.len();
        let name = &dofs[node % n].name;
        match self {
            Self::Transition => name.clone(),
            Self::Prior if node < n => format!("{name}, first frame"),
            Self::Prior => format!("{name}, first change"),
        }
    }

    /// What a node that is listened to is called.
    pub fn source_name(self, source: usize, dofs: &[Dof]) -> String {
        match self {
            Self::Prior => self.node_name(source, dofs),
            Self::Transition if source < dofs.len() => format!("{} at t", dofs[source].name),
            Self::Transition => format!("{} at t+1", dofs[source % dofs.len()].name),
        }
    }
}

/// An edge of one of the networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// Of this network.
    pub network: Network,
    /// Who is listened to: all degrees of freedom at t, then all at t+1; in the prior network all values of the first
    /// frame, then all changes to the second.
    pub from: usize,
    /// Who listens: degrees of freedom at t+2; in the prior network numbered as `from`.
    pub to: usize,
}

/// Why an edge cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Every node of the transition network listens to itself.
    #[error("{0} always goes by its own last two frames: that edge cannot be taken out")]
    Own(String),
    /// A node cannot come before itself.
    #[error("{0} cannot listen to itself")]
    Itself(String),
    /// Beginnings are drawn one node after the other, parents first.
    #[error("that would close a circle, and a beginning is drawn parents first: {0}")]
    Circle(String),
    /// The engine has the last word.
    #[error("{0}")]
    Engine(String),
}

impl Link {
    const fn parent(self, n_dofs: usize) -> Parent {
        if self.from < n_dofs {
            Parent {
                dof: self.from,
                seen: Seen::Before,
            }
        } else {
            Parent {
                dof: self.from - n_dofs,
                seen: Seen::Now,
            }
        }
    }

    /// Whether it is there.
    pub fn is_in(self, structure: &Structure) -> bool {
        match self.network {
            Network::Prior => structure.prior_parents(self.to).contains(&self.from),
            Network::Transition => {
                let parent = self.parent(structure.n_dofs());
                structure.parents(self.to).contains(&parent)
            }
        }
    }

    /// "`LeftArm` bend at t+1 to `RightLeg` bend".
    pub fn words(self, dofs: &[Dof]) -> String {
        let from = self.network.source_name(self.from, dofs);
        format!("{from} to {}", self.network.node_name(self.to, dofs))
    }

    /// The structure with this edge if it is not there, without it if it is.
    pub fn toggled(self, structure: &Structure, dofs: &[Dof]) -> Result<Structure, Refusal> {
        let n = dofs.len();
        let name = || self.network.node_name(self.to, dofs);
        match self.network {
            Network::Transition if self.from % n == self.to => Err(Refusal::Own(name())),
            Network::Transition => {
                let (mut edited, parent) = (structure.clone(), self.parent(n));
                if !edited.remove(self.to, parent) {
                    edited.add(self.to, parent);
                }
                Ok(edited)
            }
            Network::Prior if self.from == self.to => Err(Refusal::Itself(name())),
            Network::Prior => self.toggled_prior(structure, dofs),
        }
    }

    fn toggled_prior(self, structure: &Structure, dofs: &[Dof]) -> Result<Structure, Refusal> {
        let mut prior = structure.prior().to_vec();
        if self.is_in(structure) {
            prior[self.to].retain(|parent| *parent != self.from);
        } else {
            if let Some(way) = way_down(&prior, self.to, self.from) {
                let circle = way.iter().chain([&self.to]);
                let names: Vec<String> = circle
                    .map(|node| self.network.node_name(*node, dofs))
                    .collect();
                return Err(Refusal::Circle(names.join(" > ")));
            }
            prior[self.to].push(self.from);
        }
        let edited = structure.clone().with_prior(prior);
        edited.map_err(|error| Refusal::Engine(error.to_string()))
    }
}

/// The shortest way along edges from an ancestor down to a node, both ends included.
fn way_down(parents: &[Vec<usize>], ancestor: usize, node: usize) -> Option<Vec<usize>> {
    let mut child_of: Vec<Option<usize>> = vec![None; parents.len()];
    let mut open = VecDeque::from([node]);
    while let Some(at) = open.pop_front() {
        if at == ancestor {
            let mut way = vec![at];
            while let Some(child) = way.last().and_then(|last| child_of[*last]) {
                way.push(child);
            }
            return Some(way);
        }
        for &parent in &parents[at] {
            if parent != node && child_of[parent].is_none() {
                child_of[parent] = Some(at);
                open.push_back(parent);
            }
        }
    }
    None
}

/// All edges of a network, node by node.
pub fn links(structure: &Structure, network: Network) -> Vec<Link> {
    let n = structure.n_dofs();
    let nodes = 0..network.n_nodes(n);
    let of = |to: usize| -> Vec<usize> {
        match network {
            Network::Prior => structure.prior_parents(to).to_vec(),
            Network::Transition => {
                let parents = structure.parents(to).iter();
                let source = |p: &Parent| p.dof + n * usize::from(p.seen == Seen::Now);
                parents.map(source).collect()
            }
        }
    };
    nodes
        .flat_map(|to| {
            of(to)
                .into_iter()
                .map(move |from| Link { network, from, to })
        })
        .collect()
}

/// What every edge brings to its node: by how much the mean log-likelihood would fall without it. In the order of
/// [`links`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Worths {
    /// Of the transition network.
    pub transition: Vec<f64>,
    /// Of the prior network.
    pub prior: Vec<f64>,
}

impl Worths {
    /// Finds them out; takes about as long as two steps of learning.
    pub fn of(model: &ClipModel, ticket: &Ticket) -> Result<Self, LearnError> {
        let inner = model.model();
        Ok(Self {
            transition: inner.worth_of_all_parents(ticket)?.concat(),
            prior: inner.worth_of_prior_parents()?.concat(),
        })
    }

    /// Of one network.
    pub fn in_network(&self, network: Network) -> &[f64] {
        match network {
            Network::Prior => &self.prior,
            Network::Transition => &self.transition,
        }
    }
}

/// The worths of the model that was asked for last; empty ones if they cannot be found.
#[derive(Debug, Default)]
pub struct KnownWorths {
    known: Option<(Arc<ClipModel>, Arc<Worths>)>,
    is_looking: bool,
}

/// An edge that was tried, ready to be applied.
#[derive(Debug, Clone)]
pub struct Trial {
    /// Of which model.
    pub id: ModelId,
    base: Arc<ClipModel>,
    /// The edge.
    pub link: Link,
    /// Whether it would be added; else it would go.
    pub adds: bool,
    /// Score of the network as it is: mean log-likelihood of a value.
    pub before: f64,
    /// Score with the edge changed.
    pub after: f64,
    edited: Arc<ClipModel>,
}

impl Trial {
    /// Tries an edge of a model.
    fn of(
        id: ModelId,
        base: Arc<ClipModel>,
        link: Link,
        structure: Structure,
        ticket: &Ticket,
    ) -> Result<Self, LearnError> {
        let inner = base.model();
        let score = |structure: &Structure| match link.network {
            Network::Prior => inner.prior_score_of(structure),
            Network::Transition => inner.score_of(structure),
        };
        let before = score(inner.structure())?;
        ticket.step(0.1)?;
        let after = score(&structure)?;
        // The panel shows both while the rest is still at work.
        ticket.tell(before);
        ticket.tell(after);
        ticket.step(0.2)?;
        let edited = inner.with_structure(structure, ticket)?;
        ticket.step(1.0)?;
        let footing = base.footing().clone();
        let edited = ClipModel::from_parts(base.chart().clone(), edited, footing)?;
        Ok(Self {
            id,
            adds: !link.is_in(inner.structure()),
            link,
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

    /// As the menu says it, before the name of the model.
    fn step_name(&self) -> String {
        let edge = self.link.words(self.base.chart().dofs());
        if self.adds {
            format!("add edge {edge} in")
        } else {
            format!("remove edge {edge} in")
        }
    }
}

impl Studio {
    /// What every edge of a model brings, once that is known.
    pub fn worths_of(&mut self, model: &Arc<ClipModel>) -> Option<Arc<Worths>> {
        let worths = &mut self.variation.network.worths;
        let found = worths.known.as_ref();
        let found = found.filter(|(of, _)| Arc::ptr_eq(of, model));
        if let Some((_, found)) = found {
            return Some(Arc::clone(found));
        }
        if worths.is_looking {
            return None;
        }
        let (looked_at, answered) = (Arc::clone(model), Arc::clone(model));
        let begun = self.look(
            "what edges bring",
            Shown::Quietly,
            // A model of one take has no score: nothing is known of its edges, and that is no failure.
            move |ticket| Ok(Worths::of(&looked_at, ticket).unwrap_or_default()),
            move |studio, seen| {
                let worths = &mut studio.variation.network.worths;
                worths.is_looking = false;
                let found = seen.unwrap_or_default();
                worths.known = Some((answered, Arc::new(found)));
            },
        );
        self.variation.network.worths.is_looking = begun;
        None
    }

    /// Adds an edge or takes it out, as a trial in the background. What cannot be is refused at once, with the reason.
    pub fn try_link(&mut self, link: Link) {
        let Some((id, model)) = self.chosen_model() else {
            return;
        };
        self.drop_trial();
        let structure = match link.toggled(model.model().structure(), model.chart().dofs()) {
            Ok(structure) => structure,
            Err(refusal) => {
                let view = &mut self.variation.network;
                view.refusal = Some(refusal.to_string());
                self.say(Severity::Warning, refusal.to_string());
                return;
            }
        };
        self.variation.network.trying = Some(link);
        self.start(TRY, Shown::InBar, move |ticket| {
            let trial = Trial::of(id, model, link, structure, ticket)?;
            let delivery: Delivery = Box::new(move |studio| studio.take_trial(trial));
            Ok(delivery)
        });
    }

    fn take_trial(&mut self, trial: Trial) {
        if self.variation.network.trying != Some(trial.link) {
            // Another edge was asked for since.
            return;
        }
        self.variation.network.trying = None;
        let now = self.document().model(trial.id).map(|model| &model.learned);
        let is_current =
            matches!(now, Some(Learned::Variation(now)) if Arc::ptr_eq(now, &trial.base));
        if is_current {
            self.variation.network.trial = Some(trial);
        } else {
            let words = "the model has changed since the edge was tried; try it again";
            self.say(Severity::Warning, words);
        }
    }

    /// Forgets what was tried or is being tried.
    pub fn drop_trial(&mut self) {
        if let Some(running) = self.work.named(TRY) {
            running.cancel();
        }
        let view = &mut self.variation.network;
        (view.trying, view.trial, view.refusal) = (None, None, None);
    }

    /// Puts the tried model in the place of the old one, in one step.
    pub fn apply_trial(&mut self) {
        let Some(trial) = self.variation.network.trial.take() else {
            return;
        };
        self.ask(Request::Edit(Command::ReplaceModel {
            what: trial.step_name(),
            id: trial.id,
            learned: Learned::Variation(trial.edited),
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::work::variation::quick_jumps;

    #[test]
    fn edges_go_and_come_and_circles_are_named() {
        let model = quick_jumps();
        let (structure, dofs) = (model.model().structure(), model.chart().dofs());
        let n = dofs.len();
        for network in [Network::Prior, Network::Transition] {
            let all = links(structure, network);
            assert!(!all.is_empty(), "{network:?} has edges");
            for link in all.into_iter().step_by(17) {
                assert!(link.is_in(structure), "{link:?}");
                let without = link.toggled(structure, dofs).unwrap();
                assert!(!link.is_in(&without), "{link:?} is gone");
                assert_eq!(link.toggled(&without, dofs).unwrap(), *structure);
            }
        }
        let own = Link {
            network: Network::Transition,
            from: n + 3,
            to: 3,
        };
        assert!(
            matches!(own.toggled(structure, dofs), Err(Refusal::Own(_))),
            "own"
        );
        let own = Link {
            network: Network::Prior,
            ..own
        };
        let own = Link { from: 3, ..own };
        assert!(
            matches!(own.toggled(structure, dofs), Err(Refusal::Itself(_))),
            "itself"
        );
    }

    #[test]
    fn the_way_around_a_circle_is_told_from_parent_to_child() {
        // 0 > 1 > 2 > 4, and 3 > 2.
        let parents = [vec![], vec![0], vec![1, 3], vec![], vec![2]];
        assert_eq!(way_down(&parents, 0, 4), Some(vec![0, 1, 2, 4]));
        assert_eq!(way_down(&parents, 3, 4), Some(vec![3, 2, 4]));
        assert_eq!(way_down(&parents, 4, 0), None);
        let model = quick_jumps();
        let (structure, dofs) = (model.model().structure(), model.chart().dofs());
        let first = links(structure, Network::Prior)[0];
        let back = Link {
            from: first.to,
            to: first.from,
            ..first
        };
        let refused = back.toggled(structure, dofs).unwrap_err().to_string();
        let there = Network::Prior.node_name(first.from, dofs);
        assert!(refused.contains("circle"), "{refused}");
        assert!(refused.ends_with(&there), "{refused} ends with {there}");
    }

    #[test]
    fn worths_are_in_the_order_of_the_edges() {
        let model = quick_jumps();
        let worths = Worths::of(&model, &Ticket::default()).unwrap();
        for network in [Network::Prior, Network::Transition] {
            let all = links(model.model().structure(), network);
            assert_eq!(worths.in_network(network).len(), all.len(), "{network:?}");
        }
        let node = 5;
        let alone = model.model().worth_of_parents(node);
        let all = links(model.model().structure(), Network::Transition);
        let first = all.iter().position(|link| link.to == node).unwrap();
        for (at, (parent, worth)) in alone.iter().enumerate() {
            assert_eq!(all[first + at].parent(model.chart().n_dofs()), *parent);
            assert_eq!(worths.transition[first + at], *worth, "{parent:?}");
        }
    }
}
