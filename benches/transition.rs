//! How fast a transition graph is made and used, at the sizes of Peng 2007: 3 648 frames at 30 a second.
//!
//! The paper (a laptop of 2006): clustering 0.76 s, candidate paths 463 s, synthesis at most 2.4 ms a frame.
//! `synthesis` reports frames: divide the time by them. `nearest_of_a_million` looks the nearest cluster up among the
//! centres of a million frames; the paper names a logarithmic look-up as future work.

#![expect(clippy::print_stdout, reason = "says how many clusters there are")]

mod common;
#[path = "common/files.rs"]
mod files;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::demo_takes;
use divan::Bencher;
use divan::counter::ItemsCount;
use files::files_below;
use kinfolk::demo::{Action as DemoAction, make};
use kinfolk::file::read_clip;
use kinfolk::jobs::Ticket;
use kinfolk::motion::join::JoinKind;
use kinfolk::motion::{Clip, PoseRows, Quat, Vec3, edit};
use kinfolk::numerics::random::Stream;
use kinfolk::transition::{
    GraphSettings, SequenceAction, SequenceSettings, TransitionGraph, TransitionMethod,
    TransitionSettings, sequence,
};

fn main() {
    divan::main();
}

const ACTIONS: [DemoAction; 12] = [
    DemoAction::Walk,
    DemoAction::Jog,
    DemoAction::Sneak,
    DemoAction::Jump,
    DemoAction::Cheer,
    DemoAction::Throw,
    DemoAction::Jab,
    DemoAction::Cross,
    DemoAction::FrontKick,
    DemoAction::RoundKick,
    DemoAction::Squat,
    DemoAction::Dodge,
];

/// By how many radians captured clips are held in other ways, and the threshold of their clusters.
const CAPTURED: (f64, f64) = (0.08, 0.35);

/// Demo takes, each held another way by so many radians in the mean, so that there are many clusters.
fn database(n_frames: usize, held_rad: f64) -> Vec<Arc<Clip>> {
    let takes = demo_takes(&ACTIONS, n_frames).into_iter().enumerate();
    takes
        .map(|(number, clip)| Arc::new(held_otherwise(clip, held_rad, number as u64)))
        .collect()
}

/// The clip with every joint but the root turned by an angle of its own.
fn held_otherwise(clip: Clip, by_rad: f64, number: u64) -> Clip {
    if by_rad == 0.0 {
        return clip;
    }
    let mut stream = Stream::named(7, &[number]);
    let n_joints = clip.skeleton().n_joints();
    let turns: Vec<Quat> = (0..n_joints)
        .map(|joint| {
            let mut angle = || {
                if joint == 0 {
                    0.0
                } else {
                    by_rad * stream.normal()
                }
            };
            Quat::from_scaled_axis(Vec3::new(angle(), angle(), angle()))
        })
        .collect();
    let mut motion = clip.motion().clone();
    for (at, q) in motion.rotations.iter_mut().enumerate() {
        *q *= turns[at % n_joints];
    }
    let skeleton = Arc::clone(clip.skeleton());
    Clip::new(clip.info.clone(), skeleton, motion).expect("turned poses are poses")
}

fn graph(n_frames: usize, threshold: Option<f64>) -> TransitionGraph {
    graph_of(&database(n_frames, 0.0), threshold)
}

fn graph_of(clips: &[Arc<Clip>], threshold: Option<f64>) -> TransitionGraph {
    let settings = GraphSettings {
        threshold,
        ..GraphSettings::default()
    };
    TransitionGraph::build(clips, &settings, &Ticket::default()).expect("it can be built")
}

/// One clustering with a known threshold, as the paper does it; reading poses is not part of it.
#[divan::bench(sample_count = 20)]
fn clustering_of_3648_frames(bencher: Bencher<'_, '_>) {
    let graph = graph(3648, None);
    bencher.bench_local(|| graph.clustered_again());
}

#[divan::bench(sample_count = 5)]
fn candidate_paths_of_all_pairs(bencher: Bencher<'_, '_>) {
    let graph = graph(3648, None);
    bencher.bench_local(|| graph.path_table(&Ticket::default()));
}

/// Six actions in an order, every way of joining tried and measured.
#[divan::bench(sample_count = 10)]
fn synthesis(bencher: Bencher<'_, '_>) {
    let graph = graph(3648, None);
    let order = [6, 8, 3, 7, 9, 0];
    synthesised(bencher, &graph, &order, &TransitionSettings::default());
}

/// The same with one join each, which is not chosen from others.
#[divan::bench(sample_count = 10)]
fn synthesis_of_one_join_each(bencher: Bencher<'_, '_>) {
    let graph = graph(3648, None);
    synthesised(bencher, &graph, &[6, 8, 3, 7, 9, 0], &one_join());
}

/// Two hundred captured actions of martial arts, in a random order.
#[divan::bench(args = [30.0, 60.0], sample_count = 5, sample_size = 1)]
fn synthesis_of_captured_actions(bencher: Bencher<'_, '_>, fps: f64) {
    captured_synthesis(bencher, fps, &TransitionSettings::default());
}

/// The same with one join each.
#[divan::bench(args = [30.0, 60.0], sample_count = 5, sample_size = 1)]
fn synthesis_of_captured_actions_one_join_each(bencher: Bencher<'_, '_>, fps: f64) {
    captured_synthesis(bencher, fps, &one_join());
}

fn one_join() -> TransitionSettings {
    TransitionSettings {
        means: TransitionMethod::Direct,
        kind: Some(JoinKind::Dead),
        secs: Some(0.5),
        ..TransitionSettings::default()
    }
}

fn captured_synthesis(bencher: Bencher<'_, '_>, fps: f64, settings: &TransitionSettings) {
    let clips = captured("actions/martial_s144", fps);
    if clips.is_empty() {
        return;
    }
    let clips: Vec<Arc<Clip>> = clips.into_iter().map(Arc::new).collect();
    let mut stream = Stream::named(3, &[]);
    let order: Vec<usize> = (0..200).map(|_| stream.below(clips.len())).collect();
    synthesised(bencher, &graph_of(&clips, None), &order, settings);
}

fn synthesised(
    bencher: Bencher<'_, '_>,
    graph: &TransitionGraph,
    order: &[usize],
    settings: &TransitionSettings,
) {
    let clips: Vec<_> = graph.clips().map(|(_, clip)| Arc::clone(clip)).collect();
    let actions: Vec<SequenceAction> = order
        .iter()
        .map(|&at| SequenceAction::whole(&clips[at]))
        .collect();
    let settings = SequenceSettings {
        transition: settings.clone(),
        seed: 5,
    };
    let run =
        || sequence(graph, &actions, &settings, &Ticket::default()).expect("it can be joined");
    let n_frames = run().strip.n_frames();
    bencher.counter(ItemsCount::new(n_frames)).bench_local(run);
}

/// The motion capture of a folder that the tests use; says so where it is not there.
fn captured(folder: &str, fps: f64) -> Vec<Clip> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/data")
        .join(folder);
    if !folder.exists() {
        println!("{} is not here", folder.display());
        return Vec::new();
    }
    let clip = |file: &PathBuf| {
        let clip = read_clip(file).expect("a clip of the development set");
        let clip = edit::drop_tpose(&clip).expect("it has more frames");
        edit::resample(&clip, fps).expect("a rate")
    };
    files_below(&folder).iter().map(clip).collect()
}

/// Queries are poses between those of the database.
#[divan::bench(sample_count = 1, sample_size = 1)]
fn nearest_of_a_million(bencher: Bencher<'_, '_>) {
    nearest(bencher, 0.0, 0.35);
}

/// The same among clips that are held in many ways: tens of thousands of clusters.
#[divan::bench(sample_count = 1, sample_size = 1)]
fn nearest_of_a_million_spread(bencher: Bencher<'_, '_>) {
    nearest(bencher, 0.15, 0.65);
}

/// Among captured walks and runs, again and again held in other ways, as [`CAPTURED`] says.
#[divan::bench(sample_count = 1, sample_size = 1)]
fn nearest_of_a_million_captured(bencher: Bencher<'_, '_>) {
    let clips = captured("locomotion", 30.0);
    if clips.is_empty() {
        return;
    }
    let (held_rad, threshold) = CAPTURED;
    let mut all = Vec::new();
    let mut left = 1_000_000_usize;
    for (number, clip) in clips.iter().cycle().enumerate() {
        let by_rad = if number < clips.len() { 0.0 } else { held_rad };
        let clip = held_otherwise(clip.clone(), by_rad, number as u64);
        left = left.saturating_sub(clip.n_frames());
        all.push(Arc::new(clip));
        if left == 0 {
            break;
        }
    }
    let graph = graph_of(&all, Some(threshold));
    let mut rows = graph.rig().metric.rows(&clips[0]);
    rows.truncate(0);
    for (number, clip) in clips.iter().step_by(7).take(20).enumerate() {
        let outside = held_otherwise(clip.clone(), held_rad, u64::MAX - number as u64);
        rows.extend(&graph.rig().metric.rows(&outside));
    }
    located(bencher, &graph, &rows);
}

fn nearest(bencher: Bencher<'_, '_>, held_rad: f64, threshold: f64) {
    let graph = graph_of(&database(1_000_000, held_rad), Some(threshold));
    let outside = make(DemoAction::Hook, 9, 3).clip;
    let outside = edit::resample(&outside, 30.0).expect("30 is a rate");
    let outside = held_otherwise(outside, held_rad, u64::MAX);
    let rows = graph.rig().metric.rows(&outside);
    located(bencher, &graph, &rows);
}

fn located(bencher: Bencher<'_, '_>, graph: &TransitionGraph, rows: &PoseRows) {
    println!("{} clusters", graph.clusters().len());
    let n = 2000;
    bencher.counter(ItemsCount::new(n)).bench_local(|| {
        let mut guess = None;
        for at in 0..n {
            guess = graph.locate(rows.row(at % rows.len()), guess).map(|g| g.0);
        }
        divan::black_box(guess)
    });
}
