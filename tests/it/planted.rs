//! A body whose every move is known, because the test made it.

use std::sync::Arc;

use kinfolk::motion::{
    Axis, Channels, Clip, ClipInfo, EndSite, Joint, Motion, Pose, Quat, RotationOrder, Skeleton,
    Vec3, rotation,
};

/// Name, parent, and place on the parent with Y up, facing +Z, in metres.
const JOINTS: [(&str, usize, [f64; 3]); 17] = [
    ("Hips", 0, [0.0, 0.95, 0.0]),
    ("LeftUpLeg", 0, [0.1, -0.05, 0.0]),
    ("LeftLeg", 1, [0.0, -0.42, 0.0]),
    ("LeftFoot", 2, [0.0, -0.4, 0.0]),
    ("LeftToeBase", 3, [0.0, -0.06, 0.14]),
    ("RightUpLeg", 0, [-0.1, -0.05, 0.0]),
    ("RightLeg", 5, [0.0, -0.42, 0.0]),
    ("RightFoot", 6, [0.0, -0.4, 0.0]),
    ("RightToeBase", 7, [0.0, -0.06, 0.14]),
    ("Spine", 0, [0.0, 0.3, 0.0]),
    ("Head", 9, [0.0, 0.35, 0.0]),
    ("LeftArm", 9, [0.18, 0.2, 0.0]),
    ("LeftForeArm", 11, [0.28, 0.0, 0.0]),
    ("LeftHand", 12, [0.25, 0.0, 0.0]),
    ("RightArm", 9, [-0.18, 0.2, 0.0]),
    ("RightForeArm", 14, [-0.28, 0.0, 0.0]),
    ("RightHand", 15, [-0.25, 0.0, 0.0]),
];

/// The turn that brings Y up to this axis.
pub(crate) fn upright(up: Axis) -> Quat {
    rotation::align(&Vec3::y(), &up.vector())
}

/// A person; `scale` in units a metre. With `puppet`, every joint has positions of its own.
pub(crate) fn person(up: Axis, scale: f64, is_puppet: bool) -> Arc<Skeleton> {
    let turned = |v: [f64; 3]| upright(up) * Vec3::from(v) * scale;
    let joints = JOINTS
        .iter()
        .enumerate()
        .map(|(idx, (name, parent, offset))| Joint {
            name: (*name).to_owned(),
            parent: (idx > 0).then_some(*parent),
            offset: turned(*offset),
            channels: if is_puppet || idx == 0 {
                Channels::position_and_rotation(RotationOrder::ZXY)
            } else {
                Channels::rotation(RotationOrder::ZXY)
            },
        })
        .collect();
    let end = |joint, offset| EndSite {
        joint,
        offset: turned(offset),
    };
    let ends = vec![
        end(4, [0.0, 0.0, 0.07]),
        end(8, [0.0, 0.0, 0.07]),
        end(10, [0.0, 0.2, 0.0]),
        end(13, [0.15, 0.0, 0.0]),
        end(16, [-0.15, 0.0, 0.0]),
    ];
    Arc::new(Skeleton::new(joints, ends).unwrap())
}

/// A clip of this many poses.
pub(crate) fn clip(
    skeleton: &Arc<Skeleton>,
    up: Axis,
    fps: f64,
    n_frames: usize,
    pose: impl Fn(usize, &mut Pose),
) -> Clip {
    let mut motion = Motion::with_capacity(skeleton, 1.0 / fps, n_frames);
    for frame in 0..n_frames {
        let mut posed = Pose::rest(skeleton);
        pose(frame, &mut posed);
        motion.push(posed.as_ref());
    }
    let mut info = ClipInfo::named("planted");
    info.up = up;
    Clip::new(info, Arc::clone(skeleton), motion).unwrap()
}

/// A real clip with its up axis; whole takes lose the T-pose that the conversion put first.
pub(crate) fn real(path: &std::path::Path) -> Clip {
    let bytes = std::fs::read(path).unwrap();
    let mut clip = kinfolk::file::bvh::read(&bytes, &Default::default()).unwrap();
    clip.info.up = kinfolk::motion::body::guess_up(&clip).axis;
    if !path.to_string_lossy().contains("walk_full") {
        return clip;
    }
    let mut motion = clip.motion().clone();
    motion.rotations.drain(..clip.skeleton().n_joints());
    motion
        .translations
        .drain(..clip.skeleton().translating().len());
    Clip::new(clip.info.clone(), Arc::clone(clip.skeleton()), motion).unwrap()
}

/// World positions: frame by frame, joint by joint.
pub(crate) fn positions(clip: &Clip) -> Vec<Vec<Vec3>> {
    let mut world = kinfolk::motion::WorldPose::of(clip.skeleton(), clip.frame(0));
    clip.frames()
        .map(|pose| {
            world.update(clip.skeleton(), pose);
            world.positions.clone()
        })
        .collect()
}
