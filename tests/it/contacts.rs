//! Contacts against feet whose standing was planned, and against what can be seen in real takes.

use std::ops::Range;

use kinfolk::motion::contacts::{ContactError, ContactParts, ContactSettings, Detected, detect};
use kinfolk::motion::{Axis, Body, Channels, Clip, Contact, Joint, Skeleton, Vec3};

use crate::data::{files_below, shared};
use crate::planted::{clip, person, positions, real, upright};

/// Where a foot is at a moment: it stands from `stand.start` to `stand.end` of each period, then swings forward.
fn planned_foot(secs: f64, stand: &Range<f64>, period: f64, stride: f64) -> (Vec3, bool) {
    let step = ((secs - stand.start) / period).floor();
    let since = secs - stand.start - step * period;
    let stand_secs = stand.end - stand.start;
    if since < stand_secs {
        return (Vec3::z() * (stride * step), true);
    }
    let s = (since - stand_secs) / (period - stand_secs);
    let half_turn = std::f64::consts::PI * s;
    let forward = stride * (step + (1.0 - half_turn.cos()) / 2.0);
    (
        Vec3::new(0.0, 0.12 * half_turn.sin().powi(2), forward),
        false,
    )
}

/// Small and the same every time, between -1 and 1.
fn jitter(seed: usize) -> f64 {
    ((seed as f64 * 12.9898).sin() * 43758.5453).fract()
}

/// A walk of puppet feet, and the frames at which each joint stands.
fn walk(up: Axis, scale: f64, fps: f64, jitter_metres: f64) -> (Clip, Vec<(usize, Vec<bool>)>) {
    let skeleton = person(up, scale, true);
    let n_frames = (4.0 * fps) as usize;
    // Heel first, toes last; the right foot half a period later.
    let plan = [
        (3, 0.10..0.65, Vec3::new(0.1, 0.08, 0.0)),
        (4, 0.15..0.75, Vec3::new(0.1, 0.02, 0.14)),
        (7, 0.70..1.25, Vec3::new(-0.1, 0.08, 0.0)),
        (8, 0.75..1.35, Vec3::new(-0.1, 0.02, 0.14)),
    ];
    let place = |frame: usize, nth: usize| {
        let (_, stand, at) = &plan[nth];
        let (way, is_down) = planned_foot(frame as f64 / fps, stand, 1.2, 1.4);
        let noise = Vec3::from_fn(|axis, _| jitter(frame * 31 + nth * 7 + axis) * jitter_metres);
        (way + at + noise, is_down)
    };
    let clip = clip(&skeleton, up, fps, n_frames, |frame, pose| {
        let mut world = vec![Vec3::zeros(); skeleton.n_joints()];
        for joint in 0..skeleton.n_joints() {
            let parent = skeleton.joints()[joint].parent;
            let offset = upright(up).inverse() * skeleton.joints()[joint].offset / scale;
            world[joint] = match plan.iter().position(|(j, ..)| *j == joint) {
                Some(nth) => place(frame, nth).0,
                None if joint == 0 => offset + Vec3::z() * (1.4 / 1.2 * frame as f64 / fps),
                None => world[parent.unwrap()] + offset,
            };
            let from = parent.map_or_else(Vec3::zeros, |p| world[p]);
            pose.translations[joint] = upright(up) * (world[joint] - from) * scale;
        }
    });
    let truth = (0..plan.len())
        .map(|nth| {
            (
                plan[nth].0,
                (0..n_frames).map(|f| place(f, nth).1).collect(),
            )
        })
        .collect();
    (clip, truth)
}

fn spans(is_down: &[bool]) -> Vec<Range<usize>> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    for (frame, _) in is_down.iter().enumerate().filter(|(_, down)| **down) {
        match spans.last_mut() {
            Some(span) if span.end == frame => span.end += 1,
            _ => spans.push(frame..frame + 1),
        }
    }
    spans
}

fn of_joint(found: &Detected, joint: usize) -> Vec<Range<usize>> {
    let own = found.contacts.iter().filter(|c| c.joint == joint);
    own.map(|c| c.frames.clone()).collect()
}

#[test]
fn planned_steps_are_found_at_any_rate_scale_and_up_axis() {
    for (up, scale, fps, noise) in [
        (Axis::Y, 1.0, 30.0, 0.0),
        (Axis::Y, 100.0, 60.0, 0.0005),
        (Axis::Z, 17.7, 60.0, 0.0),
        (Axis::X.opposite(), 1000.0, 24.0, 0.0005),
        (Axis::Y, 0.01, 120.0, 0.0003),
    ] {
        let (clip, truth) = walk(up, scale, fps, noise);
        let found = detect(&clip, &ContactSettings::default()).unwrap();
        let (mut n_ends, mut n_near) = (0, 0);
        // Two frames, or a thirtieth of a second where frames are shorter: speeds are read over that time.
        let near = 2.max((fps / 30.0) as usize);
        for (joint, is_down) in truth {
            let (planned, found) = (spans(&is_down), of_joint(&found, joint));
            assert_eq!(
                found.len(),
                planned.len(),
                "{up} {fps}: {found:?} {planned:?}"
            );
            for (a, b) in planned.iter().zip(&found) {
                n_ends += 2;
                n_near += usize::from(a.start.abs_diff(b.start) <= near);
                n_near += usize::from(a.end.abs_diff(b.end) <= near);
            }
        }
        assert!(
            n_near * 100 >= n_ends * 95,
            "{up} {fps} fps: {n_near} of {n_ends}"
        );
        assert!(
            found.contacts.iter().all(|c| c.joint < 9),
            "no hand is on the floor"
        );
    }
}

#[test]
fn a_body_without_known_feet_says_so() {
    let joint = |name: &str, parent| Joint {
        name: name.to_owned(),
        parent,
        offset: Vec3::y(),
        channels: Channels::NONE,
    };
    let names = vec![joint("a", None), joint("b", Some(0))];
    let skeleton = std::sync::Arc::new(Skeleton::new(names, vec![]).unwrap());
    let clip = clip(&skeleton, Axis::Y, 30.0, 10, |_, _| {});
    for (parts, looked_for) in [
        (ContactParts::Feet, "feet"),
        (ContactParts::Hands, "hands"),
        (ContactParts::FeetAndHands, "feet or hands"),
    ] {
        let settings = ContactSettings {
            parts,
            ..ContactSettings::default()
        };
        let error = detect(&clip, &settings).unwrap_err();
        assert_eq!(error, ContactError::NothingFound { looked_for });
    }
}

#[test]
fn a_body_that_stands_all_the_time_has_whole_contacts() {
    for n_frames in [1, 2, 30] {
        let still = clip(
            &person(Axis::Y, 1.0, false),
            Axis::Y,
            30.0,
            n_frames,
            |_, _| {},
        );
        let found = detect(&still, &ContactSettings::default())
            .unwrap()
            .contacts;
        let whole = |joint| Contact {
            joint,
            frames: 0..n_frames,
        };
        assert_eq!(found, [3, 4, 7, 8].map(whole));
    }
}

#[test]
fn the_planned_contacts_of_the_demo_motions_are_found() {
    let (mut n_ends, mut n_near, mut n_missed) = (0, 0, 0);
    for made in kinfolk::demo::library() {
        let found = detect(&made.clip, &ContactSettings::default()).unwrap();
        for planned in made.clip.contacts() {
            let overlap = |f: &Range<usize>| {
                let end = f.end.min(planned.frames.end);
                end.saturating_sub(f.start.max(planned.frames.start))
            };
            let spans = of_joint(&found, planned.joint);
            n_ends += 2;
            match spans.iter().max_by_key(|f| overlap(f)) {
                Some(f) if overlap(f) > 0 => {
                    n_near += usize::from(f.start.abs_diff(planned.frames.start) <= 2);
                    n_near += usize::from(f.end.abs_diff(planned.frames.end) <= 2);
                }
                _ => n_missed += 1,
            }
        }
    }
    eprintln!("demo contacts: {n_near} of {n_ends} ends within 2 frames, {n_missed} missed");
    assert!(n_ends > 1000, "there are demo motions with contacts");
    assert!(n_near * 100 >= n_ends * 95, "{n_near} of {n_ends} ends");
}

/// Whether any of these joints is down, frame by frame.
fn is_down(clip: &Clip, found: &Detected, joints: &[usize]) -> Vec<bool> {
    let down = |f| {
        let mut contacts = found.contacts.iter();
        contacts.any(|c| joints.contains(&c.joint) && c.frames.contains(&f))
    };
    (0..clip.n_frames()).map(down).collect()
}

fn feet(clip: &Clip) -> Vec<usize> {
    Body::of(clip.skeleton()).foot_joints().collect()
}

#[test]
fn walkers_nearly_always_have_a_foot_on_the_ground_and_lift_both_in_turn() {
    let Some(dir) = shared("walk_full") else {
        return;
    };
    for file in files_below(&dir, "bvh") {
        let clip = real(&file);
        let found = detect(&clip, &ContactSettings::default()).unwrap();
        let share = |down: &[bool]| down.iter().filter(|d| **d).count() as f64 / down.len() as f64;
        let any = share(&is_down(&clip, &found, &feet(&clip)));
        assert!(any > 0.7, "{}: {any}", file.display());
        for leg in &Body::of(clip.skeleton()).legs {
            let one = share(&is_down(&clip, &found, &[leg.end, leg.toe.unwrap()]));
            assert!((0.3..0.75).contains(&one), "{}: {one}", file.display());
        }
        assert!(
            found
                .contacts
                .iter()
                .all(|c| feet(&clip).contains(&c.joint)),
            "no hands"
        );
    }
}

#[test]
fn jumpers_stand_fly_and_stand() {
    let Some(dir) = shared("jump/s118") else {
        return;
    };
    for file in files_below(&dir, "bvh") {
        let clip = real(&file);
        let found = detect(&clip, &ContactSettings::default()).unwrap();
        let down = is_down(&clip, &found, &feet(&clip));
        let flights = spans(&down.iter().map(|d| !d).collect::<Vec<_>>());
        let long = flights
            .iter()
            .filter(|f| f.len() as f64 > 0.2 * clip.fps())
            .count();
        assert_eq!(long, 1, "{}: {flights:?}", file.display());
        assert!(down[0] && down[down.len() - 1], "{}", file.display());
    }
}

#[test]
fn a_kicking_foot_is_free_while_it_is_high_and_the_other_stands() {
    let Some(dir) = shared("gesture/front_kick_s144") else {
        return;
    };
    for file in files_below(&dir, "bvh")
        .iter()
        .filter(|f| f.to_string_lossy().contains("_k"))
    {
        let clip = real(file);
        let found = detect(&clip, &ContactSettings::default()).unwrap();
        let way = positions(&clip);
        let legs = Body::of(clip.skeleton()).legs;
        let height = |f: usize, leg: usize| way[f][legs[leg].end].y;
        let (top, kicking) = (0..clip.n_frames())
            .flat_map(|f| [(f, 0), (f, 1)])
            .max_by(|a, b| height(a.0, a.1).total_cmp(&height(b.0, b.1)))
            .unwrap();
        let of = |leg: usize| [legs[leg].end, legs[leg].toe.unwrap()];
        assert!(
            !is_down(&clip, &found, &of(kicking))[top],
            "{}",
            file.display()
        );
        assert!(
            is_down(&clip, &found, &of(1 - kicking))[top],
            "{}",
            file.display()
        );
    }
}

#[test]
fn cartwheels_put_hands_on_the_floor() {
    let Some(dir) = shared("actions/martial_s144") else {
        return;
    };
    for file in files_below(&dir, "bvh") {
        let clip = real(&file);
        let found = detect(&clip, &ContactSettings::default()).unwrap();
        let hands = found
            .contacts
            .iter()
            .filter(|c| !feet(&clip).contains(&c.joint))
            .count();
        let is_cartwheel = file.to_string_lossy().contains("cartwheel");
        assert_eq!(hands > 0, is_cartwheel, "{}: {hands}", file.display());
    }
}
