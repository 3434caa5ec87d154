//! How well the end of a range leads back to its beginning.
//!
//! Both sides of the seam are carried on by half a frame and compared there: the end forwards, the beginning backwards.
//! Poses go on along a straight line, as what bends on both sides alike cancels out (the gap is the step over the seam
//! less the mean of the steps beside it). Velocities go on along the parabola that fits a twentieth of a second best,
//! as single steps jitter. A perfect loop has no gap, whatever its frame rate, and no frame beyond the range is
//! needed. Travel and turning per cycle are no gap, but a change of speed or turn rate is.

use std::ops::Range;

use super::super::features::FeatureSpace;
use super::super::heading::turn;
use super::super::{Body, Clip, Quat, RootTrack, Vec3, body};
use super::CycleError;
use crate::numerics::rows::Rows;

/// Velocities are judged by so much of the time on each side.
const SIDE_SECS: f64 = 0.05;
/// Enough to know how much jumps without any seam.
const INSIDE_MOMENTS: usize = 24;

/// The gap at a seam, and for comparison how much jumps at ordinary moments of the range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closure {
    /// Where the end meets the beginning.
    pub seam: SeamGap,
    /// The largest of each number at some moments inside the range: markers jitter, and heels strike.
    pub inside: SeamGap,
}

/// What jumps from one frame to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeamGap {
    /// Root mean square distance of the telling parts, in body heights.
    pub pose: f64,
    /// The largest of these distances.
    pub place: f64,
    /// The joint it belongs to.
    pub place_joint: usize,
    /// Root mean square over the joints of the angle by which their rotation jumps.
    pub angle_rms_rad: f64,
    /// The largest angle by which a joint's rotation jumps; the body root's without its heading. Joints beyond the
    /// wrists do not count: fingers are seldom captured and often noise.
    pub angle_rad: f64,
    /// The joint it belongs to.
    pub angle_joint: usize,
    /// Root mean square jump of the parts' velocities, in body heights per second.
    pub velocity: f64,
    /// Jump of the body's speed over the ground, in body heights per second.
    pub travel: f64,
    /// Jump of the turn rate, in radians per second.
    pub turn_rad: f64,
}

/// Measures the seam of a range that is meant to repeat: the frame after its last is its first again.
pub fn closure(clip: &Clip, frames: &Range<usize>) -> Result<Closure, CycleError> {
    check_range(clip, frames, "measure a seam", 3)?;
    let view = SeamView::of(clip, frames.len())?;
    let n_side = view.extrapolation.value.len();
    let end: Vec<usize> = (1..=n_side).map(|i| frames.end - i).collect();
    let start: Vec<usize> = (0..n_side).map(|i| frames.start + i).collect();
    let seam = view.gap(&end, &start);
    let moments = frames.start + n_side..(frames.end + 1).saturating_sub(n_side);
    let inside = moments
        .clone()
        .step_by(moments.len().div_ceil(INSIDE_MOMENTS).max(1))
        .map(|f| {
            let before: Vec<usize> = (1..=n_side).map(|i| f - i).collect();
            let after: Vec<usize> = (0..n_side).map(|i| f + i).collect();
            view.gap(&before, &after)
        })
        .reduce(SeamGap::larger);
    Ok(Closure {
        seam,
        inside: inside.unwrap_or(seam),
    })
}

impl SeamGap {
    fn larger(self, other: Self) -> Self {
        let (place, place_joint) = if other.place > self.place {
            (other.place, other.place_joint)
        } else {
            (self.place, self.place_joint)
        };
        let (angle_rad, angle_joint) = if other.angle_rad > self.angle_rad {
            (other.angle_rad, other.angle_joint)
        } else {
            (self.angle_rad, self.angle_joint)
        };
        Self {
            pose: self.pose.max(other.pose),
            place,
            place_joint,
            angle_rms_rad: self.angle_rms_rad.max(other.angle_rms_rad),
            angle_rad,
            angle_joint,
            velocity: self.velocity.max(other.velocity),
            travel: self.travel.max(other.travel),
            turn_rad: self.turn_rad.max(other.turn_rad),
        }
    }
}

/// All that is looked at in a clip.
struct SeamView<'a> {
    clip: &'a Clip,
    space: FeatureSpace,
    poses: Rows,
    track: RootTrack,
    /// Joints whose angles count.
    joints: Vec<usize>,
    extrapolation: Extrapolation,
    body_height: f64,
}

impl<'a> SeamView<'a> {
    fn of(clip: &'a Clip, n_frames: usize) -> Result<Self, CycleError> {
        let space = FeatureSpace::learn(&[clip])?;
        let n_side = ((SIDE_SECS * clip.fps()).round() as usize).clamp(3, n_frames);
        let skeleton = clip.skeleton();
        let wrists: Vec<usize> = Body::of(skeleton).arms.iter().map(|a| a.end).collect();
        let is_finger = |j: usize| skeleton.ancestors(j).skip(1).any(|a| wrists.contains(&a));
        Ok(Self {
            clip,
            poses: space.features(clip)?.rows,
            track: space.heading.track(clip),
            joints: (0..skeleton.n_joints())
                .filter(|&j| !is_finger(j))
                .collect(),
            extrapolation: Extrapolation::over(n_side),
            body_height: body::height(clip),
            space,
        })
    }

    /// Between two sides, each given by its frames, the nearest first.
    fn gap(&self, end: &[usize], start: &[usize]) -> SeamGap {
        let fps = self.clip.fps();
        let n_parts = self.space.parts.len();
        let part = |frame: usize, p: usize| -> Vec3 {
            let row = &self.poses.row(frame)[3 * p..][..3];
            Vec3::new(f64::from(row[0]), f64::from(row[1]), f64::from(row[2]))
        };
        let (mut squares, mut velocities) = (0.0, 0.0);
        let mut worst = (0.0, self.space.parts[0].joint);
        for p in 0..n_parts {
            let on = |side: &[usize]| self.extrapolation.on(side.iter().map(|&f| part(f, p)));
            let ((before, speed_before), (after, speed_after)) = (on(end), on(start));
            let gap = (before - after).norm();
            squares += gap * gap;
            velocities += (speed_before + speed_after).norm_squared() * fps * fps;
            if gap > worst.0 {
                worst = (gap, self.space.parts[p].joint);
            }
        }
        let (angle_rms_rad, angle_rad, angle_joint) = self.turn_gaps([end, start]);
        let (travel, turning) = self.root_gaps([end, start]);
        SeamGap {
            pose: (squares / n_parts as f64).sqrt(),
            place: worst.0,
            place_joint: worst.1,
            angle_rms_rad,
            angle_rad,
            angle_joint,
            velocity: (velocities / n_parts as f64).sqrt(),
            travel: travel * fps / self.body_height,
            turn_rad: turning * fps,
        }
    }

    /// Root mean square and largest jump of the joints' rotations, and the joint it belongs to.
    fn turn_gaps(&self, sides: [&[usize]; 2]) -> (f64, f64, usize) {
        let heading = &self.space.heading;
        let rotation = |frame: usize, joint: usize| {
            if joint == heading.root {
                turn(heading.up, -self.track.headings[frame]) * self.track.rotations[frame]
            } else {
                self.clip.frame(frame).rotations[joint]
            }
        };
        let mut squares = 0.0;
        let mut worst = (0.0, heading.root);
        for &joint in &self.joints {
            let on = |side: &[usize]| {
                self.extrapolation
                    .on_turned(side.iter().map(|&f| rotation(f, joint)))
            };
            let [before, after] = sides.map(on);
            let gap = before.angle_to(&after);
            squares += gap * gap;
            if gap > worst.0 {
                worst = (gap, joint);
            }
        }
        let rms = (squares / self.joints.len() as f64).sqrt();
        (rms, worst.0, worst.1)
    }

    /// Jumps of the planar step and the turn per frame.
    fn root_gaps(&self, sides: [&[usize]; 2]) -> (f64, f64) {
        let up = self.space.heading.up;
        let [(end, end_turn), (start, start_turn)] = sides.map(|side| {
            let flat = side.iter().map(|&f| {
                let p = self.track.positions[f];
                p - up.vector() * up.along(&p)
            });
            // A heading is a number; three equal coordinates extrapolation it through the same formulas.
            let headings = side.iter().map(|&f| Vec3::repeat(self.track.headings[f]));
            let (heading, turning) = self.extrapolation.on(headings);
            (
                turn(up, -heading.x) * self.extrapolation.on(flat).1,
                turning.x,
            )
        });
        // Steps point away from their side, so those of the beginning run against time.
        ((end + start).norm(), (end_turn + start_turn).abs())
    }
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
struct Extrapolation {
    value: Vec<f64>,
    /// The step per frame there, away from the side.
    speed: Vec<f64>,
}

impl Extrapolation {
    /// Looking at so many values (at least 3).
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
            moments
                .iter()
                .map(|&t| at.dot(&(inverse * row(t))))
                .collect()
        };
        Self {
            value: [1.5, -0.5]
                .into_iter()
                .chain(std::iter::repeat(0.0))
                .take(n)
                .collect(),
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
