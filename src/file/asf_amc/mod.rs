//! ASF and AMC, the Acclaim formats in which the CMU database was captured: a skeleton, and motions for it.
//!
//! Every bone becomes a joint that sits where its parent ends, turned as the bone's own axes say, so that the clip can
//! be mixed with BVH files of the same take. Lengths stay as they are in the files. What this leaves out: joint
//! limits, masses, skins, and the stretching of a bone on which nothing hangs.

mod amc;
mod asf;
mod bone;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

pub use amc::{AmcSettings, read_amc};
pub use asf::{Asf, read_asf};

use super::ReadError;

/// The skeleton file that belongs to a motion file: the same name, then the name up to each `_` from the last on
/// (`35.asf` for `35_01.amc`), then the only ASF file in the folder.
pub fn find_asf(amc_path: &Path) -> Result<PathBuf, ReadError> {
    let folder = match amc_path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut skeletons = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_asf = path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("asf"));
        if is_asf && path.is_file() {
            skeletons.push(path);
        }
    }
    skeletons.sort();
    let stem = amc_path.file_stem().unwrap_or_default().to_string_lossy();
    let mut looked_for = Vec::new();
    let shorter = stem.rmatch_indices('_').map(|(at, _)| &stem[..at]);
    for name in std::iter::once(&*stem).chain(shorter) {
        let of_name = |path: &&PathBuf| {
            let found = path.file_stem().unwrap_or_default().to_string_lossy();
            found.eq_ignore_ascii_case(name)
        };
        if let Some(path) = skeletons.iter().find(of_name) {
            return Ok(path.clone());
        }
        looked_for.push(format!("{name}.asf"));
    }
    match &skeletons[..] {
        [only] => Ok(only.clone()),
        [] => {
            looked_for.push("any .asf in its folder".to_owned());
            Err(no_asf(&looked_for))
        }
        several => {
            looked_for.push(format!("a single .asf (there are {})", several.len()));
            Err(no_asf(&looked_for))
        }
    }
}

fn no_asf(looked_for: &[String]) -> ReadError {
    ReadError::NoAsf {
        looked_for: looked_for.join(", "),
    }
}
