//! The three numbers of generators that learn from a single motion, by their definitions, so that they compare with published ones.
//!
//! GANimator (Li et al. 2022, section 5.1 and its published evaluation code) and GenMM (Li et al. 2023, section 4.1), at 30 frames a second, over
//! joint rotations as two rows of their matrices (6D) and the labels of foot contacts; frames are as far apart as these numbers'
//! Euclidean distance.
//! - **Coverage**: share of the 30-frame windows of the input whose nearest window of the output is less than 2.0 a frame away.
//! - **Global diversity**: the output is cut into segments of at least 30 frames, each matched with as many frames of the input;
//!   cuts and matches are those of the least total distance; a frame's mean of it ("patched nearest neighbours").
//! - **Local diversity**: mean distance a frame of the output's 15-frame windows from the nearest window of the input.
//!
//! Where this departs: the body root is turned to face forward, since clips of a set are captured facing anywhere; contacts are told by
//! the speed of the feet as there, but on either side of a frame, so that a motion played twice has the labels of the motion; several inputs are one (windows do not reach from one to the next); and the last window counts,
//! too, which the published code leaves out. The published dynamic programme is cubic in the frames; this one keeps for each pair of
//! frames the best way to be there, and takes the product of the two lengths.

use std::collections::VecDeque;

use crate::motion::{Body, Clip, HeadingFrame, Quat, Vec3, WorldPose, body, heading};
use crate::numerics::rows::{Rows, squared_distance};

/// The rate of both papers.
const FPS: f64 = 30.0;
/// Frames of a window for coverage, and of a segment at the least.
const LONG: usize = 30;
/// Frames of a window for local diversity.
const SHORT: usize = 15;
/// A foot that moves by less than this in a thirtieth of a second has contact: 0.018 m of a body of 1.75 m, the threshold of
/// GANimator's code.
const STANDS: f64 = 0.0103;
/// Five minutes: the generators' motions last some seconds to a minute.
const MOST_ROWS: usize = 9000;
/// A window nearer than this a frame is covered.
const COVERED: f64 = 2.0;

/// What one output comes to against the inputs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SingleMotion {
    /// Share of the inputs' windows that the output shows; none if either is shorter than a window.
    pub coverage: Option<f64>,
    /// Distance a frame from the best patchwork of the inputs; none for outputs or inputs shorter than a segment.
    pub global_diversity: Option<f64>,
    /// Distance a frame of short windows; none for shorter clips.
    pub local_diversity: Option<f64>,
    /// Frame of the output in the middle of the short window that is furthest from the inputs.
    pub furthest_frame: Option<usize>,
}

/// The inputs, ready to be compared with.
pub struct Reference {
    heading: HeadingFrame,
    /// The joints that are measured.
    joints: Vec<usize>,
    feet: Vec<usize>,
    inputs: Vec<Rows>,
}

impl Reference {
    /// Looks at the inputs, at least one, all on one skeleton.
    pub fn new(inputs: &[&Clip]) -> Option<Self> {
        let first = *inputs.first()?;
        let skeleton = first.skeleton();
        let fingers = body::uncaptured_fingers(first);
        let heading = HeadingFrame::learn(inputs);
        // What carries the body root turns with the world.
        let above: Vec<usize> = skeleton.ancestors(heading.root).collect();
        let counts = |joint: &usize| {
            !fingers.contains(joint) && (*joint == heading.root || !above.contains(joint))
        };
        let joints = (0..skeleton.n_joints()).filter(counts).collect();
        let mut made = Self {
            heading,
            joints,
            feet: Body::of(skeleton).foot_joints().collect(),
            inputs: Vec::new(),
        };
        made.inputs = inputs.iter().map(|clip| made.rows(clip)).collect();
        Some(made)
    }

    /// Measures one output on the same skeleton. Clips of more than five minutes have no numbers: all of one is compared with
    /// all of the other.
    pub fn measure(&self, output: &Clip) -> SingleMotion {
        let own = self.rows(output);
        let is_long = |rows: &Rows| rows.len() > MOST_ROWS;
        if is_long(&own) || self.inputs.iter().any(is_long) {
            return SingleMotion::default();
        }
        let found = scan(&own, &self.inputs, SHORT, LONG);
        let furthest = found
            .local
            .iter()
            .enumerate()
            .max_by(|a, b| a.1.total_cmp(b.1));
        let frames_per_row = output.fps() / FPS;
        let covered = found.nearest.iter().filter(|d| **d < COVERED).count();
        SingleMotion {
            coverage: share(covered, found.nearest.len()),
            global_diversity: found.global,
            local_diversity: mean(&found.local),
            furthest_frame: furthest.map(|(row, _)| {
                let frame = ((row + SHORT / 2) as f64 * frames_per_row).round() as usize;
                frame.min(output.n_frames() - 1)
            }),
        }
    }

    /// Rotations and contacts of a clip, thirty times a second.
    fn rows(&self, clip: &Clip) -> Rows {
        let skeleton = clip.skeleton();
        let track = self.heading.track(clip);
        let step = clip.fps() / FPS;
        let n = ((clip.n_frames() - 1) as f64 / step + 1e-6) as usize + 1;
        let n_dims = 6 * self.joints.len() + self.feet.len();
        let mut values = Vec::with_capacity(n * n_dims);
        let mut world = WorldPose::of(skeleton, clip.frame(0));
        let mut feet: Vec<Vec<Vec3>> = Vec::with_capacity(n);
        for row in 0..n {
            let at = row as f64 * step;
            let frame = (at.round() as usize).min(clip.n_frames() - 1);
            let pose = clip.pose_at(at);
            world.update(skeleton, pose.as_ref());
            let forward = heading::turn(self.heading.up, -track.headings[frame]);
            for &joint in &self.joints {
                let rotation = if joint == self.heading.root {
                    forward * world.rotations[joint]
                } else {
                    pose.rotations[joint]
                };
                values.extend(two_rows(&rotation));
            }
            values.extend(self.feet.iter().map(|_| 0.0));
            feet.push(
                self.feet
                    .iter()
                    .map(|&foot| world.positions[foot])
                    .collect(),
            );
        }
        let limit = STANDS * body::height(clip);
        for row in 0..n {
            let labels = &mut values[row * n_dims + 6 * self.joints.len()..][..self.feet.len()];
            for (foot, label) in labels.iter_mut().enumerate() {
                *label = f32::from(u8::from(stands(&feet, row, foot, limit)));
            }
        }
        Rows::new(n_dims, values)
    }
}

/// Whether a foot moves by less than the limit from the row before or to the row after.
fn stands(feet: &[Vec<Vec3>], row: usize, foot: usize, limit: f64) -> bool {
    let neighbours = [row.checked_sub(1), Some(row + 1)];
    let mut near = neighbours
        .into_iter()
        .flatten()
        .filter_map(|other| feet.get(other));
    near.any(|other| (other[foot] - feet[row][foot]).norm() < limit)
}

/// The 6D representation of Zhou et al. 2019.
fn two_rows(rotation: &Quat) -> impl Iterator<Item = f32> + use<> {
    let matrix = rotation.to_rotation_matrix().into_inner();
    let numbers = [0, 1].map(|row| [0, 1, 2].map(|column| matrix[(row, column)] as f32));
    numbers.into_iter().flatten()
}

/// What is found on the way through an output.
#[derive(Debug, Default)]
struct Scan {
    /// Distance a frame of every short window of the output from the nearest of the inputs.
    local: Vec<f64>,
    /// Distance a frame of every long window of the inputs from the nearest of the output.
    nearest: Vec<f64>,
    /// Mean distance a frame of the best patchwork of segments that are at least as long as long windows.
    global: Option<f64>,
}

/// One input on the way through an output.
struct Beside<'a> {
    input: &'a Rows,
    /// For the last rows of the output: the distance of that row and of all before it in step from those that end at each row of the
    /// input. The newest is last.
    sums: VecDeque<Vec<f64>>,
    /// By the end of a long window of the input: the least total distance so far.
    nearest: Vec<f64>,
    /// By row of the input: the least cost of all of the output so far if its last row is matched with this one, in a
    /// segment that is long enough to end.
    inside: Vec<f64>,
}

impl<'a> Beside<'a> {
    fn new(input: &'a Rows) -> Self {
        let n = input.len() + 1;
        Self {
            input,
            sums: VecDeque::from([vec![0.0; n]]),
            nearest: vec![f64::INFINITY; n],
            inside: vec![f64::INFINITY; n],
        }
    }

    /// Takes the next row of the output.
    fn step(&mut self, row: &[f32], most: usize) {
        let last = &self.sums[self.sums.len() - 1];
        let mut next = vec![0.0; last.len()];
        for (j, other) in self.input.iter().enumerate() {
            next[j + 1] = last[j] + f64::from(squared_distance(row, other).sqrt());
        }
        self.sums.push_back(next);
        if self.sums.len() > most + 1 {
            self.sums.pop_front();
        }
    }

    /// Total distance of the last `n` rows of the output from the `n` rows of the input before `j`.
    fn last(&self, j: usize, n: usize) -> f64 {
        let newest = self.sums.len() - 1;
        self.sums[newest][j] - self.sums[newest - n][j - n]
    }

    /// The same for the nearest such rows; infinite if there are none.
    fn least(&self, n: usize) -> f64 {
        let all = (n..=self.input.len()).map(|j| self.last(j, n));
        all.fold(f64::INFINITY, f64::min)
    }

    /// The long window of the output that ends here is compared with those of the input; `begun` is the least cost of all before it. The
    /// least cost of all up to here comes back.
    fn long(&mut self, n: usize, begun: f64) -> f64 {
        let mut whole = f64::INFINITY;
        for j in (n..=self.input.len()).rev() {
            let window = self.last(j, n);
            self.nearest[j] = self.nearest[j].min(window);
            let longer = self.inside[j - 1] + self.last(j, 1);
            self.inside[j] = longer.min(begun + window);
            whole = whole.min(self.inside[j]);
        }
        whole
    }
}

/// Goes through an output once, beside all inputs.
fn scan(output: &Rows, inputs: &[Rows], short: usize, long: usize) -> Scan {
    let mut beside: Vec<Beside<'_>> = inputs.iter().map(Beside::new).collect();
    let mut found = Scan::default();
    // The least cost of the first rows.
    let mut whole = vec![f64::INFINITY; output.len() + 1];
    whole[0] = 0.0;
    for (at, row) in output.iter().enumerate() {
        let n = at + 1;
        for one in &mut beside {
            one.step(row, long.max(short));
        }
        if n >= short {
            let least = beside.iter().map(|one| one.least(short));
            let least = least.fold(f64::INFINITY, f64::min) / short as f64;
            found.local.extend(Some(least).filter(|d| d.is_finite()));
        }
        if n >= long {
            let begun = whole[n - long];
            let each = beside.iter_mut().map(|one| one.long(long, begun));
            whole[n] = each.fold(f64::INFINITY, f64::min);
        }
    }
    let total = whole[output.len()];
    let has_any = !output.is_empty() && total.is_finite();
    found.global = has_any.then(|| total.max(0.0) / output.len() as f64);
    if output.len() >= long {
        let windows = beside.iter().flat_map(|one| one.nearest.iter().skip(long));
        found.nearest = windows.map(|total| total / long as f64).collect();
    }
    found
}

fn share(part: usize, of: usize) -> Option<f64> {
    (of > 0).then(|| part as f64 / of as f64)
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::random::Stream;

    fn noise(n: usize, seed: u64) -> Rows {
        let mut stream = Stream::named(seed, &[]);
        Rows::new(3, (0..3 * n).map(|_| stream.normal() as f32).collect())
    }

    /// The definition, word by word: all cuts and all places, as the published code goes through them.
    fn patched_by_definition(output: &Rows, input: &Rows, n: usize) -> f64 {
        let cost = |from: usize, to: usize, k: usize| -> f64 {
            let each = (from..to).map(|i| {
                f64::from(squared_distance(output.row(i), input.row(k + i - from)).sqrt())
            });
            each.sum()
        };
        let mut best = vec![f64::INFINITY; output.len() + 1];
        best[0] = 0.0;
        for to in n..=output.len() {
            for from in 0..=to - n {
                for k in 0..(input.len() + 1).saturating_sub(to - from) {
                    best[to] = best[to].min(best[from] + cost(from, to, k));
                }
            }
        }
        best[output.len()] / output.len() as f64
    }

    #[test]
    fn the_quick_way_is_the_definition() {
        for (n_output, n_input, n) in [(23, 17, 4), (30, 9, 5), (12, 40, 6), (7, 7, 7)] {
            let (output, input) = (noise(n_output, 1), noise(n_input, 2));
            let quick = scan(&output, std::slice::from_ref(&input), 3, n);
            let slow = patched_by_definition(&output, &input, n);
            let global = quick.global.unwrap();
            assert!((global - slow).abs() < 1e-9, "{global} is not {slow}");
            let window = |a: &Rows, i: usize, b: &Rows, n: usize| {
                let cost = |j: usize| -> f64 {
                    let each = (0..n).map(|k| squared_distance(a.row(i + k), b.row(j + k)));
                    each.map(|d| f64::from(d.sqrt())).sum()
                };
                (0..=b.len() - n).map(cost).fold(f64::INFINITY, f64::min) / n as f64
            };
            for (i, found) in quick.local.iter().enumerate() {
                assert!(
                    (found - window(&output, i, &input, 3)).abs() < 1e-9,
                    "local {i}"
                );
            }
            for (j, found) in quick.nearest.iter().enumerate() {
                assert!(
                    (found - window(&input, j, &output, n)).abs() < 1e-9,
                    "window {j}"
                );
            }
            assert_eq!(quick.local.len(), n_output - 2);
            assert_eq!(quick.nearest.len(), n_input + 1 - n);
        }
        let short = scan(&noise(5, 1), &[noise(9, 2)], 3, 6);
        assert_eq!((short.global, short.nearest.len()), (None, 0), "too short");
        let short = scan(&noise(9, 1), &[noise(2, 2)], 3, 6);
        assert!(short.local.is_empty(), "too short an input");
    }

    #[test]
    fn patches_of_several_inputs_do_not_reach_across() {
        let (a, b) = (noise(8, 1), noise(8, 2));
        let both: Vec<f32> = a.iter().chain(b.iter()).flatten().copied().collect();
        let both = Rows::new(3, both);
        let inputs = [a, b];
        assert!(
            scan(&both, &inputs, 2, 4).global.unwrap() < 1e-9,
            "a patchwork of both"
        );
        let across = scan(&both.slice(4..12), &inputs, 2, 5);
        assert!(across.global.unwrap() > 0.1, "not with longer segments");
    }
}
