//! Poses as a few numbers whose distance is never more than that of the poses: most candidates of a search for the
//! nearest one are told apart by one cache line each.
//!
//! Rotation matrices of two rotations that are an angle apart differ by `2 sqrt(2) sin(angle / 2)` in the Frobenius
//! norm, at most `sqrt(2) angle`, and unlike quaternions a rotation has only one. So matrices over `sqrt(2)`, with
//! everything that is compared as plain numbers, lie in a Euclidean space whose distances are at most D, and so are
//! those of any orthogonal projection of it. The one kept is that of the largest variance among some rows.

use super::rows::PoseRows;
use crate::numerics::projection::{Projection, SAMPLE};

/// Numbers of a sketch; as `f32` they fill a cache line.
pub const SIZE: usize = 16;
/// Sketches may be this much too far apart by rounding, against their lengths of a few units.
pub const ROUNDING: f32 = 1e-4;

/// The sketch of one pose.
pub type Sketch = [f32; SIZE];

/// A projection of the rows of one metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Sketcher {
    projection: Projection<SIZE>,
}

impl Sketcher {
    /// Learns from evenly chosen rows.
    pub fn learn(rows: &PoseRows) -> Self {
        let stride = rows.len().div_ceil(SAMPLE).max(1);
        let samples: Vec<Vec<f32>> = (0..rows.len())
            .step_by(stride)
            .map(|at| rows.embedded(rows.row(at)))
            .collect();
        Self {
            projection: Projection::learn(&samples),
        }
    }

    /// The sketch of a row.
    pub fn sketch(&self, rows: &PoseRows, row: &[f32]) -> Sketch {
        self.projection.of(&rows.embedded(row))
    }
}

/// At most the distance of the poses that were sketched.
pub fn at_least(a: &Sketch, b: &Sketch) -> f32 {
    let squared: f32 = a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum();
    squared.sqrt() - ROUNDING
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::motion::{
        Channels, Clip, ClipInfo, Joint, Motion, Pose, PoseMetric, Quat, RotationOrder, Skeleton,
        Vec3,
    };
    use crate::numerics::random::Stream;

    /// A chain of bones in random poses, some of them with turns of more than half a circle.
    fn poses() -> Clip {
        let joints = (0..6).map(|at: usize| Joint {
            name: format!("bone{at}"),
            parent: at.checked_sub(1),
            offset: Vec3::y(),
            channels: match at {
                0 => Channels::position_and_rotation(RotationOrder::ZXY),
                _ => Channels::rotation(RotationOrder::ZXY),
            },
        });
        let skeleton = Arc::new(Skeleton::new(joints.collect(), vec![]).unwrap());
        let mut motion = Motion::with_capacity(&skeleton, 1.0 / 30.0, 60);
        let mut stream = Stream::named(5, &[]);
        for _ in 0..60 {
            let mut pose = Pose::rest(&skeleton);
            for q in &mut pose.rotations {
                let mut angle = || 1.5 * stream.normal();
                *q = Quat::from_scaled_axis(Vec3::new(angle(), angle(), angle()));
            }
            motion.push(pose.as_ref());
        }
        Clip::new(ClipInfo::named("poses"), skeleton, motion).unwrap()
    }

    #[test]
    fn sketches_are_never_farther_apart_than_poses() {
        let clip = poses();
        let metric = PoseMetric::learn(&[&clip], &Default::default()).unwrap();
        let rows = metric.rows(&clip);
        let sketcher = Sketcher::learn(&rows);
        let sketches: Vec<Sketch> = (0..rows.len())
            .map(|at| sketcher.sketch(&rows, rows.row(at)))
            .collect();
        let mut told = 0.0;
        let mut n = 0.0;
        for a in 0..rows.len() {
            for b in 0..a {
                let (low, distance) = (at_least(&sketches[a], &sketches[b]), rows.distance(a, b));
                assert!(low <= distance, "{low} of {distance}");
                told += f64::from(low / distance);
                n += 1.0;
            }
        }
        // A bound that tells nothing would hold, too.
        assert!(told / n > 0.5, "{}", told / n);
    }
}
