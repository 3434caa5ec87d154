//! One motion goes over into another: the displayed pose and velocity are where every join starts.
//!
//! A [`Strip`] is the motion that is being made: poses in the world, where the body faces, which feet stand.
//! [`Strip::join`] cuts it after a frame and goes on with a clip from any of its frames; [`Strip::follow`] puts given
//! poses in between first. The body goes on from where it is: its heading and place never jump, because not its place
//! but its *velocity* is blended, together with the pose and with the same timing. A foot that stands before and after
//! keeps standing: the body is moved by it (see [`Match`]).
//!
//! Poses are blended by fitted dead blending, quintic inertialisation or cross-fade ([`JoinKind`]); feet are locked
//! across the join by [`feet`]; [`report`] measures what came out against the clips themselves.

mod blend;
pub mod feet;
pub mod report;
mod root;
mod settings;
mod shape;
mod strip;
mod walk;

use std::sync::Arc;

use super::contacts::{self, ContactParts, ContactSettings};
use super::edit;
use super::heading::turn;
use super::kinematics::end_of_chain;
use super::limb::{LimbSettings, ReachPolicy, leg_hinges};
use super::root_mover::{RootMover, WorldMove, mover_joint, planar};
use super::rotation::wrap;
use super::{
    Body, Clip, Motion, Pose, PoseMetric, PoseMetricSettings, PoseRef, PoseRows, Quat, RootTrack,
    Skeleton, Vec3,
};

pub(super) use crate::motion::join::shape::smootherstep;
pub use settings::{JoinError, JoinKind, JoinSettings, Match};
pub use shape::{Alignment, Ease, JoinShape};
pub use strip::{Joined, Placement, Strip};

/// A point of a foot that can stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FootPoint {
    pub(super) joint: usize,
    /// Index into the legs of the body.
    pub(super) leg: usize,
}

/// Which foot points stand: a bit for each of [`Rig`]'s.
pub(super) type Planted = u8;

/// What all clips that are joined have in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Rig {
    /// How poses are compared, and how place and heading are read.
    pub metric: PoseMetric,
    /// Frames per second of everything.
    pub fps: f64,
    carrier: RootMover,
    /// From the skeleton's root to the body root.
    root_chain: Vec<usize>,
    body: Body,
    points: Vec<FootPoint>,
    /// Knees that are known; others are read off what is joined.
    knees: Vec<Knee>,
}

/// How the knee of a leg bends in the clips.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Knee {
    joint: usize,
    /// The end joint of its leg.
    end: usize,
    axis: Vec3,
    /// The straightest that it is.
    least_rad: f64,
}

impl Knee {
    /// How far a rotation goes about the axis.
    fn bend_rad(&self, rotation: &Quat) -> f64 {
        2.0 * rotation.imag().dot(&self.axis).atan2(rotation.w)
    }
}

impl Rig {
    /// Learns from clips on one skeleton; the first gives the frame rate.
    pub fn learn(clips: &[&Clip], settings: &PoseMetricSettings) -> Result<Self, JoinError> {
        let metric = PoseMetric::learn(clips, settings)?;
        Ok(Self::new(metric, clips[0].fps(), mover_joint(clips[0])))
    }

    /// From its parts; `carrier` is the joint that the body is moved by.
    pub fn new(metric: PoseMetric, fps: f64, carrier: usize) -> Self {
        let skeleton = Arc::clone(metric.skeleton());
        let body = Body::of(&skeleton);
        let mut points = Vec::new();
        for (leg, limb) in body.legs.iter().enumerate().take(4) {
            points.push(FootPoint {
                joint: limb.end,
                leg,
            });
            points.extend(limb.toe.map(|joint| FootPoint { joint, leg }));
        }
        let root_chain = skeleton.with_ancestors([metric.heading.root]);
        Self {
            carrier: RootMover::at(&skeleton, carrier),
            root_chain,
            body,
            points,
            knees: Vec::new(),
            metric,
            fps,
        }
    }

    /// The same, knowing from these clips about which axes knees bend, and that they do not bend backwards.
    #[must_use]
    pub fn with_knees(mut self, clips: &[&Clip]) -> Self {
        let hinges = leg_hinges(clips);
        let knees = self.body.legs.iter().filter_map(|leg| {
            let (_, axis) = *hinges.iter().find(|(end, _)| *end == leg.end)?;
            let mut knee = Knee {
                joint: leg.middle,
                end: leg.end,
                axis,
                least_rad: 0.0,
            };
            let poses = clips.iter().flat_map(|clip| clip.frames());
            let bends = poses.map(|p| wrap(knee.bend_rad(&p.rotations[knee.joint])));
            let mut bends: Vec<f64> = bends.collect();
            // The one in a thousand that is straighter is a bad moment of the capture.
            let at = bends.len() / 1000;
            knee.least_rad = *bends.select_nth_unstable_by(at, f64::total_cmp).1;
            Some(knee)
        });
        self.knees = knees.collect();
        self
    }

    /// Knees that are bent backwards are straightened: a leg that is solved would stay on that side.
    pub(super) fn straighten(&self, rotations: &mut [Quat]) {
        for knee in &self.knees {
            let rotation = &mut rotations[knee.joint];
            let back = knee.least_rad - wrap(knee.bend_rad(rotation));
            if back > 0.0 {
                *rotation *= Quat::from_scaled_axis(knee.axis * back);
            }
        }
    }

    /// How feet are held: with the knees of this body.
    pub fn limb_settings(&self, reach: ReachPolicy) -> LimbSettings {
        LimbSettings {
            reach,
            hinges: self.knees.iter().map(|k| (k.end, k.axis)).collect(),
            ..LimbSettings::default()
        }
    }

    /// The skeleton that is moved.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        self.metric.skeleton()
    }

    /// The joint that the body is moved by.
    pub fn carrier(&self) -> usize {
        self.carrier.joint
    }

    /// How many frames at this rate last as long as so many at 30 a second, the rate that the papers count in.
    pub fn frames_at_30(&self, frames: f64) -> usize {
        (frames * self.fps / 30.0).round() as usize
    }

    /// World position and rotation of the body root.
    fn root_of(&self, pose: PoseRef<'_>) -> (Vec3, Quat) {
        end_of_chain(self.skeleton(), &self.root_chain, pose)
    }

    /// Moves a body that stands at a place with a heading to the origin, facing forward.
    fn to_origin(&self, pose: &mut Pose, place: &Vec3, heading_rad: f64) {
        let back = turn(self.metric.heading.up, -heading_rad);
        let by = WorldMove {
            turn: back,
            shift: -(back * planar(place, self.metric.heading.up)),
        };
        self.carry(pose, &by);
    }

    /// Moves a body from the origin, facing forward, to a place with a heading.
    fn out_from_origin(&self, pose: &mut Pose, place: &Vec3, heading_rad: f64) {
        let by = WorldMove {
            turn: turn(self.metric.heading.up, heading_rad),
            shift: planar(place, self.metric.heading.up),
        };
        self.carry(pose, &by);
    }

    /// Moves a body up.
    fn raise(&self, pose: &mut Pose, by: f64) {
        if by != 0.0 {
            let by = WorldMove {
                turn: Quat::identity(),
                shift: self.metric.heading.up.vector() * by,
            };
            self.carry(pose, &by);
        }
    }

    fn carry(&self, pose: &mut Pose, by: &WorldMove) {
        let skeleton = self.metric.skeleton();
        self.carrier
            .apply(skeleton, &mut pose.translations, &mut pose.rotations, by);
    }
}

/// A clip, ready to be joined.
#[derive(Debug, Clone, PartialEq)]
pub struct JoinClip {
    /// At the rig's frame rate, with the contacts of its feet.
    pub clip: Arc<Clip>,
    /// The way of the body.
    pub track: RootTrack,
    /// Its frames as the metric sees them.
    pub rows: PoseRows,
    planted: Vec<Planted>,
}

impl JoinClip {
    /// Reads what joins need. Contacts that the clip has are used; else they are found. A clip with another frame rate
    /// is resampled.
    pub fn new(rig: &Rig, clip: &Arc<Clip>) -> Result<Self, JoinError> {
        if !rig.metric.fits(clip) {
            return Err(JoinError::Skeleton(clip.info.name.clone()));
        }
        let clip = if (clip.fps() - rig.fps).abs() > 1e-6 * rig.fps {
            Arc::new(edit::resample(clip, rig.fps)?)
        } else {
            Arc::clone(clip)
        };
        if clip.n_frames() < 2 {
            return Err(JoinError::OneFrame(clip.info.name.clone()));
        }
        let track = rig.metric.heading.track(&clip);
        let rows = rig.metric.rows_along(&clip, &track);
        let planted = planted(rig, &clip);
        Ok(Self {
            clip,
            track,
            rows,
            planted,
        })
    }

    /// Frames there are, at the rig's rate.
    pub fn n_frames(&self) -> usize {
        self.clip.n_frames()
    }

    /// Where all feet that stand at a frame have been lifted; the clip's end if they are not.
    pub fn contacts_end(&self, frame: usize) -> usize {
        let mut standing = self.planted[frame];
        let mut at = frame;
        while standing != 0 && at < self.n_frames() {
            standing &= self.planted[at];
            at += 1;
        }
        at
    }

    /// The same played backwards.
    #[must_use]
    pub fn reversed(&self, rig: &Rig) -> Self {
        let mut motion =
            Motion::with_capacity(rig.skeleton(), self.clip.frame_secs(), self.n_frames());
        for frame in (0..self.n_frames()).rev() {
            motion.push(self.clip.frame(frame));
        }
        let info = self.clip.info.clone();
        let clip = Clip::new(info, Arc::clone(self.clip.skeleton()), motion);
        let clip = clip.expect("the same frames in another order");
        let mut track = self.track.clone();
        track.positions.reverse();
        track.rotations.reverse();
        track.headings.reverse();
        track.is_defined.reverse();
        Self {
            rows: rig.metric.rows_along(&clip, &track),
            planted: self.planted.iter().rev().copied().collect(),
            clip: Arc::new(clip),
            track,
        }
    }

    /// A pose at the origin, facing forward.
    pub fn pose_at_origin(&self, rig: &Rig, frame: usize) -> Pose {
        let mut pose = self.clip.frame(frame).to_pose();
        rig.to_origin(
            &mut pose,
            &self.track.positions[frame],
            self.track.headings[frame],
        );
        pose
    }
}

/// Which foot points stand in each frame. A skeleton without feet has none that do.
fn planted(rig: &Rig, clip: &Clip) -> Vec<Planted> {
    let settings = ContactSettings {
        parts: ContactParts::Feet,
        ..ContactSettings::default()
    };
    let found;
    let contacts = if clip.contacts().is_empty() {
        found = contacts::detect(clip, &settings).map_or_else(|_| Vec::new(), |d| d.contacts);
        &found
    } else {
        clip.contacts()
    };
    let mut planted = vec![0; clip.n_frames()];
    for contact in contacts {
        let point = rig.points.iter().position(|p| p.joint == contact.joint);
        let Some(point) = point else { continue };
        for mask in &mut planted[contact.frames.clone()] {
            *mask |= 1 << point;
        }
    }
    planted
}
