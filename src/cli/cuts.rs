//! Stretches found in takes: cut out, numbered, and listed in a manifest.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::{Value, json};

use super::inputs::{Input, load};
use super::{Common, TO_STRING, write_file};
use crate::file::{bvh, csv};
use crate::motion::Clip;

/// One range of one take.
pub(super) struct CutRange<'a> {
    pub(super) input: &'a Input,
    pub(super) frames: Range<usize>,
    /// The score or distance that ranges are sorted by.
    pub(super) value: f64,
}

/// All that were found, the best first.
pub(super) struct Cuts<'a> {
    pub(super) ranges: Vec<CutRange<'a>>,
    /// The word for [`CutRange::value`].
    pub(super) value_name: &'static str,
    /// Files are called so, with a number.
    pub(super) stem: &'a str,
}

impl Cuts<'_> {
    /// Writes what `cut` makes of each range, numbered, and last the manifest that lists them.
    pub(super) fn write(
        &self,
        out: &Path,
        common: &Common,
        cut: impl Fn(&Clip, Range<usize>) -> anyhow::Result<Clip>,
    ) -> anyhow::Result<Vec<PathBuf>> {
        let mut files = Vec::with_capacity(self.ranges.len());
        let mut manifest = format!("file,source,from,to,{}\n", self.value_name);
        let mut last: Option<(&Path, Clip)> = None;
        for (rank, stretch) in self.ranges.iter().enumerate() {
            let path = stretch.input.path.as_path();
            // Neighbours in rank often come from one take; others are read again, which is quick.
            let take = match last.take() {
                Some((of, take)) if of == path => take,
                _ => load(path, common.fps).with_context(|| path.display().to_string())?,
            };
            let made = cut(&take, stretch.frames.clone())?;
            let name = format!("{}_{rank:03}.bvh", self.stem);
            let written = bvh::write(&made, &bvh::WriteSettings::default());
            files.push(write_file(&out.join(&name), &written.bytes, common)?);
            let source = csv::field(path.display().to_string());
            let Range { start, end } = stretch.frames;
            writeln!(
                manifest,
                "{name},{source},{start},{end},{:.6}",
                stretch.value
            )
            .expect(TO_STRING);
            last = Some((path, take));
        }
        write_file(&out.join("manifest.csv"), manifest.as_bytes(), common)?;
        Ok(files)
    }

    pub(super) fn json(&self, files: &[PathBuf]) -> Vec<Value> {
        self.ranges
            .iter()
            .zip(files)
            .map(|(stretch, cut)| {
                json!({
                    "file": stretch.input.path.display().to_string(),
                    "from": stretch.frames.start, "to": stretch.frames.end,
                    self.value_name: stretch.value,
                    "cut": cut.display().to_string(),
                })
            })
            .collect()
    }

    pub(super) fn text(&self) -> String {
        let mut text = format!("{:>10} {:>8} {:>8}  file\n", self.value_name, "from", "to");
        for stretch in &self.ranges {
            let Range { start, end } = stretch.frames;
            let path = stretch.input.path.display();
            writeln!(text, "{:>10.4} {start:>8} {end:>8}  {path}", stretch.value).expect(TO_STRING);
        }
        text
    }
}
