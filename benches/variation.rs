//! How fast a family of motions is learned and made, at the size of the paper: four takes of 80 frames at 60 a second,
//! 64 degrees of freedom. The paper (2009) needed 1 800 to 7 200 s to learn and made ten seconds of motion a second.
//!
//! `synthesis` reports frames a second on one thread: 30 000 are 500 times real time. The same for the paper's own
//! recipe.

use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use kinfolk::jobs::Ticket;
use kinfolk::numerics::random::Stream;
use kinfolk::variation::{
    Examples, LearnSettings, Method, Model, MotionType, SampleSettings, Take, similar,
};

fn main() {
    divan::main();
}

const DOFS: usize = 64;
const FRAMES: usize = 80;

/// Cycles of many curves, each with its own harmonics, that differ from take to take.
fn takes(count: u64) -> Vec<Take> {
    let mut shape = Stream::named(1, &[]);
    let waves: Vec<[f64; 4]> = (0..DOFS)
        .map(|_| std::array::from_fn(|_| shape.normal()))
        .collect();
    (0..count)
        .map(|take| {
            let mut stream = Stream::named(2, &[take]);
            let offs: Vec<f64> = (0..DOFS).map(|_| 0.4 * stream.normal()).collect();
            let values = (0..FRAMES).flat_map(|frame| {
                let t = std::f64::consts::TAU * frame as f64 / FRAMES as f64;
                let curve = |(w, off): (&[f64; 4], &f64)| {
                    let one = w[0] * t.sin() + w[1] * t.cos();
                    let two = 0.4 * (w[2] * (2.0 * t).sin() + w[3] * (2.0 * t).cos());
                    one + two + off
                };
                waves.iter().zip(&offs).map(curve).collect::<Vec<f64>>()
            });
            Take {
                name: format!("take {take}"),
                values: values.collect(),
            }
        })
        .collect()
}

fn learned(settings: &LearnSettings) -> Arc<Model> {
    let examples = Examples::new(DOFS, 1.0 / 60.0, &takes(4), Some(MotionType::Cyclic));
    let examples = examples.expect("the takes are whole");
    Arc::new(Model::learn(examples, settings, &Ticket::default()).expect("nobody cancels"))
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn learning(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| learned(&LearnSettings::default()));
}

/// The paper's own recipe.
fn paper() -> LearnSettings {
    LearnSettings {
        method: Method::Paper,
        ..LearnSettings::default()
    }
}

#[divan::bench(sample_count = 2, sample_size = 1)]
fn learning_by_the_paper(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| learned(&paper()));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn synthesis(bencher: Bencher<'_, '_>) {
    synthesise(bencher, &LearnSettings::default());
}

#[divan::bench(sample_count = 2, sample_size = 1)]
fn synthesis_by_the_paper(bencher: Bencher<'_, '_>) {
    synthesise(bencher, &paper());
}

fn synthesise(bencher: Bencher<'_, '_>, how: &LearnSettings) {
    let model = learned(how);
    let settings = SampleSettings::default();
    let n = 6000_usize;
    bencher.counter(ItemsCount::new(n)).bench_local(|| {
        let mut sampler = model.sampler(&settings, 0).expect("the settings are fine");
        for _ in 0..n {
            divan::black_box(sampler.next_row());
        }
    });
}

/// An edge that is tried in the window: the network is fitted anew, and how much detail it gets.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn trying_an_edge(bencher: Bencher<'_, '_>) {
    let model = learned(&LearnSettings::default());
    let structure = model.network().expect("a network").structure().clone();
    let first = structure.edges().next().expect("an edge");
    let without = structure.without(|from, to| (from, to) == first);
    bencher.bench_local(|| model.with_structure(&without).expect("it fits"));
}

#[divan::bench(sample_count = 2, sample_size = 1)]
fn similarity_of_eight_and_eight(bencher: Bencher<'_, '_>) {
    let all = takes(16);
    let settings = LearnSettings::default();
    let shape = (DOFS, 1.0 / 60.0);
    bencher.bench_local(|| {
        let (known, unknown) = all.split_at(8);
        similar::select_takes(shape, &[], known, unknown, &settings, &Ticket::default())
            .expect("nobody cancels")
    });
}
