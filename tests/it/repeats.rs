//! Finding all stretches like a marked one: planted, and in real walks.

use kinfolk::motion::repeats::{RepeatError, RepeatQuery, RepeatSettings, search_all};
use kinfolk::motion::{Axis, Clip, Motion, body};

use crate::cycles::known_cuts;
use crate::data::{files_below, shared};
use crate::figure::Walk;
use crate::takes::{CMU_CM, cut, take};

#[test]
fn one_marked_cycle_finds_the_others() {
    let (Some(dir), Some(known)) = (shared("walk_full"), known_cuts()) else {
        return;
    };
    // The full walks, and beside them turns, big arm swings, a bouncy walk and a jog on the same skeleton.
    let cycles = files_below(&shared("walk_cycles/s35").unwrap(), "bvh");
    let is_odd = |name: &str| !name.starts_with("35_") || name.contains("jog");
    let odd = cycles
        .iter()
        .map(|p| take(p))
        .filter(|c| is_odd(&c.info.name));
    let full = files_below(&dir, "bvh");
    let takes: Vec<Clip> = full.iter().map(|p| take(p)).chain(odd).collect();
    let list: Vec<&Clip> = takes.iter().collect();
    let clip = takes.iter().find(|t| t.info.name == "35_02").unwrap();
    let (from, to) = known["35_02"][0];
    let marked = RepeatQuery::new(clip, from..to, &RepeatSettings::default()).unwrap();
    let found = search_all(&marked, &list, &mut |_| true).unwrap().found;
    let cm = body::height(clip) * CMU_CM;
    let first_stranger = found.iter().position(|f| is_odd(&takes[f.take].info.name));
    eprintln!(
        "threshold {:.1} cm, {} found, the first {} of subject 35 (up to {:.1} cm)",
        marked.threshold() * cm,
        found.len(),
        first_stranger.unwrap(),
        found[first_stranger.unwrap() - 1].found.distance * cm
    );
    assert!(found[0].found.distance < 1e-6, "itself first");
    assert!(
        found
            .windows(2)
            .all(|w| w[0].found.distance <= w[1].found.distance),
        "sorted"
    );
    assert!(
        first_stranger.is_some_and(|at| at >= 16),
        "turns and strangers come later"
    );
    for a in &found {
        for b in &found {
            let (r, s) = (&a.found.frames, &b.found.frames);
            assert!(
                a == b || a.take != b.take || r.end <= s.start || s.end <= r.start,
                "{a:?} {b:?} overlap"
            );
        }
    }
    let (mut n_hit, mut n_all) = (0, 0);
    for (name, cuts) in &known {
        let Some(take) = takes.iter().position(|t| t.info.name == *name) else {
            continue;
        };
        for (from, to) in cuts {
            n_all += 1;
            let hit = found.iter().any(|f| {
                let r = &f.found.frames;
                f.take == take && r.start.abs_diff(*from) <= 6 && r.end.abs_diff(*to) <= 6
            });
            n_hit += usize::from(hit);
        }
    }
    eprintln!("{n_hit} of {n_all} known cycles found within 6 frames at both ends");
    assert!(n_all >= 14 && n_hit * 10 >= n_all * 9, "{n_hit} of {n_all}");
}

#[test]
fn the_first_pass_loses_nothing() {
    // Searching with a threshold so wide that the first pass lets all through must not find more below the usual one.
    let Some(dir) = shared("walk_full") else {
        return;
    };
    let takes: Vec<Clip> = files_below(&dir, "bvh").iter().map(|p| take(p)).collect();
    let list: Vec<&Clip> = takes.iter().collect();
    for (from, to) in [(60, 194), (100, 180), (200, 220)] {
        let usual = RepeatQuery::new(&takes[8], from..to, &RepeatSettings::default()).unwrap();
        let wide = RepeatSettings {
            threshold: Some(10.0),
            ..RepeatSettings::default()
        };
        let wide = RepeatQuery::new(&takes[8], from..to, &wide).unwrap();
        let found = search_all(&usual, &list, &mut |_| true).unwrap().found;
        let all = search_all(&wide, &list, &mut |_| true).unwrap().found;
        // Near the threshold the two may choose differently among stretches that overlap.
        let clear: Vec<_> = all
            .iter()
            .filter(|f| f.found.distance < 0.8 * usual.threshold())
            .collect();
        let missed = clear.iter().filter(|f| {
            !found.iter().any(|g| {
                g.take == f.take && g.found.frames.start.abs_diff(f.found.frames.start) < 20
            })
        });
        let n_missed = missed.count();
        eprintln!(
            "{from}..{to}: {} found, {} clear, {n_missed} missed",
            found.len(),
            clear.len()
        );
        assert_eq!(n_missed, 0, "{from}..{to}");
    }
}

#[test]
fn planted_repeats_are_found_slower_turned_taller_and_at_another_rate() {
    // A kick of the walk's swing, planted in a take that otherwise stands: rates 1, 0.85 and 1.2.
    let whole = Walk {
        n_frames: 133,
        ..Walk::default()
    }
    .clip();
    let plant = |up: Axis, scale: f64, fps: f64, turn_rate: f64| {
        let mut motion: Option<Motion> = None;
        let mut ranges = Vec::new();
        let mut clip_info = None;
        for speed in [1.0, 0.85, 1.2] {
            let walk = Walk {
                up,
                scale,
                fps,
                turn_rate,
                period_secs: 1.1 / speed,
                n_frames: (1.1 * fps / speed) as usize,
                ..Walk::default()
            };
            let clip = walk.clip();
            let motion =
                motion.get_or_insert_with(|| Motion::with_capacity(clip.skeleton(), 1.0 / fps, 0));
            let rest = kinfolk::motion::Pose::rest(clip.skeleton());
            for _ in 0..fps as usize {
                motion.push(rest.as_ref());
            }
            let from = motion.translations.len();
            clip.frames().for_each(|p| motion.push(p));
            ranges.push(from..motion.translations.len());
            clip_info = Some((clip.info.clone(), std::sync::Arc::clone(clip.skeleton())));
        }
        let (info, skeleton) = clip_info.unwrap();
        (Clip::new(info, skeleton, motion.unwrap()).unwrap(), ranges)
    };
    let marked = RepeatQuery::new(&whole, 0..132, &RepeatSettings::default()).unwrap();
    for (up, scale, fps, turn_rate) in [
        (Axis::Y, 1.0, 120.0, 0.0),
        (Axis::Z, 40.0, 120.0, 1.0),
        (Axis::Y, 0.2, 50.0, 0.3),
        (Axis::X, 1.0, 30.0, 0.0),
    ] {
        let (take, ranges) = plant(up, scale, fps, turn_rate);
        let found = marked.search(&take).unwrap();
        assert_eq!(found.len(), 3, "{up} {fps}: {found:?} in {ranges:?}");
        for range in &ranges {
            let slack = (0.08 * fps).ceil() as usize;
            let is_found = found.iter().any(|f| {
                f.frames.start.abs_diff(range.start) <= slack
                    && f.frames.end.abs_diff(range.end) <= slack
            });
            assert!(is_found, "{up} {fps}: {range:?} not in {found:?}");
        }
    }
}

#[test]
fn every_refusal() {
    let clip = Walk::default().clip();
    let settings = RepeatSettings::default();
    for range in [390..401, 5..5, 10..14] {
        assert!(
            matches!(
                RepeatQuery::new(&clip, range.clone(), &settings),
                Err(RepeatError::Range { needed: 6, .. })
            ),
            "{range:?}"
        );
    }
    for stretch in [0.5, 3.0, f64::NAN] {
        let odd = RepeatSettings {
            stretch,
            ..settings.clone()
        };
        assert!(
            matches!(
                RepeatQuery::new(&clip, 0..100, &odd),
                Err(RepeatError::Setting {
                    name: "stretch",
                    ..
                })
            ),
            "{stretch}"
        );
    }
    for threshold in [-1.0, f64::INFINITY] {
        let odd = RepeatSettings {
            threshold: Some(threshold),
            ..settings.clone()
        };
        assert!(
            matches!(
                RepeatQuery::new(&clip, 0..100, &odd),
                Err(RepeatError::Setting {
                    name: "threshold",
                    ..
                })
            ),
            "{threshold}"
        );
    }
    let marked = RepeatQuery::new(&clip, 0..130, &settings).unwrap();
    let stopped = search_all(&marked, &[&clip], &mut |_| false);
    assert_eq!(stopped, Err(RepeatError::Stopped));
    let nowhere = search_all(&marked, &[], &mut |_| true).unwrap();
    assert!(
        nowhere.found.is_empty() && nowhere.skipped.is_empty(),
        "no takes"
    );
    let stick = one_bone();
    let both = search_all(&marked, &[&stick, &clip], &mut |_| true).unwrap();
    assert_eq!(both.skipped.len(), 1);
    assert_eq!(both.skipped[0].0, 0, "another body is left out");
    assert!(
        both.found.iter().all(|f| f.take == 1) && both.found.len() >= 3,
        "the other is searched"
    );
    assert_eq!(
        marked.search(&cut(&clip, 0, 1, 1)),
        Ok(Vec::new()),
        "too short to hold it"
    );
    // A held pose is like every other moment of a still take.
    let still = Walk {
        swing: 0.0,
        ..Walk::default()
    }
    .clip();
    let held = RepeatQuery::new(&still, 0..60, &settings).unwrap();
    assert!(held.search(&still).unwrap().len() >= 4, "again and again");
}

fn one_bone() -> Clip {
    use kinfolk::motion::{Channels, ClipInfo, Joint, Pose, Skeleton, Vec3};
    let root = Joint {
        name: "stick".to_owned(),
        parent: None,
        offset: Vec3::zeros(),
        channels: Channels::NONE,
    };
    let skeleton = std::sync::Arc::new(Skeleton::new(vec![root], vec![]).unwrap());
    let mut motion = Motion::with_capacity(&skeleton, 0.01, 200);
    for _ in 0..200 {
        motion.push(Pose::rest(&skeleton).as_ref());
    }
    Clip::new(ClipInfo::named("stick"), skeleton, motion).unwrap()
}
