//! Charts of made-up clips with planted answers; `real` has those of captured ones.

use std::sync::Arc;

use kinfolk::motion::chart::{
    Axes, ChartError, ChartSettings, Curves, DofChart, DofKind, RootState, Start,
};
use kinfolk::motion::heading::{forward, left, turn};
use kinfolk::motion::{
    Axis, Channels, Clip, ClipError, ClipInfo, EndSite, Joint, Motion, Pose, Quat, RotationOrder,
    Skeleton, Vec3, WorldPose,
};

mod real;

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
        let relearned = DofChart::learn(&[&moved], &keep_all(Axes::Principal)).unwrap();
        for (a, b) in chart.dofs().iter().zip(relearned.dofs()) {
            assert_eq!(a.name, b.name, "{up}: learned there");
            assert!((a.deviation - b.deviation).abs() < 1e-6, "{up} {}", a.name);
        }
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
fn words_mean_what_they_say() {
    for up in Axis::all() {
        let clip = walk(up, false, 150, 0.0);
        let chart = DofChart::learn(&[&clip], &keep_all(Axes::Principal)).unwrap();
        let skeleton = chart.skeleton();
        let (hips, head) = (0, skeleton.find("Head").unwrap());
        let means: Vec<f64> = chart.dofs().iter().map(|d| d.mean).collect();
        // The second frame after standing at the origin, facing forward, with one value changed.
        let world = |kind: DofKind, value: f64| {
            let mut row = means.clone();
            row[..3].fill(0.0);
            row[chart.find(kind, hips).unwrap()] = value;
            let mut state = RootState::begin(&Start::origin(), 0.5);
            chart.pose_at(&row, &mut state).unwrap();
            let pose = chart.pose_at(&row, &mut state).unwrap();
            WorldPose::of(skeleton, pose.as_ref())
        };
        let at_rest = world(DofKind::ForwardSpeed, 0.0);
        let hips_moved = |kind, value| world(kind, value).positions[hips] - at_rest.positions[hips];
        let head_moved = |kind, value| world(kind, value).positions[head] - at_rest.positions[head];
        let ahead = hips_moved(DofKind::ForwardSpeed, 2.0);
        assert!(
            (ahead - forward(up)).norm() < 1e-9,
            "{up}: half a second forward"
        );
        let across = hips_moved(DofKind::SidewaysSpeed, 2.0);
        assert!(
            (across - left(up)).norm() < 1e-9,
            "{up}: half a second left"
        );
        let height = means[chart.find(DofKind::Height, hips).unwrap()];
        let rise = hips_moved(DofKind::Height, height + 1.0);
        assert!((rise - up.vector()).norm() < 1e-9, "{up}: one unit up");
        let leaning = head_moved(DofKind::LeanForward, 0.3).dot(&forward(up));
        assert!(leaning > 1.0, "{up}: leans forward by {leaning}");
        let leaning = head_moved(DofKind::LeanLeft, 0.3).dot(&left(up));
        assert!(leaning > 1.0, "{up}: leans left by {leaning}");
        for name in ["LeftUpLeg", "LeftLeg", "RightUpLeg", "RightLeg"] {
            let joint = skeleton.find(name).unwrap();
            let bend = chart.find(DofKind::Turn { axis: 0 }, joint).unwrap();
            assert_eq!(chart.dofs()[bend].name, format!("{name} bend"));
            let axis = chart.parts().joints[joint]
                .chart
                .axes
                .column(0)
                .into_owned();
            let about_left = (at_rest.rotations[joint] * axis).dot(&left(up));
            assert!(about_left > 0.5, "{up} {name}: {about_left}");
        }
        let turned =
            world(DofKind::TurnRate, 1.0).rotations[hips] * at_rest.rotations[hips].inverse();
        assert!(
            (turned.scaled_axis() - up.vector() * 0.5).norm() < 1e-9,
            "{up}: turns left"
        );
    }
}

#[test]
fn a_body_that_cannot_travel_by_itself_is_carried() {
    let joint = |name: &str, parent, channels| Joint {
        name: name.to_owned(),
        parent,
        offset: Vec3::new(0.5, 2.0, 0.0),
        channels,
    };
    let top = Channels::position_and_rotation(RotationOrder::ZXY);
    let turning = Channels::rotation(RotationOrder::ZXY);
    let joints = vec![joint("Stand", None, top), joint("Body", Some(0), turning)];
    let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
    let mut motion = Motion::with_capacity(&skeleton, 0.1, 30);
    for frame in 0..30 {
        let mut pose = Pose::rest(&skeleton);
        pose.rotations[0] = Quat::from_scaled_axis(Vec3::new(0.3, 1.0, 0.0));
        let nod = (0.4 * f64::from(frame)).sin();
        pose.rotations[1] = Quat::from_scaled_axis(Vec3::new(0.2 * nod, 0.3 * nod * nod, 0.1));
        motion.push(pose.as_ref());
    }
    let clip = Clip::new(ClipInfo::named("nod"), skeleton, motion).unwrap();
    let chart = DofChart::learn(&[&clip], &keep_all(Axes::Principal)).unwrap();
    assert_eq!(chart.parts().heading.root, 1, "the body below the stand");
    let mut curves = chart.curves(&clip).unwrap();
    let back = chart.clip(&curves, clip.info.clone()).unwrap();
    let (turned, moved) = differences(&clip, &back);
    assert!(turned < 1e-9 && moved < 1e-9, "{turned:e} {moved:e}");
    let by = Vec3::new(3.0, 0.0, -2.0);
    curves.start.position += by;
    let there = chart.clip(&curves, clip.info.clone()).unwrap();
    for (a, b) in clip.frames().zip(there.frames()) {
        let world = |pose| WorldPose::of(chart.skeleton(), pose).positions[1];
        assert!((world(b) - world(a) - by).norm() < 1e-9, "carried there");
    }
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
fn scales_have_a_floor_that_fits_their_kind() {
    let clip = walk(Axis::Y, false, 60, 1.0);
    let chart = DofChart::learn(&[&clip], &keep_all(Axes::Joint)).unwrap();
    let height = chart.parts().body_height;
    assert!((height - 14.5).abs() < 1.0, "two legs and a head: {height}");
    let per_sec = std::f64::consts::TAU;
    let expected = [
        (DofKind::ForwardSpeed, 0, 0.005 * height * per_sec),
        (DofKind::TurnRate, 0, 0.01 * per_sec),
        (DofKind::Height, 0, 0.005 * height),
        (DofKind::LeanLeft, 0, 0.01),
        (DofKind::Turn { axis: 1 }, 6, 0.01),
    ];
    for (kind, joint, floor) in expected {
        let dof = &chart.dofs()[chart.find(kind, joint).unwrap()];
        let found = dof.scale - dof.deviation;
        assert!((found - floor).abs() < 1e-12, "{}: {found}", dof.name);
    }
}

#[test]
fn a_pose_reached_the_long_way_has_the_same_numbers_as_one_found_there() {
    // One take turns a foot by 206 degrees and holds it; the other only shows it held, 154 degrees the short way.
    let foot = 6;
    let take = |angles: &[f64]| {
        let skeleton = person(Axis::Y, false);
        let mut motion = Motion::with_capacity(&skeleton, 0.1, angles.len());
        for &angle in angles {
            let mut pose = Pose::rest(&skeleton);
            pose.rotations[foot] = Quat::from_scaled_axis(Vec3::z() * angle);
            motion.push(pose.as_ref());
        }
        Clip::new(ClipInfo::named("foot"), skeleton, motion).unwrap()
    };
    let ramp = (1..10).map(|i| 0.36 * f64::from(i));
    let long: Vec<f64> = [0.0; 60].into_iter().chain(ramp).chain([3.6; 40]).collect();
    let (long, short) = (take(&long), take(&[3.6; 5]));
    let chart = DofChart::learn(&[&long, &short], &ChartSettings::default()).unwrap();
    assert_eq!(chart.n_dofs(), 1, "{:?}", chart.dofs());
    let end = chart.curves(&long).unwrap().get(100, 0);
    let there = chart.curves(&short).unwrap().get(0, 0);
    assert!((end - there).abs() < 1e-9, "{end} and {there}");
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
        "clip \"walk 1\" is on another skeleton: joint 0 is \"World\" instead of \"Hips\"; \
         `kinfolk retarget` brings it there"
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
    let refused = Clip::new(clip.info.clone(), Arc::clone(clip.skeleton()), far);
    assert!(
        matches!(refused, Err(ClipError::TooFar { frame: 0, .. })),
        "speeds would overflow"
    );
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
        |p| p.joints.truncate(1),
        |p| p.held.truncate(1),
        |p| p.held[0] = f64::NAN,
        |p| p.joints[1].chart.axes *= 2.0,
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

#[test]
fn limbs_by_their_lines_come_back_and_keep_hands_and_feet_in_the_mean() {
    use kinfolk::demo::{self, Action};
    let settings = ChartSettings {
        limb_lines: true,
        keep_still: true,
        ..ChartSettings::default()
    };
    let clips: Vec<Clip> = (0..2)
        .map(|i| demo::make(Action::Throw, 3, i).clip)
        .collect();
    let chart = DofChart::learn(&clips.iter().collect::<Vec<_>>(), &settings).unwrap();
    for clip in &clips {
        let back = chart
            .clip(&chart.curves(clip).unwrap(), clip.info.clone())
            .unwrap();
        for frame in 0..clip.n_frames() {
            let [was, is] = [clip, &back].map(|c| WorldPose::of(c.skeleton(), c.frame(frame)));
            for (was, is) in was.positions.iter().zip(&is.positions) {
                assert!((was - is).norm() < 1e-6, "frame {frame}");
            }
        }
    }
    // A straight leg turned about itself by half a radian: the mean with what it was has the ankle where both have it.
    let skeleton = person(Axis::Y, false);
    let clip = |twist: f64| {
        let mut motion = Motion::with_capacity(&skeleton, 0.02, 8);
        for frame in 0..8 {
            let mut pose = Pose::rest(&skeleton);
            let swing = 0.2 * f64::from(frame);
            pose.rotations[1] = Quat::from_scaled_axis(Vec3::x() * -swing)
                * Quat::from_scaled_axis(Vec3::y() * twist);
            pose.rotations[2] = Quat::from_scaled_axis(Vec3::x() * 0.02);
            motion.push(pose.as_ref());
        }
        Clip::new(ClipInfo::named("leg"), Arc::clone(&skeleton), motion).unwrap()
    };
    let (a, b) = (clip(0.3), clip(-0.3));
    let off = |limb_lines: bool| {
        let settings = ChartSettings {
            limb_lines,
            ..settings.clone()
        };
        let chart = DofChart::learn(&[&a, &b], &settings).unwrap();
        let [mut mean, other] = [&a, &b].map(|c| chart.curves(c).unwrap());
        for (x, y) in mean.values_mut().iter_mut().zip(other.values()) {
            *x = 0.5 * (*x + y);
        }
        let made = chart.clip(&mean, ClipInfo::named("mean")).unwrap();
        let last = |c: &Clip| WorldPose::of(c.skeleton(), c.frame(7)).positions[3];
        (last(&made) - (last(&a) + last(&b)) * 0.5).norm()
    };
    assert!(off(true) < 0.01, "{} of eight", off(true));
    assert!(
        off(true) < 0.2 * off(false),
        "{} joint by joint",
        off(false)
    );
}
