//! BVH files that went wrong, and giants.

use std::fmt::Write as _;
use std::fs;
use std::panic::catch_unwind;
use std::path::Path;
use std::time::Duration;

use kinfolk::file::bvh::{ReadSettings, RootOffset, read};

use crate::dice::{Dice, mutate};
use crate::{MEMORY, Stopwatch, number_from, one_at_a_time};

const MOST_NOTES: usize = 36;

/// A small valid file; layout, line ends and spelling differ from case to case.
fn valid_file(dice: &mut Dice) -> Vec<u8> {
    const CHANNELS: [&str; 8] = [
        "CHANNELS 0",
        "CHANNELS 1 Xrotation",
        "CHANNELS 2 Zrotation Yrotation",
        "CHANNELS 3 Zrotation Xrotation Yrotation",
        "CHANNELS 3 Xposition Yposition Zposition",
        "CHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation Zrotation",
        "CHANNELS 6 Yrotation Xrotation Zrotation Zposition Xposition Yposition",
        "CHANNELS 7 Xposition Yposition Zposition Zrotation Xrotation Yrotation Xscale",
    ];
    let end_of_line = dice.pick(&["\n", "\r\n", "\r", " \n", "\n\n"]);
    let mut lines = vec!["HIERARCHY".to_owned()];
    let mut n_columns = 0;
    let n_joints = 1 + dice.below(6);
    let mut open = 0;
    for joint in 0..n_joints {
        let keyword = if joint == 0 { "ROOT" } else { "JOINT" };
        let channels = dice.pick(&CHANNELS);
        n_columns += channels.split(' ').count() - 2;
        lines.push(format!("{keyword} joint {joint}"));
        lines.push("{".to_owned());
        lines.push(format!("OFFSET {} 1.5 -2e-3", dice.below(100)));
        lines.push(channels.to_owned());
        open += 1;
        if joint > 0 && dice.below(3) == 0 {
            lines.push("End Site\n{\nOFFSET 0 1 0\n}\n}".to_owned());
            open -= 1;
        }
    }
    lines.push("}\n".repeat(open));
    let n_frames = dice.below(6);
    lines.push("MOTION".to_owned());
    lines.push(format!(
        "{}{n_frames}",
        dice.pick(&["Frames: ", "Frames:\t", "frames :"])
    ));
    lines.push(format!(
        "Frame Time: {}",
        dice.pick(&[".0083333", "0.033", "1e-2"])
    ));
    for _ in 0..n_frames {
        let mut row = String::new();
        for _ in 0..n_columns {
            let value = dice.below(1_000_000) as f64 / 1e3 - 500.0;
            write!(row, "{value:.*} ", dice.below(9)).unwrap();
        }
        lines.push(row);
    }
    lines.join(end_of_line).into_bytes()
}

/// Real files, cut to a few kilobytes of hierarchy and of rows; none where the development set is absent.
fn real_files() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let mut files = Vec::new();
    for folder in ["odd_bvh", "malformed"] {
        let Ok(entries) = fs::read_dir(root.join(folder)) else {
            assert!(std::env::var_os("CI").is_none(), "in CI {folder} is there");
            eprintln!("without {folder}, which is not here");
            continue;
        };
        let mut paths: Vec<_> = entries.map(|e| e.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_some_and(|e| e == "bvh"));
        paths.sort();
        for path in paths {
            let mut bytes = fs::read(path).unwrap();
            let motion = bytes.windows(6).position(|w| w == b"MOTION").unwrap_or(0);
            bytes.truncate(motion + 3000);
            files.push(bytes);
        }
    }
    files
}

/// The slowest and the hungriest file so far.
#[derive(Default)]
struct Worst {
    time: (Duration, String),
    bytes: (usize, String),
    n_clips: usize,
}

impl Worst {
    /// Reads one file and holds it against the bounds.
    fn check(&mut self, bytes: &[u8], meaning: RootOffset, name: &str, longest: Duration) {
        let settings = ReadSettings {
            root_offset: meaning,
        };
        let start = Stopwatch::start();
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        let result = catch_unwind(|| read(bytes, &settings));
        let peak = MEMORY.peak_usage().saturating_sub(before);
        let time = start.elapsed();
        let result = result.unwrap_or_else(|_| panic!("{name} made the reader panic"));
        assert!(time < longest, "{name} took {time:?}");
        let most = 100_000_000 + 12 * bytes.len();
        assert!(
            peak < most,
            "{name}: {} bytes took {peak} of memory",
            bytes.len()
        );
        if time > self.time.0 {
            self.time = (time, name.to_owned());
        }
        if peak > self.bytes.0 {
            self.bytes = (peak, name.to_owned());
        }
        let Ok(clip) = result else {
            return;
        };
        self.n_clips += 1;
        let n_notes = clip.info.notes.len();
        assert!(n_notes <= MOST_NOTES, "{name} has {n_notes} notes");
        for q in &clip.motion().rotations {
            let error = (q.coords.norm() - 1.0).abs();
            assert!(error < 1e-14, "{name}: {q:?} is no rotation");
        }
    }
}

#[test]
fn nothing_breaks_the_reader() {
    let _alone = one_at_a_time();
    let n_cases = number_from("KINFOLK_HOSTILE_CASES", 20_000);
    let first = number_from("KINFOLK_HOSTILE_FIRST", 0);
    let real = real_files();
    let mut worst = Worst::default();
    for case in first..first + n_cases {
        let mut dice = Dice(case);
        let is_real = !real.is_empty() && case % 4 == 0;
        let mut bytes = if is_real {
            real[dice.below(real.len())].clone()
        } else {
            valid_file(&mut dice)
        };
        if !is_real && case % 64 == 1 {
            let untouched = read(&bytes, &ReadSettings::default());
            assert!(untouched.is_ok(), "case {case} begins valid: {untouched:?}");
        }
        mutate(&mut bytes, &mut dice);
        let meaning = match case % 3 {
            0 => RootOffset::Guess,
            1 => RootOffset::Replace,
            _ => RootOffset::Add,
        };
        worst.check(
            &bytes,
            meaning,
            &format!("case {case}"),
            Duration::from_secs(1),
        );
    }
    report(&worst, n_cases);
    assert!(
        worst.n_clips as u64 > n_cases / 50,
        "mutations leave something to read"
    );
    let mut worst = Worst::default();
    let giants = giants();
    for (name, bytes) in &giants {
        // Megabytes without optimisation; whatever is not linear takes minutes.
        worst.check(bytes, RootOffset::Guess, name, Duration::from_secs(20));
    }
    report(&worst, giants.len() as u64);
}

fn report(worst: &Worst, n_cases: u64) {
    let (time, slowest) = &worst.time;
    let (bytes, hungriest) = &worst.bytes;
    eprintln!(
        "{n_cases} files, {} read; slowest {slowest} {time:?}, hungriest {hungriest} {bytes} bytes",
        worst.n_clips
    );
}

/// Files of megabytes, each a trap for a reader that is recursive, quadratic or believes what it is told.
fn giants() -> Vec<(&'static str, Vec<u8>)> {
    const ROOT: &str = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n";
    let depth = 1_000_000;
    let chain = "JOINT j\n{\nOFFSET 0 1 0\n".repeat(depth);
    let still = "JOINT j{OFFSET 0 1 0}".repeat(10_000);
    let header = "MOTION\nFrames: 18446744073709551615\nFrame Time: 0.01\n";
    let text = |parts: &[&str]| parts.concat().into_bytes();
    let closed = text(&[ROOT, &chain, &"}".repeat(depth + 1), "\n", header, "0\n"]);
    let open = text(&[ROOT, &chain]);
    vec![
        ("deep nesting", closed),
        ("deep nesting without an end", open),
        ("opening braces", text(&[ROOT, &"{".repeat(5_000_000)])),
        (
            "a long name",
            text(&["HIERARCHY\nROOT ", &"x".repeat(20_000_000)]),
        ),
        (
            "a long number",
            text(&[ROOT, "}\n", header, &"1".repeat(10_000_000)]),
        ),
        (
            "a long fraction",
            text(&[ROOT, "}\n", header, "0.", &"1".repeat(10_000_000), "\n"]),
        ),
        (
            "one long row",
            text(&[ROOT, "}\n", header, &"1 ".repeat(3_000_000)]),
        ),
        (
            "glued numbers",
            text(&[ROOT, "}\n", header, &"-1".repeat(3_000_000)]),
        ),
        (
            "minus signs",
            text(&[ROOT, "}\n", header, &"-".repeat(5_000_000)]),
        ),
        (
            "tiny rows",
            text(&[ROOT, "}\n", header, &"0\n".repeat(3_000_000)]),
        ),
        (
            "wrapped rows",
            text(&[
                ROOT,
                "}\nMOTION\nFrames: 3000000\n",
                &"0 0 0\n".repeat(1_000_000),
            ]),
        ),
        (
            "blank lines",
            text(&[ROOT, "}\n", header, &"\r".repeat(10_000_000)]),
        ),
        (
            "comments",
            text(&[ROOT, "}\n", header, &"#\n".repeat(3_000_000), "1\n"]),
        ),
        (
            "joints without channels",
            text(&[ROOT, &still, "}\n", header, &"0\n".repeat(500_000)]),
        ),
        (
            "many roots",
            text(&[ROOT, "}\n", &"ROOT r{OFFSET 0 0 0}".repeat(300_000)]),
        ),
        (
            "text after the rows",
            text(&[ROOT, "}\n", header, "1\n", &"x\n".repeat(3_000_000)]),
        ),
        ("nothing but zeros", vec![0; 10_000_000]),
        (
            "utf-16",
            [b"\xff\xfe".as_slice(), &b"H\0".repeat(3_000_000)].concat(),
        ),
    ]
}
