//! Where the body goes while two motions are blended.
//!
//! Blending places would drag a runner back to where the standing target was put; blending velocities does not. What
//! goes on is not always the pelvis: over a foot that stands on both sides, the pelvis has to move so that the foot
//! does not. So the velocity of one or more *matched* points is blended, and the body is put where they ask for.

use super::{JoinClip, Match, Planted, Rig, planar};
use crate::motion::heading::turn;
use crate::motion::{Pose, Side, Vec3, WorldPose};

/// The motion of a body through one frame, seen from its heading.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flow {
    /// By how much the body turns to the left.
    pub(super) turn_rad: f64,
    /// How far the matched points went along the floor.
    pub(super) way: Vec3,
}

impl Flow {
    pub(super) const fn none() -> Self {
        Self {
            turn_rad: 0.0,
            way: Vec3::new(0.0, 0.0, 0.0),
        }
    }

    /// How it changes from one frame to the next.
    pub(super) fn change(before: &Self, after: &Self) -> Self {
        Self {
            turn_rad: after.turn_rad - before.turn_rad,
            way: after.way - before.way,
        }
    }

    pub(super) fn times(&self, by: f64) -> Self {
        Self {
            turn_rad: self.turn_rad * by,
            way: self.way * by,
        }
    }

    pub(super) fn plus(&self, more: &Self) -> Self {
        Self {
            turn_rad: self.turn_rad + more.turn_rad,
            way: self.way + more.way,
        }
    }

    pub(super) fn between(a: &Self, b: &Self, share: f64) -> Self {
        Self {
            turn_rad: a.turn_rad + (b.turn_rad - a.turn_rad) * share,
            way: a.way.lerp(&b.way, share),
        }
    }
}

/// The points whose velocity is blended; none stands for the pelvis.
#[derive(Debug, Clone)]
pub(super) struct Matched {
    joints: Vec<usize>,
    /// Those that carry them.
    chains: Vec<usize>,
}

impl Matched {
    /// Settles what is matched for one join: for [`Match::Auto`] by the feet that stand on both sides.
    pub(super) fn of(rig: &Rig, matching: Match, source: Planted, target: Planted) -> Self {
        let on_side = |side: Side| {
            let leg = rig.body.legs.iter().find(|leg| leg.side == side);
            leg.map(|leg| leg.toe.unwrap_or(leg.end))
                .into_iter()
                .collect()
        };
        let joints: Vec<usize> = match matching {
            Match::Pelvis => Vec::new(),
            Match::LeftFoot => on_side(Side::Left),
            Match::RightFoot => on_side(Side::Right),
            Match::Auto => {
                let both = source & target;
                let stands = |&p: &usize| both & (1 << p) != 0;
                let points = (0..rig.points.len()).filter(stands);
                points.map(|p| rig.points[p].joint).collect()
            }
        };
        Self {
            chains: rig.skeleton().with_ancestors(joints.iter().copied()),
            joints,
        }
    }

    /// The mean place of the matched points of a pose, along the floor; the body root's if there are none.
    pub(super) fn place(&self, rig: &Rig, pose: &Pose, world: &mut WorldPose) -> Vec3 {
        planar(&self.centre(rig, pose, world), rig.metric.heading.up)
    }

    /// How high it is.
    pub(super) fn height(&self, rig: &Rig, pose: &Pose, world: &mut WorldPose) -> f64 {
        rig.metric.heading.up.along(&self.centre(rig, pose, world))
    }

    fn centre(&self, rig: &Rig, pose: &Pose, world: &mut WorldPose) -> Vec3 {
        if self.joints.is_empty() {
            return rig.root_of(pose.as_ref()).0;
        }
        world.update_some(rig.skeleton(), pose.as_ref(), &self.chains);
        let sum: Vec3 = self.joints.iter().map(|&j| world.positions[j]).sum();
        sum / self.joints.len() as f64
    }

    /// How the matched points move from one place and heading to the next.
    pub(super) fn flow(rig: &Rig, before: (Vec3, f64), after: (Vec3, f64)) -> Flow {
        Flow {
            turn_rad: after.1 - before.1,
            way: turn(rig.metric.heading.up, -after.1) * (after.0 - before.0),
        }
    }
}

/// The flow of a clip from frame to frame; into its first frame, that into the second.
#[derive(Debug)]
pub(super) struct ClipFlow<'a> {
    rig: &'a Rig,
    clip: &'a JoinClip,
    matched: &'a Matched,
    /// The frame that was asked for last, and where the matched points are in it.
    last: Option<(usize, Vec3)>,
}

impl<'a> ClipFlow<'a> {
    pub(super) fn of(rig: &'a Rig, clip: &'a JoinClip, matched: &'a Matched) -> Self {
        Self {
            rig,
            clip,
            matched,
            last: None,
        }
    }

    pub(super) fn up_to(&mut self, frame: usize, world: &mut WorldPose) -> Flow {
        let after = frame.max(1);
        let headings = &self.clip.track.headings;
        let mut place = |f: usize| match self.last {
            Some((at, place)) if at == f => place,
            _ => self
                .matched
                .place(self.rig, &self.clip.clip.frame(f).to_pose(), world),
        };
        let (from, to) = (place(after - 1), place(after));
        self.last = Some((after, to));
        Matched::flow(self.rig, (from, headings[after - 1]), (to, headings[after]))
    }
}
