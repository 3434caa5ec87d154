//! Feet held in place: how long a limb and frame takes, whole clips, and finding contacts.
//!
//! `cargo bench --bench limbs`. Items are limb-frames (or frames, for contacts).

use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use kinfolk::motion::contacts::{ContactSettings, detect};
use kinfolk::motion::foot_slide::{self, FootSlideSettings};
use kinfolk::motion::limb::{Hold, HoldPosition, LimbMethod, LimbSettings, constrain};
use kinfolk::motion::{
    Channels, Clip, ClipInfo, Contact, Joint, Motion, Pose, Quat, RotationOrder, Site, Skeleton,
    Vec3, WorldPose,
};

const N_FRAMES: usize = 1200;
const LEFT_FOOT: usize = 3;
const RIGHT_FOOT: usize = 7;

fn main() {
    divan::main();
}

/// A body with 31 joints, as in most capture, that sways with bent knees.
fn swaying() -> Clip {
    let mut joints = vec![("Hips".to_owned(), 0, Vec3::new(0.0, 0.95, 0.0))];
    for (side, x) in [("Left", 0.1), ("Right", -0.1)] {
        let hip = joints.len();
        joints.push((format!("{side}UpLeg"), 0, Vec3::new(x, -0.05, 0.0)));
        joints.push((format!("{side}Leg"), hip, Vec3::new(0.0, -0.42, 0.0)));
        joints.push((format!("{side}Foot"), hip + 1, Vec3::new(0.0, -0.4, 0.0)));
        joints.push((
            format!("{side}ToeBase"),
            hip + 2,
            Vec3::new(0.0, -0.06, 0.14),
        ));
    }
    joints.push(("Spine".to_owned(), 0, Vec3::new(0.0, 0.3, 0.0)));
    joints.push(("Head".to_owned(), 9, Vec3::new(0.0, 0.35, 0.0)));
    while joints.len() < 31 {
        joints.push((
            format!("Extra{}", joints.len()),
            joints.len() - 1,
            Vec3::y() * 0.01,
        ));
    }
    let joints = joints
        .into_iter()
        .enumerate()
        .map(|(idx, (name, parent, offset))| Joint {
            name,
            parent: (idx > 0).then_some(parent),
            offset,
            channels: Channels::rotation(RotationOrder::ZXY),
        })
        .collect();
    let skeleton = Arc::new(Skeleton::new(joints, vec![]).expect("parents come first"));
    let mut motion = Motion::with_capacity(&skeleton, 1.0 / 120.0, N_FRAMES);
    for frame in 0..N_FRAMES {
        let t = frame as f64 / 120.0;
        let bend = 0.5 + 0.1 * (2.0 * t).sin();
        let mut pose = Pose::rest(&skeleton);
        for hip in [1, 5] {
            pose.rotations[hip] = Quat::from_scaled_axis(Vec3::new(-bend / 2.0, 0.0, 0.03));
            pose.rotations[hip + 1] = Quat::from_scaled_axis(Vec3::x() * bend);
            pose.rotations[hip + 2] = Quat::from_scaled_axis(Vec3::x() * (-bend / 2.0));
        }
        pose.translations[0] += Vec3::new(0.02 * (1.7 * t).sin(), -0.03, 0.0);
        motion.push(pose.as_ref());
    }
    Clip::new(ClipInfo::named("swaying"), skeleton, motion).expect("whole, finite poses")
}

/// The left foot held all the time: the work of one limb at every frame, with everything around it.
fn held(bencher: Bencher<'_, '_>, method: LimbMethod) {
    let clip = swaying();
    let world = WorldPose::of(clip.skeleton(), clip.frame(0));
    let holds = [Hold {
        site: Site::Joint(LEFT_FOOT),
        frames: 0..N_FRAMES,
        at: HoldPosition::Point(world.positions[LEFT_FOOT] + Vec3::new(0.01, 0.01, 0.02)),
    }];
    let settings = LimbSettings {
        method,
        ..LimbSettings::default()
    };
    bencher
        .counter(ItemsCount::new(N_FRAMES))
        .bench(|| constrain(&clip, &holds, &settings));
}

#[divan::bench]
fn one_foot_whole_curve(bencher: Bencher<'_, '_>) {
    held(bencher, LimbMethod::WholeCurve);
}

#[divan::bench]
fn one_foot_frame_by_frame(bencher: Bencher<'_, '_>) {
    held(bencher, LimbMethod::PAPER);
}

#[divan::bench]
fn slide_of_both_feet(bencher: Bencher<'_, '_>) {
    let clip = swaying();
    let settings = FootSlideSettings::default();
    bencher
        .counter(ItemsCount::new(2 * N_FRAMES))
        .bench(|| foot_slide::remove(&clip, &settings));
}

/// A body that drops for single frames all along, so that every hold has to give way in many places.
#[divan::bench]
fn slide_that_gives_way(bencher: Bencher<'_, '_>) {
    let still = swaying();
    let mut motion = still.motion().clone();
    for drop in (50..N_FRAMES).step_by(97) {
        motion.translations[drop].y -= 0.05 + 1e-5 * drop as f64;
    }
    let clip = Clip::new(still.info.clone(), Arc::clone(still.skeleton()), motion)
        .and_then(|clip| {
            let contacts = [LEFT_FOOT, RIGHT_FOOT].map(|joint| Contact {
                joint,
                frames: 0..N_FRAMES,
            });
            clip.with_contacts(contacts.to_vec())
        })
        .expect("whole, finite poses");
    let settings = FootSlideSettings::default();
    bencher
        .counter(ItemsCount::new(2 * N_FRAMES))
        .bench(|| foot_slide::remove(&clip, &settings));
}

#[divan::bench]
fn find_contacts(bencher: Bencher<'_, '_>) {
    let clip = swaying();
    let settings = ContactSettings::default();
    bencher
        .counter(ItemsCount::new(N_FRAMES))
        .bench(|| detect(&clip, &settings));
}
