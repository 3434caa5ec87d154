//! How well the end of a stretch leads back to its beginning.
//!
//! Both sides of the seam are carried on by half a frame and compared there: the end forwards, the beginning backwards,
//! each along the parabola that fits its last (first) twentieth of a second best, so that the jitter of a marker is not
//! taken for a gap. A perfect loop has none, whatever its frame rate, and no frame beyond the stretch is needed. Travel
//! and turning per cycle are no gap, but a change of speed or turn rate is.

use std::ops::Range;

use super::super::features::FeatureSpace;
use super::super::heading::turn;
use super::super::{Clip, Quat, RootTrack, Vec3, body};
use super::CycleError;

/// Each side is judged by so much of its time.
const SIDE_SECS: f64 = 0.05;

/// The gap at a seam.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closure {
    /// Root mean square distance of the telling parts, in body heights.
    pub pose_gap: f64,
    /// The largest of these distances.
    pub place_gap: f64,
    /// The joint it belongs to.
    pub place_joint: usize,
    /// The largest angle by which a joint's rotation jumps; the body root's without its heading.
    pub angle_gap_rad: f64,
    /// The joint it belongs to.
    pub angle_joint: usize,
    /// Root mean square jump of the parts' velocities, in body heights per second.
    pub velocity_gap: f64,
    /// Jump of the body's speed over the ground, in body heights per second.
    pub travel_gap: f64,
    /// Jump of the turn rate, in radians per second.
    pub turn_gap_rad: f64,
}

/// Measures the seam of a stretch that is meant to repeat: the frame after its last is its first again.
pub fn closure(clip: &Clip, frames: &Range<usize>) -> Result<Closure, CycleError> {
    check_range(clip, frames, "measure a seam", 3)?;
    let space = FeatureSpace::learn(&[clip])?;
    let features = space.features(clip)?;
    let fps = clip.fps();
    let carry = Carry::over(((SIDE_SECS * fps).round() as usize).clamp(3, frames.len()));
    let end: Vec<usize> = (1..=carry.value.len()).map(|i| frames.end - i).collect();
    let start: Vec<usize> = (0..carry.value.len()).map(|i| frames.start + i).collect();
    let n_parts = space.parts.len();
    let part = |frame: usize, p: usize| -> Vec3 {
        let row = &features.rows.row(frame)[3 * p..][..3];
        Vec3::new(f64::from(row[0]), f64::from(row[1]), f64::from(row[2]))
    };
    let (mut squares, mut velocities) = (0.0, 0.0);
    let mut worst = (0.0, space.parts[0].joint);
    for p in 0..n_parts {
        let on = |side: &[usize]| carry.on(side.iter().map(|&f| part(f, p)));
        let ((before, speed_before), (after, speed_after)) = (on(&end), on(&start));
        let gap = (before - after).norm();
        squares += gap * gap;
        velocities += (speed_before + speed_after).norm_squared() * fps * fps;
        if gap > worst.0 {
            worst = (gap, space.parts[p].joint);
        }
    }
    let track = space.heading.track(clip);
    let (angle_gap_rad, angle_joint) = worst_turn(clip, &space, &track, &carry, [&end, &start]);
    let (travel, turn_rate) = root_gaps(&space, &track, &carry, [&end, &start]);
    Ok(Closure {
        pose_gap: (squares / n_parts as f64).sqrt(),
        place_gap: worst.0,
        place_joint: worst.1,
        angle_gap_rad,
        angle_joint,
        velocity_gap: (velocities / n_parts as f64).sqrt(),
        travel_gap: travel * fps / body::height(clip),
        turn_gap_rad: turn_rate * fps,
    })
}

pub(super) fn check_range(
    clip: &Clip,
    frames: &Range<usize>,
    what: &'static str,
    needed: usize,
) -> Result<(), CycleError> {
    if frames.start >= frames.end || frames.end > clip.n_frames() {
        return Err(CycleError::Range {
            from: frames.start,
            to: frames.end,
            n_frames: clip.n_frames(),
        });
    }
    if frames.len() < needed {
        return Err(CycleError::TooShort {
            what,
            found: frames.len(),
            needed,
        });
    }
    Ok(())
}

/// Carries a curve on by half a frame: weights for its values, the nearest to the seam first.
struct Carry {
    value: Vec<f64>,
    /// The step per frame there, away from the side.
    speed: Vec<f64>,
}

impl Carry {
    /// By the best parabola through so many values (at least 3).
    fn over(n: usize) -> Self {
        // Moments count backwards from the seam: -1/2, -3/2... Least squares: weights = (1, t, t^2) (A'A)^-1 A'.
        let moments: Vec<f64> = (0..n).map(|i| -0.5 - i as f64).collect();
        let row = |t: f64| nalgebra::Vector3::new(1.0, t, t * t);
        let mut normal = nalgebra::Matrix3::zeros();
        for &t in &moments {
            normal += row(t) * row(t).transpose();
        }
        let inverse = normal
            .try_inverse()
            .expect("three or more different moments determine a parabola");
        let weights = |at: nalgebra::Vector3<f64>| -> Vec<f64> {
            moments.iter().map(|&t| at.dot(&(inverse * row(t)))).collect()
        };
        Self {
            value: weights(row(0.0)),
            speed: weights(nalgebra::Vector3::y()),
        }
    }

    /// Value and step half a frame on.
    fn on(&self, values: impl Iterator<Item = Vec3>) -> (Vec3, Vec3) {
        let (mut value, mut speed) = (Vec3::zeros(), Vec3::zeros());
        for ((v, w), s) in values.zip(&self.value).zip(&self.speed) {
            value += v * *w;
            speed += v * *s;
        }
        (value, speed)
    }

    /// The same for rotations, as turns from the nearest one.
    fn on_turned(&self, mut values: impl Iterator<Item = Quat>) -> Quat {
        let Some(nearest) = values.next() else {
            return Quat::identity();
        };
        let turns = values.map(|q| (nearest.inverse() * q).scaled_axis());
        let (on, _) = self.on(std::iter::once(Vec3::zeros()).chain(turns));
        nearest * Quat::from_scaled_axis(on)
    }
}

fn worst_turn(
    clip: &Clip,
    space: &FeatureSpace,
    track: &RootTrack,
    carry: &Carry,
    sides: [&[usize]; 2],
) -> (f64, usize) {
    let rotation = |frame: usize, joint: usize| {
        if joint == space.heading.root {
            turn(space.heading.up, -track.headings[frame]) * track.rotations[frame]
        } else {
            clip.frame(frame).rotations[joint]
        }
    };
    let mut worst = (0.0, space.heading.root);
    for joint in 0..clip.skeleton().n_joints() {
        let [before, after] =
            sides.map(|side| carry.on_turned(side.iter().map(|&f| rotation(f, joint))));
        let gap = before.angle_to(&after);
        if gap > worst.0 {
            worst = (gap, joint);
        }
    }
    worst
}

/// Jumps of the planar step and the turn per frame.
fn root_gaps(
    space: &FeatureSpace,
    track: &RootTrack,
    carry: &Carry,
    sides: [&[usize]; 2],
) -> (f64, f64) {
    let up = space.heading.up;
    let [(end, end_turn), (start, start_turn)] = sides.map(|side| {
        let flat = side.iter().map(|&f| {
            let p = track.positions[f];
            p - up.vector() * up.along(&p)
        });
        // A heading is a number; three equal coordinates carry it through the same formulas.
        let (heading, turning) =
            carry.on(side.iter().map(|&f| Vec3::repeat(track.headings[f])));
        (turn(up, -heading.x) * carry.on(flat).1, turning.x)
    });
    // Steps point away from their side, so those of the beginning run against time.
    ((end + start).norm(), (end_turn + start_turn).abs())
}
