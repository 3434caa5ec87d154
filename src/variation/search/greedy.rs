//! Greedy search: the edge whose addition, removal or reversal raises the likelihood of takes left out most, until none does
//! (Fig. 3 of the paper).
//!
//! The likelihood is a sum over nodes, and a node's part depends on its own parents alone. So an edge is judged in microseconds, and
//! the whole search takes less than a second. An edge must be worth more than nothing: with four takes, hundreds of possible edges
//! seem to help a little by chance, and beyond the limb more of them are false than true.

use super::folds::Folds;
use crate::jobs::{Cancelled, Ticket};
use crate::numerics::random::Stream;
use crate::variation::network::moments::Scratch;
use crate::variation::network::structure::{Structure, topological};

/// Nats that an edge must be worth: between joints of a limb that are near each other, and otherwise.
const NEAR_PRICE: f64 = 8.0;
const FAR_PRICE: f64 = 24.0;
/// Joints that are near each other.
const NEAR_HOPS: usize = 3;

/// What edges may be, and what they must be worth.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::variation) struct Rules {
    n: usize,
    /// By child and parent; infinite for edges that cannot be.
    prices: Vec<f64>,
}

impl Rules {
    /// Rules for nodes in limbs; `hops` counts joints between two of them. Level nodes, one number for each take, have no parents.
    pub(in crate::variation) fn new(
        limbs: &[usize],
        is_level: &[bool],
        hops: impl Fn(usize, usize) -> usize,
    ) -> Self {
        let n = limbs.len();
        let price = |child: usize, parent: usize| {
            if child == parent || is_level[child] {
                f64::INFINITY
            } else if limbs[child] == limbs[parent] && hops(child, parent) <= NEAR_HOPS {
                NEAR_PRICE
            } else {
                FAR_PRICE
            }
        };
        let prices = (0..n).flat_map(|child| (0..n).map(move |parent| (child, parent)));
        Self {
            n,
            prices: prices.map(|(child, parent)| price(child, parent)).collect(),
        }
    }

    fn price(&self, child: usize, parent: usize) -> f64 {
        self.prices[child * self.n + parent]
    }

    /// Whether an edge may be.
    pub(in crate::variation) fn allows(&self, from: usize, to: usize) -> bool {
        self.price(to, from).is_finite()
    }
}

/// The best structure that single steps lead to.
pub(in crate::variation) fn search(
    folds: &Folds,
    rules: &Rules,
    ticket: &Ticket,
) -> Result<Structure, Cancelled> {
    let mut state = Greedy::new(folds, rules);
    while let Some(step) = state.best() {
        ticket.check()?;
        state.take(step);
    }
    Ok(state.structure)
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Add { child: usize, parent: usize },
    Remove { child: usize, parent: usize },
    Reverse { child: usize, parent: usize },
}

struct Greedy<'a> {
    folds: &'a Folds,
    rules: &'a Rules,
    structure: Structure,
    scores: Vec<f64>,
    /// By child and parent, what adding the edge would gain, its price paid.
    additions: Vec<f64>,
    /// What removing the edge would gain, its price given back; minus infinity where there is none.
    removals: Vec<f64>,
    /// By node and node, whether the first comes before the second.
    is_ancestor: Vec<bool>,
    scratch: Scratch,
}

impl<'a> Greedy<'a> {
    fn new(folds: &'a Folds, rules: &'a Rules) -> Self {
        let n = folds.n_nodes();
        let mut made = Self {
            folds,
            rules,
            structure: Structure::none(n),
            scores: vec![0.0; n],
            additions: vec![f64::NEG_INFINITY; n * n],
            removals: vec![f64::NEG_INFINITY; n * n],
            is_ancestor: vec![false; n * n],
            scratch: Scratch::default(),
        };
        for node in 0..n {
            made.refresh(node);
        }
        made
    }

    /// All that depends on a node's parents.
    fn refresh(&mut self, child: usize) {
        let n = self.rules.n;
        let parents = self.structure.parents(child).to_vec();
        let own = self.folds.family(child, &parents, &mut self.scratch);
        self.scores[child] = own;
        let mut tried = parents.clone();
        for parent in 0..n {
            let at = child * n + parent;
            let price = self.rules.price(child, parent);
            (self.additions[at], self.removals[at]) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
            if parents.contains(&parent) {
                let others: Vec<usize> = parents.iter().copied().filter(|&p| p != parent).collect();
                let without = self.folds.family(child, &others, &mut self.scratch);
                self.removals[at] = without - own + price;
            } else if price.is_finite() {
                tried.push(parent);
                let with = self.folds.family(child, &tried, &mut self.scratch);
                self.additions[at] = with - own - price;
                tried.pop();
            }
        }
    }

    /// The step that gains most, if any does.
    fn best(&self) -> Option<Step> {
        /// A smaller gain may be rounding.
        const LEAST: f64 = 1e-6;
        let n = self.rules.n;
        let mut best = (LEAST, None);
        for child in 0..n {
            for parent in 0..n {
                let at = child * n + parent;
                if self.additions[at] > best.0 && !self.is_ancestor[child * n + parent] {
                    best = (self.additions[at], Some(Step::Add { child, parent }));
                }
                let removed = self.removals[at];
                if removed > best.0 {
                    best = (removed, Some(Step::Remove { child, parent }));
                }
                // A little more than nothing, or equal structures would take turns.
                let reversed = removed + self.additions[parent * n + child];
                if reversed > best.0 + 1e-3 && self.may_reverse(child, parent) {
                    best = (reversed, Some(Step::Reverse { child, parent }));
                }
            }
        }
        best.1
    }

    /// Whether an edge can be turned round: not if the parent reaches the child another way.
    fn may_reverse(&self, child: usize, parent: usize) -> bool {
        let others = self
            .structure
            .parents(child)
            .iter()
            .filter(|&&p| p != parent);
        !others
            .into_iter()
            .any(|&p| self.is_ancestor[parent * self.rules.n + p])
    }

    fn take(&mut self, step: Step) {
        let changed: &[usize] = match &step {
            Step::Add { child, .. } | Step::Remove { child, .. } => std::slice::from_ref(child),
            Step::Reverse { child, parent } => &[*child, *parent],
        };
        let (child, parent) = match step {
            Step::Add { child, parent }
            | Step::Remove { child, parent }
            | Step::Reverse { child, parent } => (child, parent),
        };
        let mut parents = self.structure.parents(child).to_vec();
        if matches!(step, Step::Add { .. }) {
            parents.push(parent);
        } else {
            parents.retain(|&p| p != parent);
        }
        parents.sort_unstable();
        self.structure.set_parents(child, parents);
        if matches!(step, Step::Reverse { .. }) {
            let mut parents = self.structure.parents(parent).to_vec();
            parents.push(child);
            parents.sort_unstable();
            self.structure.set_parents(parent, parents);
        }
        for &node in changed {
            self.refresh(node);
        }
        self.find_ancestors();
    }

    fn find_ancestors(&mut self) {
        let n = self.rules.n;
        self.is_ancestor.fill(false);
        for node in self.structure.order() {
            for parent in self.structure.parents(node).to_vec() {
                for above in 0..n {
                    if self.is_ancestor[above * n + parent] || above == parent {
                        self.is_ancestor[above * n + node] = true;
                    }
                }
            }
        }
    }
}

/// As many edges as another structure has, between random nodes.
pub(in crate::variation) fn random(like: &Structure, rules: &Rules, seed: u64) -> Structure {
    let n = like.n_nodes();
    let mut stream = Stream::named(seed, &[0x4A4D]);
    let mut order: Vec<usize> = (0..n).collect();
    for at in (1..n).rev() {
        order.swap(at, stream.below(at + 1));
    }
    let mut made = vec![Vec::new(); n];
    let mut left = like.n_edges();
    // More edges than there are pairs cannot be asked for, but prices may forbid most of them.
    for _ in 0..1000 * (left + 1) {
        if left == 0 || n < 2 {
            break;
        }
        let at = 1 + stream.below(n - 1);
        let (child, parent) = (order[at], order[stream.below(at)]);
        if rules.allows(parent, child) && !made[child].contains(&parent) {
            made[child].push(parent);
            left -= 1;
        }
    }
    assert!(
        topological(&made).len() == n,
        "parents come before children"
    );
    Structure::from_parents(made).unwrap_or_else(|_| Structure::none(n))
}

/// Every node depends on all nodes before it, in the order of another structure.
pub(in crate::variation) fn full(like: &Structure, rules: &Rules) -> Structure {
    let order = like.order();
    let mut made = Structure::none(like.n_nodes());
    for (at, &node) in order.iter().enumerate() {
        let mut parents: Vec<usize> = order[..at]
            .iter()
            .copied()
            .filter(|&parent| rules.allows(parent, node))
            .collect();
        parents.sort_unstable();
        made.set_parents(node, parents);
    }
    made
}
