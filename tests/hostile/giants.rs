//! Skeletons of very many joints and takes of very many frames: nothing may take more than its share of time and memory.

use std::sync::Arc;
use std::time::Duration;

use kinfolk::demo::{Action, make};
use kinfolk::file::bvh::{self, ReadSettings, WriteSettings};
use kinfolk::file::export::{ExportFit, Format, encode, fitted};
use kinfolk::jobs::Ticket;
use kinfolk::motion::edit::{self, InPlace, Join, RestPose};
use kinfolk::motion::{
    Axis, Channels, Clip, ClipInfo, Joint, Motion, Pose, Quat, RotationOrder, Skeleton, Vec3,
};
use kinfolk::variation::{ClipModel, Hold, LearnSettings, Length, SampleSettings};

use crate::{MEMORY, Stopwatch, one_at_a_time};

/// A skeleton of so many joints; the chains hang side by side from the root.
fn clip(n_joints: usize, chains: &[&str], has_channels: bool) -> Clip {
    let joint = |idx: usize| {
        let parent = idx.checked_sub(chains.len()).or((idx > 0).then_some(0));
        let turns = idx == 0 || has_channels;
        let none = Channels::new(&[]).unwrap();
        Joint {
            name: format!("{}{idx}", chains[idx % chains.len()]),
            parent,
            offset: Vec3::new(idx as f64 % 3.0, 1.0, 0.5),
            channels: match idx {
                0 => Channels::position_and_rotation(RotationOrder::ZXY),
                _ if turns => Channels::rotation(RotationOrder::ZXY),
                _ => none,
            },
        }
    };
    let joints: Vec<Joint> = (0..n_joints).map(joint).collect();
    let skeleton = Arc::new(Skeleton::new(joints, Vec::new()).unwrap());
    let mut motion = Motion::with_capacity(&skeleton, 1.0 / 30.0, 4);
    for frame in 0..4 {
        let mut pose = Pose::rest(&skeleton);
        pose.rotations[0] = Quat::from_scaled_axis(Vec3::y() * f64::from(frame) * 0.1);
        motion.push(pose.as_ref());
    }
    Clip::new(ClipInfo::named("giant"), skeleton, motion).unwrap()
}

/// All that `kinfolk convert` does to a clip, with every option.
fn convert(clip: &Clip) {
    let fit = ExportFit {
        up: Some(Axis::Z),
        scale: Some(0.5),
        rest: RestPose::First,
        ..ExportFit::default()
    };
    let clip = edit::mirror(clip).unwrap();
    let clip = edit::drop_tpose(&clip).unwrap_or(clip);
    let clip = edit::mend_glitches(&clip, &edit::find_glitches(&clip)).unwrap();
    let clip = edit::root_in_place(&clip, InPlace::Travel).unwrap().0;
    let clip = edit::set_floor(&clip, edit::find_floor(&clip).height).unwrap();
    let clip = fitted(clip.clone(), &fit).unwrap_or(clip);
    let settings = WriteSettings {
        safe_names: true,
        ..WriteSettings::default()
    };
    for format in Format::ALL {
        encode(&clip, format, &settings).unwrap();
    }
    let written = bvh::write(&clip, &WriteSettings::default()).bytes;
    bvh::read(&written, &ReadSettings::default()).unwrap();
}

/// What the work takes of the processor, and of memory at most.
fn cost(work: impl FnOnce()) -> (Duration, usize) {
    let start = Stopwatch::start();
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    work();
    (start.elapsed(), MEMORY.peak_usage().saturating_sub(before))
}

#[test]
fn time_and_memory_grow_no_faster_than_skeletons() {
    let _alone = one_at_a_time();
    let shapes: [(&str, &[&str], bool); 4] = [
        ("one chain", &["bone"], true),
        ("without channels", &["bone"], false),
        ("two sides", &["Left", "Right"], true),
        // Names pair joints of which the parents are no pair: all the way down.
        ("crossed sides", &["Left", "Right", "Spine"], true),
    ];
    for (name, chains, has_channels) in shapes {
        let of = |n_joints: usize| {
            let clip = clip(n_joints, chains, has_channels);
            cost(|| convert(&clip))
        };
        let (few, many) = (of(3_000), of(12_000));
        eprintln!("{name}: 3 000 joints {few:?}, 12 000 joints {many:?}");
        // Four times as many; what is quadratic takes sixteen times as long.
        let longest = few.0 * 9 + Duration::from_millis(300);
        assert!(many.0 < longest, "{name}: {few:?}, then {many:?}");
        assert!(many.1 < 6 * few.1, "{name}: {few:?}, then {many:?}");
        assert!(many.1 < 12_000 * 16_000, "{name}: {} bytes", many.1);
    }
}

#[test]
fn one_long_take_is_varied_in_proportion_to_its_length() {
    let _alone = one_at_a_time();
    let walks = [0, 1, 2].map(|n| edit::resample(&make(Action::Walk, 1, n).clip, 30.0).unwrap());
    let settings = LearnSettings::default();
    let model = ClipModel::learn(&walks.each_ref(), &settings, &Ticket::default()).unwrap();
    let of = |n_times: usize| {
        let take = edit::concatenate(&vec![&walks[0]; n_times], Join::Continue).unwrap();
        let n_frames = take.n_frames();
        let cost = cost(|| {
            let model = model.for_clips(&[&take]).unwrap();
            let settings = SampleSettings::default();
            model.vary(&settings, 0, Length::Once, Hold::Feet).unwrap();
        });
        (n_frames, cost)
    };
    let (few, many) = (of(25), of(100));
    eprintln!(
        "{} frames {:?}, {} frames {:?}",
        few.0, few.1, many.0, many.1
    );
    let longest = few.1.0 * 9 + Duration::from_millis(300);
    assert!(many.1.0 < longest, "{few:?}, then {many:?}");
    assert!(many.1.1 < 8 * few.1.1, "{few:?}, then {many:?}");
}
