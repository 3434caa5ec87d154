//! How fast clips are brought onto another skeleton, and FBX files become clips.
//!
//! `cargo bench --bench retarget`, one thread. Items are frames; the promise is 2000 a second with locked feet. FBX
//! files are those of the folder `KINFOLK_FBX`, all together.

use std::fs;
use std::path::PathBuf;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use kinfolk::demo::{self, Action};
use kinfolk::file::{fbx, read_clip};
use kinfolk::motion::Clip;
use kinfolk::retarget::{
    BoneMap, Character, Feet, Labels, ReferencePose, RetargetSettings, retarget,
};

fn main() {
    divan::main();
}

/// A captured walk of 31 joints if the development set is here, else a built-in one.
fn walk() -> Clip {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data"));
    let captured = read_clip(&folder.join("walk_full/132_43.bvh"));
    captured.unwrap_or_else(|_| demo::make(Action::Walk, 1, 1).clip)
}

fn onto_demo(bencher: Bencher<'_, '_>, feet: Feet) {
    let found = |clip: &Clip| Character::of(clip, ReferencePose::Found).expect("a body");
    let clip = walk();
    let (from, to) = (found(&clip), found(&demo::make(Action::Walk, 1, 0).clip));
    let map = BoneMap::between(&from, &to);
    let settings = RetargetSettings {
        feet,
        ..RetargetSettings::default()
    };
    bencher
        .counter(ItemsCount::new(clip.n_frames()))
        .bench_local(|| retarget(black_box(&clip), &from, &to, &map, &settings).expect("bodies"));
}

#[divan::bench]
fn feet_locked(bencher: Bencher<'_, '_>) {
    onto_demo(bencher, Feet::Lock);
}

#[divan::bench]
fn feet_free(bencher: Bencher<'_, '_>) {
    onto_demo(bencher, Feet::Free);
}

/// Recognising a body: once for each clip.
#[divan::bench]
fn labels(bencher: Bencher<'_, '_>) {
    let clip = walk();
    bencher.bench_local(|| Labels::of(black_box(&clip)).expect("a body"));
}

#[divan::bench]
fn reading_fbx(bencher: Bencher<'_, '_>) {
    let Some(folder) = std::env::var_os("KINFOLK_FBX").map(PathBuf::from) else {
        return;
    };
    let files = fs::read_dir(folder).expect("a folder of FBX files");
    let files: Vec<Vec<u8>> = files
        .map(|file| fs::read(file.expect("a file").path()).expect("a readable file"))
        .collect();
    bencher
        .counter(BytesCount::new(files.iter().map(Vec::len).sum::<usize>()))
        .bench_local(|| {
            for file in &files {
                fbx::read(black_box(file)).expect("a valid file");
            }
        });
}
