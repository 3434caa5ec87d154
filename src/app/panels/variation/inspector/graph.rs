//! A network laid out to be drawn: kept until the model or the network changes.
//!
//! The transition network has three columns, for t, t+1 and t+2, with the same rows; the prior network has a column for
//! each step in which a beginning is drawn, parents before children. Edges of one node to many of one part of the body
//! are bundled: a learned network has a thousand edges, most of them from a handful of nodes to everybody.

use std::sync::Arc;

use egui::{Pos2, Rect, Vec2, pos2, vec2};

use super::rows::{self, Part, Sign};
use crate::app::work::variation::network::{Link, Network, Worths, links};
use crate::variation::ClipModel;

const ROW: f32 = 14.0;
const PART_GAP: f32 = 8.0;
const PLACE: f32 = 11.0;
/// From the middle of one column to that of the next.
const COLUMN: f32 = 118.0;
/// For the names of joints.
const LEFT: f32 = 96.0;
/// For the names of parts.
const RIGHT: f32 = 66.0;
/// From one step of the prior network to the next at most, and from the first to the last if there are many.
const STEP: f32 = 18.0;
const STEPS: f32 = 2.0 * COLUMN + 2.0 * PLACE;

/// What an edge takes away is told as harm from this share of what strong ones bring. Parents of all nodes are chosen for all
/// together: that some bring a little less than nothing to some nodes is usual.
const HARM: f64 = 0.05;

/// A node as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Dot {
    /// Which degree of freedom.
    pub(super) dof: usize,
    pub(super) place: Pos2,
    pub(super) sign: Sign,
    /// Hollow ones are changes, in the prior network.
    pub(super) is_filled: bool,
}

/// An edge as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    pub(super) link: Link,
    /// Places among the dots.
    pub(super) from: usize,
    pub(super) to: usize,
    /// What it brings, once that is known.
    pub(super) worth: Option<f64>,
    /// Between 0 and 1 against the most that an edge brings.
    pub(super) strength: f32,
    /// Whether its node would be better off without it, by more than chance would have it.
    pub(super) is_harmful: bool,
}

/// All edges from one node to one part of the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bundle {
    pub(super) from: usize,
    pub(super) to: Pos2,
    /// The share of the part that listens.
    pub(super) share: f32,
}

/// Rows of one part of the body.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Band {
    pub(super) name: String,
    pub(super) top: f32,
    pub(super) bottom: f32,
}

/// A network laid out.
#[derive(Debug)]
pub struct Graph {
    model: Arc<ClipModel>,
    network: Network,
    knows_worths: bool,
    pub(super) parts: Vec<Part>,
    /// The transition network: all at t, all at t+1, all at t+2; the prior network: its nodes.
    pub(super) dots: Vec<Dot>,
    pub(super) lines: Vec<Line>,
    pub(super) bundles: Vec<Bundle>,
    pub(super) bands: Vec<Band>,
    /// Names of rows and how high they are.
    pub(super) rows: Vec<(String, f32)>,
    /// What columns are called, and where they are.
    pub(super) columns: Vec<(&'static str, f32)>,
    /// Edges that lead to each node.
    into: Vec<Vec<usize>>,
    /// Edges that lead from each node.
    out_of: Vec<Vec<usize>>,
    /// By dot: whether anybody listens to it.
    pub(super) is_heard: Vec<bool>,
    pub(super) bounds: Rect,
}

impl Graph {
    /// Lays out a network.
    pub fn new(model: &Arc<ClipModel>, network: Network, worths: Option<&Worths>) -> Self {
        let parts = rows::parts(model);
        let n = model.chart().n_dofs();
        let structure = model.model().structure();
        let mut made = Self {
            model: Arc::clone(model),
            network,
            knows_worths: worths.is_some(),
            dots: Vec::new(),
            lines: Vec::new(),
            bundles: Vec::new(),
            bands: Vec::new(),
            rows: Vec::new(),
            columns: Vec::new(),
            into: vec![Vec::new(); network.n_nodes(n)],
            out_of: vec![Vec::new(); network.n_nodes(n)],
            is_heard: Vec::new(),
            bounds: Rect::ZERO,
            parts,
        };
        let places = made.stack(n);
        match network {
            Network::Transition => made.place_transition(&places),
            Network::Prior => made.place_prior(&places, &steps(structure.prior())),
        }
        made.connect(links(structure, network), worths);
        if network == Network::Transition {
            made.bundle();
        }
        made
    }

    /// Whether it shows this.
    pub fn is_of(&self, model: &Arc<ClipModel>, network: Network, knows_worths: bool) -> bool {
        Arc::ptr_eq(&self.model, model)
            && self.network == network
            && self.knows_worths == knows_worths
    }

    /// The node behind a dot: what can be selected.
    pub fn node_of(&self, dot: usize) -> usize {
        match self.network {
            Network::Prior => dot,
            Network::Transition => self.dots[dot].dof,
        }
    }

    /// The dot of a node as the one that listens.
    pub fn dot_of(&self, node: usize) -> usize {
        match self.network {
            Network::Prior => node,
            Network::Transition => 2 * self.model.chart().n_dofs() + node,
        }
    }

    /// What a dot is as one that is listened to; none for the next frame, which nobody sees yet.
    pub(super) fn source_of(&self, dot: usize) -> Option<usize> {
        match self.network {
            Network::Prior => Some(dot),
            Network::Transition => Some(dot).filter(|d| *d < 2 * self.model.chart().n_dofs()),
        }
    }

    /// Edges that lead to a node, the strongest first.
    pub(super) fn parents(&self, node: usize) -> impl Iterator<Item = &Line> {
        let lines = self.into.get(node).into_iter().flatten();
        lines.map(|at| &self.lines[*at])
    }

    /// Edges that lead from a node.
    pub(super) fn children(&self, node: usize) -> impl Iterator<Item = &Line> {
        let lines = self.out_of.get(node).into_iter().flatten();
        lines.map(|at| &self.lines[*at])
    }

    /// How many edges lead to a node.
    pub fn n_parents(&self, node: usize) -> usize {
        self.into.get(node).map_or(0, Vec::len)
    }

    /// Names of rows and bands of parts, from the top; for each degree of freedom its height and place in the row.
    fn stack(&mut self, n_dofs: usize) -> Vec<(f32, usize)> {
        let mut places = vec![(0.0, 0); n_dofs];
        let mut y = 0.0;
        for part in &self.parts {
            let top = y;
            for row in &part.rows {
                self.rows.push((row.name.clone(), y + 0.5 * ROW));
                for &(dof, place) in &row.dofs {
                    places[dof] = (y + 0.5 * ROW, place);
                }
                y += ROW;
            }
            self.bands.push(Band {
                name: part.name.clone(),
                top,
                bottom: y,
            });
            y += PART_GAP;
        }
        self.bounds = Rect::from_min_max(pos2(-LEFT, -6.0), pos2(0.0, y));
        places
    }

    fn place_transition(&mut self, places: &[(f32, usize)]) {
        let dofs = self.model.chart().dofs();
        for (column, name) in ["before: t", "now: t+1", "next: t+2"]
            .into_iter()
            .enumerate()
        {
            let x = column as f32 * COLUMN;
            self.columns.push((name, x + PLACE));
            for (dof, (y, place)) in places.iter().enumerate() {
                self.dots.push(Dot {
                    dof,
                    place: pos2(x + PLACE * *place as f32, *y),
                    sign: rows::sign(&dofs[dof]),
                    is_filled: true,
                });
            }
        }
        self.bounds.max.x = 2.0 * COLUMN + 3.0 * PLACE + RIGHT;
    }

    /// Nodes that fall into one place are spread over the height of the row.
    fn place_prior(&mut self, places: &[(f32, usize)], steps: &[usize]) {
        let dofs = self.model.chart().dofs();
        let n = dofs.len();
        let last = steps.iter().copied().max().unwrap_or(0).max(1) as f32;
        let step = STEP.min(STEPS / last).max(2.0);
        for node in 0..2 * n {
            let dof = node % n;
            self.dots.push(Dot {
                dof,
                place: pos2(step * steps[node] as f32, places[dof].0),
                sign: rows::sign(&dofs[dof]),
                is_filled: node < n,
            });
        }
        let mut order: Vec<usize> = (0..2 * n).collect();
        let cell = |dot: &Dot| ((dot.place.x / step).round() as i32, dot.place.y as i32);
        order.sort_by_key(|node| (cell(&self.dots[*node]), *node));
        let cells: Vec<(i32, i32)> = self.dots.iter().map(cell).collect();
        for together in order.chunk_by(|a, b| cells[*a] == cells[*b]) {
            let middle = (together.len() - 1) as f32 / 2.0;
            let apart = (0.62 * ROW / together.len().max(2) as f32).max(1.5);
            for (at, node) in together.iter().enumerate() {
                let off = at as f32 - middle;
                self.dots[*node].place += vec2(0.0, off * apart);
            }
        }
        self.columns = vec![("drawn first", 10.0), ("drawn last", last * step)];
        self.bounds.max.x = last * step + RIGHT + 12.0;
    }

    fn connect(&mut self, links: Vec<Link>, worths: Option<&Worths>) {
        let worths = worths.map_or(&[][..], |w| w.in_network(self.network));
        // What can be told apart by eye ends at the strongest of a hundred: single ones would make all others thin.
        let mut sorted: Vec<f64> = worths.to_vec();
        sorted.sort_by(f64::total_cmp);
        let top = sorted.get(sorted.len() * 99 / 100).copied().unwrap_or(0.0);
        self.is_heard = vec![false; self.dots.len()];
        for (at, link) in links.into_iter().enumerate() {
            self.is_heard[link.from] = true;
            let worth = worths.get(at).copied();
            let strength = worth.map_or(0.3, |w| (w / top.max(1e-9)).clamp(0.0, 1.0));
            self.into[link.to].push(at);
            let source = self.node_of(link.from);
            self.out_of[source].push(at);
            self.lines.push(Line {
                link,
                from: link.from,
                to: self.dot_of(link.to),
                worth,
                strength: strength as f32,
                is_harmful: worth.is_some_and(|w| w < -HARM * top.max(1e-9)),
            });
        }
        let lines = &self.lines;
        let by_worth = |a: &usize, b: &usize| {
            let worth = |at: &usize| lines[*at].worth.unwrap_or(0.0);
            worth(b).total_cmp(&worth(a)).then(a.cmp(b))
        };
        for into in &mut self.into {
            into.sort_by(by_worth);
        }
    }

    fn bundle(&mut self) {
        let left = 2.0 * COLUMN - 9.0;
        let n = self.model.chart().n_dofs();
        let mut band_of = vec![0; n];
        for (band, part) in self.parts.iter().enumerate() {
            for (dof, _) in part.rows.iter().flat_map(|row| &row.dofs) {
                band_of[*dof] = band;
            }
        }
        let size = |band: usize| band_of.iter().filter(|b| **b == band).count().max(1);
        let sizes: Vec<usize> = (0..self.bands.len()).map(size).collect();
        let mut counts = vec![vec![0_usize; self.bands.len()]; 2 * n];
        for line in &self.lines {
            counts[line.from][band_of[line.link.to]] += 1;
        }
        for (from, counts) in counts.iter().enumerate() {
            for (band, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                let (top, bottom) = (self.bands[band].top, self.bands[band].bottom);
                self.bundles.push(Bundle {
                    from,
                    to: pos2(left, 0.5 * (top + bottom)),
                    share: *count as f32 / sizes[band] as f32,
                });
            }
        }
    }

    /// A rectangle around a node and all that it is connected with.
    pub(super) fn around(&self, node: usize) -> Rect {
        let ends = self.parents(node).map(|l| l.from);
        let ends = ends.chain(self.children(node).map(|l| l.to));
        let places = ends.chain([self.dot_of(node)]).map(|d| self.dots[d].place);
        let places: Vec<Pos2> = places.collect();
        Rect::from_points(&places).expand2(vec2(70.0, 30.0))
    }

    /// How large it is when it is not scaled.
    pub fn size(&self) -> Vec2 {
        self.bounds.size()
    }
}

/// The step in which each node of the prior network is drawn: after its last parent.
fn steps(prior: &[Vec<usize>]) -> Vec<usize> {
    let mut steps = vec![0; prior.len()];
    // There are no circles, so after as many rounds as there are nodes nothing changes any more; mostly much earlier.
    for _ in 0..prior.len() {
        let mut changed = false;
        for (node, parents) in prior.iter().enumerate() {
            let step = parents.iter().map(|p| steps[*p] + 1).max().unwrap_or(0);
            changed |= step != steps[node];
            steps[node] = step;
        }
        if !changed {
            break;
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::work::variation::quick_jumps;
    use crate::jobs::Ticket;

    #[test]
    fn columns_run_from_left_to_right_and_no_two_dots_are_in_one_place() {
        let model = quick_jumps();
        let worths = Worths::of(&model, &Ticket::default()).unwrap();
        for network in [Network::Transition, Network::Prior] {
            let graph = Graph::new(&model, network, Some(&worths));
            for line in &graph.lines {
                let (from, to) = (graph.dots[line.from].place, graph.dots[line.to].place);
                assert!(from.x < to.x, "{:?}", line.link);
            }
            for (at, a) in graph.dots.iter().enumerate() {
                assert!(graph.bounds.contains(a.place), "{a:?}");
                for b in &graph.dots[..at] {
                    assert!(a.place.distance(b.place) > 1.0, "{a:?} and {b:?}");
                }
            }
            let n_lines: usize = (0..network.n_nodes(model.chart().n_dofs()))
                .map(|node| {
                    let worths: Vec<_> = graph.parents(node).map(|l| l.worth.unwrap()).collect();
                    assert!(worths.is_sorted_by(|a, b| a >= b), "the strongest first");
                    assert_eq!(graph.node_of(graph.dot_of(node)), node);
                    graph.n_parents(node)
                })
                .sum();
            assert_eq!(n_lines, graph.lines.len(), "every edge leads to one node");
        }
        let graph = Graph::new(&model, Network::Transition, None);
        assert!(graph.bundles.len() * 3 < graph.lines.len(), "bundled");
        assert!(
            graph.size().y < 500.0,
            "fits on a screen: {:?}",
            graph.size()
        );
    }

    #[test]
    fn steps_come_after_the_last_parent() {
        let prior = [vec![3], vec![], vec![0, 1], vec![1]];
        assert_eq!(steps(&prior), [2, 0, 3, 1]);
    }
}
