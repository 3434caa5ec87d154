//! One format, good files of it, and what must hold whatever becomes of them.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::dice::Dice;
use crate::{MEMORY, Stopwatch, number_from, one_at_a_time};

/// What is thrown at one reader.
pub(crate) struct Format<'a> {
    /// Also the folder below `tests/data/hostile` with files that once broke it.
    pub(crate) name: &'static str,
    pub(crate) good: Vec<Vec<u8>>,
    /// What goes wrong.
    pub(crate) mutate: fn(&mut Vec<u8>, &mut Dice),
    /// Reads, and uses what was read; whether there was something to use.
    pub(crate) read: &'a dyn Fn(&[u8]) -> bool,
    /// Without `KINFOLK_HOSTILE_CASES`.
    pub(crate) n_cases: u64,
    /// For one file, unoptimised and on a busy machine.
    pub(crate) longest: Duration,
    /// Memory for one file, beside ten times its length.
    pub(crate) most_bytes: usize,
}

impl Format<'_> {
    /// Reads good files, files that broke it once, and mutations.
    pub(crate) fn hold_out(&self) {
        let _alone = one_at_a_time();
        for (nth, bytes) in self.good.iter().enumerate() {
            assert!((self.read)(bytes), "{} {nth} begins valid", self.name);
        }
        for path in self.kept() {
            self.check(&fs::read(&path).unwrap(), &path.display().to_string());
        }
        let n_cases = number_from("KINFOLK_HOSTILE_CASES", self.n_cases);
        let first = number_from("KINFOLK_HOSTILE_FIRST", 0);
        let (mut n_read, mut slowest, mut hungriest) = (0_u64, Duration::ZERO, 0);
        for case in first..first + n_cases {
            let mut dice = Dice(case);
            let mut bytes = self.good[dice.below(self.good.len())].clone();
            (self.mutate)(&mut bytes, &mut dice);
            let (is_read, time, peak) = self.check(&bytes, &format!("case {case}"));
            n_read += u64::from(is_read);
            slowest = slowest.max(time);
            hungriest = hungriest.max(peak);
        }
        eprintln!(
            "{n_cases} of {}, {n_read} read; slowest {slowest:?}, hungriest {hungriest} bytes",
            self.name
        );
        assert!(
            n_read > n_cases / 200,
            "mutations of {} leave something to read",
            self.name
        );
    }

    fn check(&self, bytes: &[u8], case: &str) -> (bool, Duration, usize) {
        let start = Stopwatch::start();
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        let result = catch_unwind(AssertUnwindSafe(|| (self.read)(bytes)));
        let peak = MEMORY.peak_usage().saturating_sub(before);
        let time = start.elapsed();
        let wrong = match &result {
            Err(_) => Some("panics".to_owned()),
            Ok(_) if time > self.longest => Some(format!("takes {time:?}")),
            Ok(_) if peak > self.most_bytes + 10 * bytes.len() => {
                Some(format!("takes {peak} bytes"))
            }
            Ok(_) => None,
        };
        if let Some(what) = wrong {
            let kept = self.keep(bytes, case);
            panic!(
                "{}, {case} {what}; the file is {}",
                self.name,
                kept.display()
            );
        }
        (result.unwrap_or(false), time, peak)
    }

    /// Files that broke it once.
    fn kept(&self) -> Vec<PathBuf> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/hostile");
        let entries = fs::read_dir(folder.join(self.name)).into_iter().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    /// Keeps a file for whoever mends its reader.
    fn keep(&self, bytes: &[u8], case: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile");
        let path = folder.join(format!("{} {case}", self.name).replace(['/', ' '], "_"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }
}
