//! How fast bodies move: forward kinematics, its Jacobian, and charts of clips.
//!
//! The body is made up, as large as a CMU one: 31 joints, of which a hand hangs nine below the root.

use std::sync::Arc;

use divan::{Bencher, black_box};
use kinfolk::motion::chart::{ChartSettings, DofChart, RootState};
use kinfolk::motion::{
    Channels, Clip, ClipInfo, Joint, Motion, Pose, Quat, RotationOrder, Site, Skeleton, Vec3,
    WorldPose, jacobian,
};

fn main() {
    divan::main();
}

const N_JOINTS: usize = 31;
const HAND: usize = 20;

/// Two legs of five joints, a spine of six, two arms of seven.
fn skeleton() -> Arc<Skeleton> {
    let parent = |joint: usize| match joint {
        1 | 6 | 11 => 0,
        17 | 24 => 13,
        _ => joint - 1,
    };
    let joints = (0..N_JOINTS)
        .map(|joint| Joint {
            name: format!("joint{joint}"),
            parent: (joint > 0).then(|| parent(joint)),
            offset: Vec3::new(0.1, 1.0, 0.05 * joint as f64),
            channels: if joint == 0 {
                Channels::position_and_rotation(RotationOrder::ZYX)
            } else {
                Channels::rotation(RotationOrder::ZYX)
            },
        })
        .collect();
    Arc::new(Skeleton::new(joints, vec![]).expect("parents come first"))
}

fn pose(skeleton: &Skeleton, secs: f64) -> Pose {
    let mut pose = Pose::rest(skeleton);
    for (joint, rotation) in pose.rotations.iter_mut().enumerate() {
        let phase = 6.0 * secs + joint as f64;
        *rotation = Quat::from_scaled_axis(Vec3::new(
            0.5 * phase.sin(),
            0.2 * (2.0 * phase).cos(),
            0.1 * (0.5 * phase).sin(),
        ));
    }
    pose.translations[0] = Vec3::new(0.0, 9.0, 3.0 * secs);
    pose
}

fn clip(n_frames: usize) -> Clip {
    let skeleton = skeleton();
    let mut motion = Motion::with_capacity(&skeleton, 1.0 / 120.0, n_frames);
    for frame in 0..n_frames {
        motion.push(pose(&skeleton, frame as f64 / 120.0).as_ref());
    }
    Clip::new(ClipInfo::named("made up"), skeleton, motion).expect("whole poses")
}

/// The promise: under a microsecond.
#[divan::bench]
fn forward_kinematics_of_31_joints(bencher: Bencher<'_, '_>) {
    let skeleton = skeleton();
    let pose = pose(&skeleton, 0.3);
    let mut world = WorldPose::of(&skeleton, pose.as_ref());
    bencher.bench_local(|| {
        world.update(black_box(&skeleton), black_box(pose.as_ref()));
        black_box(&world);
    });
}

#[divan::bench]
fn jacobian_of_a_hand(bencher: Bencher<'_, '_>) {
    let skeleton = skeleton();
    let world = WorldPose::of(&skeleton, pose(&skeleton, 0.3).as_ref());
    bencher.bench_local(|| {
        for block in jacobian(black_box(&skeleton), &world, Site::Joint(HAND)) {
            black_box(block);
        }
    });
}

#[divan::bench]
fn learn_a_chart_from_1000_frames(bencher: Bencher<'_, '_>) {
    let clip = clip(1000);
    bencher.bench_local(|| DofChart::learn(&[black_box(&clip)], &ChartSettings::default()));
}

#[divan::bench]
fn curves_of_1000_frames(bencher: Bencher<'_, '_>) {
    let clip = clip(1000);
    let chart = DofChart::learn(&[&clip], &ChartSettings::default()).expect("one clip");
    bencher.bench_local(|| chart.curves(black_box(&clip)));
}

#[divan::bench]
fn clip_from_1000_rows(bencher: Bencher<'_, '_>) {
    let clip = clip(1000);
    let chart = DofChart::learn(&[&clip], &ChartSettings::default()).expect("one clip");
    let curves = chart.curves(&clip).expect("the same clip");
    bencher.bench_local(|| chart.clip(black_box(&curves), ClipInfo::named("back")));
}

#[divan::bench]
fn one_pose_of_a_stream(bencher: Bencher<'_, '_>) {
    let clip = clip(10);
    let chart = DofChart::learn(&[&clip], &ChartSettings::default()).expect("one clip");
    let curves = chart.curves(&clip).expect("the same clip");
    let mut state = RootState::begin(&curves.start, curves.frame_secs);
    let mut pose = Pose::rest(chart.skeleton());
    bencher.bench_local(|| chart.pose_into(black_box(curves.row(5)), &mut state, &mut pose));
}
