//! Where the real motion capture lies, if it is there.

use std::fs;
use std::path::{Path, PathBuf};

/// A file or folder of the development set, or `None` after saying that the test is skipped.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let full = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/data")
        .join(path);
    if full.exists() {
        Some(full)
    } else {
        eprintln!("skipped: {} is not here", full.display());
        None
    }
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
