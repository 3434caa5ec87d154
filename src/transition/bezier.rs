//! Interpolation through the space of poses that are known, for pairs without a path (Peng 2007, section 5.4).
//!
//! From the cluster of the source one goes to the nearest cluster among those that are nearer to the target than one
//! is, until the target's is reached (Fig. 8). The paper takes the means of the first and of the second half of these
//! centres as inner control points of a Bezier curve (Fig. 9; with four points it is a cubic one). Its duration is the
//! distance over sigma (Eq. 2).
//!
//! Departures: two means of many centres are near the straight way, and the leg of a kick is still up while the arm of
//! the punch is out already. So all centres are control points, of a cubic B-spline, which is that Bezier curve where
//! there are two of them. Going to the nearest centre each time wanders (from a kick to a punch by way of a jump); the
//! chain with the least sum of squared distances does not. And the curve as written meets neither velocity: its ends
//! are corrected by cubics that begin with what is missing of the source's velocity and end with what is missing of
//! the target's, so it is C1 at both ends.

use super::graph::TransitionGraph;
use crate::motion::rotation::mean;
use crate::motion::{Pose, Quat, Vec3};

/// More centres than these are not looked at: those that are least out of the way.
const MOST_CENTRES: usize = 64;
/// A centre whose way over it is longer than this many times the straight one is out of the way.
const DETOUR: f32 = 1.6;

/// How far apart the postures of two centres are. The curve goes through poses: how the centres were moving does not
/// count.
fn apart(graph: &TransitionGraph, a: u32, b: u32) -> f32 {
    let rows = graph.centres();
    rows.posture_distance_of(rows.row(a as usize), rows.row(b as usize))
}

fn live(graph: &TransitionGraph) -> impl Iterator<Item = u32> {
    let clusters = graph.clusters().iter().enumerate();
    clusters
        .filter(|(_, c)| !c.runs.is_empty())
        .map(|(at, _)| at as u32)
}

/// The paper's way from one cluster to another, both included: always the nearest of those that are nearer to the last.
pub(super) fn greedy(graph: &TransitionGraph, from: u32, to: u32) -> Vec<u32> {
    let mut visited = vec![from];
    let mut at = from;
    while at != to {
        let left = apart(graph, at, to);
        let next = live(graph)
            .filter(|&c| c != at && apart(graph, c, to) < left)
            .min_by(|&a, &b| apart(graph, a, at).total_cmp(&apart(graph, b, at)));
        at = next.unwrap_or(to);
        visited.push(at);
    }
    visited
}

/// The chain of clusters from one to another, both included, with the least sum of squared distances: many small
/// changes of posture rather than few large ones.
pub(super) fn chain(graph: &TransitionGraph, from: u32, to: u32) -> Vec<u32> {
    if from == to {
        return vec![from];
    }
    let straight = apart(graph, from, to);
    let over = |c: u32| apart(graph, from, c) + apart(graph, c, to);
    let mut nodes: Vec<(f32, u32)> = live(graph)
        .filter(|&c| c != from && c != to)
        .map(|c| (over(c), c))
        .filter(|(way, _)| *way <= DETOUR * straight)
        .collect();
    nodes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    nodes.truncate(MOST_CENTRES);
    let mut nodes: Vec<u32> = nodes.into_iter().map(|(_, c)| c).collect();
    nodes.extend([from, to]);
    // Dijkstra on the few that are left, all joined with all.
    let n = nodes.len();
    let (source, target) = (n - 2, n - 1);
    let mut best = vec![(f32::INFINITY, source); n];
    let mut is_done = vec![false; n];
    best[source].0 = 0.0;
    while let Some(at) = (0..n)
        .filter(|&i| !is_done[i])
        .min_by(|&a, &b| best[a].0.total_cmp(&best[b].0))
    {
        is_done[at] = true;
        if at == target {
            break;
        }
        for next in (0..n).filter(|&i| !is_done[i]) {
            let step = apart(graph, nodes[at], nodes[next]);
            let cost = best[at].0 + step * step;
            if cost < best[next].0 {
                best[next] = (cost, at);
            }
        }
    }
    let mut chain = vec![to];
    let mut at = target;
    while at != source {
        at = best[at].1;
        chain.push(nodes[at]);
    }
    chain.reverse();
    chain
}

/// The centres of clusters, each as a control point.
pub(super) fn centres(graph: &TransitionGraph, visited: &[u32]) -> Vec<Pose> {
    let pose = |&c: &u32| {
        let (clip, frame) = graph.clusters()[c as usize].centre;
        graph.member(clip).clip.pose_at_origin(graph.rig(), frame)
    };
    visited.iter().map(pose).collect()
}

/// The paper's inner control points: means of the centres of both halves.
pub(super) fn halves(centres: &[Pose]) -> Vec<Pose> {
    if centres.is_empty() {
        return Vec::new();
    }
    let half = centres.len().div_ceil(2);
    let rest = centres.len() - half;
    vec![mean_pose(&centres[..half]), mean_pose(&centres[rest..])]
}

fn mean_pose(poses: &[Pose]) -> Pose {
    let mut pose = poses[0].clone();
    for (j, q) in pose.rotations.iter_mut().enumerate() {
        *q = mean(poses.iter().map(|p| &p.rotations[j]));
    }
    for (s, t) in pose.translations.iter_mut().enumerate() {
        *t = poses.iter().map(|p| p.translations[s]).sum::<Vec3>() / poses.len() as f64;
    }
    pose
}

/// Where a curve begins and ends.
pub(super) struct CurveEnds<'a> {
    pub(super) from: &'a Pose,
    pub(super) to: &'a Pose,
    /// The pose before the first and the one after the last, whose velocities the curve shall meet; without them it is
    /// the paper's, which meets none.
    pub(super) velocities: Option<[&'a Pose; 2]>,
}

/// `n` poses between two, drawn towards the inner control points; without these, the straight way.
pub(super) fn curve(ends: &CurveEnds<'_>, inner: &[Pose], n: usize) -> Vec<Pose> {
    let steps = (n + 1) as f64;
    let mut points: Vec<&Pose> = vec![ends.from];
    points.extend(inner);
    points.push(ends.to);
    let spline = PoseBSpline::through(&points);
    let mut poses: Vec<Pose> = (1..=n)
        .map(|i| spline.at(&points, i as f64 / steps))
        .collect();
    let (Some([before, after]), [first, .., last]) = (ends.velocities, &poses[..]) else {
        return poses;
    };
    let (first, last) = (first.clone(), last.clone());
    for j in 0..ends.from.rotations.len() {
        let (from, to) = (&ends.from.rotations[j], &ends.to.rotations[j]);
        let starts = log(&before.rotations[j], from) - log(from, &first.rotations[j]);
        let stops = log(to, &after.rotations[j]) - log(&last.rotations[j], to);
        for (i, pose) in poses.iter_mut().enumerate() {
            let missing = correction(&starts, &stops, (i + 1) as f64 / steps, steps);
            pose.rotations[j] *= Quat::from_scaled_axis(missing);
        }
    }
    for k in 0..ends.from.translations.len() {
        let (from, to) = (ends.from.translations[k], ends.to.translations[k]);
        let starts = (from - before.translations[k]) - (first.translations[k] - from);
        let stops = (after.translations[k] - to) - (to - last.translations[k]);
        for (i, pose) in poses.iter_mut().enumerate() {
            pose.translations[k] += correction(&starts, &stops, (i + 1) as f64 / steps, steps);
        }
    }
    poses
}

/// A clamped B-spline of poses: it begins and ends with the first and last control point.
struct PoseBSpline {
    degree: usize,
    knots: Vec<f64>,
}

impl PoseBSpline {
    /// Knots follow the distances of the control points (de Boor's averages), so that the pose changes evenly.
    fn through(points: &[&Pose]) -> Self {
        let last = points.len() - 1;
        let degree = last.min(3);
        let mut along = vec![0.0];
        for pair in points.windows(2) {
            along.push(along[along.len() - 1] + gap(pair[0], pair[1]).max(1e-6));
        }
        let whole = along[last];
        let mut knots = vec![0.0; degree + 1];
        for j in 1..=last - degree {
            let mean = along[j..j + degree].iter().sum::<f64>() / degree as f64;
            knots.push(mean / whole);
        }
        knots.extend(std::iter::repeat_n(1.0, degree + 1));
        Self { degree, knots }
    }

    /// The pose at a share of the way, by de Boor's repeated interpolation.
    fn at(&self, points: &[&Pose], s: f64) -> Pose {
        let (p, t) = (self.degree, &self.knots);
        let span = t[p + 1..points.len()].partition_point(|&knot| knot <= s) + p;
        let mut row: Vec<Pose> = points[span - p..=span].iter().map(|&q| q.clone()).collect();
        for round in 1..=p {
            for j in (round..=p).rev() {
                let i = j + span - p;
                let width = t[i + 1 + p - round] - t[i];
                let share = if width > 0.0 { (s - t[i]) / width } else { 0.0 };
                row[j] = Pose::between(row[j - 1].as_ref(), row[j].as_ref(), share);
            }
        }
        row.swap_remove(p)
    }
}

/// How far joints turn from one pose to another, all together.
fn gap(a: &Pose, b: &Pose) -> f64 {
    let angles = a
        .rotations
        .iter()
        .zip(&b.rotations)
        .map(|(a, b)| a.angle_to(b));
    angles.map(|angle| angle * angle).sum::<f64>().sqrt()
}

/// Nothing at both ends, but with these slopes, by step.
fn correction(starts: &Vec3, stops: &Vec3, s: f64, steps: f64) -> Vec3 {
    let r = 1.0 - s;
    starts * (s * r * r * steps) - stops * (s * s * r * steps)
}

fn log(from: &Quat, to: &Quat) -> Vec3 {
    (from.inverse() * to).scaled_axis()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose(angle: f64) -> Pose {
        Pose {
            translations: vec![Vec3::new(angle, 0.0, 0.0)],
            rotations: vec![Quat::from_scaled_axis(Vec3::x() * angle)],
        }
    }

    #[test]
    fn velocities_are_met_at_both_ends() {
        let (before, from, to, after) = (pose(-0.05), pose(0.0), pose(1.0), pose(0.97));
        let inner = [pose(0.2), pose(1.4)];
        let n = 40;
        let made = |velocities| {
            let ends = CurveEnds {
                from: &from,
                to: &to,
                velocities,
            };
            let mut all = vec![from.clone()];
            all.extend(curve(&ends, &inner, n));
            all.push(to.clone());
            all.iter()
                .map(|p| p.rotations[0].scaled_axis().x)
                .collect::<Vec<f64>>()
        };
        let smooth = made(Some([&before, &after]));
        assert!(
            (smooth[1] - smooth[0] - 0.05).abs() < 0.006,
            "{}",
            smooth[1] - smooth[0]
        );
        assert!(
            (smooth[n + 1] - smooth[n] + 0.03).abs() < 0.006,
            "{}",
            smooth[n + 1] - smooth[n]
        );
        let paper = made(None);
        // Four points make a cubic Bezier curve: its middle is known.
        let middle = 0.5 * (paper[20] + paper[21]);
        assert!(
            (middle - (0.0 + 3.0 * 0.2 + 3.0 * 1.4 + 1.0) / 8.0).abs() < 0.01,
            "{middle}"
        );
        assert!(
            (paper[1] - paper[0] - 0.6 / 41.0).abs() < 0.002,
            "three times the way to the first point"
        );
    }
}
