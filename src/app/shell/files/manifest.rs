//! The list of files beside them. A folder that gets more files keeps one list: what it names already stays, files that
//! are replaced get a new line. A list of another kind is left alone, and the new one gets a number.

use std::fs;
use std::path::{Path, PathBuf};

use crate::file::WriteError;
use crate::file::atomic::{self, Overwrite};

/// The list of the files of an export.
pub(in crate::app) const MANIFEST: &str = "manifest.csv";
/// A list that is larger than this was not written here.
const LARGEST_BYTES: u64 = 64 << 20;

/// Writes the title and these lines, or adds the lines to the list that is there; where it is then.
pub(super) fn write(folder: &Path, title: &str, lines: &str) -> Result<PathBuf, WriteError> {
    for number in 1.. {
        let path = folder.join(name(number));
        if !path.exists() {
            atomic::write(
                &path,
                format!("{title}{lines}").as_bytes(),
                Overwrite::Never,
            )?;
            return Ok(path);
        }
        if let Some(kept) = kept_lines(&path, title, lines) {
            let text = format!("{title}{kept}{lines}");
            atomic::write(&path, text.as_bytes(), Overwrite::Replace)?;
            return Ok(path);
        }
    }
    unreachable!("numbers do not end")
}

fn name(number: usize) -> String {
    match number {
        1 => MANIFEST.to_owned(),
        number => MANIFEST.replace(".csv", &format!("_{number}.csv")),
    }
}

/// The lines of a list of this kind that are about other files than the new lines.
fn kept_lines(path: &Path, title: &str, new: &str) -> Option<String> {
    let is_small = fs::metadata(path).is_ok_and(|found| found.len() <= LARGEST_BYTES);
    let text = is_small.then(|| fs::read_to_string(path).ok())??;
    let old = text.strip_prefix(title)?;
    let new: Vec<String> = records(new)?.into_iter().map(|record| record.0).collect();
    let kept = records(old)?;
    let kept = kept.into_iter().filter(|(file, _)| !new.contains(file));
    Some(kept.map(|(_, line)| line).collect())
}

/// The first field of each record, and the record as it stands; none if it is no table.
fn records(text: &str) -> Option<Vec<(String, String)>> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut records: Vec<(usize, String)> = Vec::new();
    for record in reader.records() {
        let record = record.ok()?;
        let at = usize::try_from(record.position()?.byte()).ok()?;
        records.push((at, record.get(0)?.to_owned()));
    }
    let ends = records.iter().skip(1).map(|record| record.0);
    let ends: Vec<usize> = ends.chain([text.len()]).collect();
    let lines = records.into_iter().zip(ends);
    lines
        .map(|((from, file), to)| Some((file, text.get(from..to)?.to_owned())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TITLE: &str = "file,name\n";

    #[test]
    fn a_second_export_adds_to_the_list_and_replaces_its_own_lines() {
        let folder = tempfile::tempdir().unwrap();
        let list = || fs::read_to_string(folder.path().join(MANIFEST)).unwrap();
        write(folder.path(), TITLE, "a.bvh,a\nb.bvh,\"b,\nb\"\n").unwrap();
        write(folder.path(), TITLE, "c.bvh,c\na.bvh,again\n").unwrap();
        assert_eq!(list(), "file,name\nb.bvh,\"b,\nb\"\nc.bvh,c\na.bvh,again\n");
        let other = write(folder.path(), "file,seed\n", "d.bvh,1\n").unwrap();
        assert_eq!(other, folder.path().join("manifest_2.csv"));
        assert!(list().starts_with(TITLE), "a list of another kind stays");
    }
}
