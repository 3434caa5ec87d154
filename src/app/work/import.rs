//! Reading files and folders into the library.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::{Delivery, Shown, Worked};
use crate::app::dialogs::Dialog;
use crate::app::messages::Severity;
use crate::app::studio::{Studio, counted};
use crate::document::Command;
use crate::file::{MOTION_ENDINGS, read_clip};
use crate::jobs::{Cancelled, Ticket};
use crate::motion::{Clip, NoteKind};

/// What became of one file.
#[derive(Debug, Clone)]
pub struct FileReport {
    /// Where it is.
    pub path: PathBuf,
    /// The clip, or why there is none.
    pub result: Result<Arc<Clip>, String>,
}

/// What became of all of them.
#[derive(Debug, Clone, Default)]
pub struct ImportReport {
    /// In order.
    pub files: Vec<FileReport>,
}

impl ImportReport {
    /// How many could not be read.
    pub fn n_failed(&self) -> usize {
        self.files.iter().filter(|f| f.result.is_err()).count()
    }

    /// How many were mended while they were read.
    pub fn n_mended(&self) -> usize {
        let is_mended = |clip: &Arc<Clip>| {
            let mut notes = clip.info.notes.iter();
            notes.any(|note| note.kind == NoteKind::Repaired)
        };
        let read = self.files.iter().filter_map(|f| f.result.as_ref().ok());
        read.filter(|clip| is_mended(clip)).count()
    }
}

/// More new clips than this are not all selected.
const MOST_SELECTED: usize = 12;

impl Studio {
    /// Reads files, and all motion files in folders, as a job.
    pub fn import(&mut self, paths: Vec<PathBuf>) {
        if paths.is_empty() {
            return;
        }
        let name = match paths.as_slice() {
            [only] => format!("import {}", only.display()),
            many => format!("import {} paths", many.len()),
        };
        self.start(name, Shown::InBar, move |ticket| work(&paths, ticket));
    }

    fn take_imported(&mut self, report: ImportReport) {
        let clips = report.files.iter().filter_map(|f| f.result.as_ref().ok());
        let clips: Vec<Arc<Clip>> = clips.map(Arc::clone).collect();
        let (n, n_failed, n_mended) = (clips.len(), report.n_failed(), report.n_mended());
        if n > 0
            && let Some(added) = self.edit(Command::AddClips(clips))
        {
            // A whole library on one spot would hide every clip behind the others.
            let shown = if added.len() > MOST_SELECTED {
                1
            } else {
                added.len()
            };
            self.session.select(added.into_iter().take(shown));
            self.show_from_start();
        }
        let mut words = vec![format!("{} imported", counted(n, "clip"))];
        if n_failed > 0 {
            words.push(format!("{} could not be read", counted(n_failed, "file")));
        }
        let severity = if n_failed > 0 {
            Severity::Warning
        } else {
            Severity::Done
        };
        self.say(severity, words.join(", "));
        self.last_import = Some(report);
        if n_failed > 0 || n_mended > 0 {
            self.dialog = Some(Dialog::ImportReport);
        }
    }
}

fn work(paths: &[PathBuf], ticket: &Ticket) -> Worked {
    let files = expand(paths, ticket)?;
    let done = AtomicUsize::new(0);
    let n = files.len() as f64;
    let files = files
        .into_par_iter()
        .map(|path| {
            ticket.check()?;
            let result = read_clip(&path)
                .map(Arc::new)
                .map_err(|error| format!("{error:#}"));
            let so_far = done.fetch_add(1, Ordering::Relaxed) + 1;
            ticket.step(so_far as f64 / n)?;
            Ok(FileReport { path, result })
        })
        .collect::<Result<Vec<FileReport>, Cancelled>>()?;
    let report = ImportReport { files };
    let delivery: Delivery = Box::new(move |studio| studio.take_imported(report));
    Ok(delivery)
}

/// Files as they are, and the motion files below folders, sorted. A folder without any stays in the list, so that the
/// report names it.
fn expand(paths: &[PathBuf], ticket: &Ticket) -> Result<Vec<PathBuf>, Cancelled> {
    let mut all = Vec::new();
    for path in paths {
        if !path.is_dir() {
            all.push(path.clone());
            continue;
        }
        let found = files_below(path, ticket)?;
        if found.is_empty() {
            all.push(path.clone());
        }
        all.extend(found);
    }
    Ok(all)
}

fn files_below(folder: &Path, ticket: &Ticket) -> Result<Vec<PathBuf>, Cancelled> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        ticket.check()?;
        let Ok(entries) = std::fs::read_dir(&folder) else {
            // Reading it as a file fails with the reason, which the report then shows.
            found.push(folder);
            continue;
        };
        for entry in entries.filter_map(Result::ok) {
            let path = entry.path();
            let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
            // Links to folders are not followed: they may lead back up.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(path);
            } else if MOTION_ENDINGS.iter().any(|known| ending == *known) {
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
    fn folders_give_their_motion_files_and_empty_ones_themselves() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(place("a/deep")).unwrap();
        std::fs::create_dir_all(place("empty")).unwrap();
        for file in ["a/deep/y.BVH", "a/x.bvh", "a/z.amc", "a/readme.txt"] {
            std::fs::write(place(file), "").unwrap();
        }
        let paths = [place("a"), place("empty"), place("missing.bvh")];
        let found = expand(&paths, &Ticket::default()).unwrap();
        let wanted = ["a/deep/y.BVH", "a/x.bvh", "a/z.amc", "empty", "missing.bvh"];
        assert_eq!(found, wanted.map(place));
    }

    #[test]
    fn a_cancelled_import_adds_nothing() {
        let ticket = Ticket::default();
        ticket.cancel();
        let ended = work(&[PathBuf::from("x.bvh")], &ticket);
        assert!(ended.is_err_and(|e| e.is::<Cancelled>()), "stopped");
    }
}
