//! Charts: clips become curves and come back.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use kinfolk::file::bvh;
use kinfolk::motion::body::guess_up;
use kinfolk::motion::chart::{
    Axes, ChartError, ChartSettings, Curves, DofChart, DofKind, RootState, Start,
};
use kinfolk::motion::heading::turn;
use kinfolk::motion::{
    Axis, Channels, Clip, ClipError, ClipInfo, EndSite, Joint, Motion, Pose, Quat, RotationOrder,
    Skeleton, Vec3,
};

use crate::data::{files_below, shared};

fn keep_all(axes: Axes) -> ChartSettings {
    ChartSettings {
        axes,
        keep_still: true,
        ..ChartSettings::default()
    }
}

/// From Y up to another up.
fn stand(up: Axis) -> Quat {
    Quat::rotation_between(&Vec3::y(), &up.vector())
        .unwrap_or_else(|| Quat::from_scaled_axis(Vec3::x() * std::f64::consts::PI))
}

/// Hips, two legs, a head; a slider with its own translation, and a root above that never moves.
fn person(up: Axis, has_static_root: bool) -> Arc<Skeleton> {
    let free = Channels::position_and_rotation(RotationOrder::ZXY);
    let turning = Channels::rotation(RotationOrder::XYZ);
    let list: [(&str, usize, [f64; 3], Channels); 9] = [
        ("Hips", 0, [0.0, 0.0, 0.0], free),
        ("LeftUpLeg", 0, [1.0, -0.5, 0.0], turning),
        ("LeftLeg", 1, [0.0, -4.0, 0.0], turning),
        ("LeftFoot", 2, [0.0, -4.0, 0.0], turning),
        ("RightUpLeg", 0, [-1.0, -0.5, 0.0], turning),
        ("RightLeg", 4, [0.0, -4.0, 0.0], turning),
        ("RightFoot", 5, [0.0, -4.0, 0.0], turning),
        ("Head", 0, [0.0, 6.0, 0.0], turning),
        ("Slider", 7, [0.0, 1.0, 0.0], free),
    ];
    let shift = usize::from(has_static_root);
    let top = Joint {
        name: "World".to_owned(),
        parent: None,
        offset: Vec3::new(0.3, -0.2, 0.1),
        channels: free,
    };
    let mut joints: Vec<Joint> = has_static_root.then_some(top).into_iter().collect();
    for (idx, (name, parent, offset, channels)) in list.into_iter().enumerate() {
        joints.push(Joint {
            name: name.to_owned(),
            parent: (idx + shift > 0).then(|| if idx == 0 { 0 } else { parent + shift }),
            offset: stand(up) * Vec3::from(offset),
            channels,
        });
    }
    let tip = EndSite {
        joint: 3 + shift,
        offset: stand(up) * Vec3::z(),
    };
    Arc::new(Skeleton::new(joints, vec![tip]).unwrap())
}

/// Walks in a circle, knees bending about an askew axis, one foot spinning past half a turn.
fn walk(up: Axis, has_static_root: bool, n_frames: usize, seed: f64) -> Clip {
    let skeleton = person(up, has_static_root);
    let fps = 60.0;
    let hips = usize::from(has_static_root);
    let mut motion = Motion::with_capacity(&skeleton, 1.0 / fps, n_frames);
    for frame in 0..n_frames {
        let t = frame as f64 / fps;
        let swing = (6.0 * t + seed).sin();
        let mut pose = Pose::rest(&skeleton);
        if has_static_root {
            pose.rotations[0] = Quat::from_scaled_axis(Vec3::new(0.4, -0.7, 0.2));
        }
        let knee_axis = Vec3::new(0.8, 0.5, -0.33).normalize();
        let turns = [
            Vec3::new(0.1 * swing, 0.7 * t + seed, 0.05 * (4.0 * t).cos()),
            Vec3::new(0.5 * swing, 0.1 * (3.0 * t).sin(), 0.0),
            knee_axis * (0.6 + 0.5 * swing),
            Vec3::new(0.3, 2.2 * (1.7 * t).sin(), 1.9 * (1.1 * t).cos()),
            Vec3::new(-0.5 * swing, 0.1 * (2.0 * t).cos(), 0.05 * swing),
            knee_axis * (0.6 - 0.5 * swing),
            Vec3::zeros(),
            Vec3::new(0.0, 0.4 * (2.0 * t).sin(), 0.001 * swing),
            Vec3::new(0.2, 0.0, 0.0),
        ];
        for (idx, v) in turns.into_iter().enumerate() {
            pose.rotations[hips + idx] =
                stand(up) * Quat::from_scaled_axis(v) * stand(up).inverse();
        }
        let place = Vec3::new(
            5.0 * (0.7 * t).cos(),
            8.5 + 0.2 * swing,
            5.0 * (0.7 * t).sin(),
        );
        pose.translations[hips] = stand(up) * place;
        if has_static_root {
            pose.rotations[1] = pose.rotations[0].inverse() * pose.rotations[1];
        }
        if let Some(slider) = pose.translations.last_mut() {
            *slider += Vec3::x() * (0.5 * swing);
        }
        motion.push(pose.as_ref());
    }
    let mut info = ClipInfo::named(format!("walk {seed}"));
    info.up = up;
    Clip::new(info, skeleton, motion).unwrap()
}

/// The largest difference of any joint's rotation, as a chord (angles near zero lose half their digits), and of any
/// translation.
fn differences(a: &Clip, b: &Clip) -> (f64, f64) {
    assert_eq!(a.n_frames(), b.n_frames(), "as long");
    let chord = |(p, q): (&Quat, &Quat)| {
        (p.coords - q.coords)
            .norm()
            .min((p.coords + q.coords).norm())
    };
    let turned = a
        .motion()
        .rotations
        .iter()
        .zip(&b.motion().rotations)
        .map(chord);
    let pairs = a.motion().translations.iter().zip(&b.motion().translations);
    let moved = pairs.map(|(p, q)| (p - q).norm());
    (2.0 * turned.fold(0.0, f64::max), moved.fold(0.0, f64::max))
}

/// The clip turned about up and moved over the ground, as a whole.
fn elsewhere(clip: &Clip, heading_rad: f64, by: Vec3) -> Clip {
    let q = turn(clip.info.up, heading_rad);
    let skeleton = clip.skeleton();
    let mut motion = clip.motion().clone();
    for t in motion
        .translations
        .iter_mut()
        .step_by(skeleton.translating().len())
    {
        *t = q * *t + by;
    }
    for r in motion.rotations.iter_mut().step_by(skeleton.n_joints()) {
        *r = q * *r;
    }
    Clip::new(clip.info.clone(), Arc::clone(skeleton), motion).unwrap()
}

#[test]
fn curves_come_back_as_the_clip_with_any_up() {
    for up in Axis::all() {
        for has_static_root in [false, true] {
            for axes in [Axes::Joint, Axes::Principal] {
                let clips = [1.0, 2.0].map(|seed| walk(up, has_static_root, 150, seed));
                let refs: Vec<&Clip> = clips.iter().collect();
                let chart = DofChart::learn(&refs, &keep_all(axes)).unwrap();
                for clip in &clips {
                    let curves = chart.curves(clip).unwrap();
                    let back = chart.clip(&curves, clip.info.clone()).unwrap();
                    let (turned, moved) = differences(clip, &back);
                    assert!(turned < 1e-9 && moved < 1e-9, "{up} {turned:e} {moved:e}");
                }
            }
        }
    }
}

#[test]
fn what_does_not_move_is_left_out_and_knees_bend() {
    let clips = [0.5, 1.5, 4.0].map(|seed| walk(Axis::Y, false, 200, seed));
    let refs: Vec<&Clip> = clips.iter().collect();
    let settings = ChartSettings::default();
    let chart = DofChart::learn(&refs, &settings).unwrap();
    let of = |name: &str| -> Vec<String> {
        let dofs = chart.dofs().iter();
        let named = dofs.filter(|d| d.name.split(' ').next() == Some(name));
        named.map(|d| d.name.clone()).collect()
    };
    assert_eq!(
        of("LeftLeg"),
        ["LeftLeg bend"],
        "an askew knee is one curve"
    );
    assert_eq!(of("Slider"), ["Slider position x"]);
    assert_eq!(of("Head"), ["Head twist"], "the nod is under the floor");
    assert!(of("RightFoot").is_empty(), "it does not move");
    // It turns evenly: a rate that never changes is held, and the twist is nothing.
    let hips = [
        "Hips forward speed",
        "Hips sideways speed",
        "Hips height",
        "Hips lean forward",
        "Hips lean left",
    ];
    assert_eq!(of("Hips"), hips);
    let turn_rate = chart.parts().held[2];
    assert!((turn_rate - 0.7).abs() < 0.01, "turns at {turn_rate}");
    let bend = chart.find(DofKind::Turn { axis: 0 }, 2).unwrap();
    assert_eq!(chart.dofs()[bend].part.to_string(), "left leg");
    // The bend was planted with an amplitude of 0.5 about 0.6.
    let column: Vec<f64> = chart.curves(&clips[0]).unwrap().column(bend).collect();
    let range = column.iter().fold(f64::MIN, |a, b| a.max(*b))
        - column.iter().fold(f64::MAX, |a, b| a.min(*b));
    assert!((range - 1.0).abs() < 0.01, "bends by {range}");
    for clip in &clips {
        let curves = chart.curves(clip).unwrap();
        let back = chart.clip(&curves, clip.info.clone()).unwrap();
        let (turned, moved) = differences(clip, &back);
        assert!(turned < settings.still_rad, "only the nod: {turned}");
        assert!(
            moved < settings.still_heights * chart.parts().body_height,
            "{moved}"
        );
    }
}

#[test]
fn the_same_walk_elsewhere_has_the_same_curves() {
    for up in Axis::all() {
        let clip = walk(up, false, 120, 1.0);
        let chart = DofChart::learn(&[&clip], &keep_all(Axes::Principal)).unwrap();
        let here = chart.curves(&clip).unwrap();
        let by = turn(up, 0.4) * stand(up) * Vec3::new(40.0, 0.0, -7.0);
        let moved = elsewhere(&clip, 2.5, by);
        let there = chart.curves(&moved).unwrap();
        for (a, b) in here.values().iter().zip(there.values()) {
            assert!((a - b).abs() < 1e-9, "{up}: {a} became {b}");
        }
        let back = chart.clip(&there, clip.info.clone()).unwrap();
        assert!(differences(&moved, &back).1 < 1e-9, "put where it was");
        let turned = there.start.heading_rad - here.start.heading_rad - 2.5;
        assert!(
            (turned / std::f64::consts::TAU).fract().abs() < 1e-9,
            "start turned"
        );
    }
}

#[test]
fn speeds_are_those_of_the_walk() {
    // A circle of radius 5 at 0.7 rad/s against the turn of the body: 3.5 units a second, seen from a body that
    // turns the other way round. At twice the frame rate the speeds stay.
    let clip = walk(Axis::Y, false, 100, 0.0);
    let chart = DofChart::learn(&[&clip], &keep_all(Axes::Joint)).unwrap();
    let curves = chart.curves(&clip).unwrap();
    for f in 0..100 {
        let speed = curves.get(f, 0).hypot(curves.get(f, 1));
        assert!((speed - 3.5).abs() < 0.01, "frame {f}: {speed}");
        assert!(
            (curves.get(f, 2) - 0.7).abs() < 0.05,
            "turns left: {}",
            curves.get(f, 2)
        );
    }
    assert_eq!(
        curves.row(0)[..3],
        curves.row(1)[..3],
        "frame 0 repeats frame 1"
    );
    let mut motion = clip.motion().clone();
    motion.frame_secs *= 0.5;
    let faster = Clip::new(clip.info.clone(), Arc::clone(clip.skeleton()), motion).unwrap();
    let twice = chart.curves(&faster).unwrap();
    assert!(
        (twice.get(9, 0) - 2.0 * curves.get(9, 0)).abs() < 1e-9,
        "rates are per second"
    );
    assert_eq!(twice.get(9, 3), curves.get(9, 3), "height is not");
}

#[test]
fn a_stream_gives_the_same_poses_as_a_clip() {
    let clip = walk(Axis::Z, true, 80, 3.0);
    let chart = DofChart::learn(&[&clip], &ChartSettings::default()).unwrap();
    let curves = chart.curves(&clip).unwrap();
    let whole = chart.clip(&curves, ClipInfo::named("whole")).unwrap();
    assert_eq!(whole.info.up, Axis::Z, "up is the chart's");
    let mut state = RootState::begin(&curves.start, curves.frame_secs);
    for (row, frame) in curves.rows().zip(whole.frames()) {
        assert_eq!(chart.pose_at(row, &mut state).unwrap().as_ref(), frame);
    }
}

#[test]
fn standardised_rows_have_mean_zero_and_come_back() {
    let clip = walk(Axis::Y, false, 200, 1.0);
    let chart = DofChart::learn(&[&clip], &ChartSettings::default()).unwrap();
    let curves = chart.curves(&clip).unwrap();
    let mut values = curves.values().to_vec();
    chart.standardise(&mut values);
    let n = chart.n_dofs();
    for dof in 0..n {
        let column = || values.iter().skip(dof).step_by(n);
        let mean = column().sum::<f64>() / 200.0;
        let deviation = (column().map(|x| x * x).sum::<f64>() / 200.0).sqrt();
        assert!(mean.abs() < 1e-9, "{}", chart.dofs()[dof].name);
        assert!(
            deviation > 0.1 && deviation < 1.0,
            "{}: {deviation}",
            chart.dofs()[dof].name
        );
    }
    chart.destandardise(&mut values);
    for (a, b) in values.iter().zip(curves.values()) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }
}

#[test]
fn still_and_single_frames_have_no_curves() {
    for n_frames in [1, 2, 40] {
        let one = walk(Axis::Y, false, 1, 1.0);
        let mut motion = Motion::with_capacity(one.skeleton(), 0.1, n_frames);
        (0..n_frames).for_each(|_| motion.push(one.frame(0)));
        let clip = Clip::new(one.info.clone(), Arc::clone(one.skeleton()), motion).unwrap();
        let chart = DofChart::learn(&[&clip], &ChartSettings::default()).unwrap();
        assert_eq!(chart.n_dofs(), 0, "{:?}", chart.dofs());
        let curves = chart.curves(&clip).unwrap();
        assert_eq!((curves.n_frames(), curves.n_dofs()), (n_frames, 0));
        assert_eq!(curves.rows().len(), n_frames, "rows without numbers");
        let back = chart.clip(&curves, clip.info.clone()).unwrap();
        let (turned, moved) = differences(&clip, &back);
        assert!(turned < 1e-9 && moved < 1e-9, "{turned:e} {moved:e}");
    }
}

#[test]
fn every_refusal() {
    let clip = walk(Axis::Y, false, 20, 1.0);
    let settings = ChartSettings::default();
    assert_eq!(DofChart::learn(&[], &settings), Err(ChartError::NoClips));
    let chart = DofChart::learn(&[&clip], &settings).unwrap();
    let other = walk(Axis::Y, true, 20, 1.0);
    let refused = DofChart::learn(&[&clip, &other], &settings).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "clip \"walk 1\" is on another skeleton: joint 0 is \"World\" instead of \"Hips\""
    );
    assert_eq!(chart.curves(&other).unwrap_err(), refused);
    let mut lying = clip.clone();
    lying.info.up = Axis::Z;
    assert!(
        matches!(
            chart.curves(&lying),
            Err(ChartError::Up { found: Axis::Z, .. })
        ),
        "up"
    );
    for bad in [f64::NAN, -1.0, f64::INFINITY] {
        let settings = ChartSettings {
            floor_rad: bad,
            ..ChartSettings::default()
        };
        let refused = DofChart::learn(&[&clip], &settings);
        assert!(
            matches!(
                refused,
                Err(ChartError::Setting {
                    name: "floor_rad",
                    ..
                })
            ),
            "{bad}"
        );
    }
    let mut curves = chart.curves(&clip).unwrap();
    curves.row_mut(7)[3] = f64::NAN;
    let name = chart.dofs()[3].name.clone();
    let refused = chart.clip(&curves, ClipInfo::named("x"));
    assert_eq!(refused, Err(ChartError::NotFinite { frame: 7, name }));
    let narrow = Curves::new(Start::origin(), 0.1, (2, 1), vec![0.0; 2]).unwrap();
    assert!(
        matches!(
            chart.clip(&narrow, ClipInfo::named("x")),
            Err(ChartError::Width { found: 1, .. })
        ),
        "narrow"
    );
    let no_table = Curves::new(Start::origin(), 0.1, (2, 2), vec![0.0; 3]);
    assert!(
        matches!(no_table, Err(ChartError::Table { n_values: 3, .. })),
        "no table"
    );
    let empty = Curves::new(Start::origin(), 0.1, (0, chart.n_dofs()), vec![]).unwrap();
    let refused = chart.clip(&empty, ClipInfo::named("x"));
    assert_eq!(refused, Err(ChartError::Clip(ClipError::NoFrames)));
    let mut far = clip.motion().clone();
    far.translations[0] = Vec3::repeat(1e308);
    far.translations[2] = Vec3::repeat(-1e308);
    let far = Clip::new(clip.info.clone(), Arc::clone(clip.skeleton()), far).unwrap();
    assert!(
        DofChart::learn(&[&far], &settings).is_err(),
        "speeds overflow"
    );
    assert!(chart.curves(&far).is_err(), "speeds overflow");
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let clip = walk(Axis::Y, false, 20, 1.0);
    let chart = DofChart::learn(&[&clip], &ChartSettings::default()).unwrap();
    assert_eq!(
        DofChart::from_parts(chart.parts().clone()).as_ref(),
        Ok(&chart)
    );
    type Spoil = fn(&mut kinfolk::motion::chart::ChartParts);
    let ways: [Spoil; 8] = [
        |p| p.heading.root = 99,
        |p| drop(p.joints.pop()),
        |p| drop(p.held.pop()),
        |p| p.held[0] = f64::NAN,
        |p| p.joints[1].axes *= 2.0,
        |p| p.dofs.swap(0, 1),
        |p| p.dofs[0].scale = 0.0,
        |p| p.settings.still_rad = f64::NAN,
    ];
    for (way, spoil) in ways.into_iter().enumerate() {
        let mut parts = chart.parts().clone();
        spoil(&mut parts);
        assert!(
            DofChart::from_parts(parts).is_err(),
            "way {way} was accepted"
        );
    }
}

/// A clip of the development set, without the T-pose that the converter put first in whole CMU takes.
fn real_clip(path: &Path) -> Clip {
    let mut clip = bvh::read(&fs::read(path).unwrap(), &bvh::ReadSettings::default()).unwrap();
    let is_swimming = path.components().any(|c| c.as_os_str() == "swim");
    clip.info.name = path.file_stem().unwrap().to_string_lossy().into_owned();
    clip.info.up = if is_swimming {
        Axis::Y
    } else {
        guess_up(&clip).axis
    };
    if !path.components().any(|c| c.as_os_str() == "walk_full") {
        return clip;
    }
    let mut motion = clip.motion().clone();
    motion.rotations.drain(..clip.skeleton().n_joints());
    motion
        .translations
        .drain(..clip.skeleton().translating().len());
    Clip::new(clip.info.clone(), Arc::clone(clip.skeleton()), motion).unwrap()
}

/// Sets that belong together: a skeleton each.
fn real_sets() -> Vec<(String, Vec<Clip>)> {
    const FOLDERS: [&str; 16] = [
        "walk_cycles/s35",
        "walk_cycles/s16",
        "jump/s118",
        "gesture/front_kick_s144",
        "gesture/golf_swing_s64",
        "gesture/jumping_jack_s14",
        "swim/breaststroke_126_03",
        "swim/breaststroke_126_04",
        "swim/breaststroke_126_05",
        "throw/football_s34",
        "actions/everyday_s143",
        "actions/martial_s144",
        "locomotion",
        "bandai_nc/cheer",
        "bandai_nc/fight",
        "bandai_nc/wave",
    ];
    let mut sets = Vec::new();
    for folder in FOLDERS {
        if let Some(dir) = shared(folder) {
            let clips = files_below(&dir, "bvh")
                .iter()
                .map(|p| real_clip(p))
                .collect();
            sets.push((folder.to_owned(), clips));
        }
    }
    for folder in ["odd_bvh", "walk_full"] {
        if let Some(dir) = shared(folder) {
            for path in files_below(&dir, "bvh") {
                let clip = real_clip(&path);
                sets.push((clip.info.name.clone(), vec![clip]));
            }
        }
    }
    sets
}

#[test]
fn real_clips_come_back_and_their_curves_do_not_jump() {
    for (name, clips) in real_sets() {
        let refs: Vec<&Clip> = clips.iter().collect();
        let chart = DofChart::learn(&refs, &keep_all(Axes::Principal)).unwrap();
        for clip in &clips {
            let curves = chart.curves(clip).unwrap();
            let back = chart.clip(&curves, clip.info.clone()).unwrap();
            let (turned, moved) = differences(clip, &back);
            assert!(turned < 1e-9, "{name} {}: {turned:e}", clip.info.name);
            assert!(moved < 1e-9, "{name} {}: {moved:e}", clip.info.name);
            // A body that turns all the way over loses a whole turn, once.
            let turns_dropped = jumps(&chart, &curves, clip);
            let is_cartwheel = clip.info.name.starts_with("cartwheel");
            assert!(
                turns_dropped.len() <= usize::from(is_cartwheel),
                "{name} {}: {turns_dropped:?}",
                clip.info.name
            );
        }
    }
}

/// Joints and frames where the curves step more than three times as far as the joint turned.
fn jumps(chart: &DofChart, curves: &Curves, clip: &Clip) -> Vec<(String, usize)> {
    let heading = &chart.parts().heading;
    let track = heading.track(clip);
    let mut found = Vec::new();
    for (joint, of) in clip.skeleton().joints().iter().enumerate() {
        let is_root = joint == heading.root;
        let kind = if is_root {
            DofKind::LeanForward
        } else {
            DofKind::Turn { axis: 0 }
        };
        let at = chart.find(kind, joint).unwrap();
        let value = |f: usize| Vec3::from_column_slice(&curves.row(f)[at..at + 3]);
        let rotation = |f: usize| {
            if is_root {
                turn(heading.up, -track.headings[f]) * track.rotations[f]
            } else {
                clip.frame(f).rotations[joint]
            }
        };
        for f in 1..clip.n_frames() {
            let step = (value(f) - value(f - 1)).norm();
            let turned = (rotation(f).inverse() * rotation(f - 1))
                .scaled_axis()
                .norm();
            if step > 3.0 * turned + 1e-9 {
                found.push((of.name.clone(), f));
            }
        }
    }
    found
}

#[test]
fn real_clips_come_back_within_the_floors() {
    for (name, clips) in real_sets() {
        let refs: Vec<&Clip> = clips.iter().collect();
        let settings = ChartSettings::default();
        let chart = DofChart::learn(&refs, &settings).unwrap();
        let frame = &chart.parts().heading;
        let skeleton = chart.skeleton();
        let mut squares = vec![0.0; skeleton.n_joints()];
        let mut n_frames = 0.0;
        for clip in &clips {
            let back = chart
                .clip(&chart.curves(clip).unwrap(), clip.info.clone())
                .unwrap();
            n_frames += clip.n_frames() as f64;
            for (a, b) in clip.frames().zip(back.frames()) {
                for (sum, (p, q)) in squares.iter_mut().zip(a.rotations.iter().zip(b.rotations)) {
                    *sum += (p.inverse() * q).scaled_axis().norm_squared();
                }
            }
            // The way: each of forward, sideways, height and heading may be off by its floor.
            let (there, here) = (frame.track(clip), frame.track(&back));
            let reach = there
                .positions
                .iter()
                .map(|p| (p - there.positions[0]).norm());
            let off_heading = settings.still_rad * reach.fold(0.0, f64::max);
            let floor = settings.still_heights * chart.parts().body_height;
            for (a, b) in there.positions.iter().zip(&here.positions) {
                let off = (a - b).norm();
                assert!(off < 3.0 * (floor + off_heading), "{name}: {off}");
            }
        }
        for (joint, sum) in squares.iter().enumerate() {
            let rms = (sum / n_frames).sqrt();
            // Three axes of the joint itself; the body's root also has its heading.
            assert!(
                rms < 2.0 * settings.still_rad,
                "{name} {}: {rms}",
                skeleton.joints()[joint].name
            );
        }
    }
}

#[test]
fn a_cmu_walk_has_the_62_degrees_of_freedom_it_was_captured_with() {
    let Some(dir) = shared("walk_cycles/s35") else {
        return;
    };
    let clips: Vec<Clip> = files_below(&dir, "bvh")
        .iter()
        .map(|p| real_clip(p))
        .collect();
    let refs: Vec<&Clip> = clips.iter().collect();
    let count = |axes| {
        let settings = ChartSettings {
            axes,
            ..ChartSettings::default()
        };
        DofChart::learn(&refs, &settings).unwrap().n_dofs()
    };
    assert_eq!(count(Axes::Principal), 62, "of 96 channels");
    assert!(count(Axes::Joint) > 62, "knees show three each");
}

#[test]
fn settled_names_of_a_cmu_leg() {
    let Some(path) = shared("walk_cycles/s35") else {
        return;
    };
    let clip = real_clip(&files_below(&path, "bvh")[0]);
    let chart = DofChart::learn(&[&clip], &ChartSettings::default()).unwrap();
    let names: Vec<&str> = chart.dofs().iter().map(|d| d.name.as_str()).collect();
    let expected = [
        "Hips forward speed",
        "Hips sideways speed",
        "Hips turn rate",
        "Hips height",
        "Hips lean forward",
        "Hips lean left",
        "LeftUpLeg bend",
    ];
    assert_eq!(names[..7], expected);
    assert!(
        names.contains(&"LeftLeg bend") && !names.contains(&"LeftLeg twist"),
        "{names:?}"
    );
    let head = chart.dofs().iter().find(|d| d.name.starts_with("Head "));
    assert_eq!(head.unwrap().part.to_string(), "head");
}
