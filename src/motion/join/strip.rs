//! The motion that is being made.

use std::sync::Arc;

use super::blend::{Blend, Moving, quick_decay};
use super::root::{ClipFlow, Flow, Matched};
use super::{JoinClip, JoinSettings, Planted, Rig, WorldMove, planar};
use crate::motion::heading::turn;
use crate::motion::{
    Clip, ClipError, ClipInfo, Contact, Motion, Pose, PoseRef, PoseRows, Vec3, WorldPose,
};

/// How much of the acceleration of the body goes on after a cut; like that of joints, it is soon gone.
const CARRIED: f64 = 0.5;

/// A motion in the world that can be cut and joined anywhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Strip {
    rig: Arc<Rig>,
    motion: Motion,
    headings: Vec<f64>,
    pub(super) planted: Vec<Planted>,
    rows: PoseRows,
}

/// Where a join came to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joined {
    /// The first frame that is not the source's.
    pub at: usize,
    /// From there so many frames are blended or interpolated.
    pub frames: usize,
    /// Frames of the strip that the last clip fills, its blended ones included.
    pub clip: std::ops::Range<usize>,
}

/// A pose of the strip, with its neighbours as a join needs them.
struct Cut {
    source: Moving,
    /// The motion that would have followed.
    future: Vec<Pose>,
    planted: Planted,
}

impl Strip {
    /// Frames of a clip, as they are in the world.
    pub fn of(rig: &Arc<Rig>, clip: &JoinClip, frames: std::ops::Range<usize>) -> Self {
        let mut strip = Self::empty(rig);
        for frame in frames {
            strip.motion.push(clip.clip.frame(frame));
            strip.headings.push(clip.track.headings[frame]);
            strip.planted.push(clip.planted[frame]);
            strip.rows.push_row(clip.rows.row(frame));
        }
        strip
    }

    fn empty(rig: &Arc<Rig>) -> Self {
        Self {
            motion: Motion::with_capacity(rig.skeleton(), 1.0 / rig.fps, 0),
            headings: Vec::new(),
            planted: Vec::new(),
            rows: PoseRows::with_capacity(&rig.metric, 0),
            rig: Arc::clone(rig),
        }
    }

    /// What its clips have in common.
    pub fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }

    /// How many there are.
    pub fn n_frames(&self) -> usize {
        self.headings.len()
    }

    /// One pose.
    pub fn pose(&self, frame: usize) -> PoseRef<'_> {
        let skeleton = self.rig.skeleton();
        let (joints, slots) = (skeleton.n_joints(), skeleton.translating().len());
        PoseRef {
            translations: &self.motion.translations[frame * slots..][..slots],
            rotations: &self.motion.rotations[frame * joints..][..joints],
        }
    }

    /// Which way the body faces.
    pub fn heading_rad(&self, frame: usize) -> f64 {
        self.headings[frame]
    }

    /// World position of the body root.
    pub fn place(&self, frame: usize) -> Vec3 {
        self.rig.root_of(self.pose(frame)).0
    }

    /// All frames as the metric sees them, as they were joined: feet that were locked since change it little.
    pub fn rows(&self) -> &PoseRows {
        &self.rows
    }

    /// Drops everything from a frame on.
    pub fn truncate(&mut self, n_frames: usize) {
        let skeleton = self.rig.skeleton();
        let (joints, slots) = (skeleton.n_joints(), skeleton.translating().len());
        self.motion.translations.truncate(n_frames * slots);
        self.motion.rotations.truncate(n_frames * joints);
        self.headings.truncate(n_frames);
        self.planted.truncate(n_frames);
        self.rows.truncate(n_frames);
    }

    /// The last frames, from this one on, as a strip of their own.
    #[must_use]
    pub fn tail(&self, from: usize) -> Self {
        let mut tail = Self::empty(&self.rig);
        for frame in from..self.n_frames() {
            tail.motion.push(self.pose(frame));
            tail.rows.push_row(self.rows.row(frame));
        }
        tail.headings.extend_from_slice(&self.headings[from..]);
        tail.planted.extend_from_slice(&self.planted[from..]);
        tail
    }

    /// Replaces poses from a frame on by those of another strip of the same clips.
    pub fn splice(&mut self, from: usize, other: &Self) {
        self.truncate(from);
        for frame in 0..other.n_frames() {
            self.motion.push(other.pose(frame));
            self.rows.push_row(other.rows.row(frame));
        }
        self.headings.extend_from_slice(&other.headings);
        self.planted.extend_from_slice(&other.planted);
    }

    /// As a clip, with the contacts of its feet.
    pub fn to_clip(&self, name: &str) -> Result<Clip, ClipError> {
        let mut info = ClipInfo::named(name);
        info.up = self.rig.metric.heading.up;
        let clip = Clip::new(info, Arc::clone(self.rig.skeleton()), self.motion.clone())?;
        clip.with_contacts(self.contacts())
    }

    /// The spans in which foot points stand.
    pub fn contacts(&self) -> Vec<Contact> {
        let mut contacts = Vec::new();
        for (point, foot) in self.rig.points.iter().enumerate() {
            let stands = |frame: usize| self.planted[frame] & (1 << point) != 0;
            let mut frame = 0;
            while frame < self.n_frames() {
                let end = (frame..self.n_frames()).find(|&f| !stands(f));
                let end = end.unwrap_or(self.n_frames());
                if end > frame {
                    contacts.push(Contact {
                        joint: foot.joint,
                        frames: frame..end,
                    });
                }
                frame = end + 1;
            }
        }
        contacts
    }

    /// Replaces the poses of all frames from one on; the rest is kept.
    pub(super) fn set_poses(&mut self, from: usize, motion: &Motion) {
        let skeleton = self.rig.skeleton();
        let (joints, slots) = (skeleton.n_joints(), skeleton.translating().len());
        let (t, r) = (from * slots, from * joints);
        self.motion.translations[t..t + motion.translations.len()]
            .copy_from_slice(&motion.translations);
        self.motion.rotations[r..r + motion.rotations.len()].copy_from_slice(&motion.rotations);
    }

    /// Straightens knees that a blend has bent backwards.
    pub(super) fn straighten(&mut self, frames: std::ops::Range<usize>) {
        let n_joints = self.rig.skeleton().n_joints();
        let rotations = &mut self.motion.rotations[frames.start * n_joints..frames.end * n_joints];
        for pose in rotations.chunks_exact_mut(n_joints) {
            self.rig.straighten(pose);
        }
    }

    /// Some frames as a clip without contacts.
    pub(super) fn clip_of(&self, frames: std::ops::Range<usize>) -> Result<Clip, ClipError> {
        let mut motion =
            Motion::with_capacity(self.rig.skeleton(), 1.0 / self.rig.fps, frames.len());
        for frame in frames {
            motion.push(self.pose(frame));
        }
        let mut info = ClipInfo::named("part of a strip");
        info.up = self.rig.metric.heading.up;
        Clip::new(info, Arc::clone(self.rig.skeleton()), motion)
    }

    pub(super) fn push(&mut self, pose: &Pose, heading_rad: f64, planted: Planted) {
        let place = |pose: PoseRef<'_>, heading: f64| {
            let (position, rotation) = self.rig.root_of(pose);
            let metric = &self.rig.metric;
            metric.place_at(pose.rotations, position, &rotation, heading)
        };
        let at = place(pose.as_ref(), heading_rad);
        let n = self.n_frames();
        if n == 0 {
            self.rows.push(&self.rig.metric, &at, &at, &at, 0.0);
        } else {
            let before = place(self.pose(n - 1), self.headings[n - 1]);
            self.rows
                .push(&self.rig.metric, &at, &before, &at, self.rig.fps);
        }
        self.motion.push(pose.as_ref());
        self.headings.push(heading_rad);
        self.planted.push(planted);
    }

    /// Cuts after `leave` and goes on with a clip from its frame `enter` to its frame `end`, not included.
    ///
    /// # Panics
    /// If there is no such frame.
    pub fn join(
        &mut self,
        leave: usize,
        clip: &JoinClip,
        frames: std::ops::Range<usize>,
        settings: &JoinSettings,
    ) -> Joined {
        let rig = Arc::clone(&self.rig);
        let n_blended = settings.frames.min(frames.len());
        let cut = self.cut(leave, n_blended);
        let target = entering(&rig, clip, frames.start);
        let blend = Blend::new(settings.kind, n_blended, rig.fps, &cut.source, &target);
        let settled = (frames.start + n_blended / 2).min(frames.end - 1);
        let lands = clip.planted[frames.start] & clip.planted[settled];
        let matched = Matched::of(&rig, settings.matching, cut.planted, lands);
        let mut walk = Walk::from(self, leave, &matched);
        let mut flows = ClipFlow::of(&rig, clip, &matched);
        for step in 1..=n_blended {
            let frame = frames.start + step - 1;
            let pose = blend.pose(
                step,
                cut.future.get(step - 1),
                &clip.pose_at_origin(&rig, frame),
            );
            let share = blend.share(step);
            let flow = flows.up_to(frame, &mut walk.world);
            let (pose, heading) = walk.step(&rig, &matched, pose, &flow, share);
            self.push(&pose, heading, clip.planted[frame]);
        }
        self.play_on(
            clip,
            frames.start + n_blended..frames.end,
            &matched,
            &mut walk,
        );
        Joined {
            at: leave + 1,
            frames: n_blended,
            clip: leave + 1..self.n_frames(),
        }
    }

    /// Cuts after `leave`, goes through poses given at the origin, facing forward, and on with a clip from its frame
    /// `enter`, all in one flow of the body.
    pub fn follow(
        &mut self,
        leave: usize,
        poses: &[Pose],
        clip: &JoinClip,
        frames: std::ops::Range<usize>,
        settings: &JoinSettings,
    ) -> Joined {
        let rig = Arc::clone(&self.rig);
        let cut = self.cut(leave, 0);
        let lands = clip.planted[frames.start];
        let matched = Matched::of(&rig, settings.matching, cut.planted, lands);
        let mut walk = Walk::from(self, leave, &matched);
        let mut flows = ClipFlow::of(&rig, clip, &matched);
        let flow = flows.up_to(frames.start, &mut walk.world);
        for (i, pose) in poses.iter().enumerate() {
            let share = super::blend::smootherstep((i + 1) as f64 / (poses.len() + 1) as f64);
            let (pose, heading) = walk.step(&rig, &matched, pose.clone(), &flow, share);
            self.push(&pose, heading, lands);
        }
        self.play_on(clip, frames, &matched, &mut walk);
        Joined {
            at: leave + 1,
            frames: poses.len(),
            clip: leave + 1 + poses.len()..self.n_frames(),
        }
    }

    /// The rest of a clip, from where the body is.
    fn play_on(
        &mut self,
        clip: &JoinClip,
        frames: std::ops::Range<usize>,
        matched: &Matched,
        walk: &mut Walk,
    ) {
        let rig = Arc::clone(&self.rig);
        let Some(first) = frames.clone().next() else {
            return;
        };
        // One more step of the flow gives the place of the first frame; from there on the clip is only moved.
        let mut flows = ClipFlow::of(&rig, clip, matched);
        let flow = flows.up_to(first, &mut walk.world);
        let at_origin = clip.pose_at_origin(&rig, first);
        let (pose, heading) = walk.step(&rig, matched, at_origin, &flow, 1.0);
        self.push(&pose, heading, clip.planted[first]);
        self.extend(clip, first + 1..frames.end);
    }

    /// Goes on with frames of a clip; the last frame here shows the one before them.
    ///
    /// # Panics
    /// If the strip is empty, or the frames begin with the clip's first.
    pub fn extend(&mut self, clip: &JoinClip, frames: std::ops::Range<usize>) {
        if frames.is_empty() {
            return;
        }
        let rig = Arc::clone(&self.rig);
        let up = rig.metric.heading.up;
        let (last, shown) = (self.n_frames() - 1, frames.start - 1);
        // The same move brings all frames to where the strip is; the metric does not see it.
        let turned = self.headings[last] - clip.track.headings[shown];
        let by = WorldMove {
            turn: turn(up, turned),
            shift: planar(&self.place(last), up)
                - turn(up, turned) * planar(&clip.track.positions[shown], up),
        };
        for frame in frames {
            let mut pose = clip.clip.frame(frame).to_pose();
            rig.carry(&mut pose, &by);
            self.motion.push(pose.as_ref());
            self.headings.push(clip.track.headings[frame] + turned);
            self.planted.push(clip.planted[frame]);
            self.rows.push_row(clip.rows.row(frame));
        }
    }

    /// What a join has to know of the strip; everything after the frame is dropped.
    fn cut(&mut self, leave: usize, n_future: usize) -> Cut {
        assert!(
            leave < self.n_frames(),
            "the strip ends before frame {leave}"
        );
        let at_origin = |frame: usize| {
            let mut pose = self.pose(frame).to_pose();
            self.rig
                .to_origin(&mut pose, &self.place(frame), self.headings[frame]);
            pose
        };
        let source = match leave {
            0 => Moving {
                pose: at_origin(0),
                before: at_origin(0),
                earlier: at_origin(0),
            },
            1 => going_on(at_origin(1), at_origin(0)),
            _ => Moving {
                pose: at_origin(leave),
                before: at_origin(leave - 1),
                earlier: at_origin(leave - 2),
            },
        };
        let ahead = (leave + 1)..(leave + 1 + n_future).min(self.n_frames());
        let cut = Cut {
            source,
            future: ahead.map(at_origin).collect(),
            planted: self.planted[leave],
        };
        self.truncate(leave + 1);
        cut
    }

    /// A pose at the origin, facing forward, with the one before it.
    pub fn moving_pose(&self, frame: usize) -> [Pose; 2] {
        [frame.saturating_sub(1), frame].map(|f| {
            let mut pose = self.pose(f).to_pose();
            self.rig
                .to_origin(&mut pose, &self.place(f), self.headings[f]);
            pose
        })
    }
}

/// The body on its way through a join.
struct Walk {
    world: WorldPose,
    /// Of the body root, along the floor.
    place: Vec3,
    heading_rad: f64,
    /// Where the matched points are.
    at: Vec3,
    /// The source, as it would go on.
    source: Flow,
    /// By what it changes in the next frame.
    change: Flow,
}

impl Walk {
    fn from(strip: &Strip, leave: usize, matched: &Matched) -> Self {
        let rig = &strip.rig;
        let up = rig.metric.heading.up;
        let mut world = WorldPose::of(rig.skeleton(), strip.pose(leave));
        let [earlier, before, last] = [2, 1, 0].map(|back| {
            let frame = leave.saturating_sub(back);
            let pose = strip.pose(frame).to_pose();
            (matched.place(rig, &pose, &mut world), strip.headings[frame])
        });
        let at = last.0;
        let source = Matched::flow(rig, before, last);
        let change = if leave < 2 {
            source.times(0.0)
        } else {
            Flow::change(&Matched::flow(rig, earlier, before), &source).times(CARRIED)
        };
        Self {
            change,
            at,
            place: planar(&strip.place(leave), up),
            heading_rad: strip.headings[leave],
            world,
            source,
        }
    }

    /// Puts a pose, given at the origin, where the blended flow brings the body.
    fn step(
        &mut self,
        rig: &Rig,
        matched: &Matched,
        mut pose: Pose,
        target: &Flow,
        share: f64,
    ) -> (Pose, f64) {
        let up = rig.metric.heading.up;
        self.source = self.source.plus(&self.change);
        self.change = self.change.times((-quick_decay(rig.fps)).exp());
        let flow = Flow::between(&self.source, target, share);
        self.heading_rad += flow.turn_rad;
        self.at += turn(up, self.heading_rad) * flow.way;
        let from_body = matched.place(rig, &pose, &mut self.world);
        self.place = self.at - turn(up, self.heading_rad) * from_body;
        rig.out_from_origin(&mut pose, &self.place, self.heading_rad);
        (pose, self.heading_rad)
    }
}

/// The target at the moment of the cut: one frame before it enters. Before its first frame it is thought to have moved
/// as it does from there.
fn entering(rig: &Rig, clip: &JoinClip, enter: usize) -> Moving {
    let at = |frame: usize| clip.pose_at_origin(rig, frame);
    let last = clip.n_frames() - 1;
    match enter {
        0 => {
            let (first, second) = (at(0), at(1.min(last)));
            let pose = mirrored(&second, &first);
            let before = mirrored(&first, &pose);
            going_on(pose, before)
        }
        1 => {
            let (pose, next) = (at(0), at(1));
            let before = mirrored(&next, &pose);
            going_on(pose, before)
        }
        2 => going_on(at(1), at(0)),
        _ => Moving {
            pose: at(enter - 1),
            before: at(enter - 2),
            earlier: at(enter - 3),
        },
    }
}

/// A pose that was reached at a steady velocity.
fn going_on(pose: Pose, before: Pose) -> Moving {
    Moving {
        earlier: mirrored(&pose, &before),
        pose,
        before,
    }
}

/// The pose as far on the other side of `about` as `pose` is on this one.
fn mirrored(pose: &Pose, about: &Pose) -> Pose {
    let mut other = about.clone();
    for (q, from) in other.rotations.iter_mut().zip(&pose.rotations) {
        *q = *q * from.inverse() * *q;
    }
    for (t, from) in other.translations.iter_mut().zip(&pose.translations) {
        *t += *t - from;
    }
    other
}
