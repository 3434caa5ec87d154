//! The motion capture that benches read.

use std::path::{Path, PathBuf};

/// All BVH files of a folder and those in it, in order.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "bvh") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
