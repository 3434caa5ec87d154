//! Motion along a curve that somebody drew on the floor.
//!
//! A [`FloorPath`] is the curve: drawn points with corners rounded so that it can be walked. [`warp`] bends and
//! stretches a clip until its smoothed root lies on the curve, [`lock`] puts the feet down again, `measure` says how
//! far root and feet are off. Nothing here chooses motion: a clip that turns roughly where the curve does has to be
//! found first.
//!
//! The uses come from Gao and Hong 2007, section 4 (sketched paths); warping and locking are ours, since a search among
//! captured clips alone stays centimetres to decimetres off the curve.
//!
//! Definitions, as in the literature on text-to-motion with root constraints, so that numbers compare: *root* is the
//! floor projection of the body root, averaged over one gait cycle; a toe is *in contact* while it is lower than 5 cm;
//! it *skates* while it is in contact and faster than 0.2 m/s; a point of the path is *hit* if the root comes within
//! 10 cm of it.

mod curve;
mod gait;
mod lock;
mod measure;
mod rounding;
mod smooth;
mod warp;

use super::heading::{forward, left};
use super::{Axis, Vec3};

pub use curve::{FloorPath, Hairpin, PathError, PathPoint, PathSettings};
pub use gait::{GaitCycle, gait_cycle};
pub use lock::{LockSettings, Locked, lock};
pub use measure::{FootSkate, PathFit, contact_speeds, foot_skate, path_fit, toe_floor};
pub use smooth::smoothed;
pub use warp::{WarpError, WarpSettings, Warped, warp};

/// A place on the floor: to the left of heading zero, and forward. With Y up that is x and z of the file.
pub type Vec2 = nalgebra::Vector2<f64>;

/// The floor below a place in the world.
pub fn on_floor(up: Axis, place: &Vec3) -> Vec2 {
    Vec2::new(left(up).dot(place), forward(up).dot(place))
}

/// The place in the world over a place on the floor, without height.
pub fn in_world(up: Axis, place: &Vec2) -> Vec3 {
    left(up) * place.x + forward(up) * place.y
}

/// The unit vector that a heading points to.
pub fn direction(heading_rad: f64) -> Vec2 {
    let (sin, cos) = heading_rad.sin_cos();
    Vec2::new(sin, cos)
}

/// The heading of a way along the floor; zero for no way.
pub fn heading_of(way: &Vec2) -> f64 {
    way.x.atan2(way.y)
}

/// A way along the floor after a turn by a heading.
pub fn turned(way: &Vec2, heading_rad: f64) -> Vec2 {
    let (sin, cos) = heading_rad.sin_cos();
    Vec2::new(cos * way.x + sin * way.y, cos * way.y - sin * way.x)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::motion::heading::turn;
    use crate::motion::{
        Body, Channels, Clip, ClipInfo, Contact, Joint, Motion, Quat, RotationOrder, Skeleton,
        WorldPose,
    };

    fn joint(name: &str, parent: Option<usize>, offset: [f64; 3]) -> Joint {
        Joint {
            name: name.to_owned(),
            parent,
            offset: Vec3::from(offset),
            channels: Channels::rotation(RotationOrder::ZXY),
        }
    }

    /// A body of two joints that glides at 30 frames a second; place and heading by frame.
    pub(super) fn gliding(n: usize, at: impl Fn(f64) -> (Vec2, f64)) -> Clip {
        let joints = vec![
            joint("hips", None, [0.0; 3]),
            joint("chest", Some(0), [0.0, 0.7, 0.0]),
        ];
        let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
        let mut motion = Motion::with_capacity(&skeleton, 1.0 / 30.0, n);
        for frame in 0..n {
            let (place, heading) = at(frame as f64);
            motion
                .translations
                .push(in_world(Axis::Y, &place) + Vec3::y());
            motion.rotations.push(turn(Axis::Y, heading));
            motion.rotations.push(Quat::identity());
        }
        Clip::new(ClipInfo::named("gliding"), skeleton, motion).unwrap()
    }

    /// A body on two bent legs that is dragged forward by so much a frame, with both toes marked as standing.
    pub(super) fn dragged(by: f64) -> Clip {
        let mut joints = vec![joint("Hips", None, [0.0; 3])];
        for (side, x) in [("Left", 0.1), ("Right", -0.1)] {
            let hip = joints.len();
            let names = ["UpLeg", "Leg", "Foot", "ToeBase"];
            let offsets = [
                [x, 0.0, 0.0],
                [0.0, -0.45, 0.0],
                [0.0, -0.45, 0.0],
                [0.0, -0.08, 0.12],
            ];
            for (nth, (name, offset)) in names.iter().zip(offsets).enumerate() {
                let parent = if nth == 0 { 0 } else { hip + nth - 1 };
                joints.push(joint(&format!("{side}{name}"), Some(parent), offset));
            }
        }
        let spine = joints.len();
        joints.push(joint("Spine", Some(0), [0.0, 0.3, 0.0]));
        joints.push(joint("Head", Some(spine), [0.0, 0.4, 0.0]));
        let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
        let n = 40;
        let mut motion = Motion::with_capacity(&skeleton, 1.0 / 30.0, n);
        let about_x = |angle: f64| Quat::from_scaled_axis(Vec3::x() * angle);
        for frame in 0..n {
            motion
                .translations
                .push(Vec3::new(0.0, 0.9, by * frame as f64));
            let mut rotations = vec![Quat::identity(); skeleton.n_joints()];
            for leg in &Body::of(&skeleton).legs {
                rotations[leg.upper] = about_x(-0.4);
                rotations[leg.middle] = about_x(0.8);
                rotations[leg.end] = about_x(-0.4);
            }
            motion.rotations.extend(rotations);
        }
        let contacts = [4, 8].map(|toe| Contact {
            joint: toe,
            frames: 10..30,
        });
        let clip = Clip::new(ClipInfo::named("dragged"), skeleton, motion).unwrap();
        clip.with_contacts(contacts.to_vec()).unwrap()
    }

    /// How far a toe moves while it is marked as standing.
    pub(super) fn still_toe(clip: &Clip, leg: usize) -> f64 {
        let toe = Body::of(clip.skeleton()).legs[leg].toe.unwrap();
        let place = |f| WorldPose::of(clip.skeleton(), clip.frame(f)).positions[toe];
        (10..30)
            .map(|f| (place(f) - place(10)).norm())
            .fold(0.0, f64::max)
    }

    #[test]
    fn the_floor_turns_as_the_world_does_whatever_is_up() {
        for up in Axis::all() {
            let place = Vec3::new(0.3, -1.2, 2.0);
            let angle = 0.7;
            let there = on_floor(up, &(turn(up, angle) * place));
            let here = turned(&on_floor(up, &place), angle);
            assert!((there - here).norm() < 1e-12, "{up}");
            let back = in_world(up, &on_floor(up, &place)) + up.vector() * up.along(&place);
            assert!((back - place).norm() < 1e-12, "{up}");
            let ahead = on_floor(up, &(turn(up, angle) * forward(up)));
            assert!((ahead - direction(angle)).norm() < 1e-12, "{up}");
            assert!((heading_of(&ahead) - angle).abs() < 1e-12, "{up}");
        }
    }
}
