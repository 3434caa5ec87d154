//! How fast a transition graph is made and used, at the sizes of Peng 2007: 3 648 frames at 30 a second.
//!
//! The paper (a laptop of 2006): clustering 0.76 s, candidate paths 463 s, synthesis at most 2.4 ms a frame. `synthesis`
//! reports frames: divide the time by them. `nearest_of_a_million` looks the nearest cluster up among the centres of a
//! million frames; the paper names a logarithmic look-up as future work.

#![expect(clippy::print_stdout, reason = "says how many clusters there are")]

mod common;

use std::sync::Arc;

use common::demo_takes;
use divan::Bencher;
use divan::counter::ItemsCount;
use kinfolk::demo::{Action as DemoAction, make};
use kinfolk::jobs::Ticket;
use kinfolk::motion::{Clip, Quat, Vec3, edit};
use kinfolk::numerics::random::Stream;
use kinfolk::transition::{Action, GraphSettings, SequenceSettings, TransitionGraph, sequence};

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
    let clips: Vec<_> = graph.clips().map(|(_, clip)| Arc::clone(clip)).collect();
    let actions: Vec<Action> = [6, 8, 3, 7, 9, 0]
        .map(|at| Action::whole(&clips[at]))
        .to_vec();
    let run = || {
        let settings = SequenceSettings::default();
        sequence(&graph, &actions, &settings, &Ticket::default()).expect("it can be joined")
    };
    let n_frames = run().strip.n_frames();
    bencher.counter(ItemsCount::new(n_frames)).bench_local(run);
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

fn nearest(bencher: Bencher<'_, '_>, held_rad: f64, threshold: f64) {
    let graph = graph_of(&database(1_000_000, held_rad), Some(threshold));
    let outside = make(DemoAction::Hook, 9, 3).clip;
    let outside = edit::resample(&outside, 30.0).expect("30 is a rate");
    let outside = held_otherwise(outside, held_rad, u64::MAX);
    let rows = graph.rig().metric.rows(&outside);
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
