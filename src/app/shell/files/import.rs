//! Reading files and folders into the library: motions, and strokes from CSV files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::import_report::{FileReport, ImportReport, Imported};
use crate::app::shell::Shell;
use crate::app::shell::context::Delivery;
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::jobs::Worked;
use crate::app::shell::messages::Severity;
use crate::app::shell::words::counted;
use crate::app::shell::work::Shown;
use crate::document::Command;
use crate::file::stroke_csv::{self, is_stroke_file};
use crate::file::{ReadError, files_below, has_ending, is_motion_of_folder, read_clips};
use crate::jobs::{Cancelled, Ticket};

/// More new clips than this are not all selected.
const MOST_SELECTED: usize = 12;

impl Shell {
    /// Reads files, and all motion files in folders, as a job.
    pub fn import(&mut self, paths: Vec<PathBuf>) {
        if paths.is_empty() {
            return;
        }
        let name = match paths.as_slice() {
            [only] => format!("import {}", only.display()),
            many => format!("import {} paths", many.len()),
        };
        let tags = self.preferences.tags_folders;
        self.start(name, Shown::InBar, move |ticket| work(&paths, tags, ticket));
    }

    fn take_imported(&mut self, report: ImportReport) {
        let (clips, strokes) = report.split();
        let (n, n_strokes) = (clips.len(), strokes.len());
        let (n_failed, n_mended) = (report.n_failed(), report.n_mended());
        let command = match (n, n_strokes) {
            (_, 0) => Command::AddClips(clips),
            (0, _) => Command::AddStrokes(strokes),
            _ => Command::Together {
                what: format!("import {}", counted(n + n_strokes, "file")),
                commands: vec![Command::AddClips(clips), Command::AddStrokes(strokes)],
            },
        };
        if n + n_strokes > 0
            && let Some(added) = self.edit(command)
            && n > 0
        {
            // A whole library on one spot would hide every clip behind the others.
            let shown = if added.len() > MOST_SELECTED {
                1
            } else {
                added.len()
            };
            self.session.reveal = added.first().copied();
            self.session.select(added.into_iter().take(shown));
            self.show_from_start();
        }
        let mut words = vec![match (n, n_strokes) {
            (_, 0) => format!("{} imported", counted(n, "clip")),
            (0, _) => format!("{} imported", counted(n_strokes, "stroke")),
            _ => format!(
                "{} and {} imported",
                counted(n, "clip"),
                counted(n_strokes, "stroke")
            ),
        }];
        if n == 0 && n_strokes > 0 {
            self.wanted_pane = Some(crate::app::shell::pane::Pane::Strokes);
        }
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

fn work(paths: &[PathBuf], tags_folders: bool, ticket: &Ticket) -> Worked {
    let files = expand(paths, ticket)?;
    let files = ticket.each(files, |path: PathBuf| {
        let mut result = read(&path).map_err(|error| format!("{error:#}"));
        if let (Ok(Imported::Clips(takes)), true) = (&mut result, tags_folders) {
            for take in takes {
                let tags = folder_tags(paths, &path);
                Arc::make_mut(take).info.tags.extend(tags);
            }
        }
        FileReport { path, result }
    })?;
    let report = ImportReport { files };
    let delivery: Delivery = Box::new(move |shell| shell.take_imported(report));
    Ok(delivery)
}

/// By its ending: CSV files are strokes, everything else has to be a motion.
pub(super) fn read(path: &Path) -> Result<Imported, ReadError> {
    let is_csv = path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("csv"));
    if is_csv {
        let (stroke, notes) = stroke_csv::read_file(path)?;
        Ok(Imported::Stroke(Arc::new(stroke), notes))
    } else {
        let takes = read_clips(path)?.into_iter().map(Arc::new);
        Ok(Imported::Clips(takes.collect()))
    }
}

/// Files as they are, and the motions and strokes below folders, sorted. A folder without any stays in the list, so
/// that the report names it.
fn expand(paths: &[PathBuf], ticket: &Ticket) -> Result<Vec<PathBuf>, Cancelled> {
    let mut all = Vec::new();
    for path in paths {
        if !path.is_dir() {
            all.push(path.clone());
            continue;
        }
        // Folders of motions hold other tables as well: lists of labels, manifests.
        let is_wanted = |path: &Path| {
            is_motion_of_folder(path) || (has_ending(path, &["csv"]) && is_stroke_file(path))
        };
        let found = files_below(path, is_wanted, || ticket.check())?;
        if found.is_empty() {
            all.push(path.clone());
        }
        all.extend(found);
    }
    Ok(all)
}

/// What a take is tagged with if the animator wants it: the folders it lies in below the one that was imported, or else
/// that one.
fn folder_tags(imported: &[PathBuf], file: &Path) -> Vec<String> {
    let roots = imported.iter().filter(|root| root.is_dir());
    let found = roots.filter_map(|root| Some((root, file.strip_prefix(root).ok()?.parent()?)));
    let Some((root, below)) = found.min_by_key(|(_, below)| below.as_os_str().len()) else {
        return Vec::new();
    };
    let mut tags: Vec<String> = below
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    if tags.is_empty() {
        let own = root.file_name().map(|name| name.to_string_lossy());
        tags.extend(own.map(std::borrow::Cow::into_owned));
    }
    tags
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
        std::fs::write(place("a/labels.csv"), "file,label\nx.bvh,walk\n").unwrap();
        std::fs::write(place("a/s.csv"), "t,x,y\n0,0,0\n1,1,1\n").unwrap();
        let paths = [place("a"), place("empty"), place("missing.bvh")];
        let found = expand(&paths, &Ticket::default()).unwrap();
        let wanted = [
            "a/deep/y.BVH",
            "a/s.csv",
            "a/x.bvh",
            "a/z.amc",
            "empty",
            "missing.bvh",
        ];
        assert_eq!(found, wanted.map(place));
    }

    #[test]
    fn folders_become_tags() {
        let folder = tempfile::tempdir().unwrap();
        let takes = folder.path().join("takes");
        std::fs::create_dir_all(takes.join("walk/old")).unwrap();
        let roots = [takes.clone(), folder.path().join("x.bvh")];
        let tags = |file: &str| folder_tags(&roots, &folder.path().join(file));
        assert_eq!(tags("takes/walk/old/a.bvh"), ["walk", "old"]);
        assert_eq!(tags("takes/a.bvh"), ["takes"]);
        assert!(tags("x.bvh").is_empty(), "a file by itself");
    }

    #[test]
    fn a_cancelled_import_adds_nothing() {
        let ticket = Ticket::default();
        ticket.cancel();
        let ended = work(&[PathBuf::from("x.bvh")], false, &ticket);
        assert!(ended.is_err_and(|e| e.is::<Cancelled>()), "stopped");
    }
}
