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
//! Where this departs: the body root is turned to face forward, since clips of a set are captured facing anywhere; contacts are found as
//! everywhere in this program; several inputs are one (windows do not reach from one to the next); and the last window counts,
//! too, which the published code leaves out. The published dynamic programme is cubic in the frames; this one keeps for each pair of
//! frames the best way to be there, and takes the product of the two lengths.

use crate::motion::contacts::{self, ContactSettings, Parts};
use crate::motion::{Body, Clip, HeadingFrame, Quat, WorldPose, body, heading};
use crate::numerics::rows::{Rows, squared_distance};

/// The rate of both papers.
const FPS: f64 = 30.0;
/// Frames of a window for coverage, and of a segment at the least.
const LONG: usize = 30;
/// Frames of a window for local diversity.
const SHORT: usize = 15;
/// A window nearer than this a frame is covered.
const COVERED: f64 = 2.0;

/// What one output comes to against the inputs.
#[derive(Debug, Clone, PartialEq)]
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
    /// Joints that count.
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

    /// Measures one output on the same skeleton.
    pub fn measure(&self, output: &Clip) -> SingleMotion {
        let own = self.rows(output);
        let costs: Vec<Costs> = self
            .inputs
            .iter()
            .map(|input| Costs::of(&own, input))
            .collect();
        let local = windows(&costs, own.len(), SHORT);
        let furthest = local.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        let frames_per_row = output.fps() / FPS;
        SingleMotion {
            coverage: coverage(&costs),
            global_diversity: patched(&costs, own.len(), LONG),
            local_diversity: mean(&local),
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
        let down = self.contacts(clip);
        let step = clip.fps() / FPS;
        let n = ((clip.n_frames() - 1) as f64 / step + 1e-6) as usize + 1;
        let n_dims = 6 * self.joints.len() + self.feet.len();
        let mut values = Vec::with_capacity(n * n_dims);
        let mut world = WorldPose::of(skeleton, clip.frame(0));
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
            values.extend(down.iter().map(|frames| f32::from(u8::from(frames[frame]))));
        }
        Rows::new(n_dims, values)
    }

    /// For each foot joint in which frames it stands.
    fn contacts(&self, clip: &Clip) -> Vec<Vec<bool>> {
        let settings = ContactSettings {
            parts: Parts::Feet,
            ..ContactSettings::default()
        };
        let found = contacts::detect(clip, &settings).map_or_else(|_| Vec::new(), |d| d.contacts);
        let mut down = vec![vec![false; clip.n_frames()]; self.feet.len()];
        for contact in found {
            if let Some(foot) = self.feet.iter().position(|&joint| joint == contact.joint) {
                down[foot][contact.frames].fill(true);
            }
        }
        down
    }
}

/// The 6D representation of Zhou et al. 2019.
fn two_rows(rotation: &Quat) -> impl Iterator<Item = f32> + use<> {
    let matrix = rotation.to_rotation_matrix().into_inner();
    let numbers = [0, 1].map(|row| [0, 1, 2].map(|column| matrix[(row, column)] as f32));
    numbers.into_iter().flatten()
}

/// Distances of all frames of an output from all frames of an input, as sums along diagonals: `sums[i, j]` is the distance of the
/// last frames before `i` and `j` and of all those before them in step.
struct Costs {
    n_input: usize,
    n_output: usize,
    sums: Vec<f64>,
}

impl Costs {
    fn of(output: &Rows, input: &Rows) -> Self {
        let (n_output, n_input) = (output.len(), input.len());
        let mut sums = vec![0.0; (n_output + 1) * (n_input + 1)];
        for i in 0..n_output {
            for j in 0..n_input {
                let apart = squared_distance(output.row(i), input.row(j)).sqrt();
                let before = sums[i * (n_input + 1) + j];
                sums[(i + 1) * (n_input + 1) + j + 1] = before + f64::from(apart);
            }
        }
        Self {
            n_input,
            n_output,
            sums,
        }
    }

    /// Total distance of so many frames that end before `i` and `j`.
    fn last(&self, i: usize, j: usize, n: usize) -> f64 {
        let at = |i: usize, j: usize| self.sums[i * (self.n_input + 1) + j];
        at(i, j) - at(i - n, j - n)
    }
}

/// Distance a frame of every window of the output from the nearest of the inputs.
fn windows(costs: &[Costs], n_output: usize, n: usize) -> Vec<f64> {
    let nearest = |end: usize| {
        let all = costs
            .iter()
            .flat_map(|c| (n..=c.n_input).map(move |j| c.last(end, j, n)));
        all.fold(f64::INFINITY, f64::min) / n as f64
    };
    let each = (n..=n_output).map(nearest);
    each.filter(|d| d.is_finite()).collect()
}

fn coverage(costs: &[Costs]) -> Option<f64> {
    let (mut n_covered, mut n_windows) = (0, 0);
    for cost in costs.iter().filter(|c| c.n_output >= LONG) {
        for j in LONG..=cost.n_input {
            let nearest = (LONG..=cost.n_output).map(|i| cost.last(i, j, LONG));
            let nearest = nearest.fold(f64::INFINITY, f64::min) / LONG as f64;
            n_covered += usize::from(nearest < COVERED);
            n_windows += 1;
        }
    }
    (n_windows > 0).then(|| f64::from(n_covered as u32) / n_windows as f64)
}

/// Mean distance a frame of the best patchwork of segments of at least `n` frames.
fn patched(costs: &[Costs], n_output: usize, n: usize) -> Option<f64> {
    if n_output < n || costs.iter().all(|c| c.n_input < n) {
        return None;
    }
    // The least cost of all frames before `i`.
    let mut whole = vec![f64::INFINITY; n_output + 1];
    whole[0] = 0.0;
    // The same if the frame before `i` is matched with the one before `j`, in a segment that is long enough to end.
    let mut inside: Vec<Vec<f64>> = costs
        .iter()
        .map(|c| vec![f64::INFINITY; c.n_input + 1])
        .collect();
    for i in n..=n_output {
        for (cost, inside) in costs.iter().zip(&mut inside) {
            for j in (n..=cost.n_input).rev() {
                let begun = whole[i - n] + cost.last(i, j, n);
                let longer = inside[j - 1] + cost.last(i, j, 1);
                inside[j] = begun.min(longer);
                whole[i] = whole[i].min(inside[j]);
            }
        }
    }
    Some(whole[n_output].max(0.0) / n_output as f64).filter(|d| d.is_finite())
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
            let quick = patched(&[Costs::of(&output, &input)], n_output, n).unwrap();
            let slow = patched_by_definition(&output, &input, n);
            assert!((quick - slow).abs() < 1e-9, "{quick} is not {slow}");
        }
        let (output, input) = (noise(5, 1), noise(9, 2));
        assert_eq!(
            patched(&[Costs::of(&output, &input)], 5, 6),
            None,
            "too short"
        );
    }

    #[test]
    fn patches_of_several_inputs_do_not_reach_across() {
        let (a, b) = (noise(8, 1), noise(8, 2));
        let both: Vec<f32> = a.iter().chain(b.iter()).flatten().copied().collect();
        let both = Rows::new(3, both);
        let costs = [Costs::of(&both, &a), Costs::of(&both, &b)];
        assert!(
            patched(&costs, 16, 4).unwrap() < 1e-9,
            "a patchwork of both"
        );
        let across = both.slice(4..12);
        let costs = [Costs::of(&across, &a), Costs::of(&across, &b)];
        assert!(
            patched(&costs, 8, 5).unwrap() > 0.1,
            "not with longer segments"
        );
    }
}
