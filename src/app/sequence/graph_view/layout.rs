//! Where the nodes of a graph are on a sheet, how large they are, and which lines lead from one to another.
//!
//! No window is needed: it is found in the background and kept for as long as the graph is the same.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{Pos2, Rect, pos2};
use nalgebra::DVector;

use crate::numerics::scaling::{Place, laid_out, spread};
use crate::texture::Texture;
use crate::transition::TransitionGraph;

/// Radii of the smallest and the largest circle, in points.
const RADII: (f64, f64) = (3.5, 20.0);
/// Room for each circle, as a side of a square: sheets grow with what is on them.
const ROOM: f64 = 34.0;
/// Empty space around all circles of the drawing.
const MARGIN: f32 = 40.0;

/// A cluster or clip as it is drawn: a circle.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Its cluster, system or clip.
    pub number: usize,
    /// The centre of its circle on the sheet.
    pub place: Pos2,
    /// Its radius in points of the screen.
    pub radius: f32,
    /// How many frames of clips belong to it.
    pub n_frames: usize,
    /// The action that most of its frames show.
    pub action: usize,
}

/// From one node to another, by their places in the list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// The index of the node that it leaves.
    pub from: usize,
    /// The node that the line leads to.
    pub to: usize,
    /// How many transitions of the graph it stands for.
    pub traffic: usize,
}

/// A graph on a sheet.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// In the order of their numbers in the graph.
    pub nodes: Vec<Node>,
    /// The busiest last, so that they are drawn on top.
    pub lines: Vec<Line>,
    /// The box around all nodes.
    pub bounds: Rect,
    /// The actions that nodes can show.
    pub actions: Vec<String>,
}

impl Drawing {
    /// Clusters of a transition graph by how alike their poses are.
    pub fn of_graph(graph: &TransitionGraph) -> Self {
        let clusters: Vec<usize> = graph
            .clusters()
            .iter()
            .enumerate()
            .filter(|(_, cluster)| !cluster.runs.is_empty())
            .map(|(number, _)| number)
            .collect();
        let names: BTreeMap<usize, &str> = graph
            .clips()
            .map(|(number, clip)| (number, clip.clip.info.name.as_str()))
            .collect();
        let clips: Vec<usize> = names.keys().copied().collect();
        let action = |cluster: usize| {
            let mut frames = vec![0; clips.len()];
            for (clip, run) in &graph.clusters()[cluster].runs {
                if let Ok(at) = clips.binary_search(clip) {
                    frames[at] += run.len();
                }
            }
            most(&frames)
        };
        let centres = graph.centres();
        let places = laid_out(clusters.len(), |a, b| {
            f64::from(centres.distance(clusters[a], clusters[b]))
        });
        let shown = clusters.iter().map(|&number| {
            let n_frames = graph.clusters()[number].n_frames();
            (number, n_frames, action(number))
        });
        let at: BTreeMap<usize, usize> = clusters.iter().copied().zip(0..).collect();
        let lines = graph.edges().filter_map(|((from, to), edge)| {
            Some(Line {
                from: *at.get(&(from as usize))?,
                to: *at.get(&(to as usize))?,
                traffic: edge.instances.len(),
            })
        });
        let actions = names.values().map(|name| (*name).to_owned()).collect();
        Self::new(places, shown.collect(), lines.collect(), actions)
    }

    /// Clips of a transition graph, each in the middle of its clusters.
    pub fn of_actions(graph: &TransitionGraph, clusters: &Self) -> Self {
        let place: BTreeMap<usize, Pos2> = clusters
            .nodes
            .iter()
            .map(|node| (node.number, node.place))
            .collect();
        let mut sums: BTreeMap<usize, (f64, f64, usize)> = BTreeMap::new();
        for (number, cluster) in graph.clusters().iter().enumerate() {
            let Some(at) = place.get(&number) else {
                continue;
            };
            for (clip, run) in &cluster.runs {
                let sum = sums.entry(*clip).or_default();
                sum.0 += f64::from(at.x) * run.len() as f64;
                sum.1 += f64::from(at.y) * run.len() as f64;
                sum.2 += run.len();
            }
        }
        let mut shown = Vec::new();
        let mut places = Vec::new();
        let mut actions = Vec::new();
        for (number, clip) in graph.clips() {
            let (x, y, n) = sums.get(&number).copied().unwrap_or_default();
            places.push([x / n.max(1) as f64, y / n.max(1) as f64]);
            shown.push((number, n, actions.len()));
            actions.push(clip.clip.info.name.clone());
        }
        let n = shown.len();
        let pairs = (0..n).flat_map(|from| (0..n).map(move |to| (from, to)));
        let lines = pairs.filter(|(from, to)| from != to);
        let lines = lines.map(|(from, to)| Line {
            from,
            to,
            traffic: 1,
        });
        Self::new(places, shown, lines.collect(), actions)
    }

    /// Systems of a texture by how alike their frames are.
    pub fn of_texture(texture: &Texture) -> Self {
        let corpus = texture.corpus();
        let n = texture.systems().len();
        let mut means = vec![DVector::<f64>::zeros(corpus.n_dims()); n];
        let mut counts = vec![0_usize; n];
        let mut marks: Vec<BTreeMap<usize, usize>> = vec![BTreeMap::new(); n];
        let search = texture.search();
        for section in texture.sections() {
            let states = &corpus.clips[section.clip].states;
            for frame in section.frames.clone() {
                means[section.system] += states.column(frame);
                let mark = search.tracks[section.clip].labels[frame];
                *marks[section.system].entry(mark).or_default() += 1;
            }
            counts[section.system] += section.frames.len();
        }
        for (mean, n) in means.iter_mut().zip(&counts) {
            *mean /= (*n).max(1) as f64;
        }
        let systems: Vec<usize> = (0..n).filter(|s| counts[*s] > 0).collect();
        let places = laid_out(systems.len(), |a, b| {
            (&means[systems[a]] - &means[systems[b]]).norm()
        });
        let mut actions: Vec<String> = Vec::new();
        let mut action_of = |mark: usize| {
            let name = texture.name_of_mark(mark);
            actions.iter().position(|a| a == name).unwrap_or_else(|| {
                actions.push(name.to_owned());
                actions.len() - 1
            })
        };
        let shown = systems.iter().map(|&system| {
            let best = marks[system]
                .iter()
                .max_by_key(|(mark, n)| (**n, usize::MAX - **mark));
            let action = best.map_or(0, |(mark, _)| action_of(*mark));
            (system, counts[system], action)
        });
        let shown = shown.collect();
        let at: BTreeMap<usize, usize> = systems.iter().copied().zip(0..).collect();
        let mut traffic: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for transition in texture.graph().transitions() {
            let system = |frame| texture.upper().system_of(frame);
            if let (Some(from), Some(to)) = (system(transition.from), system(transition.to))
                && from != to
            {
                *traffic.entry((from, to)).or_default() += 1;
            }
        }
        for &from in &systems {
            for to in texture.upper().linked(from).filter(|to| *to != from) {
                traffic.entry((from, to)).or_insert(1);
            }
        }
        let lines = traffic.into_iter().filter_map(|((from, to), traffic)| {
            Some(Line {
                from: *at.get(&from)?,
                to: *at.get(&to)?,
                traffic,
            })
        });
        Self::new(places, shown, lines.collect(), actions)
    }

    /// Scales the layout so that there is room for all circles, and moves them apart.
    fn new(
        mut places: Vec<Place>,
        shown: Vec<(usize, usize, usize)>,
        mut lines: Vec<Line>,
        actions: Vec<String>,
    ) -> Self {
        let largest = shown.iter().map(|s| s.1).max().unwrap_or(1).max(1) as f64;
        let radius = |n: usize| RADII.0 + (RADII.1 - RADII.0) * (n as f64 / largest).sqrt();
        let radii: Vec<f64> = shown.iter().map(|s| radius(s.1)).collect();
        draw_in(&mut places);
        let wide = |axis: usize| {
            let all = || places.iter().map(|p| p[axis]);
            all().fold(f64::NEG_INFINITY, f64::max) - all().fold(f64::INFINITY, f64::min)
        };
        let side = (ROOM * (places.len() as f64).sqrt()).max(4.0 * RADII.1);
        let spans = wide(0).max(wide(1));
        let scale = if spans > 1e-9 { side / spans } else { 1.0 };
        for place in &mut places {
            *place = place.map(|x| x * scale);
        }
        let apart: Vec<f64> = radii.iter().map(|r| r + 3.0).collect();
        spread(&mut places, &apart);
        let nodes: Vec<Node> = shown
            .into_iter()
            .zip(places.iter().zip(&radii))
            .map(|((number, n_frames, action), (place, radius))| Node {
                number,
                place: pos2(place[0] as f32, place[1] as f32),
                radius: *radius as f32,
                n_frames,
                action,
            })
            .collect();
        lines.sort_by_key(|line| (line.traffic, line.from, line.to));
        let around = nodes
            .iter()
            .map(|n| Rect::from_center_size(n.place, egui::Vec2::splat(2.0 * n.radius)))
            .reduce(Rect::union);
        Self {
            bounds: around.unwrap_or(Rect::ZERO).expand(MARGIN),
            nodes,
            lines,
            actions,
        }
    }

    /// The place in the list of a cluster, system or clip.
    pub fn node(&self, number: usize) -> Option<usize> {
        self.nodes
            .binary_search_by_key(&number, |node| node.number)
            .ok()
    }

    /// The node at a place of the sheet, with some slack.
    pub fn at(&self, place: Pos2, slack: f32) -> Option<usize> {
        let near = self.nodes.iter().enumerate().filter_map(|(at, node)| {
            let away = node.place.distance(place) - node.radius;
            (away <= slack).then_some((at, away))
        });
        near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
    }
}

/// A few poses are unlike all others: they are drawn nearer, or everything else would be a heap in the middle. Who is
/// farther out stays farther out.
fn draw_in(places: &mut [Place]) {
    /// So many are where the distances say.
    const KEPT: f64 = 0.9;
    let n = places.len() as f64;
    let middle = places.iter().fold([0.0; 2], |sum, place| {
        [sum[0] + place[0] / n, sum[1] + place[1] / n]
    });
    let away = |place: &Place| (place[0] - middle[0]).hypot(place[1] - middle[1]);
    let mut all: Vec<f64> = places.iter().map(away).collect();
    all.sort_by(f64::total_cmp);
    let Some(&far) = all.get((KEPT * n) as usize).filter(|far| **far > 0.0) else {
        return;
    };
    for place in places {
        let times = away(place) / far;
        if times > 1.0 {
            let share = (1.0 + times.ln()) / times;
            *place = [0, 1].map(|axis| middle[axis] + share * (place[axis] - middle[axis]));
        }
    }
}

/// All drawings of one transition graph.
#[derive(Debug)]
pub struct GraphDrawings {
    /// The graph as clusters of poses.
    pub clusters: Arc<Drawing>,
    /// The graph as clips and the transitions between them.
    pub actions: Arc<Drawing>,
}

impl GraphDrawings {
    /// Lays out both levels of this graph.
    pub fn of(graph: &TransitionGraph) -> Self {
        let clusters = Drawing::of_graph(graph);
        Self {
            actions: Arc::new(Drawing::of_actions(graph, &clusters)),
            clusters: Arc::new(clusters),
        }
    }
}

fn most(counts: &[usize]) -> usize {
    let best = counts
        .iter()
        .enumerate()
        .max_by_key(|(at, n)| (**n, usize::MAX - at));
    best.map_or(0, |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{Action, make};
    use crate::jobs::Ticket;
    use crate::transition::GraphSettings;

    #[test]
    fn clusters_lie_where_their_poses_are_alike_and_do_not_overlap() {
        let clips: Vec<_> = [Action::Jab, Action::FrontKick]
            .iter()
            .flat_map(|action| (0..2).map(|take| Arc::new(make(*action, 3, take).clip)))
            .collect();
        let settings = GraphSettings::default();
        let graph = TransitionGraph::build(&clips, &settings, &Ticket::default()).unwrap();
        let drawings = GraphDrawings::of(&graph);
        let drawing = &drawings.clusters;
        let frames: usize = drawing.nodes.iter().map(|n| n.n_frames).sum();
        assert_eq!(frames, graph.summary().frames);
        assert_eq!(drawing.lines.len(), graph.edges().count());
        let (mut overlaps, mut pairs) = (0, 0);
        let (mut near, mut far) = (Vec::new(), Vec::new());
        for (a, one) in drawing.nodes.iter().enumerate() {
            for two in &drawing.nodes[..a] {
                let apart = one.place.distance(two.place);
                overlaps += usize::from(apart < 0.9 * (one.radius + two.radius));
                pairs += 1;
                let distance = graph.centres().distance(one.number, two.number);
                if f64::from(distance) < 1.5 * graph.threshold() {
                    near.push(apart);
                } else {
                    far.push(apart);
                }
            }
        }
        assert!(overlaps * 50 <= pairs, "{overlaps} of {pairs} overlap");
        let mean = |all: &[f32]| all.iter().sum::<f32>() / all.len().max(1) as f32;
        assert!(
            mean(&near) < 0.7 * mean(&far),
            "{} {}",
            mean(&near),
            mean(&far)
        );
        assert_eq!(drawings.actions.nodes.len(), 4);
        let again = GraphDrawings::of(&graph);
        assert_eq!(*again.clusters, **drawing);
        let first = &drawing.nodes[0];
        assert_eq!(drawing.at(first.place, 0.0), Some(0));
        assert_eq!(drawing.node(first.number), Some(0));
    }
}
