//! From a clip to complete rows of coordinates.

use nalgebra::Matrix3;

use super::branch::unroll;
use super::layout::ChartLayout;
use super::{JointAxes, Start};
use crate::motion::heading::{forward, left, turn};
use crate::motion::{Axis, Clip, HeadingFrame, RootTrack, Vec3};

/// A clip in all its coordinates, moving or not.
pub(super) struct CoordinateTable {
    pub(super) start: Start,
    pub(super) frame_secs: f64,
    pub(super) n_frames: usize,
    /// Coordinates per frame, still ones included.
    pub(super) width: usize,
    /// All coordinates, frame after frame.
    pub(super) values: Vec<f64>,
}

impl CoordinateTable {
    /// One coordinate over time.
    pub(super) fn column(&self, at: usize) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().skip(at).step_by(self.width).copied()
    }

    /// Three neighbouring coordinates over time.
    pub(super) fn triples(&self, at: usize) -> impl Iterator<Item = Vec3> + Clone + '_ {
        self.values
            .chunks_exact(self.width)
            .map(move |row| Vec3::new(row[at], row[at + 1], row[at + 2]))
    }

    fn set_triple(&mut self, frame: usize, at: usize, value: &Vec3) {
        let from = frame * self.width + at;
        self.values[from..from + 3].copy_from_slice(value.as_slice());
    }

    /// Turns three neighbouring coordinates into others.
    pub(super) fn map_triples(&mut self, at: usize, change: impl Fn(Vec3) -> Vec3) {
        for row in self.values.chunks_exact_mut(self.width) {
            let changed = change(Vec3::new(row[at], row[at + 1], row[at + 2]));
            row[at..at + 3].copy_from_slice(changed.as_slice());
        }
    }
}

/// The directions of the three leans: about these a body turns to lean forward, to lean left, and to twist.
pub(super) fn lean_axes(up: Axis) -> Matrix3<f64> {
    Matrix3::from_columns(&[left(up), -forward(up), up.vector()])
}

/// A clip in all coordinates.
pub(super) fn encode(
    layout: &ChartLayout,
    heading: &HeadingFrame,
    joints: &[JointAxes],
    clip: &Clip,
) -> CoordinateTable {
    let track = heading.track(clip);
    let mut table = CoordinateTable {
        start: Start {
            position: track.positions[0],
            heading_rad: track.headings[0],
        },
        frame_secs: clip.frame_secs(),
        n_frames: clip.n_frames(),
        width: layout.len(),
        values: vec![0.0; layout.len() * clip.n_frames()],
    };
    encode_way(&mut table, heading.up, &track);
    for (joint, axes) in joints.iter().enumerate() {
        let vectors = if joint == heading.root {
            lean_vectors(heading, &track)
        } else {
            turn_vectors(axes, clip, joint)
        };
        encode_turns(&mut table, layout.turns_at[joint], axes, vectors);
    }
    for limb in &layout.limbs {
        let axes = &joints[limb.upper];
        let vectors = limb.vectors(clip, axes);
        set_turns(&mut table, layout.turns_at[limb.upper], axes, &vectors);
    }
    encode_shifts(&mut table, layout, clip);
    table
}

/// Speeds, turn rate and height. A rate of frame f says how the body came from frame f - 1; the first frame has no
/// past and repeats the second.
fn encode_way(table: &mut CoordinateTable, up: Axis, track: &RootTrack) {
    let (ahead, across) = (forward(up), left(up));
    let per_sec = 1.0 / table.frame_secs;
    for frame in 0..table.n_frames {
        let row = &mut table.values[frame * table.width..];
        row[3] = up.along(&track.positions[frame]);
        let now = frame.max(1);
        if now >= track.positions.len() {
            continue;
        }
        let (from, to) = (track.headings[now - 1], track.headings[now]);
        let moved = track.positions[now] - track.positions[now - 1];
        // Seen half-way through the turn, a walk in a circle goes straight ahead, not a little inwards or outwards.
        let seen = turn(up, -0.5 * (from + to)) * moved;
        row[0] = seen.dot(&ahead) * per_sec;
        row[1] = seen.dot(&across) * per_sec;
        row[2] = (to - from) * per_sec;
    }
}

fn lean_vectors(heading: &HeadingFrame, track: &RootTrack) -> Vec<Vec3> {
    let from_hold = heading.upright.inverse();
    let frames = track.rotations.iter().zip(&track.headings);
    frames
        .map(|(q, &angle)| (turn(heading.up, -angle) * q * from_hold).scaled_axis())
        .collect()
}

fn turn_vectors(axes: &JointAxes, clip: &Clip, joint: usize) -> Vec<Vec3> {
    clip.frames()
        .map(|pose| axes.chart.vector(&pose.rotations[joint]))
        .collect()
}

fn encode_turns(table: &mut CoordinateTable, at: usize, axes: &JointAxes, mut vectors: Vec<Vec3>) {
    unroll(&mut vectors, &axes.centre);
    set_turns(table, at, axes, &vectors);
}

fn set_turns(table: &mut CoordinateTable, at: usize, axes: &JointAxes, vectors: &[Vec3]) {
    for (frame, vector) in vectors.iter().enumerate() {
        table.set_triple(frame, at, &axes.chart.coordinates(vector));
    }
}

fn encode_shifts(table: &mut CoordinateTable, layout: &ChartLayout, clip: &Clip) {
    let translating = clip.skeleton().translating();
    for (slot, &joint) in translating.iter().enumerate() {
        let Some(at) = layout.shifts_at[joint] else {
            continue;
        };
        for frame in 0..clip.n_frames() {
            table.set_triple(frame, at, &clip.frame(frame).translations[slot]);
        }
    }
}
