//! A body whose poses were changed stands as the captured one does.
//!
//! A pose that differs from a captured one has its feet elsewhere, and a little differently in every frame: they would
//! slide. Here every contact of the captured clip is kept: the foot is put where the change has it on average over the
//! contact, and moves there as it does in the capture. Steps become longer, shorter or wider, and feet still stand.
//! While a foot swings low over the floor, it clears it by as much as in the capture; higher up it is free. The root
//! stays on its captured way.

use std::collections::BTreeMap;
use std::ops::Range;

use super::heading::turn;
use super::join::smootherstep;
use super::limb::{self, Hold, HoldPosition, LimbError, LimbSettings};
use super::root_mover::planar;
use super::{Body, Clip, Contact, HeadingFrame, Site, Vec3, WorldPose, body};

/// A foot swings low if it is at most this high above where it stands; shares of the body's height.
const LOW: f64 = 0.06;

/// How far feet are moved from where the capture puts them, by leg and first frame of the step.
///
/// As seen from the heading of the body when it takes it. Kept from one piece of a clip to the next, so that a foot
/// that is down stays there.
pub type Steps = BTreeMap<(usize, usize), Vec3>;

/// Puts the feet of a clip down that shows frames of another, from `from` on, with other poses. Both have the same way
/// but for a constant turn and shift.
pub fn keep_stance(
    made: &Clip,
    captured: &Clip,
    from: usize,
    heading: &HeadingFrame,
    limbs: &LimbSettings,
    steps: &mut Steps,
) -> Result<Clip, LimbError> {
    let frames = from..from + made.n_frames();
    let stances = stances(captured, &frames);
    if stances.is_empty() {
        return Ok(made.clone());
    }
    let ways = Ways::of(made, captured, from, heading);
    for stance in &stances {
        steps
            .entry((stance.leg, stance.frames.start))
            .or_insert_with(|| ways.mean_step(stance, &frames));
    }
    let mut holds = Vec::new();
    for (leg, limb) in Body::of(captured.skeleton()).legs.iter().enumerate() {
        let own: Vec<&Stance> = stances.iter().filter(|s| s.leg == leg).collect();
        if own.is_empty() {
            continue;
        }
        let foot = Foot {
            ways: &ways,
            stances: &own,
            steps,
            frames: &frames,
        };
        foot.stand(&mut holds);
        foot.swing(limb.toe.unwrap_or(limb.end), &mut holds);
    }
    Ok(limb::constrain(made, &holds, limbs)?.clip)
}

/// One foot over the frames of a clip.
struct Foot<'a> {
    ways: &'a Ways<'a>,
    stances: &'a [&'a Stance],
    steps: &'a Steps,
    frames: &'a Range<usize>,
}

impl Foot<'_> {
    fn step(&self, stance: &Stance) -> Vec3 {
        let key = (stance.leg, stance.frames.start);
        self.steps.get(&key).copied().unwrap_or_else(Vec3::zeros)
    }

    /// How far the foot is moved at a frame: from the place of one stance to that of the next while it swings.
    fn moved(&self, frame: usize) -> Vec3 {
        let after = self.stances.iter().position(|s| frame < s.frames.end);
        let next = after.map(|at| self.stances[at]);
        let last = after.unwrap_or(self.stances.len()).checked_sub(1);
        match (last.map(|at| self.stances[at]), next) {
            (_, Some(next)) if next.frames.start <= frame => self.step(next),
            (Some(last), Some(next)) => {
                let (from, to) = (last.frames.end as f64, next.frames.start as f64);
                let share = smootherstep((frame as f64 - from) / (to - from).max(1.0));
                self.step(last).lerp(&self.step(next), share)
            }
            (Some(only), None) | (None, Some(only)) => self.step(only),
            (None, None) => Vec3::zeros(),
        }
    }

    /// Adds what holds the foot in place during its contacts.
    fn stand(&self, holds: &mut Vec<Hold>) {
        for stance in self.stances {
            for contact in &stance.contacts {
                let own = contact.frames.start.max(self.frames.start)
                    ..contact.frames.end.min(self.frames.end);
                self.hold(contact.joint, own, holds);
            }
        }
    }

    /// Holds the toe where it is low and not down.
    fn swing(&self, toe: usize, holds: &mut Vec<Hold>) {
        let is_down = |f: usize| {
            let contacts = self.stances.iter().flat_map(|s| &s.contacts);
            let mut own = contacts.filter(|c| c.joint == toe);
            own.any(|c| c.frames.contains(&f))
        };
        let is_low = |f: usize| !is_down(f) && self.ways.is_low(toe, f - self.frames.start);
        let mut at = self.frames.start;
        while at < self.frames.end {
            let end = (at..self.frames.end)
                .find(|&f| !is_low(f))
                .unwrap_or(self.frames.end);
            if at < end {
                self.hold(toe, at..end, holds);
            }
            at = end + 1;
        }
    }

    fn hold(&self, joint: usize, frames: Range<usize>, holds: &mut Vec<Hold>) {
        let from = self.frames.start;
        let path = frames
            .clone()
            .map(|f| self.ways.place(joint, f - from, &self.moved(f)));
        holds.push(Hold {
            site: Site::Joint(joint),
            at: HoldPosition::Path(path.collect()),
            frames: frames.start - from..frames.end - from,
        });
    }
}

/// One foot on the floor: heel and toe as long as one of them is down.
struct Stance {
    leg: usize,
    frames: Range<usize>,
    contacts: Vec<Contact>,
}

/// The stances that these frames see.
fn stances(captured: &Clip, frames: &Range<usize>) -> Vec<Stance> {
    let body = Body::of(captured.skeleton());
    let mut all: Vec<Stance> = Vec::new();
    for (leg, limb) in body.legs.iter().enumerate() {
        let of_foot = |c: &&Contact| c.joint == limb.end || Some(c.joint) == limb.toe;
        let mut own: Vec<&Contact> = captured.contacts().iter().filter(of_foot).collect();
        own.sort_by_key(|c| (c.frames.start, c.joint));
        for contact in own {
            match all.last_mut() {
                Some(last) if last.leg == leg && contact.frames.start <= last.frames.end => {
                    last.frames.end = last.frames.end.max(contact.frames.end);
                    last.contacts.push(contact.clone());
                }
                _ => all.push(Stance {
                    leg,
                    frames: contact.frames.clone(),
                    contacts: vec![contact.clone()],
                }),
            }
        }
    }
    let is_seen = |c: &Contact| c.frames.start < frames.end && frames.start < c.frames.end;
    for stance in &mut all {
        stance.contacts.retain(is_seen);
    }
    all.retain(|s| !s.contacts.is_empty());
    all
}

/// Where feet are in both clips.
struct Ways<'a> {
    heading: &'a HeadingFrame,
    headings: Vec<f64>,
    /// From the capture's world to the made one, by frame: a turn about the root, then where that is.
    turn_rad: f64,
    roots: Vec<[Vec3; 2]>,
    made: Vec<WorldPose>,
    captured: Vec<WorldPose>,
    /// Below this, by joint, a foot that swings is low.
    low: BTreeMap<usize, f64>,
}

impl<'a> Ways<'a> {
    fn of(made: &Clip, captured: &Clip, from: usize, heading: &'a HeadingFrame) -> Self {
        let skeleton = made.skeleton();
        let made_poses: Vec<WorldPose> =
            made.frames().map(|p| WorldPose::of(skeleton, p)).collect();
        let there = (from..from + made.n_frames()).map(|f| captured.frame(f));
        let captured_poses: Vec<WorldPose> = there.map(|p| WorldPose::of(skeleton, p)).collect();
        let headings = heading.track(made).headings;
        let turn_rad = headings[0] - heading.track(captured).headings[from];
        let both = made_poses.iter().zip(&captured_poses);
        let roots =
            both.map(|(m, c)| [m, c].map(|w| planar(&w.positions[heading.root], heading.up)));
        Self {
            roots: roots.collect(),
            heading,
            headings,
            turn_rad,
            low: low_heights(captured),
            made: made_poses,
            captured: captured_poses,
        }
    }

    fn is_low(&self, joint: usize, frame: usize) -> bool {
        let height = self
            .heading
            .up
            .along(&self.captured[frame].positions[joint]);
        self.low.get(&joint).is_some_and(|&low| height < low)
    }

    /// Where the capture has a joint, in the world of the made clip.
    fn captured_place(&self, joint: usize, frame: usize) -> Vec3 {
        let [made, captured] = self.roots[frame];
        let turned = turn(self.heading.up, self.turn_rad);
        made + turned * (self.captured[frame].positions[joint] - captured)
    }

    /// Where a joint shall be.
    fn place(&self, joint: usize, frame: usize, step: &Vec3) -> Vec3 {
        self.captured_place(joint, frame) + turn(self.heading.up, self.headings[0]) * step
    }

    /// How far the foot is off the capture along the floor, on average over the frames of a stance that are seen.
    fn mean_step(&self, stance: &Stance, frames: &Range<usize>) -> Vec3 {
        let (mut sum, mut count) = (Vec3::zeros(), 0.0);
        for contact in &stance.contacts {
            let own = contact.frames.start.max(frames.start)..contact.frames.end.min(frames.end);
            for frame in own {
                let at = frame - frames.start;
                sum +=
                    self.made[at].positions[contact.joint] - self.captured_place(contact.joint, at);
                count += 1.0;
            }
        }
        let mean = planar(&(sum / f64::max(count, 1.0)), self.heading.up);
        turn(self.heading.up, -self.headings[0]) * mean
    }
}

/// For every joint with contacts the height below which it is low: that of its lowest contact, and [`LOW`].
fn low_heights(captured: &Clip) -> BTreeMap<usize, f64> {
    let skeleton = captured.skeleton();
    let chains = skeleton.with_ancestors(captured.contacts().iter().map(|c| c.joint));
    let margin = LOW * body::height(captured);
    let mut world = WorldPose::of(skeleton, captured.frame(0));
    let mut low = BTreeMap::new();
    for contact in captured.contacts() {
        let middle = contact.frames.start.midpoint(contact.frames.end);
        world.update_some(skeleton, captured.frame(middle), &chains);
        let height = captured.info.up.along(&world.positions[contact.joint]) + margin;
        let least = low.entry(contact.joint).or_insert(height);
        *least = least.min(height);
    }
    low
}
