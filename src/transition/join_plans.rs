//! The ways of getting to an action that are worth trying: direct joins, a path of the graph, a curve through cluster
//! centres.

use std::ops::Range;
use std::sync::Arc;

use super::bezier;
use super::graph::{TransitionGraph, TransitionInstance};
use super::synthesis::{
    JoinPlan, JoinStep, JoinTask, TransitionKind, TransitionMethod, TransitionSettings,
};
use crate::motion::join::{JoinClip, JoinKind, JoinSettings, JoinShape, Match, Strip};
use crate::numerics::cheapest_paths::NodePath;
use crate::numerics::random::Stream;

/// The grid of section 5.3, in frames at 30 a second.
const GRID: (f64, f64) = (10.0, 25.0);
/// The grid goes into the action over this share of it at most.
const SKIP_SHARE: f64 = 0.1;
/// A frame (at 30 a second) of the source or the action that is not shown weighs like this much distance: of two
/// places that are nearly as good, the one that shows more is taken.
const PER_SKIPPED: f64 = 0.02;
/// Short clips of a path last at most so long.
const MOST_CLIP_SECS: f64 = 1.0;
/// Joins within a path are this long.
const PATH_JOIN_SECS: f64 = 0.3;
/// Lengths that are tried for joins.
const LENGTHS_SECS: [f64; 4] = [0.5, 0.33, 0.75, 1.0];
/// The paper blends over so many frames (at 30 a second).
const PAPER_BLEND: f64 = 10.0;
/// Paths that are tried where nothing kept to the limits.
const MORE_PATHS: usize = 2;
/// Paths that take longer are not tried: the wait for the action would be too long.
const MOST_PATH_SECS: f64 = 2.0;

/// Frames of a clip that go along some edges of a path.
struct PathSegment {
    clip: Arc<JoinClip>,
    frames: Range<usize>,
    n_edges: usize,
}

impl TransitionGraph {
    /// Joins of the action, in all lengths and kinds that are asked for.
    pub(super) fn direct(
        &self,
        strip: &Strip,
        task: &JoinTask<'_>,
        settings: &TransitionSettings,
    ) -> Vec<JoinPlan> {
        let rig = self.rig();
        let (leave, enter, distance) = self.best_place(strip, task);
        let kinds = match settings.kind {
            Some(kind) => vec![kind],
            None => vec![JoinKind::Dead, JoinKind::Quintic],
        };
        let lengths = settings
            .secs
            .map_or(LENGTHS_SECS.to_vec(), |secs| vec![secs]);
        let mut plans = Vec::new();
        for &kind in &kinds {
            for &secs in &lengths {
                // What a quintic does better it does over the middle length; the others need not be tried.
                if kinds.len() > 1
                    && kind == JoinKind::Quintic
                    && secs != LENGTHS_SECS[0]
                    && settings.secs.is_none()
                {
                    continue;
                }
                let frames = ((secs * rig.fps).round() as usize).min(task.frames.end - enter - 1);
                plans.push(JoinPlan {
                    kind: TransitionKind::Direct(kind),
                    cost: f64::from(distance),
                    steps: vec![JoinStep::Action {
                        leave,
                        enter,
                        settings: JoinSettings {
                            kind,
                            frames,
                            matching: settings.matching,
                            shape: settings.shape,
                        },
                    }],
                });
            }
        }
        plans
    }

    /// What is tried where nothing kept to the limits: joins over which the pelvis goes on instead of the feet, joins
    /// into the first frame of the action and into the last one that the grid may take, and other candidate paths.
    pub(super) fn last_resorts(
        &self,
        strip: &Strip,
        task: &JoinTask<'_>,
        settings: &TransitionSettings,
        stream: &mut Stream,
    ) -> Vec<JoinPlan> {
        let mut plans = Vec::new();
        if settings.matching == Match::Auto {
            let by_pelvis = TransitionSettings {
                matching: Match::Pelvis,
                ..settings.clone()
            };
            plans = self.direct(strip, task, &by_pelvis);
        }
        if task.may_skip {
            let tried = self.best_place(strip, task).1;
            let last = task.frames.start + self.most_skipped(task);
            let mut starts = vec![last, task.frames.start];
            starts.dedup();
            for start in starts.into_iter().filter(|&start| start != tried) {
                let fixed = JoinTask {
                    frames: start..task.frames.end,
                    may_skip: false,
                    ..task.clone()
                };
                plans.extend(self.direct(strip, &fixed, settings));
            }
        }
        plans.extend((0..MORE_PATHS).filter_map(|_| self.path(strip, task, settings, stream)));
        plans
    }

    /// Where the source is left and the action entered: the smallest distance in the grid.
    fn best_place(&self, strip: &Strip, task: &JoinTask<'_>) -> (usize, usize, f32) {
        let rig = self.rig();
        let back = rig.frames_at_30(GRID.0).max(1);
        let leaves = task.leaves.start.max(task.leaves.end.saturating_sub(back))..task.leaves.end;
        let enters = task.frames.start..task.frames.start + self.most_skipped(task) + 1;
        self.grid(strip, leaves, task.action, enters)
    }

    /// How many frames of the action may be left out.
    fn most_skipped(&self, task: &JoinTask<'_>) -> usize {
        if !task.may_skip {
            return 0;
        }
        let grid = GRID.1 * self.rig().fps / 30.0;
        (task.frames.len() as f64 * SKIP_SHARE).min(grid) as usize
    }

    fn grid(
        &self,
        strip: &Strip,
        leaves: Range<usize>,
        clip: &JoinClip,
        enters: Range<usize>,
    ) -> (usize, usize, f32) {
        let rows = strip.rows();
        let per_skipped = (PER_SKIPPED * 30.0 / self.rig().fps) as f32;
        let mut best = (leaves.end - 1, enters.start, f32::INFINITY, f32::INFINITY);
        for leave in leaves.clone() {
            for enter in enters.clone() {
                let distance = rows.distance_of(rows.row(leave), clip.rows.row(enter));
                let skipped = (leaves.end - 1 - leave) + (enter - enters.start);
                let weighed = distance + per_skipped * skipped as f32;
                if weighed < best.3 {
                    best = (leave, enter, distance, weighed);
                }
            }
        }
        (best.0, best.1, best.2)
    }

    /// A candidate path, drawn in proportion to 1 / cost, and the clips along it. Nothing where there is none, or
    /// where it takes too long.
    pub(super) fn path(
        &self,
        strip: &Strip,
        task: &JoinTask<'_>,
        settings: &TransitionSettings,
        stream: &mut Stream,
    ) -> Option<JoinPlan> {
        let rig = self.rig();
        let paths = self.task_paths(strip, task);
        let path = match settings.path {
            Some(chosen) => paths.get(chosen)?,
            None => drawn(&paths, stream)?,
        };
        let is_paper = settings.means == TransitionMethod::Paper;
        let join = JoinSettings {
            kind: match settings.kind {
                Some(kind) => kind,
                None if is_paper => JoinKind::Fade,
                None => JoinKind::Dead,
            },
            frames: match settings.secs {
                Some(secs) => ((secs * rig.fps).round() as usize).max(1),
                None if is_paper => rig.frames_at_30(PAPER_BLEND).max(1),
                None => ((PATH_JOIN_SECS * rig.fps).round() as usize).max(1),
            },
            matching: settings.matching,
            shape: JoinShape::default(),
        };
        let from = task.leaves.start.saturating_sub(rig.frames_at_30(4.0) + 4);
        let mut made = strip.tail(from);
        let mut leaves = task.leaves.start - from..task.leaves.end - from;
        let mut steps = Vec::new();
        let back = rig.frames_at_30(GRID.0).max(1);
        let mut nodes = &path.nodes[..];
        while nodes.len() > 1 {
            let end = made.rows().row(leaves.end - 1);
            let segment = self.best_piece(&made, end, nodes, is_paper)?;
            let PathSegment {
                clip,
                frames,
                n_edges,
            } = segment;
            let front = (frames.start + rig.frames_at_30(GRID.1)).min(frames.end - 1);
            let front = frames.start..front.max(frames.start + 1);
            let (leave, enter, _) = self.grid(&made, leaves.clone(), &clip, front);
            // The clip goes on behind the path's end until the next join cuts it: feet have to know where they will
            // stand.
            let more = (frames.end + 2 * join.frames).min(clip.n_frames());
            made.join(leave, &clip, enter..more, &join);
            steps.push(JoinStep::PathSegment {
                leave: leave + from,
                clip,
                frames: enter..more,
                settings: join,
            });
            nodes = &nodes[n_edges..];
            let end = leave + 1 + frames.end - enter;
            leaves = (leave + 1).max(end.saturating_sub(back))..end;
            if end > task.leaves.end - from + (MOST_PATH_SECS * rig.fps) as usize {
                return None;
            }
        }
        let last = JoinTask {
            leaves,
            ..task.clone()
        };
        let (leave, enter, _) = self.best_place(&made, &last);
        let frames = match (settings.secs, is_paper) {
            (Some(secs), _) => (secs * rig.fps).round() as usize,
            (None, true) => join.frames,
            (None, false) => (LENGTHS_SECS[0] * rig.fps).round() as usize,
        };
        let frames = frames.min(task.frames.end - enter - 1);
        steps.push(JoinStep::Action {
            leave: leave + from,
            enter,
            settings: JoinSettings {
                frames,
                shape: settings.shape,
                ..join
            },
        });
        Some(JoinPlan {
            kind: TransitionKind::Path(path.nodes.clone()),
            cost: path.cost,
            steps,
        })
    }

    /// The short clip that goes along the first edge of a path, or further, and whose first frame is nearest to a pose.
    ///
    /// Departure: the paper joins a clip for each edge. A clip that goes on along the path is followed as far as it
    /// does; each join less is one less to be seen.
    fn best_piece(
        &self,
        made: &Strip,
        end: &[f32],
        nodes: &[u32],
        is_paper: bool,
    ) -> Option<PathSegment> {
        let most = (MOST_CLIP_SECS * self.rig().fps) as usize;
        let edge = self.edge(nodes[0], nodes[1])?;
        let segments = edge
            .instances
            .iter()
            .filter(|instance| instance.frames.len() <= most)
            .map(|instance| {
                let mut segment = self.segment(instance);
                for pair in nodes[1..].windows(2).take_while(|_| !is_paper) {
                    let longer = self.edge(pair[0], pair[1]).and_then(|edge| {
                        let on = edge.instances.iter().filter(|s| {
                            s.clip == instance.clip && s.is_backward == instance.is_backward
                        });
                        let mut on = on.map(|s| self.segment(s).frames);
                        on.find(|f| f.start < segment.frames.end && f.end > segment.frames.end)
                    });
                    let Some(longer) = longer else { break };
                    if longer.end - segment.frames.start > most {
                        break;
                    }
                    segment.frames.end = longer.end;
                    segment.n_edges += 1;
                }
                segment
            });
        let rows = made.rows();
        let distance = |p: &PathSegment| {
            rows.distance_of(end, p.clip.rows.row(p.frames.start)) / p.n_edges as f32
        };
        segments.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// The frames of a transition, the way they are played.
    fn segment(&self, instance: &TransitionInstance) -> PathSegment {
        let member = self.member(instance.clip);
        let (clip, frames) = match (&member.reverse, instance.is_backward) {
            (Some(reverse), true) => {
                let n = reverse.n_frames();
                (reverse, n - instance.frames.end..n - instance.frames.start)
            }
            _ => (&member.clip, instance.frames.clone()),
        };
        PathSegment {
            clip: Arc::clone(clip),
            frames,
            n_edges: 1,
        }
    }

    /// An interpolation through cluster centres.
    pub(super) fn bezier(
        &self,
        strip: &Strip,
        task: &JoinTask<'_>,
        settings: &TransitionSettings,
    ) -> Option<JoinPlan> {
        let leave = task.leaves.end - 1;
        let (rows, row) = (strip.rows(), strip.rows().row(leave));
        let first = task.action.rows.row(task.frames.start);
        let source = self.locate(row, None)?.0;
        let target = self.locate(first, None)?.0;
        let distance = f64::from(rows.distance_of(row, first));
        // Eq. (2), in frames at 30 a second.
        let frames = (distance / settings.sigma).clamp(4.0, 45.0);
        let n = match settings.secs {
            Some(secs) => (secs * self.rig().fps).round() as usize,
            None => self.rig().frames_at_30(frames),
        };
        let (kind, visited) = match settings.means {
            TransitionMethod::Linear => (TransitionKind::Linear, Vec::new()),
            means => {
                let visited = match means {
                    TransitionMethod::Paper => bezier::greedy(self, source, target),
                    _ => bezier::chain(self, source, target),
                };
                (TransitionKind::Bezier(visited.clone()), visited)
            }
        };
        Some(JoinPlan {
            cost: distance,
            kind,
            steps: vec![JoinStep::Curve {
                leave,
                enter: task.frames.start,
                visited,
                n: n.max(1),
            }],
        })
    }
}

impl TransitionGraph {
    /// The candidate paths from where the source is left last to where the action begins, cheapest first.
    pub fn task_paths(&self, strip: &Strip, task: &JoinTask<'_>) -> Vec<NodePath> {
        let source = self.locate(strip.rows().row(task.leaves.end - 1), None);
        let target = self.locate(task.action.rows.row(task.frames.start), None);
        match (source, target) {
            (Some((source, _)), Some((target, _))) => self.paths(source, target),
            _ => Vec::new(),
        }
    }
}

/// One of the paths, with a probability in proportion to 1 / cost.
fn drawn<'a>(paths: &'a [NodePath], stream: &mut Stream) -> Option<&'a NodePath> {
    let weight = |cost: f64| 1.0 / cost.max(1e-9);
    let total: f64 = paths.iter().map(|p| weight(p.cost)).sum();
    let mut left = stream.uniform() * total;
    for path in paths {
        left -= weight(path.cost);
        if left < 0.0 {
            return Some(path);
        }
    }
    paths.last()
}
