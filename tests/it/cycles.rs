//! Loops: planted periods, seams that close, and the cuts of the development set.

use std::collections::BTreeMap;
use std::fs;

use kinfolk::motion::cycles::{
    Closure, CutStart, CycleError, CycleSettings, find_cycles, make_loop,
};
use kinfolk::motion::{Axis, Clip, HeadingFrame, WorldPose, body};

use crate::data::{files_below, shared};
use crate::figure::Walk;
use crate::takes::{CMU_CM, take};

#[test]
fn a_planted_period_is_found_at_any_rate_size_and_up() {
    for (up, fps, scale, period_secs) in [
        (Axis::Y, 120.0, 1.0, 1.1),
        (Axis::Z, 30.0, 100.0, 0.7),
        (Axis::X.opposite(), 60.0, 0.01, 2.0),
        (Axis::Y, 25.0, 3.0, 1.5),
    ] {
        let walk = Walk {
            up,
            fps,
            scale,
            period_secs,
            n_frames: (4.0 * fps) as usize,
            turn_rate: 0.7,
            ..Walk::default()
        };
        let cycles = find_cycles(&walk.clip(), &CycleSettings::default()).unwrap();
        let off = (cycles.period_secs - period_secs).abs();
        assert!(
            off < 1.6 / fps.min(60.0),
            "{up} {fps}: found {}",
            cycles.period_secs
        );
        let cut = &cycles.cuts[0];
        let length = cut.frames.len() as f64 / fps;
        assert!(
            (length - period_secs).abs() <= 1.0 / fps,
            "cut of {length} s"
        );
        assert!(cut.score > 0.9, "{cut:?}");
        assert!(
            cycles.scores.iter().all(|s| (0.0..=1.0).contains(s)),
            "scores are shares"
        );
        assert_eq!(
            *cycles.lengths.last().unwrap(),
            0,
            "no cycle begins at the end"
        );
    }
}

#[test]
fn what_has_no_cycle_says_so() {
    let still = Walk {
        swing: 0.0,
        n_frames: 1,
        ..Walk::default()
    };
    let settings = CycleSettings::default();
    let one = still.clip();
    assert!(
        matches!(
            find_cycles(&one, &settings),
            Err(CycleError::TooShort { found: 1, .. })
        ),
        "one frame"
    );
    let mut held = Vec::new();
    held.resize(50, one.frame(0));
    let mut motion = kinfolk::motion::Motion::with_capacity(one.skeleton(), 0.01, 50);
    for pose in held {
        motion.push(pose);
    }
    let held = Clip::new(
        one.info.clone(),
        std::sync::Arc::clone(one.skeleton()),
        motion,
    )
    .unwrap();
    assert_eq!(find_cycles(&held, &settings), Err(CycleError::Still));
    let half = Walk {
        n_frames: 60,
        ..Walk::default()
    };
    assert!(
        matches!(
            find_cycles(&half.clip(), &settings),
            Err(CycleError::NoCycle { .. })
        ),
        "half a cycle"
    );
    let clip = half.clip();
    for (range, needed) in [(5..5, None), (50..61, None), (3..5, Some(4))] {
        match (make_loop(&clip, &range), needed) {
            (Err(CycleError::Range { .. }), None) => {}
            (Err(CycleError::TooShort { needed, .. }), Some(n)) => assert_eq!(needed, n),
            (other, _) => panic!("{range:?}: {other:?}"),
        }
    }
}

/// The largest jump of any joint's world velocity from one frame to the next, over these frames.
fn largest_kick(clip: &Clip, frames: std::ops::Range<usize>) -> f64 {
    let places: Vec<_> = clip
        .frames()
        .map(|pose| WorldPose::of(clip.skeleton(), pose).positions)
        .collect();
    frames
        .flat_map(|f| {
            let places = &places;
            (0..places[f].len())
                .map(move |j| (places[f + 1][j] - places[f][j] * 2.0 + places[f - 1][j]).norm())
        })
        .fold(0.0, f64::max)
}

#[test]
fn a_drifting_walk_becomes_a_seamless_loop_that_travels_and_turns_on() {
    for up in [Axis::Y, Axis::Z] {
        let walk = Walk {
            up,
            drift: 0.15,
            turn_rate: 0.4,
            ..Walk::default()
        };
        let clip = walk.clip();
        let range = 40..40 + 132;
        let made = make_loop(&clip, &range).unwrap();
        assert!(
            made.before.seam.angle_rad > 0.05,
            "a gap to begin with: {:?}",
            made.before
        );
        assert!(made.after.seam.angle_rad < 0.002, "{:?}", made.after);
        assert!(
            made.after.seam.pose < 5e-4 && made.after.seam.velocity < 0.02,
            "{:?}",
            made.after
        );
        assert!(
            made.after.seam.velocity < 0.1 * made.before.seam.velocity,
            "{:?}",
            made.before
        );
        assert!(
            (made.turn_rad - 0.4 * 1.1).abs() < 1e-6,
            "turns {}",
            made.turn_rad
        );
        let track = HeadingFrame::learn(&[&clip]).track(&clip);
        let gone = track.positions[172] - track.positions[40];
        let flat = gone - up.vector() * up.along(&gone);
        // The first place itself is calmed, and the way from there to the next cycle's differs by next to nothing.
        let off = (made.travel - flat).norm() / flat.norm();
        assert!(off < 1e-3, "travel is off by {off} of itself");
        // Three times around: no kick at the seams that is not in the cycle itself.
        let three = made.repeated(3).unwrap();
        assert_eq!(three.n_frames(), 3 * 132);
        let inside = largest_kick(&three, 10..120);
        let seams = largest_kick(&three, 128..137).max(largest_kick(&three, 260..268));
        assert!(seams < 1.15 * inside, "{up}: {seams} against {inside}");
        let end = HeadingFrame::learn(&[&three]).track(&three).headings;
        let turned = end[2 * 132] - end[0];
        assert!(
            (turned - 2.0 * made.turn_rad).abs() < 1e-6,
            "turned {turned}"
        );
    }
    let made = make_loop(&Walk::default().clip(), &(0..132)).unwrap();
    assert!(
        matches!(made.repeated(usize::MAX), Err(CycleError::TooLong { .. })),
        "too long"
    );
}

/// Where each cycle file of subject 35 was cut: take, first and last frame counted without the T-pose.
pub(crate) fn known_cuts() -> Option<BTreeMap<String, Vec<(usize, usize)>>> {
    let readme = fs::read_to_string(shared("README.md")?).unwrap();
    let mut cuts: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    for line in readme
        .lines()
        .filter(|l| l.starts_with("| walk_cycles/s35/") && l.contains("/35_"))
    {
        let name = line.split('/').nth(3).unwrap();
        let frames = line.split("source frames ").nth(1).unwrap();
        let (from, rest) = frames.split_once('-').unwrap();
        let to: String = rest.chars().take_while(char::is_ascii_digit).collect();
        // Counted from 1 with the T-pose as frame 1.
        let cut = (
            from.parse::<usize>().unwrap() - 2,
            to.parse::<usize>().unwrap() - 2,
        );
        cuts.entry(name[..5].to_owned()).or_default().push(cut);
    }
    Some(cuts)
}

#[test]
fn cuts_of_real_walks_are_those_of_the_development_set_or_close_as_well() {
    let (Some(dir), Some(known)) = (shared("walk_full"), known_cuts()) else {
        return;
    };
    let (mut n_known, mut n_loops) = (0, 0);
    let mut worst = [0.0_f64; 3];
    for path in files_below(&dir, "bvh") {
        let clip = take(&path);
        if !clip.info.name.starts_with("35_") {
            continue;
        }
        let cm = body::height(&clip) * CMU_CM;
        let ahead = CycleSettings {
            start: CutStart::LeftFootAhead,
            ..CycleSettings::default()
        };
        let at_strikes = find_cycles(&clip, &ahead).unwrap();
        let anywhere = find_cycles(&clip, &CycleSettings::default()).unwrap();
        let best = &anywhere.cuts[0];
        let name = &clip.info.name;
        for (from, to) in known.get(name).into_iter().flatten() {
            let ours = at_strikes.cuts.iter().map(|c| &c.frames);
            let off = ours.map(|r| r.start.abs_diff(*from).max(r.end.abs_diff(*to)));
            assert!(
                off.min().is_some_and(|o| o <= 3),
                "{name}: {from}..{to} not in {:?}",
                at_strikes.cuts
            );
            n_known += 1;
        }
        for cut in &at_strikes.cuts {
            assert!(best.gap <= cut.gap, "{name}: {best:?} against {cut:?}");
        }
        for cut in anywhere.cuts.iter().chain(&at_strikes.cuts) {
            let Closure { seam, inside } = make_loop(&clip, &cut.frames).unwrap().after;
            let name = format!("{name} {:?}", cut.frames);
            let [place_cm, angle_deg] = [seam.place * cm, seam.angle_rad.to_degrees()];
            assert!(place_cm < 1.0, "{name}: {place_cm} cm");
            assert!(angle_deg < 1.0, "{name}: {angle_deg} degrees");
            assert!(
                seam.velocity < inside.velocity
                    && seam.travel < inside.travel
                    && seam.turn_rad < inside.turn_rad,
                "{name}: {seam:?} against {inside:?}"
            );
            n_loops += 1;
            worst = [
                worst[0].max(place_cm),
                worst[1].max(angle_deg),
                worst[2].max(seam.velocity / inside.velocity),
            ];
        }
    }
    eprintln!(
        "{n_known} known cuts found; worst seam of {n_loops} loops {worst:.2?} (cm, degrees, share of velocity jumps inside)"
    );
    assert!(n_known >= 14, "only {n_known} known cuts");
}

#[test]
fn other_cyclic_motions_have_cycles_too() {
    // label, plausible seconds per cycle, share of takes that must have such a cycle (some are a step and a half long)
    for (path, from_secs, to_secs, share) in [
        ("locomotion/jog", 0.6, 0.95, 0.8),
        ("locomotion/run", 0.45, 0.85, 0.8),
        ("locomotion/walk", 0.9, 1.35, 0.9),
        ("locomotion/hop", 0.5, 1.1, 0.6),
        ("locomotion/march", 0.8, 1.5, 0.9),
        ("swim", 1.2, 2.6, 0.0),
        ("gesture/jumping_jack_s14", 0.8, 1.1, 0.0),
    ] {
        let Some(dir) = shared(path) else { return };
        let mut periods = Vec::new();
        let files = files_below(&dir, "bvh");
        for file in &files {
            if let Ok(cycles) = find_cycles(&take(file), &CycleSettings::default()) {
                periods.push(cycles.period_secs);
            }
        }
        let n_plausible = periods
            .iter()
            .filter(|p| (from_secs..=to_secs).contains(*p))
            .count();
        eprintln!(
            "{path}: {} takes, {n_plausible} plausible: {periods:.2?}",
            files.len()
        );
        assert!(
            n_plausible as f64 >= share * files.len() as f64,
            "{path}: {periods:?}"
        );
    }
}
