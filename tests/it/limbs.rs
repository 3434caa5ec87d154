//! Feet and hands held in place: planted answers, refusals, and real takes before and after.

use std::sync::Arc;

use kinfolk::motion::foot_slide::{self, FootSlideSettings};
use kinfolk::motion::limb::{
    Constrained, Hold, LimbError, LimbSettings, Method, Place, Reach, constrain,
};
use kinfolk::motion::{
    Axis, Body, Channels, Clip, Contact, Joint, Limb, Quat, Site, Skeleton, Vec3, WorldPose, body,
};

use crate::data::{files_below, shared};
use crate::planted::{clip, person, positions, real, upright};

const FPS: f64 = 60.0;
const LEFT_FOOT: usize = 3;
const LEFT_TOE: usize = 4;
const LEFT_HAND: usize = 13;

/// Bends the knees and sways about, with arms half bent.
fn swaying(up: Axis, scale: f64, n_frames: usize) -> Clip {
    let turn = |x: f64, y: f64, z: f64| {
        let turned = upright(up);
        turned * Quat::from_scaled_axis(Vec3::new(x, y, z)) * turned.inverse()
    };
    clip(
        &person(up, scale, false),
        up,
        FPS,
        n_frames,
        |frame, pose| {
            let t = frame as f64 / FPS;
            let bend = 0.5 + 0.2 * (2.0 * t).sin();
            for (hip, knee, foot) in [(1, 2, 3), (5, 6, 7)] {
                pose.rotations[hip] = turn(-bend / 2.0, 0.05 * t.sin(), 0.03);
                pose.rotations[knee] = turn(bend, 0.0, 0.0);
                pose.rotations[foot] = turn(-bend / 2.0, 0.0, 0.1 * (3.0 * t).cos());
            }
            pose.rotations[11] = turn(0.0, 0.2 * t.sin(), -0.9);
            pose.rotations[12] = turn(0.0, -0.8 - 0.2 * t.cos(), 0.0);
            let shift = Vec3::new(0.03 * (1.7 * t).sin(), -0.04, 0.1 * t);
            pose.translations[0] += upright(up) * shift * scale;
            pose.rotations[0] = turn(0.02 * t, 0.1 * t.sin(), 0.0);
        },
    )
}

fn hold(joint: usize, frames: std::ops::Range<usize>, at: Vec3) -> Hold {
    Hold {
        site: Site::Joint(joint),
        frames,
        at: Place::Point(at),
    }
}

fn worst_miss(clip: &Clip, holds: &[Hold]) -> f64 {
    let mut world = WorldPose::of(clip.skeleton(), clip.frame(0));
    let mut worst: f64 = 0.0;
    for hold in holds {
        for frame in hold.frames.clone() {
            world.update(clip.skeleton(), clip.frame(frame));
            let place = match &hold.at {
                Place::Point(point) => *point,
                Place::Path(path) => path[frame - hold.frames.start],
            };
            worst = worst.max((world.site(clip.skeleton(), hold.site) - place).norm());
        }
    }
    worst
}

fn knee_angles(way: &[Vec<Vec3>], leg: &Limb) -> Vec<f64> {
    let angle = |p: &Vec<Vec3>| (p[leg.middle] - p[leg.upper]).angle(&(p[leg.end] - p[leg.middle]));
    way.iter().map(angle).collect()
}

fn largest_step(values: &[f64]) -> f64 {
    values
        .windows(2)
        .map(|w| (w[1] - w[0]).abs())
        .fold(0.0, f64::max)
}

/// Root mean square of third differences, averaged over joints.
fn jerk(way: &[Vec<Vec3>]) -> f64 {
    let n_joints = way[0].len();
    let of_joint = |j: usize| {
        let third = |w: &[Vec<Vec3>]| w[3][j] - w[2][j] * 3.0 + w[1][j] * 3.0 - w[0][j];
        let sum: f64 = way.windows(4).map(|w| third(w).norm_squared()).sum();
        (sum / (way.len() - 3) as f64).sqrt()
    };
    (0..n_joints).map(of_joint).sum::<f64>() / n_joints as f64
}

#[test]
fn a_held_foot_is_there_and_nothing_else_is_touched() {
    for (up, scale) in [(Axis::Y, 1.0), (Axis::Z, 100.0), (Axis::X, 0.01)] {
        let given = swaying(up, scale, 240);
        let before = positions(&given);
        let place = before[100][LEFT_FOOT] + upright(up) * Vec3::new(0.02, 0.01, -0.03) * scale;
        let holds = [hold(LEFT_FOOT, 90..130, place)];
        let made = constrain(&given, &holds, &LimbSettings::default()).unwrap();
        assert_eq!(made.misses, []);
        assert!(worst_miss(&made.clip, &holds) < 1e-9 * scale, "{up}");
        let after = positions(&made.clip);
        assert_eq!(made.root_moved, 0.0, "it can be reached");
        let world = |clip: &Clip, f: usize| WorldPose::of(clip.skeleton(), clip.frame(f));
        for frame in 0..240 {
            let (a, b) = (given.frame(frame), made.clip.frame(frame));
            if !(74..147).contains(&frame) {
                assert_eq!(a, b, "frame {frame} is far away");
            }
            for joint in (0..17).filter(|j| !(1..=3).contains(j)) {
                assert_eq!(a.rotations[joint], b.rotations[joint], "joint {joint}");
            }
            let foot = |clip: &Clip| world(clip, frame).rotations[LEFT_FOOT];
            assert!(
                foot(&given).angle_to(&foot(&made.clip)) < 1e-7,
                "the foot keeps its orientation"
            );
        }
        let leg = &Body::of(given.skeleton()).legs[0];
        let step =
            largest_step(&knee_angles(&after, leg)) - largest_step(&knee_angles(&before, leg));
        assert!(
            step < 0.035,
            "{up}: no pop of the knee: {step} rad more a frame"
        );
        // The knee stays in front of the line from hip to ankle.
        for p in &after {
            let line = (p[leg.end] - p[leg.upper]).normalize();
            let out = p[leg.middle] - p[leg.upper];
            let forward = (out - line * line.dot(&out)).dot(&(upright(up) * Vec3::z()));
            assert!(forward > 0.0, "{up}: bent to the front");
        }
    }
}

#[test]
fn heel_and_toe_held_together_leave_the_foot_on_both() {
    let given = swaying(Axis::Y, 1.0, 200);
    let before = positions(&given);
    let heel = before[80][LEFT_FOOT];
    let toe = heel + Vec3::new(0.02, -0.06, 0.14).normalize() * (0.06_f64.hypot(0.14));
    // The foot comes down heel first and leaves toe last.
    let holds = [hold(LEFT_FOOT, 60..110, heel), hold(LEFT_TOE, 75..130, toe)];
    let made = constrain(&given, &holds, &LimbSettings::default()).unwrap();
    assert_eq!(made.misses, []);
    assert!(worst_miss(&made.clip, &holds) < 1e-9, "both are met");
    let after = positions(&made.clip);
    for joint in [LEFT_FOOT, LEFT_TOE] {
        let step = |way: &[Vec<Vec3>]| {
            let speeds = way.windows(2).map(|w| (w[1][joint] - w[0][joint]).norm());
            speeds.fold(0.0, f64::max)
        };
        let (was, is) = (step(&before), step(&after));
        // A correction that fades in 15 frames along a curve of least jerk is nowhere faster than this.
        let moved = before
            .iter()
            .zip(&after)
            .map(|(a, b)| (a[joint] - b[joint]).norm());
        let fading = 2.0 * moved.fold(0.0, f64::max) / 15.0;
        assert!(is < was + fading, "joint {joint}: {is}, was {was}");
    }
}

#[test]
fn hands_and_tips_follow_a_path() {
    let given = swaying(Axis::Y, 1.0, 150);
    let skeleton = given.skeleton();
    let mut world = WorldPose::of(skeleton, given.frame(70));
    let tip = skeleton.find_site("LeftHand_end").unwrap();
    world.update(skeleton, given.frame(70));
    for (site, start) in [
        (Site::Joint(LEFT_HAND), world.positions[LEFT_HAND]),
        (tip, world.site(skeleton, tip)),
    ] {
        let path: Vec<Vec3> = (0..40)
            .map(|f| start + Vec3::new(-0.03, 0.05, 0.02) * (f64::from(f) * 0.07).sin())
            .collect();
        let holds = [Hold {
            site,
            frames: 50..90,
            at: Place::Path(path),
        }];
        let made = constrain(&given, &holds, &LimbSettings::default()).unwrap();
        assert_eq!(made.misses, []);
        assert!(worst_miss(&made.clip, &holds) < 1e-9, "{site:?}");
    }
}

#[test]
fn out_of_reach_is_said_or_the_body_follows() {
    let given = swaying(Axis::Y, 1.0, 200);
    let before = positions(&given);
    let far = before[100][LEFT_FOOT] + Vec3::new(0.0, -0.12, 0.0);
    let holds = [hold(LEFT_FOOT, 90..110, far)];
    let stay = LimbSettings {
        reach: Reach::Report,
        ..LimbSettings::default()
    };
    let reported = constrain(&given, &holds, &stay).unwrap();
    assert_eq!(reported.misses.len(), 20, "every frame is too far");
    assert!(
        (worst_miss(&reported.clip, &holds)
            - reported
                .misses
                .iter()
                .map(|m| m.distance)
                .fold(0.0, f64::max))
        .abs()
            < 1e-12,
        "by as much as it says"
    );
    let hip = before[100][1];
    let missing = (far - hip).norm() - 0.82;
    let at_100 = reported.misses.iter().find(|m| m.frame == 100).unwrap();
    assert!(
        (at_100.distance - missing).abs() < 1e-6,
        "{} and {missing}",
        at_100.distance
    );

    let followed = constrain(&given, &holds, &LimbSettings::default()).unwrap();
    assert_eq!(followed.misses, []);
    assert!(
        (0.03..0.2).contains(&followed.root_moved),
        "{}",
        followed.root_moved
    );
    let after = positions(&followed.clip);
    for (a, b) in before.iter().zip(&after) {
        assert!(
            (a[7] - b[7]).norm() < 1e-3,
            "the other foot stays on its way"
        );
    }
    let hips: Vec<f64> = after
        .iter()
        .zip(&before)
        .map(|(a, b)| (a[0] - b[0]).norm())
        .collect();
    assert!(
        largest_step(&hips) < 0.015,
        "smoothly: {}",
        largest_step(&hips)
    );
}

#[test]
fn limbs_that_pull_apart_are_reported() {
    let given = swaying(Axis::Y, 1.0, 100);
    let p = positions(&given)[50].clone();
    let holds = [
        hold(LEFT_FOOT, 40..60, p[LEFT_FOOT] - Vec3::y() * 2.0),
        hold(LEFT_HAND, 40..60, p[LEFT_HAND] + Vec3::y() * 2.0),
    ];
    let made = constrain(&given, &holds, &LimbSettings::default()).unwrap();
    assert!(
        made.misses.iter().any(|m| m.distance > 0.5),
        "nobody is four metres tall"
    );
}

#[test]
fn the_papers_way_meets_the_hold_too_but_pops() {
    let given = swaying(Axis::Y, 1.0, 240);
    let before = positions(&given);
    let holds = [hold(
        LEFT_FOOT,
        90..130,
        before[100][LEFT_FOOT] + Vec3::new(0.02, 0.02, -0.04),
    )];
    let paper = LimbSettings {
        method: Method::PAPER,
        ..LimbSettings::default()
    };
    let ours = constrain(&given, &holds, &LimbSettings::default()).unwrap();
    let theirs = constrain(&given, &holds, &paper).unwrap();
    assert_eq!(theirs.misses, []);
    assert!(
        worst_miss(&theirs.clip, &holds) < 1e-6,
        "{:e}",
        worst_miss(&theirs.clip, &holds)
    );
    let at = |made: &Constrained| jerk(&positions(&made.clip)) / jerk(&before);
    let (ours, theirs) = (at(&ours), at(&theirs));
    eprintln!("jerk against the given clip: whole curve {ours:.2}, frame by frame {theirs:.2}");
    assert!(theirs > 3.0 * ours, "ours {ours}, theirs {theirs}");
}

#[test]
fn every_refusal() {
    let given = swaying(Axis::Y, 1.0, 50);
    let refused = |holds: &[Hold]| constrain(&given, holds, &LimbSettings::default()).unwrap_err();
    let says = |holds: &[Hold], what: &str| {
        let text = refused(holds).to_string();
        assert!(text.contains(what), "{text}");
    };
    let at = Vec3::zeros();
    says(&[hold(10, 0..5, at)], "\"Head\" is no ankle or wrist");
    says(&[hold(2, 0..5, at)], "\"LeftLeg\"");
    says(&[hold(99, 0..5, at)], "Joint(99)");
    says(&[hold(LEFT_FOOT, 5..5, at)], "5..5");
    says(&[hold(LEFT_FOOT, 0..51, at)], "0..50");
    says(&[hold(LEFT_FOOT, 0..5, Vec3::x() * f64::NAN)], "finite");
    says(
        &[hold(LEFT_FOOT, 0..5, at), hold(LEFT_FOOT, 4..9, at)],
        "twice at frame 4",
    );
    let short = Hold {
        at: Place::Path(vec![at; 3]),
        ..hold(LEFT_FOOT, 0..5, at)
    };
    says(&[short], "5 frames but its path has 3");
    for (ease_secs, method) in [
        (-1.0, Method::WholeCurve),
        (f64::NAN, Method::WholeCurve),
        (
            0.2,
            Method::FrameByFrame {
                nearness: 0.0,
                smoothness: 1.0,
            },
        ),
        (
            0.2,
            Method::FrameByFrame {
                nearness: 1.0,
                smoothness: f64::NAN,
            },
        ),
    ] {
        let settings = LimbSettings {
            ease_secs,
            method,
            ..LimbSettings::default()
        };
        let error = constrain(&given, &[], &settings).unwrap_err();
        assert!(matches!(error, LimbError::Setting { .. }), "{error}");
    }
    let joint = Joint {
        name: "a".into(),
        parent: None,
        offset: at,
        channels: Channels::NONE,
    };
    let dot = Arc::new(Skeleton::new(vec![joint], vec![]).unwrap());
    let dot = clip(&dot, Axis::Y, FPS, 5, |_, _| {});
    let error = constrain(&dot, &[hold(0, 0..5, at)], &LimbSettings::default());
    assert_eq!(error, Err(LimbError::NoLimbs));
    let error = foot_slide::remove(&dot, &FootSlideSettings::default()).unwrap_err();
    assert!(matches!(error, LimbError::Contacts(_)), "{error}");
}

#[test]
fn nothing_held_changes_nothing_and_a_point_at_the_hip_is_no_trouble() {
    let given = swaying(Axis::Y, 1.0, 50);
    let made = constrain(&given, &[], &LimbSettings::default()).unwrap();
    assert_eq!(made.clip, given);
    let hip = positions(&given)[10][1];
    let near = constrain(
        &given,
        &[hold(LEFT_FOOT, 10..11, hip)],
        &LimbSettings::default(),
    )
    .unwrap();
    assert!(
        positions(&near.clip)
            .iter()
            .flatten()
            .all(|p| p.iter().all(|x| x.is_finite())),
        "finite"
    );
    let whole = [hold(LEFT_FOOT, 0..50, positions(&given)[0][LEFT_FOOT])];
    for ease_secs in [0.0, 100.0] {
        let settings = LimbSettings {
            ease_secs,
            ..LimbSettings::default()
        };
        assert_eq!(constrain(&given, &whole, &settings).unwrap().misses, []);
    }
}

#[test]
fn a_planted_slide_is_taken_out() {
    // The body stands and sways on feet that are then dragged along: 12 cm in two seconds.
    let given = swaying(Axis::Y, 1.0, 120);
    let contacts = [LEFT_FOOT, 7].map(|joint| Contact {
        joint,
        frames: 5..115,
    });
    let given = given.with_contacts(contacts.to_vec()).unwrap();
    let cleaned = foot_slide::remove(&given, &FootSlideSettings::default()).unwrap();
    assert_eq!(cleaned.misses, []);
    assert_eq!(cleaned.clip.contacts(), contacts, "used as they were given");
    let way = positions(&cleaned.clip);
    for joint in [LEFT_FOOT, 7] {
        let moved = (way[114][joint] - way[5][joint]).norm();
        assert!(moved < 1e-9, "joint {joint} moved by {moved}");
    }
}

/// Before and after taking the slide out of the clips of a folder.
struct Row {
    clips: usize,
    slide_before: f64,
    slide_after: f64,
    jerk_ratios: Vec<f64>,
    knee_steps_more_deg: Vec<f64>,
}

fn table(folder: &str, settings: &FootSlideSettings) -> Option<Row> {
    let dir = shared(folder)?;
    let mut row = Row {
        clips: 0,
        slide_before: 0.0,
        slide_after: 0.0,
        jerk_ratios: vec![],
        knee_steps_more_deg: vec![],
    };
    let (mut n, mut before, mut after) = (0.0, 0.0, 0.0);
    for file in files_below(&dir, "bvh") {
        let clip = real(&file);
        let cleaned = foot_slide::remove(&clip, settings).unwrap();
        assert_eq!(cleaned.misses, [], "{}", file.display());
        let cm = 175.0 / body::height(&clip);
        let ways = [positions(&clip), positions(&cleaned.clip)];
        let up = clip.info.up;
        let slide = |way: &[Vec<Vec3>], c: &Contact| -> f64 {
            let planar = |v: Vec3| (v - up.vector() * up.along(&v)).norm();
            let steps = c
                .frames
                .clone()
                .skip(1)
                .map(|f| planar(way[f][c.joint] - way[f - 1][c.joint]));
            steps.sum::<f64>() * clip.fps() * cm
        };
        for c in cleaned.clip.contacts() {
            n += (c.frames.len() - 1) as f64;
            before += slide(&ways[0], c);
            after += slide(&ways[1], c);
        }
        row.clips += 1;
        row.jerk_ratios.push(jerk(&ways[1]) / jerk(&ways[0]));
        let legs = Body::of(clip.skeleton()).legs;
        let step = |way: &[Vec<Vec3>]| {
            let steps = legs.iter().map(|leg| largest_step(&knee_angles(way, leg)));
            steps.fold(0.0, f64::max).to_degrees()
        };
        row.knee_steps_more_deg
            .push(step(&ways[1]) - step(&ways[0]));
    }
    (row.slide_before, row.slide_after) = (before / n, after / n);
    Some(row)
}

#[test]
fn real_feet_stand_and_nothing_else_suffers() {
    for folder in [
        "walk_full",
        "walk_cycles",
        "jump/s118",
        "locomotion/sneak",
        "locomotion/run",
        "bandai_nc",
    ] {
        let Some(row) = table(folder, &FootSlideSettings::default()) else {
            return;
        };
        let mean_jerk = row.jerk_ratios.iter().sum::<f64>() / row.clips as f64;
        let worst_jerk = row.jerk_ratios.iter().copied().fold(0.0, f64::max);
        let mut steps = row.knee_steps_more_deg.clone();
        steps.sort_by(f64::total_cmp);
        eprintln!(
            "{folder}: {} clips, slide {:.1} -> {:.3} cm/s, jerk x{mean_jerk:.3} (worst {worst_jerk:.3}), knee step {:+.1} deg at worst",
            row.clips,
            row.slide_before,
            row.slide_after,
            steps[steps.len() - 1]
        );
        assert!(row.slide_after < 0.2 * row.slide_before, "{folder}");
        assert!(worst_jerk < 1.05, "{folder}: {worst_jerk}");
        // Single takes have frames at which the whole body jumps by centimetres; a foot that stays turns that into
        // a jump of the knee.
        let pops = steps.iter().filter(|s| **s > 3.0).count();
        assert!(pops * 20 <= row.clips + 19, "{folder}: {steps:?}");
    }
}
