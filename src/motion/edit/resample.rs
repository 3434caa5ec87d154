//! The same motion at another frame rate.
//!
//! Where a new frame falls on an old one, it is that frame bit for bit: from 120 to 60 or 30 every n-th frame is taken,
//! which is what animators expect. In between, joints follow a cubic through the frames whose velocity has no steps:
//! for places a Hermite curve, for rotations its counterpart in cumulative Bezier form (Kim, Kim and Shin 1995, "A
//! general construction scheme for unit quaternion curves", section 4), with Catmull-Rom velocities. Where a joint
//! jumps for one frame such velocities would swing past the frames beside it, so each is kept within three times the
//! smaller step on either side; that is the bound of Fritsch and Carlson (1980) for curves that stay between their
//! points. It binds only where the speed changes threefold within a frame.
//!
//! Going down, nothing is filtered first: a low-pass would soften kicks and footfalls and no frame would be what was
//! captured. Shaking faster than half the new rate is therefore kept as noise, as picking frames always does.

use std::sync::Arc;

use super::error::{EditError, check_growth, check_positive};
use super::remade;
use crate::motion::{Clip, Contact, Motion, Quat, Vec3};
use crate::numerics::interpolate::hermite_weights;

/// A new frame this near to an old one (in old frames) is that frame: what frame times round off in a long file.
const SAME_MOMENT: f64 = 1e-6;

/// The motion at `fps` frames per second. It starts at the same pose and never lasts longer than before.
pub fn resample(clip: &Clip, fps: f64) -> Result<Clip, EditError> {
    check_positive("the frame rate", fps)?;
    let from_fps = clip.fps();
    if from_fps == fps {
        return Ok(clip.clone());
    }
    // How many old frames one new frame advances.
    let stride = from_fps / fps;
    check_positive("the ratio of frame rates", stride)?;
    let last = (clip.n_frames() - 1) as f64;
    let frames = (last / stride + SAME_MOMENT).floor() + 1.0;
    let skeleton = clip.skeleton();
    if frames > clip.n_frames() as f64 {
        check_growth(frames, skeleton.n_joints())?;
    }
    let n_frames = frames as usize;
    let mut motion = Motion::with_capacity(skeleton, 1.0 / fps, n_frames);
    let mut between = None;
    for frame in 0..n_frames {
        let at = (frame as f64 * stride).min(last);
        let nearest = at.round();
        if (at - nearest).abs() <= SAME_MOMENT * at.max(1.0) {
            motion.push(clip.frame(nearest as usize));
            continue;
        }
        let before = at as usize;
        let curve = match between.take() {
            Some(curve) if FrameInterval::starts_at(&curve, before) => curve,
            _ => FrameInterval::after(clip, before),
        };
        curve.push_to(&mut motion, at - before as f64);
        between = Some(curve);
    }
    let contacts = rescaled(clip.contacts(), stride, n_frames);
    let done = format!("resampled from {from_fps:.6} to {fps:.6} frames per second")
        .replace(".000000", "");
    remade(clip, Arc::clone(skeleton), motion, contacts, done)
}

/// New frames between the first and the last frame of each contact; contacts that fall between two frames are gone.
fn rescaled(contacts: &[Contact], stride: f64, n_frames: usize) -> Vec<Contact> {
    contacts
        .iter()
        .filter_map(|c| {
            let start = (c.frames.start as f64 / stride - SAME_MOMENT).ceil() as usize;
            let last = (c.frames.end - 1) as f64 / stride + SAME_MOMENT;
            let end = (last as usize + 1).min(n_frames);
            (start < end).then_some(Contact {
                joint: c.joint,
                frames: start..end,
            })
        })
        .collect()
}

/// All joints between two neighbouring frames.
struct FrameInterval {
    before: usize,
    places: Vec<CubicPosition>,
    turns: Vec<CubicRotation>,
}

/// A cubic from one place to the next with given velocities.
struct CubicPosition {
    start: Vec3,
    step: Vec3,
    velocity: [Vec3; 2],
}

/// A start, then three turns that come in one after another.
struct CubicRotation {
    start: Quat,
    turns: [Vec3; 3],
}

impl FrameInterval {
    fn starts_at(&self, frame: usize) -> bool {
        self.before == frame
    }

    /// The way from frame `before` to the next one, by the frames around them.
    fn after(clip: &Clip, before: usize) -> Self {
        let last = clip.n_frames() - 1;
        let frames = [
            before.saturating_sub(1),
            before,
            (before + 1).min(last),
            (before + 2).min(last),
        ];
        let poses = frames.map(|f| clip.frame(f));
        // At the ends the clip is as if it went straight on.
        let (is_first, is_last) = (before == 0, before + 2 > last);
        let velocities = |steps: [Vec3; 3]| {
            let [a, b, c] = steps;
            let a = if is_first { b } else { a };
            let c = if is_last { b } else { c };
            [velocity(&a, &b), velocity(&b, &c)]
        };
        let n_places = poses[1].translations.len();
        let places = (0..n_places).map(|s| {
            let [a, b, c, d] = poses.map(|p| p.translations[s]);
            CubicPosition {
                start: b,
                step: c - b,
                velocity: velocities([b - a, c - b, d - c]),
            }
        });
        let n_turns = poses[1].rotations.len();
        let turns = (0..n_turns).map(|j| {
            let [a, b, c, d] = poses.map(|p| p.rotations[j]);
            let step = |from: &Quat, to: &Quat| (from.inverse() * to).scaled_axis();
            let steps = [step(&a, &b), step(&b, &c), step(&c, &d)];
            let [leaving, arriving] = velocities(steps).map(|v| v / 3.0);
            let middle = Quat::from_scaled_axis(-leaving)
                * b.inverse()
                * c
                * Quat::from_scaled_axis(-arriving);
            CubicRotation {
                start: b,
                turns: [leaving, middle.scaled_axis(), arriving],
            }
        });
        Self {
            before,
            places: places.collect(),
            turns: turns.collect(),
        }
    }

    fn push_to(&self, motion: &mut Motion, share: f64) {
        let places = self.places.iter().map(|p| p.at(share));
        motion.translations.extend(places);
        let turns = self.turns.iter().map(|t| t.at(share));
        motion.rotations.extend(turns);
    }
}

impl CubicPosition {
    fn at(&self, t: f64) -> Vec3 {
        let [_, from, step, to] = hermite_weights(t);
        self.start + self.step * step + self.velocity[0] * from + self.velocity[1] * to
    }
}

impl CubicRotation {
    fn at(&self, t: f64) -> Quat {
        let rest = 1.0 - t;
        let shares = [1.0 - rest * rest * rest, t * t * (3.0 - 2.0 * t), t * t * t];
        let turned = self.turns.iter().zip(shares);
        turned.fold(self.start, |q, (turn, share)| {
            q * Quat::from_scaled_axis(turn * share)
        })
    }
}

/// The velocity at a frame, in steps per frame, from the steps before and after it.
fn velocity(before: &Vec3, after: &Vec3) -> Vec3 {
    let mean = (before + after) / 2.0;
    let most = 3.0 * before.norm().min(after.norm());
    let speed = mean.norm();
    if speed > most {
        mean * (most / speed)
    } else {
        mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Channels, ClipInfo, Joint, Skeleton};

    /// One joint that turns about x and moves along y by the same numbers.
    fn curve(fps: f64, values: &[f64]) -> Clip {
        let root = Joint {
            name: "root".to_owned(),
            parent: None,
            offset: Vec3::zeros(),
            channels: Channels::NONE,
        };
        let skeleton = Arc::new(Skeleton::new(vec![root], vec![]).unwrap());
        let motion = Motion {
            frame_secs: 1.0 / fps,
            translations: values.iter().map(|v| Vec3::y() * *v).collect(),
            rotations: values
                .iter()
                .map(|v| Quat::from_scaled_axis(Vec3::x() * *v))
                .collect(),
        };
        Clip::new(ClipInfo::named("curve"), skeleton, motion).unwrap()
    }

    fn both(clip: &Clip) -> [Vec<f64>; 2] {
        let places = clip.motion().translations.iter().map(|t| t.y);
        let turns = clip.motion().rotations.iter().map(|q| q.scaled_axis().x);
        [places.collect(), turns.collect()]
    }

    #[test]
    fn velocity_has_no_steps() {
        let values: Vec<f64> = (0..20).map(|f| (0.7 * f64::from(f)).sin()).collect();
        let fine = resample(&curve(10.0, &values), 10_000.0).unwrap();
        for line in both(&fine) {
            let speed: Vec<f64> = line.windows(2).map(|w| w[1] - w[0]).collect();
            let most = speed.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
            let step = speed.windows(2).map(|w| (w[1] - w[0]).abs());
            let step = step.fold(0.0, f64::max);
            // Straight lines step by half of the greatest speed; a thousandth part of a smooth curve by a hundredth.
            assert!(step < 0.01 * most, "{step} of {most}");
        }
    }

    #[test]
    fn a_jump_of_one_frame_swings_nowhere_else() {
        let mut values = vec![0.2; 12];
        values[6] = 1.7;
        let fine = resample(&curve(30.0, &values), 300.0).unwrap();
        for line in both(&fine) {
            for (at, value) in line.iter().enumerate() {
                let inside = (0.2 - 1e-12..=1.7 + 1e-12).contains(value);
                assert!(inside, "{value} at {at}");
                let is_near = at > 50 && at < 70;
                assert!(is_near || (value - 0.2).abs() < 1e-12, "{value} at {at}");
            }
        }
    }

    #[test]
    fn straight_motion_stays_straight_at_any_rate() {
        let values: Vec<f64> = (0..31).map(|f| 0.05 * f64::from(f)).collect();
        let clip = curve(30.0, &values);
        for fps in [24.0, 25.0, 29.97, 50.0, 59.94, 119.88, 120.0, 7.0] {
            let other = resample(&clip, fps).unwrap();
            let last = (other.n_frames() - 1) as f64 / fps;
            assert!(
                last <= 1.0 + 1e-9 && last > 1.0 - 1.0 / fps,
                "{fps}: {last}"
            );
            for line in both(&other) {
                for (frame, value) in line.iter().enumerate() {
                    let truth = 1.5 * frame as f64 / fps;
                    assert!((value - truth).abs() < 1e-9, "{fps} at {frame}: {value}");
                }
            }
        }
    }

    #[test]
    fn contacts_keep_their_time() {
        let contact = |frames| Contact { joint: 0, frames };
        let clip = curve(120.0, &[0.0; 41]);
        let clip = clip
            .with_contacts(vec![contact(0..9), contact(17..20), contact(33..41)])
            .unwrap();
        let frames =
            |clip: &Clip| -> Vec<_> { clip.contacts().iter().map(|c| c.frames.clone()).collect() };
        let slow = resample(&clip, 30.0).unwrap();
        assert_eq!(slow.n_frames(), 11);
        assert_eq!(frames(&slow), [0..3, 9..11], "the second falls between");
        let fast = resample(&clip, 240.0).unwrap();
        assert_eq!(frames(&fast), [0..17, 34..39, 66..81]);
        assert_eq!(frames(&resample(&fast, 120.0).unwrap()), frames(&clip));
    }
}
