//! Writing clips to files that other programs read.

use std::fmt::Write as _;

use rayon::prelude::*;

use super::order::{Export, Piece};
use crate::app::shell::context::{Delivery, UiContext};
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::dialogs::dialog::ExportBox;
use crate::app::shell::files::manifest;
use crate::app::shell::jobs::Worked;
use crate::app::shell::messages::Severity;
use crate::app::shell::words::counted;
use crate::app::shell::work::Shown;
use crate::document::SetId;
use crate::file::atomic::{self, Overwrite};
use crate::file::csv::field;
use crate::file::export::{ExportFit, encode, fitted};
use crate::file::stroke_csv;
use crate::jobs::Ticket;
use crate::motion::Clip;
use crate::motion::edit::{self, InPlace};

impl UiContext {
    /// Opens the export dialog for a set.
    pub fn export_set(&mut self, set: SetId) {
        self.dialog = Some(Dialog::Export(ExportBox::of_set(self, set)));
    }

    /// Writes files as a job. If some exist and may not be replaced, none is written and the animator is asked.
    pub fn export(&mut self, export: Export) {
        let what = match export.files.first() {
            Some((_, Piece::Stroke(_))) => "stroke",
            _ => "clip",
        };
        let name = format!("export {}", counted(export.files.len(), what));
        self.start(name, Shown::InBar, move |ticket| work(export, ticket));
    }
}

fn work(export: Export, ticket: &Ticket) -> Worked {
    if export.overwrite == Overwrite::Never {
        let there = |name: &&str| export.folder.join(name).exists();
        let existing: Vec<String> = export.names().filter(there).map(str::to_owned).collect();
        if !existing.is_empty() {
            let delivery: Delivery = Box::new(move |shell| {
                shell.dialog = Some(Dialog::Replace { export, existing });
            });
            return Ok(delivery);
        }
    }
    let columns = export.columns.as_ref();
    let more = |number: usize| columns.map_or("", |columns| columns.cells[number].as_str());
    let files = export.files.par_iter().enumerate();
    let results: Vec<Result<String, String>> = ticket.each(files, |(number, (file, piece))| {
        write_one(&export, file, piece)
            .map(|line| format!("{line}{}\n", more(number)))
            .map_err(|error| format!("{}: {error:#}", piece.name()))
    })?;
    let n_written = results.iter().filter(|r| r.is_ok()).count();
    if export.has_manifest {
        let more = columns.map_or("", |columns| columns.names);
        let title = format!("file,name,frames,fps,seconds,source{more}\n");
        let lines: String = results.iter().flatten().map(String::as_str).collect();
        // Last, so that it names only files that are there.
        manifest::write(&export.folder, &title, &lines)?;
    }
    let failed: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    let delivery: Delivery = Box::new(move |shell| {
        let folder = export.folder.display();
        let words = format!("{} written to {folder}", counted(n_written, "file"));
        shell.say(Severity::Done, words);
        for failure in failed {
            shell.say(Severity::Error, format!("not exported: {failure}"));
        }
    });
    Ok(delivery)
}

/// Writes one file and gives its line of the manifest, without its end.
fn write_one(export: &Export, file: &str, piece: &Piece) -> anyhow::Result<String> {
    let path = export.folder.join(file);
    let clip = match piece {
        Piece::Clip(clip) => clip,
        Piece::Stroke(stroke) => {
            atomic::write(&path, &stroke_csv::write(stroke), export.overwrite)?;
            let (n, secs) = (stroke.n_points(), stroke.seconds());
            return Ok(line(file, stroke.name(), n, "", secs, ""));
        }
    };
    let mut made = match &export.onto {
        Some(bringer) => bringer.bring(clip)?.clip,
        None => Clip::clone(clip),
    };
    if export.is_in_place {
        made = edit::root_in_place(&made, InPlace::Travel)?.0;
    }
    if let Some(fps) = export.fps {
        made = edit::resample(&made, fps)?;
    }
    let fit = ExportFit {
        preset: export.preset,
        ..ExportFit::default()
    };
    let made = fitted(made, &fit)?;
    let settings = export
        .preset
        .map_or_else(Default::default, |p| p.requirements().bvh());
    let written = encode(&made, export.format, &settings)?;
    atomic::write(&path, &written.bytes, export.overwrite)?;
    let file_name = clip.info.file.as_ref().map(|f| f.display().to_string());
    // What was made here has no file, but a sentence about how.
    let source = file_name.or_else(|| clip.info.history.first().cloned());
    let fps = made.fps().to_string();
    Ok(line(
        file,
        &clip.info.name,
        made.n_frames(),
        &fps,
        made.seconds(),
        &source.unwrap_or_default(),
    ))
}

fn line(file: &str, name: &str, n_frames: usize, fps: &str, secs: f64, source: &str) -> String {
    let (file, name, source) = (file.to_owned(), name.to_owned(), source.to_owned());
    let (file, name, source) = (field(file), field(name), field(source));
    let mut line = String::new();
    write!(line, "{file},{name},{n_frames},{fps},{secs:.4},{source}")
        .expect("a string takes every character");
    line
}
