//! Variants do what their takes do, every one of them: a jump that runs through to its end without leaving the floor is
//! none.

use std::path::Path;

use kinfolk::demo::{self, Action};
use kinfolk::file::read_clip;
use kinfolk::jobs::Ticket;
use kinfolk::motion::{Body, Clip, WorldPose, edit};
use kinfolk::variation::{ClipModel, Hold, Length, SampleSettings};

use crate::data::shared;
use crate::quick;

/// How far the hips rise above where they end.
fn rise(clip: &Clip) -> f64 {
    let height = |frame: usize| {
        let world = WorldPose::of(clip.skeleton(), clip.frame(frame));
        clip.info.up.along(&world.positions[0])
    };
    let heights: Vec<f64> = (0..clip.n_frames()).map(height).collect();
    let highest = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    highest - heights[heights.len() - 1]
}

#[test]
fn two_hundred_of_two_hundred_jumps_leave_the_floor() {
    let Some(dir) = shared("jump/s118") else {
        return;
    };
    let takes: Vec<Clip> = ["118_06", "118_10", "118_14", "118_25"]
        .map(|name| {
            let clip = read_clip(&dir.join(name).with_extension("bvh")).unwrap();
            edit::resample(&clip, 30.0).unwrap()
        })
        .into();
    let refs: Vec<&Clip> = takes.iter().collect();
    let model = ClipModel::learn(&refs, &quick::settings(None), &Ticket::default()).unwrap();
    let least = takes.iter().map(rise).fold(f64::INFINITY, f64::min);
    let settings = SampleSettings::default();
    for variant in 0..200 {
        let made = model.vary(&settings, variant, Length::Once, Hold::None);
        let rise = rise(&made.unwrap().clip);
        assert!(
            rise > 0.4 * least,
            "variant {variant} rises by {rise}, the lowest take by {least}"
        );
    }
}

/// The highest that an ankle gets above the lowest.
fn kick(clip: &Clip) -> f64 {
    let body = Body::of(clip.skeleton());
    let heights = clip.frames().map(|pose| {
        let world = WorldPose::of(clip.skeleton(), pose);
        let height = |leg: usize| clip.info.up.along(&world.positions[body.legs[leg].end]);
        (height(0) - height(1)).abs()
    });
    heights.fold(0.0, f64::max)
}

/// The fastest that a wrist gets, over two frames.
fn swing(clip: &Clip) -> f64 {
    let body = Body::of(clip.skeleton());
    let places: Vec<_> = clip
        .frames()
        .map(|pose| WorldPose::of(clip.skeleton(), pose).positions)
        .collect();
    let steps = places.windows(3).flat_map(|w| {
        let wrists = body.arms.iter().map(|arm| arm.end);
        wrists.map(move |wrist| (w[2][wrist] - w[0][wrist]).norm())
    });
    steps.fold(0.0, f64::max) * 0.5 * clip.fps()
}

/// Every fourth fitting clip of a folder, at 30 frames a second.
fn some_takes(dir: &Path) -> Vec<Clip> {
    let labels = std::fs::read_to_string(dir.join("labels.csv")).unwrap();
    let head = labels.lines().next().unwrap().split(',');
    let fits = head.clone().position(|name| name.starts_with("fits"));
    let fits = fits.expect("labels say what fits");
    let files: Vec<&str> = labels
        .lines()
        .skip(1)
        .filter(|line| {
            line.split(',')
                .nth(fits)
                .is_some_and(|c| c.starts_with("yes"))
        })
        .filter_map(|line| line.split(',').next())
        .collect();
    let every = (files.len() / 4).max(1);
    let takes = files.iter().step_by(every).take(4).map(|file| {
        let clip = read_clip(&dir.join(file)).unwrap();
        edit::resample(&clip, 30.0).unwrap()
    });
    takes.collect()
}

/// All of these variants do at least this share of what the take does that does least.
fn all_do(takes: &[Clip], what: fn(&Clip) -> f64, share: f64, count: u64) {
    let refs: Vec<&Clip> = takes.iter().collect();
    let model = ClipModel::learn(&refs, &quick::settings(None), &Ticket::default()).unwrap();
    let least = takes.iter().map(what).fold(f64::INFINITY, f64::min);
    for variant in 0..count {
        let made = model.vary(
            &SampleSettings::default(),
            variant,
            Length::Once,
            Hold::None,
        );
        let done = what(&made.unwrap().clip);
        assert!(
            done > share * least,
            "variant {variant} does {done}, the least of the takes {least}"
        );
    }
}

#[test]
fn kicks_kick_throws_throw_and_swings_swing() {
    type Done = fn(&Clip) -> f64;
    let acts: [(&str, Done); 3] = [
        ("gesture/front_kick_s144", kick),
        ("throw/football_s34", swing),
        ("gesture/golf_swing_s64", swing),
    ];
    for (folder, what) in acts {
        if let Some(dir) = shared(folder) {
            all_do(&some_takes(&dir), what, 0.4, 200);
        }
    }
}

#[test]
fn demo_jumps_leave_the_floor_and_demo_kicks_kick() {
    let takes =
        |action: Action| -> Vec<Clip> { (0..4).map(|i| demo::make(action, 11, i).clip).collect() };
    all_do(&takes(Action::Jump), rise, 0.4, 60);
    all_do(&takes(Action::FrontKick), kick, 0.5, 60);
    all_do(&takes(Action::Throw), swing, 0.5, 60);
}
