//! Files below a folder, for everything that takes folders of clips.

use std::path::{Path, PathBuf};

use super::MOTION_ENDINGS;

/// Whether a file name ends so, in any case; endings are given in lower case and without the dot.
pub fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    endings.iter().any(|known| ending == *known)
}

/// Whether a file that was found in a folder is a motion to take. An AMC file beside its BVH conversion is not: it
/// would be the same clip twice.
pub fn is_motion_of_folder(path: &Path) -> bool {
    let is_converted = || {
        has_ending(path, &["amc"])
            && ["bvh", "BVH"]
                .iter()
                .any(|e| path.with_extension(e).exists())
    };
    has_ending(path, &MOTION_ENDINGS) && !is_converted()
}

/// All wanted files below a folder, sorted. `check` is called for every folder and may stop the search.
///
/// A folder that cannot be listed is among the files: reading it fails with the reason. Links to folders are not
/// followed, since they may lead back up.
pub fn files_below<E>(
    folder: &Path,
    is_wanted: impl Fn(&Path) -> bool,
    mut check: impl FnMut() -> Result<(), E>,
) -> Result<Vec<PathBuf>, E> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        check()?;
        let Ok(entries) = std::fs::read_dir(&folder) else {
            found.push(folder);
            continue;
        };
        for entry in entries.filter_map(Result::ok) {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(path);
            } else if is_wanted(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_take_and_its_conversion_are_one_motion() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        for name in ["a.amc", "a.bvh", "b.amc", "c.FBX", "d.txt"] {
            std::fs::write(place(name), "").unwrap();
        }
        let found = files_below(folder.path(), is_motion_of_folder, || Ok::<(), ()>(()));
        assert_eq!(found, Ok(["a.bvh", "b.amc", "c.FBX"].map(place).to_vec()));
    }

    #[test]
    fn files_are_found_at_any_depth_in_order_until_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(place("b/deep")).unwrap();
        for name in ["b/deep/x.BVH", "a.bvh", "b/notes.txt", "c.amc", "bvh"] {
            std::fs::write(place(name), "").unwrap();
        }
        let bvh = |path: &Path| has_ending(path, &["bvh"]);
        let found = files_below(folder.path(), bvh, || Ok::<(), ()>(()));
        assert_eq!(found, Ok(vec![place("a.bvh"), place("b/deep/x.BVH")]));
        let missing = files_below(&place("nowhere"), bvh, || Ok::<(), ()>(()));
        assert_eq!(missing, Ok(vec![place("nowhere")]), "named, to be reported");
        let mut left = 2;
        let stopped = files_below(folder.path(), bvh, || {
            left -= 1;
            if left > 0 { Ok(()) } else { Err("stopped") }
        });
        assert_eq!(stopped, Err("stopped"));
    }
}
