//! A made-up person whose every movement is known, with any up axis, size and frame rate.

use std::f64::consts::TAU;
use std::sync::Arc;

use kinfolk::motion::heading::{forward, left, turn};
use kinfolk::motion::{
    Axis, Channels, Clip, ClipInfo, Joint, Motion, Pose, Quat, RotationOrder, Skeleton, Vec3,
};

/// How the figure walks.
#[derive(Debug, Clone)]
pub(crate) struct Walk {
    pub(crate) up: Axis,
    pub(crate) fps: f64,
    pub(crate) scale: f64,
    pub(crate) n_frames: usize,
    /// Seconds per two steps.
    pub(crate) period_secs: f64,
    /// Units per second, before scaling.
    pub(crate) speed: f64,
    pub(crate) turn_rate: f64,
    /// Swing of the limbs in radians.
    pub(crate) swing: f64,
    /// Change of the swing per second: a walk that never quite repeats.
    pub(crate) drift: f64,
}

impl Default for Walk {
    fn default() -> Self {
        Self {
            up: Axis::Y,
            fps: 120.0,
            scale: 1.0,
            n_frames: 400,
            period_secs: 1.1,
            speed: 8.0,
            turn_rate: 0.0,
            swing: 0.5,
            drift: 0.0,
        }
    }
}

/// name, parent, offset with Y up: 10 units tall, facing +Z.
const JOINTS: [(&str, usize, [f64; 3]); 15] = [
    ("Hips", 0, [0.0, 5.2, 0.0]),
    ("LeftUpLeg", 0, [0.6, 0.0, 0.0]),
    ("LeftLeg", 1, [0.0, -2.4, 0.0]),
    ("LeftFoot", 2, [0.0, -2.4, 0.0]),
    ("LeftToeBase", 3, [0.0, -0.4, 0.8]),
    ("RightUpLeg", 0, [-0.6, 0.0, 0.0]),
    ("RightLeg", 5, [0.0, -2.4, 0.0]),
    ("RightFoot", 6, [0.0, -2.4, 0.0]),
    ("RightToeBase", 7, [0.0, -0.4, 0.8]),
    ("Spine", 0, [0.0, 3.0, 0.0]),
    ("Head", 9, [0.0, 1.8, 0.0]),
    ("LeftArm", 9, [1.0, -0.2, 0.0]),
    ("LeftForeArm", 11, [1.6, 0.0, 0.0]),
    ("LeftHand", 12, [1.5, 0.0, 0.0]),
    ("RightArm", 9, [-1.0, -0.2, 0.0]),
];

/// The skeleton, turned so that `up` is up.
pub(crate) fn skeleton(up: Axis, scale: f64) -> Skeleton {
    let stand = kinfolk::motion::rotation::align(&Vec3::y(), &up.vector());
    let mut list: Vec<(&str, usize, [f64; 3])> = JOINTS.to_vec();
    list.push(("RightForeArm", 14, [-1.6, 0.0, 0.0]));
    list.push(("RightHand", 15, [-1.5, 0.0, 0.0]));
    let joints = list
        .iter()
        .enumerate()
        .map(|(i, (name, parent, offset))| Joint {
            name: (*name).to_owned(),
            parent: (i > 0).then_some(*parent),
            offset: stand * Vec3::from(*offset) * scale,
            channels: match i {
                0 => Channels::position_and_rotation(RotationOrder::ZXY),
                _ => Channels::rotation(RotationOrder::ZXY),
            },
        })
        .collect();
    Skeleton::new(joints, vec![]).unwrap()
}

impl Walk {
    /// The walk as a clip.
    pub(crate) fn clip(&self) -> Clip {
        let skeleton = Arc::new(skeleton(self.up, self.scale));
        let stand = kinfolk::motion::rotation::align(&Vec3::y(), &self.up.vector());
        let mut motion = Motion::with_capacity(&skeleton, 1.0 / self.fps, self.n_frames);
        let mut place = Vec3::zeros();
        for frame in 0..self.n_frames {
            let t = frame as f64 / self.fps;
            let phase = TAU * t / self.period_secs;
            let swing = self.swing + self.drift * t;
            let about = |axis: Vec3, angle: f64| Quat::from_scaled_axis(stand * axis * angle);
            let mut pose = Pose::rest(&skeleton);
            let heading = self.turn_rate * t;
            // Positive turns about x swing a hanging limb backwards.
            for (joint, axis, angle) in [
                (1, Vec3::x(), -swing * phase.cos()),
                (2, Vec3::x(), 0.6 * swing * (1.0 + (phase + 1.0).sin())),
                (5, Vec3::x(), swing * phase.cos()),
                (6, Vec3::x(), 0.6 * swing * (1.0 - (phase + 1.0).sin())),
                (9, Vec3::y(), 0.2 * swing * phase.sin()),
                (11, Vec3::z(), -1.2 + 0.6 * swing * phase.cos()),
                (12, Vec3::y(), -0.5 - 0.4 * swing * (2.0 * phase).sin()),
                (14, Vec3::z(), 1.2 + 0.6 * swing * phase.cos()),
            ] {
                pose.rotations[joint] = about(axis, angle);
            }
            pose.rotations[0] =
                turn(self.up, heading) * about(Vec3::x(), 0.05 * (2.0 * phase).sin());
            let bob = self.up.vector() * (0.1 * (2.0 * phase).cos());
            pose.translations[0] += (place + bob) * self.scale;
            let along =
                turn(self.up, heading) * (forward(self.up) + left(self.up) * 0.05 * phase.sin());
            place += along * (self.speed / self.fps);
            motion.push(pose.as_ref());
        }
        let mut info = ClipInfo::named("figure");
        info.up = self.up;
        Clip::new(info, skeleton, motion).unwrap()
    }
}

/// A figure that stands stiffly while its root is shifted by `path(seconds)`.
pub(crate) fn stiff(up: Axis, fps: f64, n_frames: usize, path: impl Fn(f64) -> Vec3) -> Clip {
    let skeleton = Arc::new(skeleton(up, 1.0));
    let mut motion = Motion::with_capacity(&skeleton, 1.0 / fps, n_frames);
    for frame in 0..n_frames {
        let mut pose = Pose::rest(&skeleton);
        pose.translations[0] += path(frame as f64 / fps);
        motion.push(pose.as_ref());
    }
    let mut info = ClipInfo::named("stiff");
    info.up = up;
    Clip::new(info, skeleton, motion).unwrap()
}

/// The same clip with every rotation changed.
pub(crate) fn turned(clip: &Clip, change: impl Fn(usize, usize) -> Vec3) -> Clip {
    let mut motion = clip.motion().clone();
    let n_joints = clip.skeleton().n_joints();
    for (at, q) in motion.rotations.iter_mut().enumerate() {
        *q *= Quat::from_scaled_axis(change(at / n_joints, at % n_joints));
    }
    Clip::new(clip.info.clone(), Arc::clone(clip.skeleton()), motion).unwrap()
}

/// Numbers between -1 and 1 without order, the same every time.
pub(crate) fn noise(seed: usize) -> f64 {
    let mut x = (seed as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
    x = (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 32)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((x >> 11) as f64 / (1_u64 << 52) as f64) - 1.0
}
