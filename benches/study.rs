//! How fast sets are compared and clones found, on the demo's motions.

use divan::{Bencher, black_box};
use kinfolk::demo::{Action, LIBRARY_SEED, make};
use kinfolk::jobs::Ticket;
use kinfolk::motion::Clip;
use kinfolk::motion::edit::{self, Join};
use kinfolk::study::clones::{CloneSettings, find};
use kinfolk::study::measures::single::Reference;
use kinfolk::study::measures::{ClipSet, compare};

fn main() {
    divan::main();
}

/// Walks that differ, at 60 frames a second.
fn walks(from: u64, n: u64) -> Vec<Clip> {
    let made = (from..from + n).map(|index| make(Action::Walk, LIBRARY_SEED, index).clip);
    made.map(|clip| edit::resample(&clip, 60.0).expect("60 is a rate"))
        .collect()
}

fn refs(clips: &[Clip]) -> Vec<&Clip> {
    clips.iter().collect()
}

/// All measures of fifteen variants against four inputs and eight real clips.
#[divan::bench(sample_count = 5)]
fn compare_fifteen(bencher: Bencher<'_, '_>) {
    let (inputs, real, made) = (walks(0, 4), walks(10, 8), walks(30, 15));
    bencher.bench(|| {
        let sets = [ClipSet {
            name: "variants".to_owned(),
            clips: refs(&made),
        }];
        compare(
            &refs(black_box(&inputs)),
            &refs(&real),
            &sets,
            None,
            &Ticket::default(),
        )
    });
}

/// A crowd of so many clips, each looked for in all others: time should grow little faster than the crowd.
#[divan::bench(sample_count = 5, args = [50, 100, 200, 400])]
fn clones_in_a_crowd(bencher: Bencher<'_, '_>, n: u64) {
    let crowd = walks(0, n);
    bencher.bench(|| {
        find(
            &refs(black_box(&crowd)),
            CloneSettings::default(),
            &Ticket::default(),
        )
    });
}

/// A sequence of so many seconds, looked for in itself.
#[divan::bench(sample_count = 3, args = [60, 120, 240, 480])]
fn clones_in_a_sequence(bencher: Bencher<'_, '_>, secs: usize) {
    let parts = walks(0, secs as u64);
    let long = edit::concatenate(&refs(&parts), Join::Continue).expect("one skeleton");
    let n = (60 * secs).min(long.n_frames());
    let long = edit::trim(&long, 0..n).expect("frames of the clip");
    bencher.bench(|| {
        find(
            &[black_box(&long)],
            CloneSettings::default(),
            &Ticket::default(),
        )
    });
}

/// The three numbers of single-motion generators for an output of so many seconds against an input of half of it.
#[divan::bench(sample_count = 3, args = [10, 20, 40])]
fn single_motion(bencher: Bencher<'_, '_>, secs: usize) {
    let parts = walks(0, 2 * secs as u64);
    let of = |clips: &[Clip], secs: usize| {
        let long = edit::concatenate(&refs(clips), Join::Continue).expect("one skeleton");
        let n = (60 * secs).min(long.n_frames());
        edit::trim(&long, 0..n).expect("frames of the clip")
    };
    let (input, output) = (of(&parts, secs / 2), of(&walks(500, 2 * secs as u64), secs));
    bencher.bench(|| {
        let reference = Reference::new(&[black_box(&input)]).expect("one input");
        reference.measure(&output)
    });
}
