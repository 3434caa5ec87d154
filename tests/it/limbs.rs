//! Feet and hands held in place: planted answers, refusals, and real takes before and after.

use std::sync::Arc;

use kinfolk::motion::foot_slide::{self, FootSlideSettings};
use kinfolk::motion::limb::{
    Constrained, Hold, HoldPosition, LimbError, LimbMethod, LimbSettings, Limits, ReachPolicy,
    RelaxReason, constrain, constrain_within_limits,
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
        at: HoldPosition::Point(at),
    }
}

fn worst_miss(clip: &Clip, holds: &[Hold]) -> f64 {
    let mut world = WorldPose::of(clip.skeleton(), clip.frame(0));
    let mut worst: f64 = 0.0;
    for hold in holds {
        for frame in hold.frames.clone() {
            world.update(clip.skeleton(), clip.frame(frame));
            let place = match &hold.at {
                HoldPosition::Point(point) => *point,
                HoldPosition::Path(path) => path[frame - hold.frames.start],
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
            at: HoldPosition::Path(path),
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
        reach: ReachPolicy::Report,
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
        method: LimbMethod::PAPER,
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
        at: HoldPosition::Path(vec![at; 3]),
        ..hold(LEFT_FOOT, 0..5, at)
    };
    says(&[short], "5 frames but its path has 3");
    for (ease_secs, method) in [
        (-1.0, LimbMethod::WholeCurve),
        (f64::NAN, LimbMethod::WholeCurve),
        (
            0.2,
            LimbMethod::FrameByFrame {
                nearness: 0.0,
                smoothness: 1.0,
            },
        ),
        (
            0.2,
            LimbMethod::FrameByFrame {
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
        assert!(matches!(error, LimbError::Setting(_)), "{error}");
    }
    for (field, limits) in [
        ("knee_step_more_rad", limits(-0.1, 1.05, 0.0)),
        ("knee_step_more_rad", limits(f64::NAN, 1.05, 0.0)),
        ("jerk_times", limits(0.1, 0.9, 0.0)),
        ("jerk_unseen", limits(0.1, 1.0, -1.0)),
    ] {
        let error =
            constrain_within_limits(&given, &[], &LimbSettings::default(), &limits).unwrap_err();
        assert!(error.to_string().starts_with(field), "{error}");
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

fn limits(knee_step_more_rad: f64, jerk_times: f64, jerk_unseen: f64) -> Limits {
    Limits {
        knee_step_more_rad,
        jerk_times,
        jerk_unseen,
    }
}

/// Held to the letter.
fn firm() -> FootSlideSettings {
    FootSlideSettings {
        limits: None,
        ..FootSlideSettings::default()
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
    let cleaned = foot_slide::remove(&given, &firm()).unwrap();
    assert_eq!(cleaned.misses, []);
    assert_eq!(cleaned.relaxed, []);
    assert_eq!(cleaned.clip.contacts(), contacts, "used as they were given");
    let way = positions(&cleaned.clip);
    for joint in [LEFT_FOOT, 7] {
        let moved = (way[114][joint] - way[5][joint]).norm();
        assert!(moved < 1e-9, "joint {joint} moved by {moved}");
    }
    let gentle = foot_slide::remove(&given, &FootSlideSettings::default()).unwrap();
    let (before, after) = (positions(&given), positions(&gentle.clip));
    let slid = |way: &[Vec<Vec3>]| -> f64 {
        let steps = way[5..115].windows(2);
        steps
            .map(|w| (w[1][LEFT_FOOT] - w[0][LEFT_FOOT]).norm())
            .sum()
    };
    assert!(
        slid(&after) < 0.2 * slid(&before),
        "a motion without any jerk of its own still gets feet that stand: {} of {}",
        slid(&after),
        slid(&before)
    );
}

/// A body that stands and sways, and drops by 5 cm for one frame, feet and all: as captures do when a marker is lost.
fn dropping() -> Clip {
    let still = swaying(Axis::Y, 1.0, 160);
    let mut motion = still.motion().clone();
    motion.translations[80].y -= 0.05;
    let contacts = [LEFT_FOOT, 7].map(|joint| Contact {
        joint,
        frames: 30..130,
    });
    Clip::new(still.info.clone(), Arc::clone(still.skeleton()), motion)
        .unwrap()
        .with_contacts(contacts.to_vec())
        .unwrap()
}

#[test]
fn a_body_that_drops_for_a_frame_does_not_pop_its_knees() {
    let given = dropping();
    let before = positions(&given);
    let legs = Body::of(given.skeleton()).legs;
    let more = |clip: &Clip| {
        let after = positions(clip);
        let step = |way, leg| largest_step(&knee_angles(way, leg)).to_degrees();
        let steps = legs
            .iter()
            .map(|leg| step(&after, leg) - step(&before, leg));
        steps.fold(f64::MIN, f64::max)
    };
    let to_the_letter = foot_slide::remove(&given, &firm()).unwrap();
    assert!(
        more(&to_the_letter.clip) > 5.0,
        "feet that stay pop the knees"
    );
    assert!(to_the_letter.clip.info.notes.is_empty(), "nothing gave way");

    let gentle = foot_slide::remove(&given, &FootSlideSettings::default()).unwrap();
    let pop = more(&gentle.clip);
    assert!(pop <= 2.0, "{pop} degrees more");
    for hold in 0..2 {
        let at_drop = gentle
            .relaxed
            .iter()
            .find(|s| s.hold == hold && s.frames.contains(&80))
            .unwrap();
        assert_eq!(at_drop.why, RelaxReason::KneeStep);
        assert!(
            at_drop.frames.len() < 30,
            "only around the drop: {at_drop:?}"
        );
    }
    let note = &gentle.clip.info.notes[0].text;
    assert!(note.contains("2 of 2 contacts"), "{note}");
    let after = positions(&gentle.clip);
    let held = |f: usize| (after[f][LEFT_FOOT] - after[50][LEFT_FOOT]).norm();
    assert!(
        held(60) < 1e-9 && held(100) < 1e-9,
        "before and after the drop the foot stands in one place"
    );
    let again = foot_slide::remove(&given, &FootSlideSettings::default()).unwrap();
    assert_eq!(again, gentle, "the same every time");
}

#[test]
fn limits_hold_even_where_only_the_given_clip_keeps_them() {
    let given = swaying(Axis::Y, 1.0, 160);
    let far = positions(&given)[80][LEFT_FOOT] + Vec3::new(0.1, 0.2, -0.1);
    let holds = [hold(LEFT_FOOT, 70..72, far)];
    let none = limits(0.0, 1.0, 0.0);
    let settings = LimbSettings::default();
    let made = constrain_within_limits(&given, &holds, &settings, &none).unwrap();
    assert_eq!(made.strength, 0.0, "no correction is small enough");
    assert_eq!(made.constrained.clip.motion(), given.motion());
    assert_eq!(made.constrained.misses.len(), 2, "and it says so");
    let any = limits(f64::INFINITY, f64::INFINITY, 0.0);
    let made = constrain_within_limits(&given, &holds, &settings, &any).unwrap();
    let plain = constrain(&given, &holds, &settings).unwrap();
    assert_eq!(made.constrained, plain, "without limits nothing gives way");
    for n_frames in 1..5 {
        let short = swaying(Axis::Y, 1.0, n_frames);
        let made = constrain_within_limits(&short, &[hold(LEFT_FOOT, 0..1, far)], &settings, &none);
        assert!(made.is_ok(), "{n_frames} frames: {made:?}");
    }
}

/// One clip before and after taking out its slide.
struct Row {
    name: String,
    frames: f64,
    slide_before: f64,
    slide_after: f64,
    jerk_ratio: f64,
    /// Of the knee for which it grows most.
    knee_step_more_deg: f64,
    softened: usize,
}

fn row(file: &std::path::Path) -> Row {
    let clip = real(file);
    let cleaned = foot_slide::remove(&clip, &FootSlideSettings::default()).unwrap();
    for miss in &cleaned.misses {
        let is_said = |s: &kinfolk::motion::limb::RelaxedHold| {
            s.hold == miss.hold && s.frames.contains(&miss.frame)
        };
        assert!(
            cleaned.relaxed.iter().any(is_said),
            "{}: {miss:?} is not among those that gave way",
            file.display()
        );
    }
    let cm = 175.0 / body::height(&clip);
    let ways = [positions(&clip), positions(&cleaned.clip)];
    let up = clip.info.up;
    let slide = |way: &[Vec<Vec3>]| -> f64 {
        let planar = |v: Vec3| (v - up.vector() * up.along(&v)).norm();
        let of_contact = |c: &Contact| -> f64 {
            let steps = c.frames.clone().skip(1);
            let steps = steps.map(|f| planar(way[f][c.joint] - way[f - 1][c.joint]));
            steps.sum()
        };
        let all = cleaned.clip.contacts().iter().map(of_contact);
        all.sum::<f64>() * clip.fps() * cm
    };
    let legs = Body::of(clip.skeleton()).legs;
    let step = |way, leg| largest_step(&knee_angles(way, leg)).to_degrees();
    let contacts = cleaned.clip.contacts().iter();
    Row {
        name: file.display().to_string(),
        frames: contacts.map(|c| (c.frames.len() - 1) as f64).sum(),
        slide_before: slide(&ways[0]),
        slide_after: slide(&ways[1]),
        jerk_ratio: jerk(&ways[1]) / jerk(&ways[0]),
        knee_step_more_deg: legs
            .iter()
            .map(|leg| step(&ways[1], leg) - step(&ways[0], leg))
            .fold(f64::MIN, f64::max),
        softened: cleaned.relaxed.len(),
    }
}

#[test]
fn real_feet_stand_and_nothing_else_suffers() {
    for folder in [
        "walk_full",
        "walk_cycles",
        "jump",
        "actions",
        "gesture",
        "throw",
        "locomotion",
        "bandai_nc",
    ] {
        let Some(dir) = shared(folder) else { return };
        let rows: Vec<Row> = files_below(&dir, "bvh").iter().map(|f| row(f)).collect();
        let sum = |of: fn(&Row) -> f64| rows.iter().map(of).sum::<f64>();
        let most = |of: fn(&Row) -> f64| rows.iter().map(of).fold(f64::MIN, f64::max);
        let frames = sum(|r| r.frames);
        eprintln!(
            "{folder}: {} clips ({} gave way), slide {:.1} -> {:.3} cm/s, jerk x{:.3} (worst {:.3}), knee step {:+.1} deg at worst",
            rows.len(),
            rows.iter().filter(|r| r.softened > 0).count(),
            sum(|r| r.slide_before) / frames,
            sum(|r| r.slide_after) / frames,
            sum(|r| r.jerk_ratio) / rows.len() as f64,
            most(|r| r.jerk_ratio),
            most(|r| r.knee_step_more_deg),
        );
        for r in &rows {
            assert!(
                r.slide_after <= 0.2 * r.slide_before,
                "{}: slide {} of {}",
                r.name,
                r.slide_after,
                r.slide_before
            );
            assert!(r.jerk_ratio <= 1.05 + 1e-9, "{}: {}", r.name, r.jerk_ratio);
            assert!(
                r.knee_step_more_deg <= 2.0 + 1e-9,
                "{}: {} degrees more",
                r.name,
                r.knee_step_more_deg
            );
        }
    }
}
