//! The end of a limb brought to a place: the hinge sets how far it reaches, the ball joint above points it there.
//!
//! Of the four angles three are used up by the place. The fourth, the swivel about the line from hip to ankle, stays
//! as it was: the limb is turned the shortest way, so its plane follows smoothly wherever the end goes smoothly. This
//! is closed-form, about a microsecond, and exact.

use super::geometry::LimbPose;
use crate::motion::rotation::align;
use crate::motion::{Quat, Vec3};

/// A limb that is bent back by less than this is taken to be straight: real knees hyperextend, and captured ones more.
const SLIGHTLY_BACK_RAD: f64 = 0.1;

/// How far the hinge of a limb lets it reach: `squared distance = base + swing cos(bend)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Extension {
    base: f64,
    swing: f64,
    /// Turn about the hinge from the pose to the straight limb.
    straight_rad: f64,
}

impl Extension {
    pub(crate) fn of(limb: &LimbPose, hinge: &Vec3) -> Self {
        // The upper bone in the middle joint's axes; a turn about the hinge leaves its share along the hinge alone.
        let upper = (limb.upper_from_middle_parent * limb.middle).inverse() * limb.upper_bone;
        let lower = limb.lower_bone;
        let along = hinge * hinge.dot(&lower);
        let cos_part = upper.dot(&(lower - along));
        let sin_part = upper.dot(&hinge.cross(&lower));
        Self {
            base: upper.norm_squared() + lower.norm_squared() + 2.0 * upper.dot(&along),
            swing: 2.0 * cos_part.hypot(sin_part),
            straight_rad: if cos_part == 0.0 && sin_part == 0.0 {
                0.0
            } else {
                sin_part.atan2(cos_part)
            },
        }
    }

    /// Reach when fully bent and when straight.
    pub(crate) fn range(&self) -> (f64, f64) {
        let least = (self.base - self.swing).max(0.0).sqrt();
        (least, (self.base + self.swing).max(0.0).sqrt())
    }

    /// How far the pose itself reaches.
    pub(crate) fn current(&self) -> f64 {
        (self.base + self.swing * self.straight_rad.cos())
            .max(0.0)
            .sqrt()
    }

    /// How far the pose is bent from straight; negative when bent the wrong way.
    pub(crate) fn bend_rad(&self) -> f64 {
        -self.straight_rad
    }

    /// The turn about the hinge that makes the limb reach this far, or as near to it as it can.
    ///
    /// To the right side: a knee that the capture bent a little too far back comes out bent forward, except where it
    /// keeps its length. One that is clearly bent back (a bad moment of the capture, a dog's leg) stays on its side.
    fn turn_for(&self, reach: f64) -> f64 {
        if self.swing <= 0.0 {
            return 0.0;
        }
        let cos = (reach * reach - self.base) / self.swing;
        let bend = cos.clamp(-1.0, 1.0).acos();
        let pose_bend = self.bend_rad();
        if pose_bend < -SLIGHTLY_BACK_RAD || (pose_bend < 0.0 && bend <= -pose_bend) {
            return self.straight_rad - bend;
        }
        self.straight_rad + bend
    }
}

/// The pose of a limb whose end is at `target_world`, or as near as its bones allow.
pub(crate) fn reach_for(limb: &LimbPose, hinge: &Vec3, target_world: &Vec3) -> LimbPose {
    let to_target = target_world - limb.upper_pos_world;
    let extension = Extension::of(limb, hinge);
    let turn = extension.turn_for(to_target.norm());
    let mut reached = *limb;
    reached.middle = limb.middle * Quat::from_scaled_axis(hinge * turn);
    let pointing = reached.end_pos_world() - limb.upper_pos_world;
    if pointing.norm() > 0.0 && to_target.norm() > 0.0 {
        let turn_world = align(&pointing, &to_target);
        let parent = limb.world_from_parent;
        reached.upper = parent.inverse() * turn_world * parent * limb.upper;
    }
    reached
}
