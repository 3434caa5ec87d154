//! How fast the craft is: searching hours of takes, finding cycles, bringing clips into step, measuring.
//!
//! Uses the real locomotion corpus if it lies beside the repository, else a made-up walk.

use std::f64::consts::TAU;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use kinfolk::file::bvh::{ReadSettings, read};
use kinfolk::motion::alignment::{AlignSettings, align_pair, align_set};
use kinfolk::motion::cycles::{CycleSettings, find_cycles, make_loop};
use kinfolk::motion::features::FeatureSpace;
use kinfolk::motion::metrics::{MeasureSettings, measure};
use kinfolk::motion::repeats::{RepeatQuery, RepeatSettings, search_all};
use kinfolk::motion::{
    Channels, Clip, ClipInfo, Joint, Motion, Pose, Quat, RotationOrder, Skeleton, Vec3, body,
};

/// What the promise speaks of: 37 hours at 30 frames a second.
const MANY_FRAMES: usize = 4_000_000;

fn main() {
    divan::main();
}

/// A made-up body of 31 joints that swings all of them, for machines without the real takes.
fn made_up() -> Vec<Clip> {
    let names = [
        "Hips",
        "LeftUpLeg",
        "LeftLeg",
        "LeftFoot",
        "LeftToeBase",
        "RightUpLeg",
        "RightLeg",
        "RightFoot",
        "RightToeBase",
        "Spine",
    ];
    let joints = (0..31)
        .map(|j| Joint {
            name: names
                .get(j)
                .map_or_else(|| format!("j{j}"), |n| (*n).to_owned()),
            parent: (j > 0).then(|| if j == 5 || j == 9 { 0 } else { j - 1 }),
            offset: Vec3::new(
                if j == 1 {
                    1.0
                } else {
                    -f64::from(u8::from(j == 5))
                },
                if j > 8 { 1.0 } else { -2.0 },
                0.1,
            ),
            channels: Channels::position_and_rotation(RotationOrder::ZXY),
        })
        .collect();
    let skeleton = Arc::new(Skeleton::new(joints, vec![]).expect("parents come first"));
    let mut motion = Motion::with_capacity(&skeleton, 1.0 / 30.0, 3000);
    for frame in 0..3000 {
        let mut pose = Pose::rest(&skeleton);
        for (j, q) in pose.rotations.iter_mut().enumerate() {
            let t = f64::from(frame) / 33.0 * TAU + j as f64;
            *q = Quat::from_scaled_axis(Vec3::new(0.3 * t.sin(), 0.1 * t.cos(), 0.0));
        }
        motion.push(pose.as_ref());
    }
    vec![Clip::new(ClipInfo::named("made up"), skeleton, motion).expect("finite numbers")]
}

fn corpus() -> &'static [Clip] {
    static TAKES: OnceLock<Vec<Clip>> = OnceLock::new();
    TAKES.get_or_init(|| {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/locomotion");
        let mut open = vec![dir];
        let mut files = Vec::new();
        while let Some(dir) = open.pop() {
            for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    open.push(path);
                } else if path.extension().is_some_and(|e| e == "bvh") {
                    files.push(path);
                }
            }
        }
        files.sort();
        let takes: Vec<Clip> = files
            .iter()
            .filter_map(|path| {
                let bytes = std::fs::read(path).ok()?;
                let mut clip = read(&bytes, &ReadSettings::default()).ok()?;
                clip.info.up = body::guess_up(&clip).axis;
                clip.info.name = path.to_string_lossy().into_owned();
                Some(clip)
            })
            .collect();
        if takes.is_empty() { made_up() } else { takes }
    })
}

fn walk() -> &'static Clip {
    let is_walk = |c: &&Clip| c.info.name.contains("/walk/") && c.n_frames() > 90;
    corpus().iter().find(is_walk).unwrap_or(&corpus()[0])
}

/// The corpus again and again.
fn many_takes() -> (Vec<&'static Clip>, usize) {
    let mut takes = Vec::new();
    let mut n_frames = 0;
    for take in corpus().iter().cycle() {
        if n_frames >= MANY_FRAMES {
            break;
        }
        takes.push(take);
        n_frames += take.n_frames();
    }
    (takes, n_frames)
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn one_cycle_in_four_million_frames(bencher: Bencher<'_, '_>) {
    let marked =
        RepeatQuery::new(walk(), 20..54, &RepeatSettings::default()).expect("inside the take");
    let (takes, n_frames) = many_takes();
    bencher
        .counter(ItemsCount::new(n_frames))
        .bench(|| search_all(&marked, black_box(&takes), &mut |_| true));
}

#[divan::bench(sample_count = 10)]
fn features_of_the_corpus(bencher: Bencher<'_, '_>) {
    let space = FeatureSpace::learn(&[walk()]).expect("one clip");
    let n_frames: usize = corpus().iter().map(Clip::n_frames).sum();
    bencher.counter(ItemsCount::new(n_frames)).bench(|| {
        let all = corpus().iter().map(|take| space.features(take));
        all.filter_map(Result::ok)
            .map(|f| f.rows.len())
            .sum::<usize>()
    });
}

#[divan::bench(sample_count = 20)]
fn cycles_of_a_walk(bencher: Bencher<'_, '_>) {
    bencher
        .counter(ItemsCount::new(walk().n_frames()))
        .bench(|| find_cycles(black_box(walk()), &CycleSettings::default()));
}

#[divan::bench(sample_count = 20)]
fn a_seamless_loop(bencher: Bencher<'_, '_>) {
    bencher.bench(|| make_loop(black_box(walk()), &(20..54)));
}

#[divan::bench(sample_count = 20)]
fn two_takes_in_step(bencher: Bencher<'_, '_>) {
    bencher.bench(|| align_pair(black_box(walk()), black_box(walk())));
}

#[divan::bench(sample_count = 5)]
fn ten_takes_in_step(bencher: Bencher<'_, '_>) {
    let takes = vec![walk(); 10];
    bencher.bench(|| align_set(black_box(&takes), &AlignSettings::default()));
}

#[divan::bench(sample_count = 5)]
fn fifteen_variants_measured(bencher: Bencher<'_, '_>) {
    let (inputs, variants) = (vec![walk(); 4], vec![walk(); 15]);
    bencher.bench(|| {
        measure(
            black_box(&inputs),
            black_box(&variants),
            &[],
            &MeasureSettings::default(),
        )
    });
}
