//! The motion that is being made.

use std::sync::Arc;

use super::blend::{Blend, Moving};
use super::root::{ClipFlow, Flow, Matched};
use super::walk::{Approach, BlendedPose, Walk, entering, going_on};
use super::{JoinClip, JoinSettings, JoinShape, Planted, Rig, WorldMove, planar};
use crate::motion::heading::turn;
use crate::motion::rotation::wrap;
use crate::motion::{Clip, ClipError, ClipInfo, Contact, Motion, Pose, PoseRef, PoseRows, Vec3};

/// A motion in the world that can be cut and joined anywhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Strip {
    rig: Arc<Rig>,
    motion: Motion,
    headings: Vec<f64>,
    pub(super) planted: Vec<Planted>,
    rows: PoseRows,
    /// How far the last clip was raised.
    lift: f64,
}

/// A turn about up and a move along the floor.
#[derive(Debug, Clone, PartialEq)]
pub struct Placement {
    by: WorldMove,
    turn_rad: f64,
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
            lift: 0.0,
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

    /// The pose of one frame.
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
        tail.lift = self.lift;
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
        self.lift = other.lift;
    }

    /// What brings the first frame of another strip, which shows the same pose, onto a frame of this one.
    pub fn placement_of(&self, frame: usize, other: &Self) -> Placement {
        let up = self.rig.metric.heading.up;
        let turn_rad = self.headings[frame] - other.headings[0];
        let turned = turn(up, turn_rad);
        let shift = planar(&self.place(frame), up) - turned * planar(&other.place(0), up);
        Placement {
            by: WorldMove {
                turn: turned,
                shift,
            },
            turn_rad,
        }
    }

    /// Replaces poses from a frame on by those of another strip, turned and moved.
    pub fn splice_placed(&mut self, from: usize, other: &Self, placement: &Placement) {
        let rig = Arc::clone(&self.rig);
        self.truncate(from);
        for frame in 0..other.n_frames() {
            let mut pose = other.pose(frame).to_pose();
            rig.carry(&mut pose, &placement.by);
            self.motion.push(pose.as_ref());
            self.rows.push_row(other.rows.row(frame));
            self.headings
                .push(other.headings[frame] + placement.turn_rad);
        }
        self.planted.extend_from_slice(&other.planted);
        self.lift = other.lift;
    }

    /// How far the last clip was raised above where it was captured.
    pub fn lift(&self) -> f64 {
        self.lift
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
        let shape = &settings.shape;
        let n_blended = if shape.holds_destination {
            settings.frames
        } else {
            settings.frames.min(frames.len())
        };
        // What the clip shows a number of frames after the cut.
        let shown = |step: usize| {
            let moved = if shape.holds_destination { 0 } else { step - 1 };
            frames.start + moved
        };
        let cut = self.cut(leave, n_blended, shape.holds_source);
        let settled = shown(1 + n_blended / 2).min(frames.end - 1);
        let lands = clip.planted[frames.start] & clip.planted[settled];
        let matched = Matched::of(&rig, settings.matching, cut.planted, lands);
        let mut walk = Walk::after(&rig, &self.approach(leave), &matched, shape.holds_source);
        let (from, to) = (self.pose(leave), clip.clip.frame(frames.start));
        let lift = walk.lift(&rig, &from.to_pose(), &to.to_pose(), &matched, shape);
        let raised = |frame: usize| {
            let mut pose = clip.pose_at_origin(&rig, frame);
            rig.raise(&mut pose, lift);
            pose
        };
        let mut target = entering(&rig, clip, frames.start, shape.holds_destination);
        target.each_mut(|pose| rig.raise(pose, lift));
        let kind = settings.kind;
        let blend = Blend::new(kind, shape.ease, n_blended, rig.fps, &cut.source, &target);
        let mut flows = ClipFlow::of(&rig, clip, &matched);
        let mut steps = Vec::with_capacity(n_blended + 1);
        for step in 1..=n_blended {
            let frame = shown(step);
            let flow = if shape.holds_destination {
                Flow::none()
            } else {
                flows.up_to(frame, &mut walk.world)
            };
            steps.push(BlendedPose {
                pose: blend.pose(step, cut.future.get(step - 1), &raised(frame)),
                share: blend.share(step),
                flow,
                frame,
            });
        }
        let rest = shown(n_blended + 1);
        if rest < frames.end {
            // One more step of the flow gives the place of the first frame; from there on the clip is only moved.
            steps.push(BlendedPose {
                pose: raised(rest),
                share: 1.0,
                flow: flows.up_to(rest, &mut walk.world),
                frame: rest,
            });
        }
        self.go_through(steps, clip, &matched, &walk, shape);
        self.lift = lift;
        self.extend(clip, rest + 1..frames.end.max(rest + 1));
        let held = if shape.holds_destination {
            n_blended
        } else {
            0
        };
        Joined {
            at: leave + 1,
            frames: n_blended,
            clip: leave + 1 + held..self.n_frames(),
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
        let shape = &settings.shape;
        let cut = self.cut(leave, 0, shape.holds_source);
        let lands = clip.planted[frames.start];
        let matched = Matched::of(&rig, settings.matching, cut.planted, lands);
        let mut walk = Walk::after(&rig, &self.approach(leave), &matched, shape.holds_source);
        let (from, to) = (self.pose(leave), clip.clip.frame(frames.start));
        let lift = walk.lift(&rig, &from.to_pose(), &to.to_pose(), &matched, shape);
        let mut flows = ClipFlow::of(&rig, clip, &matched);
        let flow = flows.up_to(frames.start, &mut walk.world);
        let step = |(i, pose): (usize, &Pose)| {
            let share = shape.ease.share((i + 1) as f64 / (poses.len() + 1) as f64);
            let mut pose = pose.clone();
            rig.raise(&mut pose, lift * share);
            BlendedPose {
                pose,
                share,
                flow,
                frame: frames.start,
            }
        };
        let mut steps: Vec<BlendedPose> = poses.iter().enumerate().map(step).collect();
        let mut first = clip.pose_at_origin(&rig, frames.start);
        rig.raise(&mut first, lift);
        steps.push(BlendedPose {
            pose: first,
            share: 1.0,
            flow: flows.up_to(frames.start, &mut walk.world),
            frame: frames.start,
        });
        self.go_through(steps, clip, &matched, &walk, shape);
        self.lift = lift;
        self.extend(clip, frames.start + 1..frames.end);
        Joined {
            at: leave + 1,
            frames: poses.len(),
            clip: leave + 1 + poses.len()..self.n_frames(),
        }
    }

    /// Poses at the origin, put where the body goes. What is asked for beyond that, a turn or the captured place, is
    /// reached as the blend goes on; how much is lacking is found by going there without it first.
    fn go_through(
        &mut self,
        steps: Vec<BlendedPose>,
        clip: &JoinClip,
        matched: &Matched,
        walk: &Walk,
        shape: &JoinShape,
    ) {
        let rig = Arc::clone(&self.rig);
        let Some(last) = steps.last().map(|step| step.frame) else {
            return;
        };
        let mut more = Flow {
            turn_rad: shape.angle_rad,
            ..Flow::none()
        };
        if !shape.alignment.heading {
            let end = walk.end_of(&rig, matched, &steps, &Flow::none());
            let captured = clip.track.headings[last] + shape.angle_rad;
            more.turn_rad = wrap(captured - end.heading_rad);
        }
        if !shape.alignment.ground {
            let end = walk.end_of(&rig, matched, &steps, &more);
            let up = rig.metric.heading.up;
            more.way = planar(&clip.track.positions[last], up) - end.place;
        }
        let mut walk = walk.clone();
        let mut before = 0.0;
        for step in steps {
            let by = more.times(step.share - before);
            before = step.share;
            let planted = clip.planted[step.frame];
            let (pose, heading) = walk.step(&rig, matched, step, &by);
            self.push(&pose, heading, planted);
        }
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
                - turn(up, turned) * planar(&clip.track.positions[shown], up)
                + up.vector() * self.lift,
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
    fn cut(&mut self, leave: usize, n_future: usize, holds: bool) -> Cut {
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
            _ if holds => Moving::still(at_origin(leave)),
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
        // A source that is held has no future: its last pose stays.
        let n_future = if holds { 0 } else { n_future };
        let ahead = (leave + 1)..(leave + 1 + n_future).min(self.n_frames());
        let cut = Cut {
            source,
            future: ahead.map(at_origin).collect(),
            planted: self.planted[leave],
        };
        self.truncate(leave + 1);
        cut
    }

    /// How the body came to a frame.
    fn approach(&self, leave: usize) -> Approach {
        let at = |frame: usize| (self.pose(frame).to_pose(), self.headings[frame]);
        Approach {
            earlier: leave.checked_sub(2).map(at),
            before: at(leave.saturating_sub(1)),
            last: at(leave),
            place: planar(&self.place(leave), self.rig.metric.heading.up),
        }
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
