//! Where the real motion capture lies, if it is there, and what to do where something is not.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A file or folder of the development set, or `None` after saying that the test is skipped.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let full = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/data")
        .join(path);
    if full.exists() {
        Some(full)
    } else {
        skipped(&format!("{path} of the motion capture is not here"));
        None
    }
}

/// Says that the running test cannot do its work here. In CI that is a failure; elsewhere it is kept for the count that
/// the test command ends with.
pub(crate) fn skipped(why: &str) {
    assert!(
        std::env::var_os("CI").is_none(),
        "in CI nothing is skipped: {why}"
    );
    not_here(why);
}

/// The same for what cannot be had everywhere: it is counted, in CI as well, but no failure.
pub(crate) fn not_here(why: &str) {
    let thread = std::thread::current();
    let line = format!("{}: {why}\n", thread.name().unwrap_or("a test"));
    let list = Path::new(env!("CARGO_TARGET_TMPDIR")).join("skipped.txt");
    let mut list = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(list)
        .unwrap();
    list.write_all(line.as_bytes()).unwrap();
}

/// All files below `dir` with this extension, sorted.
pub(crate) fn files_below(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
