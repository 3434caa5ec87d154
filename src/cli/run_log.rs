//! How far a run has come that makes many files, so that one that was killed can be gone on with.
//!
//! A hidden file beside the results: first what the run was asked for, then a line for each result that is whole. A
//! line that was being written when the run was killed lacks its end and does not count. When the run is done, its
//! manifest holds the same lines, in order, and the log goes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

use super::{TO_STRING, usage};
use crate::file::bytes_of;

/// What decides the bytes of the results, put together into one number.
#[derive(Debug, Default)]
pub(super) struct Fingerprint(DefaultHasher);

impl Fingerprint {
    /// Options, in any form that differs when they do.
    pub(super) fn words(mut self, words: &str) -> Self {
        words.hash(&mut self.0);
        self
    }

    /// A file that is read; one that cannot be read is told where it is needed.
    pub(super) fn file(mut self, path: &Path) -> Self {
        bytes_of(path).unwrap_or_default().hash(&mut self.0);
        self
    }

    fn line(&self) -> String {
        let version = env!("CARGO_PKG_VERSION");
        format!("kinfolk {version} {:016x}\n", self.0.finish())
    }
}

/// The log of one run.
#[derive(Debug)]
pub(super) struct RunLog {
    path: PathBuf,
    file: Mutex<File>,
    /// By their numbers, the lines of results that were whole already.
    known: BTreeMap<usize, String>,
}

impl RunLog {
    /// Whether a run was stopped here.
    pub(super) fn is_there(path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok()
    }

    /// A new log in the place of any other.
    pub(super) fn begin(path: &Path, fingerprint: &Fingerprint) -> anyhow::Result<Self> {
        Self::with(path, fingerprint, BTreeMap::new())
    }

    /// Goes on with the run that was stopped, which must have been asked for the same.
    pub(super) fn resume(path: &Path, fingerprint: &Fingerprint) -> anyhow::Result<Self> {
        let bytes = bytes_of(path).with_context(|| path.display().to_string())?;
        let text = String::from_utf8_lossy(&bytes);
        let Some(lines) = text.strip_prefix(&fingerprint.line()) else {
            return Err(usage(format!(
                "{}: the run that was stopped here had another model or other options; --force starts anew",
                path.display()
            )));
        };
        let whole = lines.split_inclusive('\n').filter_map(|line| {
            let (number, line) = line.strip_suffix('\n')?.split_once(' ')?;
            Some((number.parse().ok()?, line.to_owned()))
        });
        Self::with(path, fingerprint, whole.collect())
    }

    fn with(
        path: &Path,
        fingerprint: &Fingerprint,
        known: BTreeMap<usize, String>,
    ) -> anyhow::Result<Self> {
        let mut text = fingerprint.line();
        for (number, line) in &known {
            writeln!(text, "{number} {line}").expect(TO_STRING);
        }
        // Written anew, so that a torn last line does not run into the next one.
        let open = || -> io::Result<File> {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::remove_file(path).or_else(|error| match error.kind() {
                io::ErrorKind::NotFound => Ok(()),
                _ => Err(error),
            })?;
            let mut file = OpenOptions::new()
                .append(true)
                .create_new(true)
                .open(path)?;
            file.write_all(text.as_bytes())?;
            Ok(file)
        };
        Ok(Self {
            path: path.to_owned(),
            file: Mutex::new(open().with_context(|| path.display().to_string())?),
            known,
        })
    }

    /// The line of a result that was whole already.
    pub(super) fn known(&self, number: usize) -> Option<&str> {
        self.known.get(&number).map(String::as_str)
    }

    /// One more is whole: it has its name, and this is its line.
    pub(super) fn add(&self, number: usize, line: &str) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(format!("{number} {line}\n").as_bytes())
    }

    /// The run ends before it is done. Where nothing is whole there is nothing to go on with, and the log goes.
    pub(super) fn stop(self) {
        let n_lines = bytes_of(&self.path).map(|text| text.split(|b| *b == b'\n').count());
        // The first line says what was asked for, and nothing stands behind its end.
        if n_lines.is_ok_and(|n| n <= 2) {
            self.finish();
        }
    }

    /// All is done, and said elsewhere.
    pub(super) fn finish(self) {
        // If it stays, the next run says that one was stopped here, and goes on to find everything made.
        fs::remove_file(&self.path).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_are_known_again_and_torn_ones_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".log");
        let asked = Fingerprint::default().words("seed 1");
        let log = RunLog::begin(&path, &asked).unwrap();
        log.stop();
        assert!(!RunLog::is_there(&path), "nothing was made");
        let log = RunLog::begin(&path, &asked).unwrap();
        log.add(3, "c").unwrap();
        log.add(1, "a, b").unwrap();
        log.stop();
        assert!(RunLog::is_there(&path), "two are whole");
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend_from_slice(b"2 half a li");
        fs::write(&path, bytes).unwrap();
        let log = RunLog::resume(&path, &asked).unwrap();
        assert_eq!(log.known(1), Some("a, b"));
        assert_eq!((log.known(2), log.known(3)), (None, Some("c")));
        log.add(2, "b").unwrap();
        let again = RunLog::resume(&path, &asked).unwrap();
        assert_eq!(again.known(2), Some("b"), "the torn line is gone");
        let other = RunLog::resume(&path, &Fingerprint::default().words("seed 2"));
        assert!(
            other.unwrap_err().is::<super::super::CannotStart>(),
            "another run"
        );
        again.finish();
        assert!(!RunLog::is_there(&path), "done");
    }
}
