//! A network laid out to be drawn: kept until the model changes.
//!
//! A column for each step in which a frame is drawn, parents before children; rows in the order of the body.

use std::sync::Arc;

use egui::{Pos2, Rect, pos2, vec2};

use crate::app::variation::network::ui::rows;
use crate::app::variation::network::ui::rows::{Part, Sign};
use crate::app::variation::network::{Link, Worths, links, structure_of};
use crate::variation::{ClipModel, Structure};

const ROW: f32 = 14.0;
const PART_GAP: f32 = 8.0;
/// As wide as the drawing may become.
const WIDTH: f32 = 258.0;
/// For the names of columns above the first row.
const TITLES: f32 = 26.0;
/// For the names of joints.
const LEFT: f32 = 96.0;
/// For the names of parts.
const RIGHT: f32 = 66.0;
/// From one step to the next at most.
const STEP: f32 = 26.0;

/// A node as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::app::variation) struct Dot {
    pub(in crate::app::variation) place: Pos2,
    pub(in crate::app::variation) sign: Sign,
}

/// An edge as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::app::variation) struct Line {
    pub(in crate::app::variation) link: Link,
    /// What it is worth, in nats.
    pub(in crate::app::variation) worth: Option<f64>,
    /// Between 0 and 1 against the most that an edge is worth.
    pub(in crate::app::variation) strength: f32,
    /// Whether takes left out are likelier without it.
    pub(in crate::app::variation) is_harmful: bool,
}

/// Rows of one part of the body.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::app::variation) struct Band {
    pub(in crate::app::variation) name: String,
    pub(in crate::app::variation) top: f32,
    pub(in crate::app::variation) bottom: f32,
}

/// A network laid out.
#[derive(Debug)]
pub(in crate::app) struct Graph {
    model: Arc<ClipModel>,
    pub(in crate::app::variation) parts: Vec<Part>,
    /// The circle of each node, in the order of the nodes.
    pub(in crate::app::variation) dots: Vec<Dot>,
    pub(in crate::app::variation) lines: Vec<Line>,
    pub(in crate::app::variation) bands: Vec<Band>,
    /// Names of rows and how high they are.
    pub(in crate::app::variation) rows: Vec<(String, f32)>,
    /// What columns are called, and where they are.
    pub(in crate::app::variation) columns: Vec<(&'static str, f32)>,
    /// Edges that lead to each node.
    into: Vec<Vec<usize>>,
    /// Edges that lead from each node.
    out_of: Vec<Vec<usize>>,
    pub(in crate::app::variation) bounds: Rect,
}

impl Graph {
    /// Lays out the network of a model.
    pub(in crate::app) fn new(model: &Arc<ClipModel>, worths: Option<&Worths>) -> Self {
        let parts = rows::parts(model);
        let n = model.n_nodes();
        let mut made = Self {
            model: Arc::clone(model),
            dots: Vec::new(),
            lines: Vec::new(),
            bands: Vec::new(),
            rows: Vec::new(),
            columns: Vec::new(),
            into: vec![Vec::new(); n],
            out_of: vec![Vec::new(); n],
            bounds: Rect::ZERO,
            parts,
        };
        let heights = made.stack(n);
        made.place(&heights, &steps(&structure_of(model)));
        made.connect(links(model), worths);
        made
    }

    /// Whether it shows this.
    pub(in crate::app) fn is_of(&self, model: &Arc<ClipModel>) -> bool {
        Arc::ptr_eq(&self.model, model)
    }

    /// Edges that lead to a node, the strongest first.
    pub(in crate::app::variation) fn parents(&self, node: usize) -> impl Iterator<Item = &Line> {
        let lines = self.into.get(node).into_iter().flatten();
        lines.map(|at| &self.lines[*at])
    }

    /// Edges that lead from a node.
    pub(in crate::app::variation) fn children(&self, node: usize) -> impl Iterator<Item = &Line> {
        let lines = self.out_of.get(node).into_iter().flatten();
        lines.map(|at| &self.lines[*at])
    }

    /// How many edges lead to a node.
    pub(in crate::app) fn n_parents(&self, node: usize) -> usize {
        self.into.get(node).map_or(0, Vec::len)
    }

    /// Names of rows and bands of parts, from the top; for each node its height.
    fn stack(&mut self, n_nodes: usize) -> Vec<f32> {
        let mut heights = vec![0.0; n_nodes];
        let mut y = 0.0;
        for part in &self.parts {
            let top = y;
            for row in &part.rows {
                self.rows.push((row.name.clone(), y + 0.5 * ROW));
                for &(node, _) in &row.nodes {
                    heights[node] = y + 0.5 * ROW;
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
        self.bounds = Rect::from_min_max(pos2(-LEFT, -TITLES), pos2(0.0, y));
        heights
    }

    /// Nodes that fall into one place are spread over the height of the row.
    fn place(&mut self, heights: &[f32], steps: &[usize]) {
        let dofs = self.model.chart().dofs();
        let last = steps.iter().copied().max().unwrap_or(0).max(1) as f32;
        let step = STEP.min(WIDTH / last).max(2.0);
        for (node, height) in heights.iter().enumerate() {
            let dof = self.model.node_dof(node);
            self.dots.push(Dot {
                place: pos2(step * steps[node] as f32, *height),
                sign: dof.map_or(Sign::Triangle, |dof| rows::sign(&dofs[dof])),
            });
        }
        let mut order: Vec<usize> = (0..heights.len()).collect();
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
        let worths = worths.map_or(&[][..], |worths| &worths.0);
        // What can be told apart by eye ends at the strongest of a hundred: single ones would make all others thin.
        let mut sorted: Vec<f64> = worths.to_vec();
        sorted.sort_by(f64::total_cmp);
        let top = sorted.get(sorted.len() * 99 / 100).copied().unwrap_or(0.0);
        for (at, link) in links.into_iter().enumerate() {
            let worth = worths.get(at).copied();
            let strength = worth.map_or(0.3, |w| (w / top.max(1e-9)).clamp(0.0, 1.0));
            self.into[link.to].push(at);
            self.out_of[link.from].push(at);
            self.lines.push(Line {
                link,
                worth,
                strength: strength as f32,
                is_harmful: worth.is_some_and(|w| w < 0.0),
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

    /// A rectangle around a node and all that it is connected with.
    pub(in crate::app::variation) fn around(&self, node: usize) -> Rect {
        let ends = self.parents(node).map(|l| l.link.from);
        let ends = ends.chain(self.children(node).map(|l| l.link.to));
        let places = ends.chain([node]).map(|d| self.dots[d].place);
        let places: Vec<Pos2> = places.collect();
        Rect::from_points(&places).expand2(vec2(70.0, 30.0))
    }
}

/// The step in which each node is drawn: after its last parent.
fn steps(structure: &Structure) -> Vec<usize> {
    let mut steps = vec![0; structure.n_nodes()];
    for node in structure.order() {
        let parents = structure.parents(node).iter();
        steps[node] = parents.map(|p| steps[*p] + 1).max().unwrap_or(0);
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::variation::quick_jumps;

    #[test]
    fn columns_run_from_left_to_right_and_no_two_dots_are_in_one_place() {
        let model = quick_jumps();
        let worths = Worths::of(&model);
        let graph = Graph::new(&model, Some(&worths));
        for line in &graph.lines {
            let [from, to] = [line.link.from, line.link.to].map(|node| graph.dots[node].place);
            assert!(from.x < to.x, "{:?}", line.link);
        }
        for (at, a) in graph.dots.iter().enumerate() {
            assert!(graph.bounds.contains(a.place), "{a:?}");
            for b in &graph.dots[..at] {
                assert!(a.place.distance(b.place) > 1.0, "{a:?} and {b:?}");
            }
        }
        let n_lines: usize = (0..model.n_nodes())
            .map(|node| {
                let worths: Vec<_> = graph.parents(node).map(|l| l.worth.unwrap()).collect();
                assert!(worths.is_sorted_by(|a, b| a >= b), "the strongest first");
                graph.n_parents(node)
            })
            .sum();
        assert_eq!(n_lines, graph.lines.len(), "every edge leads to one node");
        assert!(
            graph.bounds.size().y < 560.0,
            "fits on a screen: {:?}",
            graph.bounds.size()
        );
    }

    #[test]
    fn steps_come_after_the_last_parent() {
        let parents = vec![vec![3], vec![], vec![0, 1], vec![1]];
        let structure = Structure::from_parents(parents).unwrap();
        assert_eq!(steps(&structure), [2, 0, 3, 1]);
    }
}
