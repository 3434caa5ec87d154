//! Actions that reach for a point: planted arms whose answers are known, and captured punches and kicks.

use std::sync::Arc;

use kinfolk::demo;
use kinfolk::jobs::Ticket;
use kinfolk::motion::edit::{Placement, align, set_up};
use kinfolk::motion::repeats::RepeatSettings;
use kinfolk::motion::{
    Axis, Clip, ClipInfo, Motion, Pose, Quat, Site, Vec3, WorldPose, metrics, rotation,
};
use kinfolk::numerics::random::Stream;
use kinfolk::transition::parametric::{
    ActionStart, ParametricAction, ParametricError, ParametricSettings, Reached,
    examples_from_repeats,
};

use crate::data::{files_below, shared};
use crate::takes::{CMU_CM, take};

/// A demo person who reaches out with the right hand and takes it back, somewhere in the world.
fn reaching(name: &str, yaw: f64, pitch: f64, bend: f64, frames_to: usize) -> Clip {
    let skeleton = demo::skeleton();
    let joint = |name: &str| skeleton.find(name).unwrap();
    let way = Quat::from_scaled_axis(Vec3::y() * yaw)
        * Quat::from_scaled_axis(Vec3::x() * -pitch)
        * Vec3::z();
    let guard = rotation::align(&-Vec3::x(), &Vec3::new(-0.3, -0.9, 0.2));
    let out = rotation::align(&-Vec3::x(), &way);
    let n = frames_to + 40;
    let heading = Quat::from_scaled_axis(Vec3::y() * (yaw * 3.0));
    let mut motion = Motion::with_capacity(&skeleton, 1.0 / 60.0, n);
    for frame in 0..n {
        let t = if frame < frames_to {
            frame as f64 / frames_to as f64
        } else {
            1.0 - (frame - frames_to) as f64 / (n - 1 - frames_to) as f64
        };
        let s = t * t * t * (t * (6.0 * t - 15.0) + 10.0);
        let mut pose = Pose::rest(&skeleton);
        pose.translations[0].x += 100.0 * yaw;
        pose.translations[0] += heading * Vec3::new(0.0, -2.0 * s, 6.0 * s);
        pose.rotations[0] = heading;
        pose.rotations[joint("Spine1")] = Quat::from_scaled_axis(Vec3::new(0.15, 0.3, 0.0) * s);
        pose.rotations[joint("RightArm")] = rotation::slerp(&guard, &out, s);
        let elbow = 2.0 + (bend - 2.0) * s;
        pose.rotations[joint("RightForeArm")] = Quat::from_scaled_axis(Vec3::y() * elbow);
        motion.push(pose.as_ref());
    }
    Clip::new(ClipInfo::named(name), skeleton, motion).unwrap()
}

/// Nine directions, as in the paper, at two depths.
fn nine() -> Vec<Clip> {
    (0..9_u8)
        .map(|i| {
            let (column, row) = (f64::from(i % 3) - 1.0, f64::from(i / 3) - 1.0);
            let bend = if i % 2 == 0 { 0.4 } else { 1.1 };
            let frames_to = 30 + 4 * usize::from(i % 4);
            reaching(
                &format!("reach {i}"),
                0.5 * column,
                0.4 * row,
                bend,
                frames_to,
            )
        })
        .collect()
}

fn hand() -> Site {
    demo::skeleton().find_site("RightHand").unwrap()
}

/// Fewer and larger voxels than usual, so that tests are quick; feet as they are.
fn quick() -> ParametricSettings {
    ParametricSettings {
        voxel_heights: 0.03,
        n_samples: 500,
        locks_feet: false,
        ..ParametricSettings::default()
    }
}

fn learn(clips: &[Clip], site: Site, settings: &ParametricSettings) -> ParametricAction {
    let clips: Vec<&Clip> = clips.iter().collect();
    ParametricAction::learn(&clips, site, settings, &Ticket::default()).unwrap()
}

/// Random points of reached voxels.
fn targets(action: &ParametricAction, n: usize, seed: u64) -> Vec<Vec3> {
    let region = action.reachable_region();
    let mut stream = Stream::named(seed, &[]);
    (0..n)
        .map(|_| {
            let centre = region.centres[stream.below(region.centres.len())];
            let half = 0.499 * region.edge;
            centre + Vec3::from_fn(|_, _| stream.between(-half, half))
        })
        .collect()
}

fn site_at_effect(reached: &Reached, site: Site) -> Vec3 {
    let skeleton = reached.clip.skeleton();
    WorldPose::of(skeleton, reached.clip.frame(reached.effect_frame)).site(skeleton, site)
}

/// The largest distance between the same joints of two clips, frame by frame.
fn apart(a: &Clip, b: &Clip) -> f64 {
    let skeleton = a.skeleton();
    let mut worst = 0.0_f64;
    for (p, q) in a.frames().zip(b.frames()) {
        let (p, q) = (WorldPose::of(skeleton, p), WorldPose::of(skeleton, q));
        for (x, y) in p.positions.iter().zip(&q.positions) {
            worst = worst.max((x - y).norm());
        }
    }
    worst
}

#[test]
fn an_example_is_given_back_at_its_own_point() {
    let clips = nine();
    let action = learn(&clips, hand(), &quick());
    assert!(action.report().outliers.is_empty(), "{:?}", action.report());
    for (k, example) in action.report().examples.iter().enumerate() {
        let reached = action.reach(&example.point).unwrap();
        assert!(reached.is_inside, "{}", example.name);
        assert!(
            (reached.weights[k] - 1.0).abs() < 1e-3,
            "{:?}",
            reached.weights
        );
        let given = align(&clips[k], &Placement::at_origin(0)).unwrap();
        assert_eq!(
            reached.clip.n_frames(),
            given.n_frames(),
            "{}",
            example.name
        );
        assert!(
            reached.effect_frame.abs_diff(30 + 4 * (k % 4)) <= 1,
            "{}",
            reached.effect_frame
        );
        // Centimetres of a person of 175. Time is shifted by half a frame at most, so that the moment of effect falls
        // on a frame, and the hand moves by up to 4.5 cm in one.
        let apart = apart(&reached.clip, &given);
        assert!(apart < 2.3, "{}: {apart} cm", example.name);
        assert!(
            reached.error < 0.2,
            "{}: {} cm",
            example.name,
            reached.error
        );
    }
}

#[test]
fn planted_targets_are_met_and_others_are_told() {
    let action = learn(
        &nine(),
        hand(),
        &ParametricSettings {
            locks_feet: true,
            ..quick()
        },
    );
    let mut before = Vec::new();
    for target in targets(&action, 100, 3) {
        let reached = action.reach(&target).unwrap();
        assert!(reached.is_inside && reached.aim == target, "inside");
        let told = (site_at_effect(&reached, hand()) - target).norm();
        assert!(
            (told - reached.error).abs() < 1e-6,
            "{told} {}",
            reached.error
        );
        assert!(reached.error < 0.5, "{} cm", reached.error);
        before.push(reached.error_before_hold);
    }
    before.sort_by(f64::total_cmp);
    let region = action.reachable_region();
    eprintln!(
        "nine planted reaches: {} voxels, {:.0?} cm, {:.0} l; before the hold {:.2} cm, at most {:.2}",
        region.centres.len(),
        region.size().as_slice(),
        region.volume() / 1000.0,
        before[50],
        before[99]
    );
    assert!(before[50] < 1.5 && before[99] < 9.0, "{before:?}");
    let hold = action.settings().max_hold_heights * action.body_height();
    for direction in [
        Vec3::x(),
        -Vec3::x(),
        Vec3::y(),
        -Vec3::y(),
        Vec3::z(),
        -Vec3::z(),
    ] {
        let target = Vec3::new(0.0, 120.0, 50.0) + direction * 150.0;
        assert!(!action.is_reachable(&target), "{target:?}");
        let (nearest, distance) = action.nearest_reachable(&target);
        assert!(action.is_reachable(&nearest), "on the edge");
        let reached = action.reach(&target).unwrap();
        assert!(!reached.is_inside && reached.aim == nearest, "told");
        let told = (site_at_effect(&reached, hand()) - target).norm();
        assert!(
            (told - reached.error).abs() < 1e-6,
            "{told} {}",
            reached.error
        );
        let voxel = 2.0 * region.edge;
        assert!(
            reached.error > distance - hold - voxel,
            "{} {distance}",
            reached.error
        );
        assert!(
            reached.error < distance + voxel,
            "{} {distance}",
            reached.error
        );
    }
}

#[test]
fn targets_near_each_other_give_actions_near_each_other() {
    let action = learn(&nine(), hand(), &quick());
    let ends = targets(&action, 12, 9);
    for pair in ends.chunks(2) {
        let mut before: Option<Reached> = None;
        let steps = ((pair[1] - pair[0]).norm() / 0.4).ceil();
        for step in 0..=steps as usize {
            // Outside the region as well: the nearest point moves along.
            let target = pair[0].lerp(&pair[1], step as f64 / steps);
            let reached = action.reach(&target).unwrap();
            if let Some(before) = before.filter(|b| b.clip.n_frames() == reached.clip.n_frames()) {
                let pairs = before.weights.iter().zip(&reached.weights);
                let change = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(change < 0.1, "weights {change} at {target:?}");
                let moved = apart(&before.clip, &reached.clip);
                assert!(moved < 6.0, "moved {moved} cm at {target:?}");
            }
            before = Some(reached);
        }
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    let clips = nine();
    let (one, two) = (
        learn(&clips, hand(), &quick()),
        learn(&clips, hand(), &quick()),
    );
    assert_eq!(one.reachable_region(), two.reachable_region());
    for target in targets(&one, 5, 4) {
        assert_eq!(one.reach(&target).unwrap(), two.reach(&target).unwrap());
    }
}

#[test]
fn targets_in_the_world_with_any_up() {
    let clips = nine();
    let usual = learn(&clips, hand(), &quick());
    for up in [Axis::Y, Axis::all()[5]] {
        let turned: Vec<Clip> = clips.iter().map(|c| set_up(c, up).unwrap()).collect();
        let action = learn(&turned, hand(), &quick());
        for (target, heading_rad) in targets(&usual, 6, 5)
            .iter()
            .zip([0.0, 1.0, -2.0, 3.0, 0.5, 9.0])
        {
            let start = ActionStart {
                place: Vec3::new(300.0, -40.0, 170.0),
                heading_rad,
            };
            let target_world = start.world_from_action(up, target);
            assert!(
                (start.action_from_world(up, &target_world) - target).norm() < 1e-9,
                "back"
            );
            let reached = action.reach_world(&start, &target_world).unwrap();
            let miss = (site_at_effect(&reached, hand()) - target_world).norm();
            assert!(
                (miss - reached.error).abs() < 1e-6,
                "{miss} {}",
                reached.error
            );
            assert!(miss < 0.5, "{up}: {miss} cm");
            // The body starts where it was told to, facing as it was told to.
            let root = reached.clip.frame(0).root();
            let over = (root - start.place) - up.vector() * up.along(&(root - start.place));
            assert!(over.norm() < 1e-3, "{up}: {over:?}");
        }
    }
}

#[test]
fn every_refusal() {
    let clips = nine();
    let refs: Vec<&Clip> = clips.iter().collect();
    let refused = |examples: &[&Clip], site: Site| {
        let learned = ParametricAction::learn(examples, site, &quick(), &Ticket::default());
        learned.map(|_| ()).unwrap_err()
    };
    assert_eq!(refused(&[], hand()), ParametricError::TooFew { found: 0 });
    assert_eq!(
        refused(&refs[..1], hand()),
        ParametricError::TooFew { found: 1 }
    );
    let nowhere = [Site::Joint(999), Site::End(999)];
    for site in nowhere {
        assert_eq!(refused(&refs, site), ParametricError::NoSuchSite(site));
    }
    let long = crate::takes::scaled(&clips[1], 1.1);
    let words = refused(&[refs[0], &long], hand()).to_string();
    assert!(
        words.contains("\"reach 1\"") && words.contains("another length"),
        "{words}"
    );
    let other = crate::figure::Walk::default().clip();
    let words = refused(&[refs[0], &other], hand()).to_string();
    assert!(words.contains("other joints"), "{words}");
    let lying = set_up(&clips[1], Axis::all()[5]).unwrap();
    assert!(
        matches!(
            refused(&[refs[0], &lying], hand()),
            ParametricError::Skeletons { .. }
        ),
        "another up"
    );
    let still = crate::takes::cut(&clips[2], 0, 1, 1);
    let words = refused(&[refs[0], &still], hand()).to_string();
    assert!(
        words.contains("\"reach 2\"") && words.contains("single frame"),
        "{words}"
    );
    let words = refused(&[refs[0], refs[0], refs[0]], hand()).to_string();
    assert!(
        words.contains("\"RightHand\"") && words.contains("same point"),
        "{words}"
    );
    let settings = ParametricSettings {
        extrapolation: 2.0,
        ..quick()
    };
    let learned = ParametricAction::learn(&refs, hand(), &settings, &Ticket::default());
    assert!(
        matches!(learned, Err(ParametricError::Setting { .. })),
        "too far"
    );
    let ticket = Ticket::default();
    ticket.cancel();
    let learned = ParametricAction::learn(&refs, hand(), &quick(), &ticket);
    assert!(
        matches!(learned, Err(ParametricError::Cancelled(_))),
        "cancelled"
    );
    let action = learn(&clips, hand(), &quick());
    for bad in [f64::NAN, f64::INFINITY] {
        let asked = action.reach(&Vec3::new(0.0, bad, 0.0));
        assert!(
            matches!(asked, Err(ParametricError::NotFinite { .. })),
            "{bad}"
        );
        let start = ActionStart {
            heading_rad: bad,
            ..ActionStart::at_origin()
        };
        let asked = action.reach_world(&start, &Vec3::zeros());
        assert!(
            matches!(asked, Err(ParametricError::NotFinite { .. })),
            "{bad}"
        );
    }
}

#[test]
fn two_examples_reach_along_a_line() {
    let clips = nine();
    let action = learn(&[clips[3].clone(), clips[5].clone()], hand(), &quick());
    let points: Vec<Vec3> = action.report().examples.iter().map(|e| e.point).collect();
    let middle = (points[0] + points[1]) * 0.5;
    let reached = action.reach(&middle).unwrap();
    assert!(
        (reached.weights[0] - 0.5).abs() < 0.1,
        "{:?}",
        reached.weights
    );
    assert!(
        reached.clip.n_frames() > 2 && reached.error < 12.0,
        "{}",
        reached.error
    );
}

/// Folder, beginning of file names, what reaches, and how smooth it has to be against the examples.
const SETS: [(&str, &str, &str, f64); 8] = [
    ("actions/everyday_s143", "punch_l_", "LeftHand", 1.1),
    ("actions/everyday_s143", "punch_r_", "RightHand", 1.1),
    ("actions/everyday_s143", "kick_l_", "LeftFoot", 1.1),
    ("actions/everyday_s143", "kick_r_", "RightFoot", 1.1),
    ("actions/martial_s144", "punch_left_", "LeftHand", 1.1),
    ("actions/martial_s144", "punch_right_", "RightHand", 1.3),
    // The second of three has its hip flip by 150 degrees for three frames at the kick, and all blends have a part of
    // it.
    (
        "actions/martial_s144",
        "front_kick_left_",
        "LeftToeBase",
        2.2,
    ),
    ("gesture/front_kick_s144", "144_", "RightFoot", 1.1),
];

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[test]
fn captured_punches_and_kicks_hit_a_hundred_targets() {
    let Some(_) = shared("actions/everyday_s143") else {
        return;
    };
    for (folder, begin, site, roughness) in SETS {
        let files = files_below(&shared(folder).unwrap(), "bvh");
        let is_one =
            |p: &&std::path::PathBuf| p.file_name().unwrap().to_string_lossy().starts_with(begin);
        let clips: Vec<Clip> = files.iter().filter(is_one).map(|p| take(p)).collect();
        let site = clips[0].skeleton().find_site(site).unwrap();
        let action = learn(&clips, site, &ParametricSettings::default());
        let refs: Vec<&Clip> = clips
            .iter()
            .filter(|c| {
                action
                    .report()
                    .examples
                    .iter()
                    .any(|e| e.name == c.info.name)
            })
            .collect();
        let ground = metrics::FootLevels::learn(&refs).unwrap();
        let jerk = |clip: &Clip| metrics::jerk(clip, 60.0).unwrap().value;
        let slide = |clip: &Clip| {
            let slide = metrics::foot_slide(clip, &ground, 60.0).unwrap();
            slide.mean_speed * action.body_height() * CMU_CM
        };
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let (mut jerks, mut slides) = (Vec::new(), Vec::new());
        for target in targets(&action, 100, 7) {
            let reached = action.reach(&target).unwrap();
            assert!(reached.is_inside, "{begin}");
            let miss = (site_at_effect(&reached, site) - target).norm() * CMU_CM;
            assert!(miss < 3.0, "{begin}: {miss} cm");
            before.push(reached.error_before_hold * CMU_CM);
            after.push(miss);
            // Every fifth is enough to know how they move.
            if before.len() % 5 == 0 {
                jerks.push(jerk(&reached.clip));
                slides.push(slide(&reached.clip));
            }
        }
        let region = action.reachable_region();
        let (worst, n_over) = (
            before.iter().copied().fold(0.0, f64::max),
            before.iter().filter(|e| **e > 3.0).count(),
        );
        let example_jerk = median(refs.iter().map(|c| jerk(c)).collect());
        let example_slide = median(refs.iter().map(|c| slide(c)).collect());
        eprintln!(
            "{folder}/{begin}: {} examples, {} voxels in {:.0?} cm, {:.1} l; before the hold {:.2} cm, at most {worst:.2} ({n_over} over 3 cm), after {:.3}; jerk {:.2} of the examples', slide {:.1} cm/s against {example_slide:.1}",
            refs.len(),
            region.centres.len(),
            (region.size() * CMU_CM).as_slice(),
            region.volume() * CMU_CM.powi(3) / 1000.0,
            median(before),
            median(after),
            median(jerks.clone()) / example_jerk,
            median(slides.clone()),
        );
        assert!(
            worst < 5.0 && n_over <= 10,
            "{begin}: {worst} cm before the hold, {n_over} over 3 cm"
        );
        assert!(median(jerks) < roughness * example_jerk, "{begin}: jerk");
        assert!(median(slides) < example_slide, "{begin}: slide");
        let far = action
            .reach(&(region.bounds.1 + Vec3::repeat(20.0)))
            .unwrap();
        assert!(
            !far.is_inside && far.error > 15.0,
            "{begin}: told that it misses"
        );
    }
}

#[test]
fn a_block_among_kicks_is_named() {
    let Some(folder) = shared("gesture/front_kick_s144") else {
        return;
    };
    let clips: Vec<Clip> = files_below(&folder, "bvh")
        .iter()
        .map(|p| take(p))
        .collect();
    let site = clips[0].skeleton().find_site("RightFoot").unwrap();
    let settings = ParametricSettings {
        max_voxels: 500,
        n_samples: 100,
        ..ParametricSettings::default()
    };
    let action = learn(&clips, site, &settings);
    let outliers = &action.report().outliers;
    assert_eq!(outliers.len(), 1);
    let words = outliers[0].to_string();
    assert!(
        words.contains("144_07_block_out") && words.contains("left out"),
        "{words}"
    );
    assert_eq!(action.report().examples.len(), 10);
}

#[test]
fn examples_are_found_in_a_long_take() {
    let (Some(query), Some(long)) = (
        shared("gesture/front_kick_s144/144_05_k01.bvh"),
        shared("locomotion/kick/144_05.bvh"),
    ) else {
        return;
    };
    let (query, long) = (take(&query), take(&long));
    let found = examples_from_repeats(
        &query,
        0..query.n_frames(),
        &[&long],
        &RepeatSettings::default(),
        &Ticket::default(),
    )
    .unwrap();
    assert!(found.clips.len() >= 4, "{} kicks", found.clips.len());
    assert_eq!(found.clips.len(), found.places.len());
    assert!(
        found
            .clips
            .iter()
            .all(|c| Arc::ptr_eq(c.skeleton(), long.skeleton())),
        "cut"
    );
    let site = long.skeleton().find_site("RightFoot").unwrap();
    let settings = ParametricSettings {
        max_voxels: 2000,
        ..ParametricSettings::default()
    };
    let action = learn(&found.clips, site, &settings);
    for target in targets(&action, 10, 2) {
        let reached = action.reach(&target).unwrap();
        assert!(
            reached.error * CMU_CM < 3.0,
            "{} cm",
            reached.error * CMU_CM
        );
    }
    let ticket = Ticket::default();
    ticket.cancel();
    let stopped =
        examples_from_repeats(&query, 0..50, &[&long], &RepeatSettings::default(), &ticket);
    assert!(
        matches!(stopped, Err(ParametricError::Cancelled(_))),
        "cancelled"
    );
}
