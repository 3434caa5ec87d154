//! How fast BVH files become clips, beside `bvh_anim`, which keeps the angles as they are in single precision.
//!
//! `cargo bench --bench read`. Real takes are measured where the development set is; the rest is made here.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use kinfolk::file::bvh::{ReadSettings, read};
use rayon::prelude::*;

fn main() {
    divan::main();
}

/// The files that are measured, by the names in the table.
const TAKES: [&str; 2] = ["65 joints, 1295 frames", "cmu 132_43 at 120 fps"];

#[divan::bench(args = TAKES)]
fn kinfolk(bencher: Bencher<'_, '_>, take: &str) {
    let Some(bytes) = bytes_of(take) else {
        return;
    };
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench_local(|| read(black_box(&bytes), &ReadSettings::default()).expect("a valid file"));
}

#[divan::bench(args = TAKES)]
fn bvh_anim(bencher: Bencher<'_, '_>, take: &str) {
    let Some(bytes) = bytes_of(take) else {
        return;
    };
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench_local(|| bvh_anim::from_bytes(black_box(&bytes)).expect("a valid file"));
}

/// All 166 clips of the locomotion corpus, one after another and on all cores.
mod corpus {
    use super::{Bencher, BytesCount, ParallelIterator as _, ReadSettings, read};
    use rayon::prelude::IntoParallelRefIterator as _;

    #[divan::bench]
    fn kinfolk(bencher: Bencher<'_, '_>) {
        let files = super::locomotion();
        bencher
            .counter(BytesCount::new(files.iter().map(Vec::len).sum::<usize>()))
            .bench_local(|| {
                let clips = files.iter().map(|f| read(f, &ReadSettings::default()));
                clips.collect::<Result<Vec<_>, _>>().expect("valid files")
            });
    }

    #[divan::bench]
    fn kinfolk_on_all_cores(bencher: Bencher<'_, '_>) {
        let files = super::locomotion();
        bencher
            .counter(BytesCount::new(files.iter().map(Vec::len).sum::<usize>()))
            .bench_local(|| {
                let clips = files.par_iter().map(|f| read(f, &ReadSettings::default()));
                clips.collect::<Result<Vec<_>, _>>().expect("valid files")
            });
    }

    #[divan::bench]
    fn bvh_anim(bencher: Bencher<'_, '_>) {
        let files = super::locomotion();
        bencher
            .counter(BytesCount::new(files.iter().map(Vec::len).sum::<usize>()))
            .bench_local(|| {
                let clips = files.iter().map(bvh_anim::from_bytes);
                clips.collect::<Result<Vec<_>, _>>().expect("valid files")
            });
    }
}

fn shared(path: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("../shared/data").join(path)
}

fn bytes_of(take: &str) -> Option<Vec<u8>> {
    if take == TAKES[0] {
        Some(synthetic(65, 1295))
    } else {
        fs::read(shared("walk_full/132_43.bvh")).ok()
    }
}

/// Empty where the development set is absent.
fn locomotion() -> Vec<Vec<u8>> {
    let folders = fs::read_dir(shared("locomotion")).into_iter().flatten();
    let files = folders
        .flatten()
        .filter_map(|f| fs::read_dir(f.path()).ok());
    let mut paths: Vec<PathBuf> = files.flatten().flatten().map(|f| f.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "bvh"));
    paths.sort();
    let bytes: Result<_, _> = paths.iter().map(fs::read).collect();
    bytes.expect("readable files")
}

/// A chain of joints that all swing, with six decimals as most exporters write.
fn synthetic(n_joints: usize, n_frames: usize) -> Vec<u8> {
    let mut text = "HIERARCHY\n".to_owned();
    let line = |text: &mut String, words: std::fmt::Arguments<'_>| {
        text.write_fmt(words).expect("strings take everything");
        text.push('\n');
    };
    for joint in 0..n_joints {
        let keyword = if joint == 0 { "ROOT" } else { "JOINT" };
        line(
            &mut text,
            format_args!("{keyword} j{joint}\n{{\nOFFSET 0.0 {joint}.5 0.0"),
        );
        let position = "6 Xposition Yposition Zposition";
        let n = if joint == 0 { position } else { "3" };
        line(
            &mut text,
            format_args!("CHANNELS {n} Zrotation Xrotation Yrotation"),
        );
    }
    text.push_str("End Site\n{\nOFFSET 0 1 0\n}\n");
    text.push_str(&"}\n".repeat(n_joints));
    line(
        &mut text,
        format_args!("MOTION\nFrames: {n_frames}\nFrame Time: 0.008333"),
    );
    for frame in 0..n_frames {
        for column in 0..3 * n_joints + 3 {
            let phase = 0.03 * frame as f64 + 1.7 * column as f64;
            text.write_fmt(format_args!(
                "{:.6} ",
                170.0 * phase.sin() * (0.3 * phase).cos()
            ))
            .expect("strings take everything");
        }
        text.push('\n');
    }
    text.into_bytes()
}
