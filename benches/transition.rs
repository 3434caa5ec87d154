//! How fast a transition graph is made and used, at the sizes of Peng 2007: 3 648 frames at 30 a second.
//!
//! The paper (a laptop of 2006): clustering 0.76 s, candidate paths 463 s, synthesis at most 2.4 ms a frame. `synthesis`
//! reports frames: divide the time by them. `nearest_of_a_million` looks the nearest cluster up among the centres of a
//! million frames; the paper names a logarithmic look-up as future work.

use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use kinfolk::demo::{Action as DemoAction, make};
use kinfolk::jobs::Ticket;
use kinfolk::motion::{Clip, edit};
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

/// Demo takes at 30 frames a second until there are so many frames.
fn database(n_frames: usize) -> Vec<Arc<Clip>> {
    let mut clips = Vec::new();
    let mut left = n_frames;
    for number in 0.. {
        let made = make(
            ACTIONS[number % ACTIONS.len()],
            1,
            (number / ACTIONS.len()) as u64,
        );
        let clip = edit::resample(&made.clip, 30.0).expect("30 is a rate");
        let n = clip.n_frames().min(left);
        clips.push(Arc::new(
            edit::trim(&clip, 0..n.max(2)).expect("frames of the clip"),
        ));
        left -= n;
        if left == 0 {
            break;
        }
    }
    clips
}

fn graph(n_frames: usize, threshold: Option<f64>) -> TransitionGraph {
    let settings = GraphSettings {
        threshold,
        ..GraphSettings::default()
    };
    TransitionGraph::build(&database(n_frames), &settings, &Ticket::default())
        .expect("it can be built")
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

/// Queries are real poses between those of the database.
#[divan::bench(sample_count = 1, sample_size = 1)]
fn nearest_of_a_million(bencher: Bencher<'_, '_>) {
    let graph = graph(1_000_000, Some(0.35));
    let outside = make(DemoAction::Hook, 9, 3).clip;
    let outside = edit::resample(&outside, 30.0).expect("30 is a rate");
    let rows = graph.rig().metric.rows(&outside);
    let n = 2000;
    bencher.counter(ItemsCount::new(n)).bench_local(|| {
        for at in 0..n {
            divan::black_box(graph.locate(rows.row(at % rows.len()), None));
        }
    });
}
