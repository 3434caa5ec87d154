//! Writing clips to files that other programs read.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::{Delivery, Shown, Worked};
use crate::app::dialogs::Dialog;
use crate::app::messages::Severity;
use crate::app::studio::{Studio, counted};
use crate::file::atomic::{self, Overwrite};
use crate::file::export::{Fit, Format, encode, fitted};
use crate::file::preset::Preset;
use crate::jobs::{Cancelled, Ticket};
use crate::motion::Clip;

/// The format in the dialog's words.
pub const fn format_words(format: Format) -> &'static str {
    match format {
        Format::Bvh => "BVH",
        Format::Gltf => "glTF, text",
        Format::Glb => "glTF, binary",
        Format::Csv => "CSV of joint positions",
    }
}

/// What to write where.
#[derive(Debug, Clone)]
pub struct Export {
    /// With the file names they get, without folder.
    pub files: Vec<(String, Arc<Clip>)>,
    /// Whose habits to follow; none leaves the clips as they are.
    pub preset: Option<Preset>,
    /// What kind of file.
    pub format: Format,
    /// Made if it is missing.
    pub folder: PathBuf,
    /// Whether files may be replaced.
    pub overwrite: Overwrite,
}

/// File names for clips: without signs that some system forbids, and no two alike even where case does not count.
pub fn file_names<'a>(names: impl IntoIterator<Item = &'a str>, format: Format) -> Vec<String> {
    const LONGEST: usize = 120;
    let mut taken = BTreeSet::new();
    let mut all = Vec::new();
    for name in names {
        let plain = |c: char| match c {
            '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
            c if c.is_control() => '_',
            c => c,
        };
        let stem: String = name.chars().take(LONGEST).map(plain).collect();
        let stem = stem.trim_matches(|c: char| c == '.' || c.is_whitespace());
        let stem = if stem.is_empty() { "clip" } else { stem };
        let mut file = format!("{stem}.{}", format.ending());
        let mut number = 2;
        while !taken.insert(file.to_lowercase()) {
            file = format!("{stem}_{number}.{}", format.ending());
            number += 1;
        }
        all.push(file);
    }
    all
}

impl Studio {
    /// Writes files as a job. If some exist and may not be replaced, none is written and the animator is asked.
    pub fn export(&mut self, export: Export) {
        let name = format!("export {}", counted(export.files.len(), "clip"));
        self.start(name, Shown::InBar, move |ticket| work(export, ticket));
    }
}

fn work(export: Export, ticket: &Ticket) -> Worked {
    let there = |file: &&(String, Arc<Clip>)| export.folder.join(&file.0).exists();
    if export.overwrite == Overwrite::Never {
        let existing: Vec<String> = export
            .files
            .iter()
            .filter(there)
            .map(|f| f.0.clone())
            .collect();
        if !existing.is_empty() {
            let delivery: Delivery = Box::new(move |studio| {
                studio.dialog = Some(Dialog::Replace { export, existing });
            });
            return Ok(delivery);
        }
    }
    let done = AtomicUsize::new(0);
    let n = export.files.len() as f64;
    let results = export
        .files
        .par_iter()
        .map(|(file, clip)| {
            ticket.check()?;
            let result = write_one(&export, file, clip)
                .map_err(|error| format!("{}: {error:#}", clip.info.name));
            let so_far = done.fetch_add(1, Ordering::Relaxed) + 1;
            ticket.step(so_far as f64 / n)?;
            Ok(result)
        })
        .collect::<Result<Vec<Result<(), String>>, Cancelled>>()?;
    let failed: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    let n_written = export.files.len() - failed.len();
    let delivery: Delivery = Box::new(move |studio| {
        let folder = export.folder.display();
        let words = format!("{} written to {folder}", counted(n_written, "file"));
        studio.say(Severity::Done, words);
        for failure in failed {
            studio.say(Severity::Error, format!("not exported: {failure}"));
        }
    });
    Ok(delivery)
}

fn write_one(export: &Export, file: &str, clip: &Clip) -> anyhow::Result<()> {
    let fit = Fit {
        preset: export.preset,
        ..Fit::default()
    };
    let clip = fitted(clip.clone(), &fit)?;
    let settings = export
        .preset
        .map_or_else(Default::default, |p| p.wishes().bvh());
    let written = encode(&clip, export.format, &settings)?;
    atomic::write(&export.folder.join(file), &written.bytes, export.overwrite)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_fit_every_system_and_differ() {
        let names = ["walk", "Walk", "a/b:c", "..", "  ", "walk"];
        let files = file_names(names, Format::Glb);
        let wanted = [
            "walk.glb",
            "Walk_2.glb",
            "a_b_c.glb",
            "clip.glb",
            "clip_2.glb",
            "walk_3.glb",
        ];
        assert_eq!(files, wanted);
        let long = file_names(["x".repeat(5000).as_str()], Format::Bvh);
        assert!(long[0].len() < 200, "{} letters", long[0].len());
    }
}
