//! FBX files that went wrong: written here, or found in a folder that `KINFOLK_HOSTILE_FBX` names.

use std::fs;
use std::panic::catch_unwind;
use std::path::PathBuf;
use std::time::Duration;

use kinfolk::file::fbx::{read, take_names};

use crate::dice::{Dice, mutate};
use crate::fbx_text::{Fbx, Take, Turn, bone};
use crate::{MEMORY, Stopwatch, number_from, one_at_a_time};

/// Unoptimised C on a busy machine; whatever does not end takes far longer.
const LONGEST: Duration = Duration::from_secs(1);

fn valid_file(dice: &mut Dice) -> Vec<u8> {
    let mut fbx = Fbx::arm();
    for nth in 0..dice.below(5) {
        fbx.bones
            .push(bone("More", Some(dice.below(3 + nth)), [1.0, 2.0, -3.5]));
    }
    fbx.unit = [1.0, 100.0, 2.54][dice.below(3)];
    fbx.up_axis = 1 + dice.below(2);
    if dice.below(3) == 0 {
        fbx.node_kind = "Null";
    }
    for _ in 0..dice.below(3) {
        let turn = |dice: &mut Dice| Turn {
            bone: dice.below(3),
            axis: ['X', 'Y', 'Z'][dice.below(3)],
            to_deg: dice.below(720) as f64 - 360.0,
        };
        fbx.takes.push(Take {
            name: "Another",
            seconds: 0.1 * dice.below(40) as f64,
            layers: vec![vec![turn(dice), turn(dice)], vec![turn(dice)]],
        });
    }
    fbx.text().into_bytes()
}

/// Numbers that stand in a file are what it is believed by.
fn worse_numbers(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let digits: Vec<usize> = (0..bytes.len())
        .filter(|&at| bytes[at].is_ascii_digit())
        .collect();
    if let Some(&at) = digits.get(dice.below(digits.len())) {
        let worse: &[u8] = dice.pick(&[
            &b"99999999999999999999"[..],
            b"-1",
            b"4294967296",
            b"1e300",
            b"9223372036854775807",
            b"0",
        ]);
        bytes.splice(at..=at, worse.iter().copied());
    }
}

#[test]
fn nothing_breaks_the_fbx_reader() {
    let _alone = one_at_a_time();
    let n_cases = number_from("KINFOLK_HOSTILE_CASES", 1500);
    let first = number_from("KINFOLK_HOSTILE_FIRST", 0);
    let real: Vec<Vec<u8>> = real_files();
    let (mut n_read, mut slowest, mut hungriest) = (0_u64, Duration::ZERO, 0);
    for case in first..first + n_cases {
        let mut dice = Dice(case);
        let mut bytes = if !real.is_empty() && case % 2 == 0 {
            real[dice.below(real.len())].clone()
        } else {
            valid_file(&mut dice)
        };
        if dice.below(2) == 0 {
            worse_numbers(&mut bytes, &mut dice);
        }
        mutate(&mut bytes, &mut dice);
        let start = Stopwatch::start();
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        let result = catch_unwind(|| (read(&bytes), take_names(&bytes)));
        let peak = MEMORY.peak_usage().saturating_sub(before);
        let time = start.elapsed();
        let Ok((clips, names)) = result else {
            panic!("case {case} made the reader panic");
        };
        assert!(time < 2 * LONGEST, "case {case}, read twice, took {time:?}");
        assert!(
            peak < 200_000_000 + 130 * bytes.len(),
            "case {case} took {peak} bytes"
        );
        slowest = slowest.max(time);
        hungriest = hungriest.max(peak);
        let Ok(clips) = clips else { continue };
        n_read += 1;
        assert!(
            names.is_ok_and(|names| names.len() <= clips.len()),
            "case {case} names its takes"
        );
        for clip in &clips {
            for q in &clip.motion().rotations {
                assert!(
                    (q.coords.norm() - 1.0).abs() < 1e-12,
                    "case {case}: {q:?} is no rotation"
                );
            }
        }
    }
    eprintln!(
        "{n_cases} FBX files, {n_read} read; slowest {slowest:?} (twice), hungriest {hungriest} bytes"
    );
    assert!(n_read > n_cases / 50, "mutations leave something to read");
}

fn real_files() -> Vec<Vec<u8>> {
    let Some(folder) = std::env::var_os("KINFOLK_HOSTILE_FBX").map(PathBuf::from) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}
