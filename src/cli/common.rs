//! What every subcommand shares: options, how it ends, numbers as they are typed, files as they are written.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Context as _;

use crate::file::atomic::{self, Overwrite};
use crate::motion::LONGEST;

/// Options of every subcommand, under their own heading so that help lists them after the subcommand's.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Options of every command")]
pub(super) struct Common {
    /// Random seed: the same seed gives the same bytes
    #[arg(long, global = true, default_value_t = 1, value_name = "N")]
    pub(super) seed: u64,
    /// Number of threads [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Resample every clip to this rate when it is loaded
    #[arg(long, global = true, value_name = "N", value_parser = rate)]
    pub(super) fps: Option<f64>,
    /// Print one JSON object instead of text
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// Print no progress and no notes; errors still show
    #[arg(long, global = true)]
    pub(super) quiet: bool,
    /// Replace files that exist
    #[arg(long, global = true)]
    pub(super) force: bool,
}

impl Common {
    pub(super) fn overwrite(&self) -> Overwrite {
        if self.force {
            Overwrite::Replace
        } else {
            Overwrite::Never
        }
    }
}

/// Nothing could be started: a mistake in the command, or a result that may not be written. Everything else that ends a
/// subcommand is an input that failed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct CannotStart(pub(super) String);

/// A mistake in the command that only the subcommand can see.
pub(super) fn usage(why: impl Into<String>) -> anyhow::Error {
    CannotStart(why.into()).into()
}

/// How a subcommand ended, if it could start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Done,
    SomeFailed,
    Cancelled,
}

/// A number over zero, below the longest length that files may hold.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value < LONGEST => Ok(value),
        _ => Err(format!("expected a number over zero and below {LONGEST:e}")),
    }
}

/// A number in this range, ends included.
pub(super) fn between(least: f64, most: f64) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| match text.parse::<f64>() {
        Ok(value) if (least..=most).contains(&value) => Ok(value),
        _ => Err(format!("expected a number from {least} to {most}")),
    }
}

/// A whole number in this range, ends included.
pub(super) fn whole(least: usize, most: usize) -> impl Fn(&str) -> Result<usize, String> + Clone {
    move |text| match text.parse() {
        Ok(n) if (least..=most).contains(&n) => Ok(n),
        _ => Err(format!("expected a whole number from {least} to {most}")),
    }
}

/// Frames a second: no camera or program of this trade has fewer or more, and a clip at a million of them would fill
/// the memory.
fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(fps) if (1.0..=1000.0).contains(&fps) => Ok(fps),
        _ => Err("expected frames per second, from 1 to 1000".to_owned()),
    }
}

/// How many results are made: at least one, and no more than a folder can take.
pub(super) fn count(text: &str) -> Result<usize, String> {
    whole(1, 1_000_000)(text)
}

/// Frames `A` up to, not including, `B`; either may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FrameRange {
    pub(super) from: usize,
    pub(super) to: Option<usize>,
}

impl FrameRange {
    /// As frames of a clip of this length. What lies outside is left for the operation to refuse.
    pub(super) fn within(self, n_frames: usize) -> Range<usize> {
        self.from..self.to.unwrap_or(n_frames)
    }
}

impl FromStr for FrameRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected frames such as 10..50, 10.. or ..50, found \"{text}\"");
        let (from, to) = text.split_once("..").ok_or_else(wrong)?;
        let number = |digits: &str| match digits.trim() {
            "" => Ok(None),
            digits => digits.parse::<usize>().map(Some).ok().ok_or_else(wrong),
        };
        let (from, to) = (number(from)?, number(to)?);
        let from = from.unwrap_or(0);
        if to.is_some_and(|to| to <= from) {
            return Err(format!("there is no frame in \"{text}\""));
        }
        Ok(Self { from, to })
    }
}

/// An error with all that led to it. Causes whose text is part of the error before are not repeated.
pub(super) fn reason(error: &anyhow::Error) -> String {
    let mut told: Vec<String> = Vec::new();
    for cause in error.chain().map(ToString::to_string) {
        if !told.last().is_some_and(|before| before.ends_with(&cause)) {
            told.push(cause);
        }
    }
    told.join(": ")
}

/// Why `write!` to a `String` may be expected to work.
pub(super) const TO_STRING: &str = "writing to a string does not fail";

/// Writes a result whole, and only over another one if that was allowed.
pub(super) fn write_file(path: &Path, bytes: &[u8], common: &Common) -> anyhow::Result<PathBuf> {
    atomic::write(path, bytes, common.overwrite()).with_context(|| path.display().to_string())?;
    Ok(path.to_owned())
}

/// Refuses before the work what [`write_file`] would refuse after it.
pub(super) fn check_file(path: &Path, common: &Common) -> anyhow::Result<()> {
    let checked = atomic::check(path, common.overwrite());
    let checked = checked.and_then(|()| atomic::check_folder(path.parent().unwrap_or(path)));
    checked.map_err(|why| usage(format!("{}: {why}", path.display())))
}

/// The same for files below one folder that come one by one.
pub(super) fn check_files<'a>(
    folder: &Path,
    files: impl IntoIterator<Item = &'a PathBuf>,
    common: &Common,
) -> anyhow::Result<()> {
    for file in files {
        let checked = atomic::check(file, common.overwrite());
        checked.map_err(|why| usage(format!("{}: {why}", file.display())))?;
    }
    check_folder(folder)
}

/// Refuses before the work a folder that takes no files.
pub(super) fn check_folder(folder: &Path) -> anyhow::Result<()> {
    let checked = atomic::check_folder(folder);
    checked.map_err(|why| usage(format!("{}: {why}", folder.display())))
}
