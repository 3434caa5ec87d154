//! The body on its way through a join: poses that are given at the origin are put where its blended flow leads.

use super::blend::{Moving, quick_decay};
use super::root::{Flow, Matched};
use super::{JoinClip, JoinShape, Rig};
use crate::motion::heading::turn;
use crate::motion::{Pose, Vec3, WorldPose};

/// How much of the acceleration of the body goes on after a cut; like that of joints, it is soon gone.
const CARRIED: f64 = 0.5;

/// A pose on the way through a join.
pub(super) struct BlendedPose {
    /// At the origin, facing forward.
    pub(super) pose: Pose,
    /// How much of the destination is seen.
    pub(super) share: f64,
    /// How the destination moves here.
    pub(super) flow: Flow,
    /// The frame of the clip that it shows.
    pub(super) frame: usize,
}

/// How the body came to a cut: its last poses with the way they face.
pub(super) struct Approach {
    /// None where there are only two.
    pub(super) earlier: Option<(Pose, f64)>,
    pub(super) before: (Pose, f64),
    pub(super) last: (Pose, f64),
    /// Of the body root in the last one, along the floor.
    pub(super) place: Vec3,
}

/// The body on its way through a join.
#[derive(Clone)]
pub(super) struct Walk {
    pub(super) world: WorldPose,
    /// Of the body root, along the floor.
    pub(super) place: Vec3,
    pub(super) heading_rad: f64,
    /// Where the matched points are.
    at: Vec3,
    /// The source, as it would go on.
    source: Flow,
    /// By what it changes in the next frame.
    change: Flow,
}

impl Walk {
    /// Goes on as it came.
    pub(super) fn after(rig: &Rig, came: &Approach, matched: &Matched, holds: bool) -> Self {
        let mut world = WorldPose::of(rig.skeleton(), came.last.0.as_ref());
        let mut placed =
            |(pose, heading): &(Pose, f64)| (matched.place(rig, pose, &mut world), *heading);
        let (before, last) = (placed(&came.before), placed(&came.last));
        let source = if holds {
            Flow::none()
        } else {
            Matched::flow(rig, before, last)
        };
        let change = match &came.earlier {
            Some(earlier) if !holds => {
                let earlier = placed(earlier);
                Flow::change(&Matched::flow(rig, earlier, before), &source).times(CARRIED)
            }
            _ => source.times(0.0),
        };
        Self {
            change,
            at: last.0,
            place: came.place,
            heading_rad: last.1,
            world,
            source,
        }
    }

    /// How far the destination has to be raised for the matched points to be as high as they are at the cut.
    pub(super) fn lift(
        &mut self,
        rig: &Rig,
        from: &Pose,
        to: &Pose,
        matched: &Matched,
        shape: &JoinShape,
    ) -> f64 {
        if !shape.alignment.height {
            return 0.0;
        }
        matched.height(rig, from, &mut self.world) - matched.height(rig, to, &mut self.world)
    }

    /// Where it comes to with this much more of a turn and a way.
    pub(super) fn end_of(
        &self,
        rig: &Rig,
        matched: &Matched,
        steps: &[BlendedPose],
        more: &Flow,
    ) -> Self {
        let mut walk = self.clone();
        let mut before = 0.0;
        for step in steps {
            let by = more.times(step.share - before);
            before = step.share;
            let copy = BlendedPose {
                pose: step.pose.clone(),
                ..*step
            };
            walk.step(rig, matched, copy, &by);
        }
        walk
    }

    /// Puts a pose, given at the origin, where the blended flow brings the body. `more` is asked for beyond that: a
    /// turn, and a way in the world.
    pub(super) fn step(
        &mut self,
        rig: &Rig,
        matched: &Matched,
        step: BlendedPose,
        more: &Flow,
    ) -> (Pose, f64) {
        let up = rig.metric.heading.up;
        self.source = self.source.plus(&self.change);
        self.change = self.change.times((-quick_decay(rig.fps)).exp());
        let flow = Flow::between(&self.source, &step.flow, step.share);
        self.heading_rad += flow.turn_rad + more.turn_rad;
        self.at += turn(up, self.heading_rad) * flow.way + more.way;
        let mut pose = step.pose;
        let from_body = matched.place(rig, &pose, &mut self.world);
        self.place = self.at - turn(up, self.heading_rad) * from_body;
        rig.out_from_origin(&mut pose, &self.place, self.heading_rad);
        (pose, self.heading_rad)
    }
}

/// The target at the moment of the cut: one frame before it enters. Before its first frame it is thought to have moved
/// as it does from there.
pub(super) fn entering(rig: &Rig, clip: &JoinClip, enter: usize, holds: bool) -> Moving {
    let at = |frame: usize| clip.pose_at_origin(rig, frame);
    if holds {
        return Moving::still(at(enter));
    }
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
pub(super) fn going_on(pose: Pose, before: Pose) -> Moving {
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
