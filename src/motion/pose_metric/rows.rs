//! Many poses side by side in memory, and the distance between two of them.
//!
//! A row holds the quaternions of all groups, component by component so that four joints are compared at once, and then
//! everything that is compared as plain numbers. The angle between two rotations comes from the chord between their
//! quaternions by a series, which needs no arc cosine and is exact to 2e-5 even for opposite ones.

use super::{MetricPose, PoseMetric};
use crate::motion::Clip;
use crate::motion::heading::RootTrack;

/// Joints that are compared at once.
const LANES: usize = 4;
/// Height, velocity in the heading frame, rate of turning.
const OF_BODY: usize = 5;

/// Poses of one metric.
#[derive(Debug, Clone, PartialEq)]
pub struct PoseRows {
    /// Groups, rounded up to whole lanes.
    lanes: usize,
    /// Numbers in a row.
    stride: usize,
    /// One for each group, then zeros.
    weights: Vec<f32>,
    values: Vec<f32>,
}

impl PoseMetric {
    /// All frames of a clip, ready for [`PoseRows::distance`].
    pub fn rows(&self, clip: &Clip) -> PoseRows {
        self.rows_along(clip, &self.heading.track(clip))
    }

    /// [`Self::rows`] for a clip whose way is known already.
    pub fn rows_along(&self, clip: &Clip, track: &RootTrack) -> PoseRows {
        let mut rows = PoseRows::with_capacity(self, clip.n_frames());
        let places: Vec<MetricPose> = (0..clip.n_frames())
            .map(|f| self.place(clip.frame(f).rotations, track, f))
            .collect();
        for at in 0..places.len() {
            // Velocities look backwards, as the last frame of a motion that is being made has to; the first looks on.
            let (before, after) = match at {
                0 => (0, 1.min(places.len() - 1)),
                _ => (at - 1, at),
            };
            let steps = (after - before) as f64;
            rows.push(
                self,
                &places[at],
                &places[before],
                &places[after],
                steps * clip.fps(),
            );
        }
        rows
    }
}

impl PoseRows {
    /// An empty list with room for so many poses.
    pub fn with_capacity(metric: &PoseMetric, n_rows: usize) -> Self {
        let lanes = metric.groups.len().next_multiple_of(LANES);
        let plain = (OF_BODY + 3 * metric.groups.len()).next_multiple_of(LANES);
        let mut weights: Vec<f32> = metric.groups.iter().map(|g| g.weight as f32).collect();
        weights.resize(lanes, 0.0);
        let stride = 4 * lanes + plain;
        Self {
            lanes,
            stride,
            weights,
            values: Vec::with_capacity(n_rows * stride),
        }
    }

    /// The number of poses.
    pub fn len(&self) -> usize {
        self.values.len() / self.stride
    }

    /// Whether there is no pose.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The numbers of one pose, as distances read them.
    pub fn row(&self, at: usize) -> &[f32] {
        &self.values[at * self.stride..][..self.stride]
    }

    /// Takes over the rows of another clip.
    pub fn extend(&mut self, other: &Self) {
        self.values.extend_from_slice(&other.values);
    }

    /// Takes over one row.
    pub fn push_row(&mut self, row: &[f32]) {
        self.values.extend_from_slice(row);
    }

    /// Keeps the first rows only.
    pub fn truncate(&mut self, n_rows: usize) {
        self.values.truncate(n_rows * self.stride);
    }

    /// One more pose; its velocity is what lies between two others.
    pub(crate) fn push(
        &mut self,
        metric: &PoseMetric,
        at: &MetricPose,
        before: &MetricPose,
        after: &MetricPose,
        per_sec: f64,
    ) {
        let start = self.values.len();
        self.values.resize(start + self.stride, 0.0);
        let row = &mut self.values[start..];
        for (j, q) in at.rotations.iter().enumerate() {
            for (component, value) in q.coords.iter().enumerate() {
                row[component * self.lanes + j] = *value as f32;
            }
        }
        let nu = metric.velocity_secs * if per_sec > 0.0 { per_sec } else { 0.0 };
        let [left, up, forward] = after.in_heading(metric, &(after.position - before.position));
        let turn = crate::motion::rotation::wrap(after.heading_rad - before.heading_rad);
        let plain = &mut row[4 * self.lanes..];
        plain[0] = metric.heading.up.along(&at.position) as f32;
        for (slot, value) in plain[1..].iter_mut().zip([left, up, forward, turn]) {
            *slot = (nu * value) as f32;
        }
        for (j, group) in metric.groups.iter().enumerate() {
            let step = (before.rotations[j].inverse() * after.rotations[j]).scaled_axis();
            let weight = nu * group.weight.sqrt();
            for axis in 0..3 {
                plain[OF_BODY + 3 * j + axis] = (weight * step[axis]) as f32;
            }
        }
    }

    /// D between two rows.
    pub fn distance(&self, a: usize, b: usize) -> f32 {
        self.squared(self.row(a), self.row(b)).sqrt()
    }

    /// D between any two rows of one metric.
    pub fn distance_of(&self, a: &[f32], b: &[f32]) -> f32 {
        self.squared(a, b).sqrt()
    }

    /// D between two rows, or any number over the bound where D is over it: velocities alone often tell.
    pub fn distance_within(&self, a: &[f32], b: &[f32], bound: f32) -> f32 {
        let plain = self.plain(a, b);
        if plain > bound * bound {
            return plain.sqrt();
        }
        (plain + self.angles(a, b)).sqrt()
    }

    /// A row as a point of a Euclidean space whose distances are at most D; see [`super::sketch`].
    pub(super) fn embedded(&self, row: &[f32]) -> Vec<f32> {
        let mut point = Vec::with_capacity(9 * self.lanes + row.len() - 4 * self.lanes);
        for (j, weight) in self.weights.iter().enumerate() {
            let [x, y, z, w] = [0, 1, 2, 3].map(|component| row[component * self.lanes + j]);
            let scale = (0.5 * weight).sqrt();
            let matrix = [
                1.0 - 2.0 * (y * y + z * z),
                2.0 * (x * y - w * z),
                2.0 * (x * z + w * y),
                2.0 * (x * y + w * z),
                1.0 - 2.0 * (x * x + z * z),
                2.0 * (y * z - w * x),
                2.0 * (x * z - w * y),
                2.0 * (y * z + w * x),
                1.0 - 2.0 * (x * x + y * y),
            ];
            point.extend(matrix.map(|m| scale * m));
        }
        point.extend_from_slice(&row[4 * self.lanes..]);
        point
    }

    /// D without velocities: how far apart two postures are.
    pub fn posture_distance_of(&self, a: &[f32], b: &[f32]) -> f32 {
        let height = a[4 * self.lanes] - b[4 * self.lanes];
        (self.angles(a, b) + height * height).sqrt()
    }

    fn squared(&self, a: &[f32], b: &[f32]) -> f32 {
        self.angles(a, b) + self.plain(a, b)
    }

    /// The sum of squares of all that is no rotation.
    fn plain(&self, a: &[f32], b: &[f32]) -> f32 {
        let plain = 4 * self.lanes;
        let mut sums = [0.0_f32; LANES];
        for (x, y) in a[plain..]
            .chunks_exact(LANES)
            .zip(b[plain..].chunks_exact(LANES))
        {
            for lane in 0..LANES {
                let off = x[lane] - y[lane];
                sums[lane] += off * off;
            }
        }
        sums.iter().sum()
    }

    /// The weighted sum of squared angles.
    fn angles(&self, a: &[f32], b: &[f32]) -> f32 {
        let mut sums = [0.0_f32; LANES];
        for first in (0..self.lanes).step_by(LANES) {
            let mut chord = [0.0_f32; LANES];
            for component in 0..4 {
                let at = component * self.lanes + first;
                let (x, y) = (&a[at..at + LANES], &b[at..at + LANES]);
                for lane in 0..LANES {
                    let off = x[lane] - y[lane];
                    chord[lane] += off * off;
                }
            }
            let weights = &self.weights[first..first + LANES];
            for lane in 0..LANES {
                sums[lane] += weights[lane] * squared_angle(chord[lane]);
            }
        }
        sums.iter().sum()
    }
}

/// The squared angle of a rotation whose quaternion is off by this squared chord; the opposite quaternion means the
/// same.
///
/// `acos^2(1 - t) = 2 sum_n (2 t)^n / (n^2 (2n choose n))`, with 1 - t the cosine of half the angle.
fn squared_angle(squared_chord: f32) -> f32 {
    /// 8 * 2^n / (n^2 (2n choose n)), n from 1 to 10.
    const SERIES: [f32; 10] = [
        8.0,
        1.333_333_3,
        0.355_555_56,
        0.114_285_71,
        0.040_634_92,
        0.015_392_015,
        0.006_089_149_5,
        0.002_486_402_7,
        0.001_039_972_3,
        0.000_443_356_63,
    ];
    let t = 0.5 * squared_chord.min(4.0 - squared_chord).max(0.0);
    SERIES.iter().rev().fold(0.0, |sum, c| (sum + c) * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Quat, Vec3};

    #[test]
    fn the_series_gives_the_angle() {
        for degrees in [0.0_f64, 0.01, 1.0, 20.0, 90.0, 150.0, 180.0] {
            let angle = degrees.to_radians();
            let q = Quat::from_scaled_axis(Vec3::new(0.6, 0.0, 0.8) * angle);
            for sign in [1.0, -1.0] {
                let chord = (q.coords * sign - Quat::identity().coords).norm_squared();
                let found = f64::from(squared_angle(chord as f32)).sqrt();
                assert!(
                    (found - angle).abs() < 3e-4,
                    "{degrees} degrees: {found} of {angle}"
                );
            }
        }
    }
}
