//! Loops without a seam.
//!
//! The pose after the last frame and the first pose differ a little. Each end is moved half of the way: the error is
//! spread evenly over the whole range, which changes all velocities by the same small amount and so makes none of its
//! own. What is left is a gap of velocity at the seam; it is faded out on both sides within a fifth of a second. Then
//! pose and velocity agree at the seam, and what trembles there is smoothed ([`SeamSmoother`]). How far the body
//! travels and turns in one cycle stays as it was.
//!
//! Feet that stood still before may slide by what the error was; put them back with the foot constraints.

use std::ops::Range;
use std::sync::Arc;

use super::super::contacts::spans;
use super::super::heading::{HeadingFrame, turn};
use super::super::{Clip, Contact, Motion, Pose, Quat, RootTrack, Skeleton, Vec3};
use super::CycleError;
use super::seam::{Closure, check_range, closure};
use super::seam_smoothing::SeamSmoother;

/// Velocity at an end is read from so much time before and after it, so that the jitter of a marker in one frame does
/// not bend the loop. Poses are those of the end itself: then the seam is as smooth as the take was there.
const WINDOW_SECS: f64 = 0.025;
/// A gap of velocity is faded out within this time on both sides.
const FADE_SECS: f64 = 0.2;
/// Longer repetitions are refused: a frame of a common rig takes a kilobyte.
const MAX_FRAMES: usize = 2_000_000;

/// A range whose end leads into its beginning.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// One cycle. The frame after its last is its first again, carried on by travel and turn.
    pub clip: Clip,
    /// How far the body goes over the ground in one cycle, from where and how it stands in the first frame.
    pub travel: Vec3,
    /// How far it turns.
    pub turn_rad: f64,
    /// The seam as it was cut.
    pub before: Closure,
    /// The seam after blending, to compare with `before`.
    pub after: Closure,
    heading: HeadingFrame,
}

/// Makes a seamless loop of these frames; the frame after the last of them, where there is one, tells best how the
/// motion would have gone on.
pub fn make_loop(clip: &Clip, frames: &Range<usize>) -> Result<Loop, CycleError> {
    check_range(clip, frames, "make a loop", 4)?;
    let before = closure(clip, frames)?;
    let heading = HeadingFrame::learn(&[clip]);
    let track = heading.track(clip);
    let seam = Seam {
        frames: frames.clone(),
        n_frames: clip.n_frames(),
        reach: ((WINDOW_SECS * clip.fps()).round() as usize).clamp(1, frames.len() / 4),
        fade: (FADE_SECS * clip.fps()).clamp(1.0, frames.len() as f64 / 2.0),
        fps: clip.fps(),
    };
    let root = RootLoop::of(&seam, &heading, &track);
    let mut motion = Motion::with_capacity(clip.skeleton(), clip.frame_secs(), frames.len());
    let mut poses: Vec<Pose> = frames.clone().map(|f| clip.frame(f).to_pose()).collect();
    for joint in (0..clip.skeleton().n_joints()).filter(|&j| j != heading.root) {
        let turns = seam.closed_rotations(|f| clip.frame(f).rotations[joint]);
        for (pose, q) in poses.iter_mut().zip(turns) {
            pose.rotations[joint] = q;
        }
        if let Some(slot) = clip.skeleton().translation_slot(joint) {
            let places = seam.closed_places(|f| clip.frame(f).translations[slot]);
            for (pose, p) in poses.iter_mut().zip(places) {
                pose.translations[slot] = p;
            }
        }
    }
    for (i, pose) in poses.iter_mut().enumerate() {
        place_root(
            clip.skeleton(),
            heading.root,
            pose,
            &root.positions[i],
            &root.rotations[i],
        );
        motion.push(pose.as_ref());
    }
    let mut info = clip.info.clone();
    info.history.push(format!(
        "made a loop of frames {}..{}",
        frames.start, frames.end
    ));
    let made = Clip::new(info, Arc::clone(clip.skeleton()), motion)?;
    let made = made.with_contacts(spans::cut(clip.contacts(), frames))?;
    let after = closure(&made, &(0..made.n_frames()))?;
    Ok(Loop {
        clip: made,
        travel: root.travel,
        turn_rad: root.turn_rad,
        before,
        after,
        heading,
    })
}

impl Loop {
    /// The cycle played several times, travelling on and turning on. Contacts repeat.
    pub fn repeated(&self, times: usize) -> Result<Clip, CycleError> {
        let n = self.clip.n_frames();
        let n_frames = n.saturating_mul(times.max(1));
        if n_frames > MAX_FRAMES {
            return Err(CycleError::TooLong {
                n_frames,
                most: MAX_FRAMES,
            });
        }
        let skeleton = self.clip.skeleton();
        let track = self.heading.track(&self.clip);
        let start = track.positions[0];
        let mut motion = Motion::with_capacity(skeleton, self.clip.frame_secs(), n_frames);
        let mut contacts = Vec::new();
        let mut carried = Vec3::zeros();
        for cycle in 0..times.max(1) {
            let turned = turn(self.heading.up, self.turn_rad * cycle as f64);
            for frame in 0..n {
                let mut pose = self.clip.frame(frame).to_pose();
                let position = start + carried + turned * (track.positions[frame] - start);
                let rotation = turned * track.rotations[frame];
                place_root(skeleton, self.heading.root, &mut pose, &position, &rotation);
                motion.push(pose.as_ref());
            }
            contacts.extend(self.clip.contacts().iter().map(|c| Contact {
                joint: c.joint,
                frames: c.frames.start + cycle * n..c.frames.end + cycle * n,
            }));
            carried += turned * self.travel;
        }
        let mut info = self.clip.info.clone();
        info.history
            .push(format!("repeated {} times", times.max(1)));
        Ok(Clip::new(info, Arc::clone(skeleton), motion)?.with_contacts(contacts)?)
    }
}

/// Where the ends of a range meet, and how corrections run from one to the other.
struct Seam {
    frames: Range<usize>,
    n_frames: usize,
    /// Frames looked at on both sides of an end.
    reach: usize,
    /// Frames from the seam after which nothing is changed but the even share of the error.
    fade: f64,
    fps: f64,
}

/// Values around both ends, those at the end itself in the middle.
struct LoopEnds<T> {
    first: Vec<T>,
    /// Around the frame that follows the last.
    next: Vec<T>,
}

impl Seam {
    /// Reads a curve around both ends; frames that the clip does not have are carried on by `on(before, last)`.
    fn ends<T: Copy>(&self, value: impl Fn(usize) -> T, on: impl Fn(T, T) -> T) -> LoopEnds<T> {
        let around = |centre: usize| {
            let inside =
                centre.saturating_sub(self.reach)..=(centre + self.reach).min(self.n_frames - 1);
            let n_before = (self.reach + inside.start()).saturating_sub(centre);
            let mut values: Vec<T> = inside.map(&value).collect();
            for _ in 0..n_before {
                values.insert(0, on(values[1], values[0]));
            }
            while values.len() < 2 * self.reach + 1 {
                let n = values.len();
                values.push(on(values[n - 2], values[n - 1]));
            }
            values
        };
        LoopEnds {
            first: around(self.frames.start),
            next: around(self.frames.end),
        }
    }

    /// Offsets of the values of [`LoopEnds`] from the end.
    fn offsets(&self) -> impl Iterator<Item = f64> + Clone {
        let reach = self.reach as f64;
        (0..=2 * self.reach).map(move |i| i as f64 - reach)
    }

    /// The step per frame of a curve around an end, by least squares.
    fn slope(&self, values: impl Iterator<Item = Vec3>) -> Vec3 {
        let (mut sum, mut squares) = (Vec3::zeros(), 0.0);
        for (value, offset) in values.zip(self.offsets()) {
            sum += value * offset;
            squares += offset * offset;
        }
        sum / squares
    }

    /// Runs from -1/2 at the first frame to 1/2 at the frame after the last, and on.
    fn share(&self, offset: f64) -> f64 {
        offset / self.frames.len() as f64 - 0.5
    }

    /// Zero at both ends, with slope 1 at the first frame and -1 at the frame after the last.
    fn bump(&self, offset: usize) -> (f64, f64) {
        let hill = |s: f64| {
            let left = (1.0 - s / self.fade).max(0.0);
            s * left * left
        };
        (
            hill(offset as f64),
            hill((self.frames.len() - offset) as f64),
        )
    }

    fn closed_rotations(&self, value: impl Fn(usize) -> Quat) -> Vec<Quat> {
        let ends = self.ends(&value, |a, b| b * (a.inverse() * b));
        let error = (ends.next[self.reach].inverse() * ends.first[self.reach]).scaled_axis();
        let n = self.frames.len() as f64;
        let spread = |q: &Quat, offset: f64| q * Quat::from_scaled_axis(error * self.share(offset));
        // Once the poses agree, what is left grows with time: the gap of velocity.
        let left = ends.next.iter().zip(&ends.first).zip(self.offsets());
        let left = left.map(|((next, first), offset)| {
            (spread(next, n + offset).inverse() * spread(first, offset)).scaled_axis()
        });
        let half_gap = self.slope(left) * 0.5;
        let closed = self.frames.clone().enumerate().map(|(i, f)| {
            let (rise, fall) = self.bump(i);
            spread(&value(f), i as f64) * Quat::from_scaled_axis(-half_gap * (rise + fall))
        });
        self.smoother().rotations(&closed.collect::<Vec<_>>())
    }

    fn closed_places(&self, value: impl Fn(usize) -> Vec3) -> Vec<Vec3> {
        let ends = self.ends(&value, |a, b| b * 2.0 - a);
        let gaps = ends.first.iter().zip(&ends.next).map(|(a, b)| a - b);
        let error = ends.first[self.reach] - ends.next[self.reach];
        let half_gap = self.slope(gaps) * 0.5;
        let closed = self.frames.clone().enumerate().map(|(i, f)| {
            let (rise, fall) = self.bump(i);
            value(f) + error * self.share(i as f64) - half_gap * (rise + fall)
        });
        self.smoother()
            .places(&closed.collect::<Vec<_>>(), |v, _| *v)
    }

    fn smoother(&self) -> SeamSmoother {
        SeamSmoother::new(self.fps, self.frames.len(), self.fade)
    }
}

/// The way of the body root: tilt and height close, travel and turn are kept, speed and turn rate agree at the seam.
struct RootLoop {
    positions: Vec<Vec3>,
    rotations: Vec<Quat>,
    travel: Vec3,
    turn_rad: f64,
}

impl RootLoop {
    fn of(seam: &Seam, heading: &HeadingFrame, track: &RootTrack) -> Self {
        let up = heading.up;
        let tall = |f: usize| up.vector() * up.along(&track.positions[f]);
        let flat = |f: usize| track.positions[f] - tall(f);
        let tilts = seam.closed_rotations(|f| turn(up, -track.headings[f]) * track.rotations[f]);
        let heights = seam.closed_places(tall);
        let headings = seam.ends(|f| track.headings[f], |a, b| 2.0 * b - a);
        let places = seam.ends(flat, |a, b| b * 2.0 - a);
        let middle = seam.reach;
        let (heading_first, heading_next) = (headings.first[middle], headings.next[middle]);
        let gaps = headings.first.iter().zip(&headings.next);
        let half_turn_gap = 0.5 * seam.slope(gaps.map(|(a, b)| Vec3::repeat(a - b))).x;
        let facing = [turn(up, heading_first), turn(up, heading_next)];
        let speed =
            |places: &[Vec3], facing: &Quat| facing.inverse() * seam.slope(places.iter().copied());
        let half_gap = (speed(&places.first, &facing[0]) - speed(&places.next, &facing[1])) * 0.5;
        let travel = places.next[middle] - places.first[middle];
        let turn_rad = heading_next - heading_first;
        let frames = || seam.frames.clone().enumerate();
        let headings: Vec<Vec3> = frames()
            .map(|(i, f)| {
                let (rise, fall) = seam.bump(i);
                Vec3::repeat(track.headings[f] - half_turn_gap * (rise + fall))
            })
            .collect();
        let headings = seam.smoother().places(&headings, |heading, cycles| {
            heading.add_scalar(turn_rad * cycles)
        });
        let walked: Vec<Vec3> = frames()
            .map(|(i, f)| {
                let (rise, fall) = seam.bump(i);
                flat(f) - facing[0] * half_gap * rise - facing[1] * half_gap * fall
            })
            .collect();
        let first = places.first[middle];
        let next_cycle = |place: &Vec3| first + travel + turn(up, turn_rad) * (place - first);
        let last_cycle = |place: &Vec3| first + turn(up, -turn_rad) * (place - first - travel);
        let walked = seam.smoother().places(&walked, |place, cycles| {
            if cycles > 0.0 {
                next_cycle(place)
            } else {
                last_cycle(place)
            }
        });
        Self {
            positions: walked.iter().zip(&heights).map(|(p, h)| p + h).collect(),
            rotations: headings
                .iter()
                .zip(&tilts)
                .map(|(heading, tilt)| turn(up, heading.x) * tilt)
                .collect(),
            // From the smoothed first place, where the cycle now begins.
            travel: next_cycle(&walked[0]) - walked[0],
            turn_rad,
        }
    }
}

/// Puts the body root at a place in the world. Joints above it stay; one that cannot travel only turns.
fn place_root(skeleton: &Skeleton, root: usize, pose: &mut Pose, position: &Vec3, rotation: &Quat) {
    let mut above: Vec<usize> = skeleton.ancestors(root).skip(1).collect();
    above.reverse();
    let (mut place, mut turned) = (Vec3::zeros(), Quat::identity());
    for joint in above {
        let local = match skeleton.translation_slot(joint) {
            Some(slot) => pose.translations[slot],
            None => skeleton.joints()[joint].offset,
        };
        place += turned * local;
        turned *= pose.rotations[joint];
    }
    pose.rotations[root] = turned.inverse() * rotation;
    if let Some(slot) = skeleton.translation_slot(root) {
        pose.translations[slot] = turned.inverse() * (position - place);
    }
}
