//! Charts of captured clips: they come back, their curves do not jump, and what does not move drops out.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use kinfolk::file::bvh;
use kinfolk::motion::body::guess_up;
use kinfolk::motion::chart::{Axes, ChartSettings, Curves, DofChart, DofKind};
use kinfolk::motion::heading::turn;
use kinfolk::motion::{Axis, Clip, Vec3};

use super::{differences, keep_all};
use crate::data::{files_below, shared};

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
