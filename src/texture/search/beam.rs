//! The beam search itself.
//!
//! All motions of a beam are equally long. They are ranked by cost over progress (TEXTURE of the pilot: cost over
//! metres walked plus 0.3), so that a motion that has come further for the same cost is ahead. Only the best two that
//! stand at the same frame are kept, or the beam would be one motion many times. Where a jump puts the body is
//! predicted as [`crate::motion::join`] does it: place and heading go on, turning is blended.

use rayon::prelude::*;

use super::settings::{SAME_PLACE_SECS, SAMPLES, frames};
use super::{Found, Goal, SearchCorpus, SearchSettings, Start, Visit};
use crate::motion::path::{Vec2, turned};
use crate::numerics::random::Stream;
use crate::texture::{FrameGraph, FrameId, Piece, Transition};

/// How a clip lies in the world.
#[derive(Debug, Clone, Copy)]
struct Placed {
    turn_rad: f64,
    shift: Vec2,
}

#[derive(Debug, Clone)]
struct Node<M> {
    parent: Option<usize>,
    /// The last frame that is shown.
    at: FrameId,
    /// The jump on the way here: the last frame shown before it and the first after it.
    jump: Option<(FrameId, FrameId)>,
    placed: Placed,
    /// Frames shown since the last jump.
    played: usize,
    /// Frames shown in all.
    length: usize,
    cost: f64,
    rank: f64,
    is_done: bool,
    memory: M,
}

/// Finds what to play, from one of the starts; none if there is no start from which a step can be made.
pub fn beam<G: Goal>(
    corpus: &SearchCorpus<'_>,
    goal: &G,
    starts: &[Start],
    settings: &SearchSettings,
) -> Option<Found> {
    let mut explored = Explored::default();
    explored.search(corpus, goal, starts, settings, 0)
}

/// What a search has tried, step by step. Where the motion that it found turns out rough, the search is taken up again
/// shortly before: what comes earlier stays, and is not searched twice.
#[derive(Debug)]
pub(super) struct Explored<M> {
    nodes: Vec<Node<M>>,
    steps: Vec<Step>,
}

/// A search before one of its steps.
#[derive(Debug, Clone)]
struct Step {
    beam: Vec<usize>,
    n_nodes: usize,
    furthest: Option<usize>,
}

impl<M> Default for Explored<M> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            steps: Vec::new(),
        }
    }
}

impl<M: Clone + Send + Sync> Explored<M> {
    /// Searches from [`STEPS_BACK`] before a frame of the last motion that was found; all of it the first time.
    pub(super) fn search<G: Goal<Memory = M>>(
        &mut self,
        corpus: &SearchCorpus<'_>,
        goal: &G,
        starts: &[Start],
        settings: &SearchSettings,
        frame: usize,
    ) -> Option<Found> {
        let search = Search::new(corpus, goal, settings);
        let step = (frame / search.step).saturating_sub(STEPS_BACK);
        self.steps.truncate(step + 1);
        search.run(starts, self)
    }
}

struct Search<'a, G: Goal> {
    corpus: &'a SearchCorpus<'a>,
    goal: &'a G,
    settings: &'a SearchSettings,
    step: usize,
    least_play: usize,
    blend: usize,
    /// How much of the target is seen in each frame of a blend.
    shares: Vec<f64>,
}

/// Transitions that are tried because they lead to another label.
const LEADING: usize = 5;
/// Steps that are still tried once something arrives.
const MORE_STEPS: usize = 4;
/// A search is taken up again so many steps before what was rough: more than those after the first arrival, so that
/// nothing has arrived by then.
const STEPS_BACK: usize = 5;
/// Added to progress, so that the first steps do not decide everything; metres.
const HEAD_START: f64 = 0.3;

impl<'a, G: Goal> Search<'a, G> {
    fn new(corpus: &'a SearchCorpus<'a>, goal: &'a G, settings: &'a SearchSettings) -> Self {
        let blend = settings.blend_frames(corpus.fps);
        let shares = (1..=blend).map(|k| smootherstep(k as f64 / blend as f64));
        Self {
            corpus,
            goal,
            settings,
            step: settings.step_frames(corpus.fps),
            least_play: frames(settings.least_play_secs, corpus.fps),
            blend,
            shares: shares.collect(),
        }
    }

    /// Goes on from the last step that was explored.
    fn run(&self, starts: &[Start], explored: &mut Explored<G::Memory>) -> Option<Found> {
        let Explored { nodes, steps } = explored;
        let first = steps.pop().unwrap_or_else(|| {
            nodes.extend(starts.iter().map(|s| self.root(s)));
            Step {
                beam: (0..starts.len()).collect(),
                n_nodes: starts.len(),
                furthest: None,
            }
        });
        nodes.truncate(first.n_nodes);
        let Step {
            mut beam,
            mut furthest,
            ..
        } = first;
        let mut best: Option<usize> = None;
        let mut more = MORE_STEPS;
        let mut n_tried = 0;
        let most = (self.goal.most_secs() * self.corpus.fps / self.step as f64).ceil();
        for level in steps.len() as u64..most.clamp(1.0, 1e6) as u64 {
            steps.push(Step {
                beam: beam.clone(),
                n_nodes: nodes.len(),
                furthest,
            });
            let ways = beam.par_iter();
            let ways = ways.flat_map_iter(|&at| self.expanded(nodes, at, level));
            let next: Vec<Node<G::Memory>> = ways.collect();
            n_tried += next.len();
            beam.clear();
            for node in self.best(&next).cloned() {
                let is_better = |than: Option<usize>, by: &dyn Fn(&Node<G::Memory>) -> f64| {
                    than.is_none_or(|b| by(&node) < by(&nodes[b]))
                };
                let to_go = |n: &Node<G::Memory>| n.rank - 10.0 * self.goal.progress(&n.memory);
                let at = nodes.len();
                if node.is_done {
                    if is_better(best, &|n| n.rank) {
                        best = Some(at);
                    }
                } else {
                    if is_better(furthest, &to_go) {
                        furthest = Some(at);
                    }
                    beam.push(at);
                }
                nodes.push(node);
            }
            if beam.is_empty() || (best.is_some() && more == 0) {
                break;
            }
            more -= usize::from(best.is_some());
        }
        let last = best.or(furthest)?;
        Some(self.found(nodes, last, starts, n_tried))
    }

    fn root(&self, start: &Start) -> Node<G::Memory> {
        let track = &self.corpus.tracks[start.at.clip];
        let place = track.places[start.at.frame];
        Node {
            parent: None,
            at: start.at,
            jump: None,
            placed: Placed {
                turn_rad: start.turn_rad,
                shift: start.place - turned(&place, start.turn_rad),
            },
            played: if start.may_jump { self.least_play } else { 0 },
            length: 1,
            cost: start.cost,
            rank: 0.0,
            is_done: false,
            memory: self.goal.begin(),
        }
    }

    /// All ways to go on from a node for one step.
    fn expanded(&self, nodes: &[Node<G::Memory>], from: usize, level: u64) -> Vec<Node<G::Memory>> {
        let node = &nodes[from];
        let mut next = Vec::new();
        let track = &self.corpus.tracks[node.at.clip];
        if node.at.frame + self.step < track.n_frames() {
            next.push(self.stepped(nodes, from, None, level));
        }
        for transition in self.jumps(node) {
            let jump = Some((transition.from, transition.to));
            let mut made = self.stepped(nodes, from, jump, level);
            made.cost += self
                .settings
                .distance_cost(self.corpus, transition.distance)
                + self.repeat(nodes, from, transition.to)
                + self
                    .settings
                    .rough_cost(transition.from, transition.to, self.corpus.fps);
            self.rank(&mut made);
            next.push(made);
        }
        next
    }

    /// The transitions that are tried in the next step: the nearest of the first frames that have some, and where
    /// another label is wanted, those that lead there soonest. Whoever shows the wrong label need not play it out, nor
    /// who is on the way to another: the way there may be several short stretches.
    fn jumps(&self, node: &Node<G::Memory>) -> Vec<&'a Transition> {
        let visit = self.visit(node.at, &node.placed, node.length);
        let is_off = self.goal.is_off(&node.memory, &visit);
        let least = if is_off { self.blend } else { self.least_play };
        let n_frames = self.corpus.tracks[node.at.clip].n_frames();
        let last = (node.at.frame + self.step).min(n_frames);
        let graph: &'a FrameGraph = self.corpus.graph;
        let fits = |t: &&Transition| {
            let rest = self.step - (t.from.frame - node.at.frame);
            t.to.frame + rest.max(self.blend) <= self.corpus.tracks[t.to.clip].n_frames()
                && self.corpus.allows(t.to)
        };
        let (at, played) = (node.at, node.played);
        let after = |least: usize| {
            let first = at.frame + least.saturating_sub(played);
            let frames = (first..last).map(move |frame| FrameId { frame, ..at });
            frames.flat_map(move |at| graph.leaving(at)).filter(fits)
        };
        let mut tried: Vec<&Transition> = after(least).take(self.settings.jumps).collect();
        let lead = |t: &'a Transition| {
            let lead = self.goal.lead(&node.memory, &visit, t.to)?;
            lead.is_finite().then_some((lead, t))
        };
        let mut leading: Vec<(f64, &Transition)> = after(self.blend).filter_map(lead).collect();
        leading.sort_by(|a, b| a.0.total_cmp(&b.0));
        tried.extend(leading.iter().take(LEADING).map(|(_, t)| *t));
        tried
    }

    /// One step further, with a jump or without.
    fn stepped(
        &self,
        nodes: &[Node<G::Memory>],
        from: usize,
        jump: Option<(FrameId, FrameId)>,
        level: u64,
    ) -> Node<G::Memory> {
        let node = &nodes[from];
        let mut made = Node {
            parent: Some(from),
            jump,
            ..node.clone()
        };
        let before = jump.map_or(self.step, |(leave, _)| leave.frame - node.at.frame);
        if let Some((leave, enter)) = jump {
            made.placed = self.jumped(&node.placed, leave, enter);
        }
        let mut cost = 0.0;
        for sample in 1..=SAMPLES {
            let shown = self.step * sample / SAMPLES;
            let at = match jump {
                Some((_, enter)) if shown > before => FrameId {
                    frame: enter.frame + shown - before - 1,
                    ..enter
                },
                _ => FrameId {
                    frame: node.at.frame + shown,
                    ..node.at
                },
            };
            let is_before = shown <= before;
            let placed = if is_before { node.placed } else { made.placed };
            let visit = self.visit(at, &placed, node.length + shown);
            cost += self.goal.visit(&mut made.memory, &visit);
            made.at = at;
            made.length = node.length + shown;
            made.is_done = self.goal.is_done(&made.memory);
            if made.is_done {
                // Arrived before the jump: then there is none.
                if is_before && jump.is_some() {
                    made.jump = None;
                    made.placed = node.placed;
                }
                break;
            }
        }
        let shown = made.length - node.length;
        made.played = match made.jump {
            Some(_) => shown - before,
            None => node.played + shown,
        };
        let names = [level, made.at.clip as u64, made.at.frame as u64];
        let jitter = Stream::named(self.settings.seed, &names).between(-1.0, 1.0);
        made.cost += cost * (1.0 + self.settings.jitter * jitter);
        self.rank(&mut made);
        made
    }

    /// Where a clip lies that is entered by a jump. As in [`crate::motion::join`], place and heading go on, and the
    /// velocity of the last frame is blended into that of the target.
    fn jumped(&self, placed: &Placed, leave: FrameId, enter: FrameId) -> Placed {
        let source = &self.corpus.tracks[leave.clip];
        let target = &self.corpus.tracks[enter.clip];
        let from = source.flow(leave.frame);
        let mut heading = source.headings[leave.frame] + placed.turn_rad;
        let mut place = turned(&source.places[leave.frame], placed.turn_rad) + placed.shift;
        let blended = self.blend.min(target.n_frames() - enter.frame);
        for (nth, share) in self.shares.iter().take(blended).enumerate() {
            let to = target.flow(enter.frame + nth);
            heading += from.1 + (to.1 - from.1) * share;
            place += turned(&from.0.lerp(&to.0, *share), heading);
        }
        let last = (enter.frame + blended).saturating_sub(1);
        let turn_rad = heading - target.headings[last];
        Placed {
            turn_rad,
            shift: place - turned(&target.places[last], turn_rad),
        }
    }

    fn visit(&self, at: FrameId, placed: &Placed, length: usize) -> Visit {
        let track = &self.corpus.tracks[at.clip];
        let back = if track.is_backward {
            std::f64::consts::PI
        } else {
            0.0
        };
        Visit {
            at,
            place: turned(&track.places[at.frame], placed.turn_rad) + placed.shift,
            heading_rad: track.headings[at.frame] + placed.turn_rad + back,
            course_rad: track.courses[at.frame] + placed.turn_rad,
            speed: track.speeds[at.frame],
            slide: track.slides[at.frame],
            secs: length as f64 / self.corpus.fps,
            label: track.labels[at.frame],
        }
    }

    /// Ranks by cost for progress, with what will have to be paid.
    fn rank(&self, node: &mut Node<G::Memory>) {
        let visit = self.visit(node.at, &node.placed, node.length);
        let progress = self.goal.progress(&node.memory).max(0.0) + HEAD_START;
        node.rank = (node.cost + self.goal.ahead(&node.memory, &visit)) / progress;
    }

    /// What it costs to come back to where the motion was lately.
    fn repeat(&self, nodes: &[Node<G::Memory>], from: usize, enter: FrameId) -> f64 {
        let near = (SAME_PLACE_SECS * self.corpus.fps) as usize;
        let lately = (self.settings.repeat_secs / self.settings.step_secs).ceil() as usize;
        let mut at = Some(from);
        for _ in 0..=lately {
            let Some(node) = at.map(|n| &nodes[n]) else {
                break;
            };
            let is_same = node.at.clip == enter.clip && node.at.frame.abs_diff(enter.frame) <= near;
            if is_same {
                return self.settings.repeat_cost;
            }
            at = node.parent;
        }
        0.0
    }

    /// The best, in order; two at most of those that stand at the same frame.
    fn best<'n>(
        &self,
        next: &'n [Node<G::Memory>],
    ) -> impl Iterator<Item = &'n Node<G::Memory>> + use<'n, G> {
        let order = |&a: &usize, &b: &usize| {
            let by_rank = next[a].rank.total_cmp(&next[b].rank);
            let by_place = || next[a].at.cmp(&next[b].at);
            let by_parent = || next[a].parent.cmp(&next[b].parent);
            by_rank
                .then_with(by_place)
                .then_with(by_parent)
                .then(a.cmp(&b))
        };
        // Nodes are large: it is quicker to sort where they are.
        let mut places: Vec<usize> = (0..next.len()).collect();
        places.sort_unstable_by(order);
        let mut seen = std::collections::BTreeMap::new();
        let is_kept = move |node: &&Node<G::Memory>| {
            let times = seen.entry(node.at).or_insert(0);
            *times += 1;
            *times <= 2
        };
        let each = places.into_iter().map(move |place| &next[place]);
        each.filter(is_kept).take(self.settings.width.max(1))
    }

    /// What a node has played.
    fn found(
        &self,
        nodes: &[Node<G::Memory>],
        last: usize,
        starts: &[Start],
        n_tried: usize,
    ) -> Found {
        let mut jumps = Vec::new();
        let mut at = last;
        while let Some(parent) = nodes[at].parent {
            jumps.extend(nodes[at].jump);
            at = parent;
        }
        // Roots are the first nodes, in the order of the starts.
        let start = starts[at];
        let mut first = start.at;
        let mut pieces = Vec::new();
        for (leave, enter) in jumps.into_iter().rev() {
            pieces.push(Piece {
                clip: first.clip,
                frames: first.frame..leave.frame + 1,
            });
            first = enter;
        }
        let end = &nodes[last];
        pieces.push(Piece {
            clip: first.clip,
            frames: first.frame..end.at.frame + 1,
        });
        Found {
            pieces,
            start,
            cost: end.cost,
            progress: self.goal.progress(&end.memory),
            is_done: end.is_done,
            n_tried,
        }
    }
}

/// The share of the target after a share of the blend: the curve of least jerk, as in joins.
fn smootherstep(s: f64) -> f64 {
    s * s * s * (s * (6.0 * s - 15.0) + 10.0)
}

/// Where the smoothed root is at every frame of some pieces, as the search sees it: one list for all frames, metres.
pub(super) fn trace(
    corpus: &SearchCorpus<'_>,
    found: &Found,
    settings: &SearchSettings,
) -> Vec<(FrameId, Vec2)> {
    let goal = Nothing;
    let search = Search::new(corpus, &goal, settings);
    let mut placed = search.root(&found.start).placed;
    let mut places = Vec::new();
    let mut leave: Option<FrameId> = None;
    for piece in &found.pieces {
        let at = |frame| FrameId {
            clip: piece.clip,
            frame,
        };
        if let Some(leave) = leave {
            placed = search.jumped(&placed, leave, at(piece.frames.start));
        }
        for frame in piece.frames.clone() {
            places.push((at(frame), search.visit(at(frame), &placed, 0).place));
        }
        leave = Some(at(piece.frames.end - 1));
    }
    places
}

/// A goal that asks for nothing.
struct Nothing;

impl Goal for Nothing {
    type Memory = ();
    fn begin(&self) {}
    fn visit(&self, (): &mut (), _: &Visit) -> f64 {
        0.0
    }
    fn progress(&self, (): &()) -> f64 {
        0.0
    }
    fn is_done(&self, (): &()) -> bool {
        true
    }
    fn is_off(&self, (): &(), _: &Visit) -> bool {
        false
    }
    fn ahead(&self, (): &(), _: &Visit) -> f64 {
        0.0
    }
    fn lead(&self, (): &(), _: &Visit, _: FrameId) -> Option<f64> {
        None
    }
    fn most_secs(&self) -> f64 {
        0.0
    }
}
