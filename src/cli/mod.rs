//! The command line: one file per subcommand.
//!
//! Results go to standard output or files, messages to standard error. Exit code 0: done; 1: an input failed, each one
//! named, the others done; 2: could not start, because of a mistake in the command or a result that may not be written;
//! 130: stopped by Ctrl-C or SIGTERM.
#![expect(clippy::print_stderr, reason = "only this room writes to the terminal")]

/// One line on standard error, in which nothing from a file is obeyed by the terminal.
macro_rules! tell {
    ($($words:tt)*) => {
        $crate::cli::terminal::tell(&format!($($words)*))
    };
}

mod consistent_clips;
mod convert;
mod cuts;
mod cycles;
mod demo;
mod fill;
mod graph;
mod info;
mod inputs;
mod keyframe;
mod learn;
mod map;
mod measure;
mod names;
mod onto;
mod overlay;
mod package_files;
mod parts;
mod pose;
mod progress;
mod render;
mod repeats;
mod retarget;
mod run_log;
mod sequence;
mod similar;
mod stroke;
mod study;
mod style;
mod style_compare;
mod styles;
mod terminal;
mod texture;
mod vary;

use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::LazyLock;

use anyhow::Context as _;
use clap::{CommandFactory as _, FromArgMatches as _};

use crate::file::WriteError;
use crate::file::atomic::{self, Overwrite};
use crate::jobs::Cancelled;
use crate::motion::LONGEST;
use terminal::{print, print_json};

/// Turns a handful of motion-capture clips into a whole family of motions.
#[derive(Debug, clap::Parser)]
#[command(name = "kinfolk", version = version(), max_term_width = 100)]
#[command(
    after_help = "Without a subcommand the window opens: kinfolk [PROJECT | CLIP...]\n\n\
    Exit codes: 0 done; 1 an input failed (each is named, the others are done); 2 could not start (a mistake in the \
    command, or a result that may not be written); 130 stopped by Ctrl-C or SIGTERM."
)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

/// The version, and where packages are made also the commit and its date: the same source, the same words.
fn version() -> &'static str {
    static WORDS: LazyLock<String> = LazyLock::new(|| {
        let version = env!("CARGO_PKG_VERSION");
        match option_env!("KINFOLK_STAMP") {
            Some(stamp) if !stamp.is_empty() => format!("{version} ({stamp})"),
            _ => version.to_owned(),
        }
    });
    &WORDS
}

/// Options of every subcommand, under their own heading so that help lists them after the subcommand's.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Options of every command")]
struct Common {
    /// Random seed: the same seed gives the same bytes
    #[arg(long, global = true, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Number of threads [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Resample every clip to this rate when it is loaded
    #[arg(long, global = true, value_name = "N", value_parser = rate)]
    fps: Option<f64>,
    /// Print one JSON object instead of text
    #[arg(long, global = true)]
    json: bool,
    /// Print no progress and no notes; errors still show
    #[arg(long, global = true)]
    quiet: bool,
    /// Replace files that exist
    #[arg(long, global = true)]
    force: bool,
}

impl Common {
    fn overwrite(&self) -> Overwrite {
        if self.force {
            Overwrite::Replace
        } else {
            Overwrite::Never
        }
    }
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Demo(demo::Args),
    Info(info::Args),
    Convert(convert::Args),
    Cycles(cycles::Args),
    Repeats(repeats::Args),
    Similar(similar::Args),
    Learn(learn::Args),
    Vary(vary::Args),
    Stroke(stroke::Args),
    Map(map::Args),
    Retarget(retarget::Args),
    Measure(measure::Args),
    Study(study::Args),
    Collect(study::collect::Args),
    Render(render::Args),
    Style(style::Args),
    Pose(pose::Args),
    Keyframe(keyframe::Args),
    Fill(fill::Args),
    Graph(graph::Args),
    Sequence(Box<sequence::Args>),
    Texture(texture::Args),
    #[command(hide = true)]
    PackageFiles(package_files::Args),
}

/// Nothing could be started: a mistake in the command, or a result that may not be written. Everything else that ends a
/// subcommand is an input that failed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct CannotStart(String);

/// A mistake in the command that only the subcommand can see.
fn usage(why: impl Into<String>) -> anyhow::Error {
    CannotStart(why.into()).into()
}

/// How a subcommand ended, if it could start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Done,
    SomeFailed,
    Cancelled,
}

/// Whether the first argument asks for the command line; without one, or with a path, the window opens.
pub fn is_for_terminal(first: Option<&OsString>) -> bool {
    let Some(word) = first.map(|word| word.to_string_lossy()) else {
        return false;
    };
    let command = Cli::command();
    let mut names = command.get_subcommands().map(clap::Command::get_name);
    word.starts_with('-') || word == "help" || names.any(|name| name == word)
}

/// Reports why the program could not start.
pub fn could_not_start(why: &str) -> ExitCode {
    tell!("error: {why}");
    ExitCode::from(2)
}

/// Says what went wrong and did not stop the program.
pub fn warn(words: &str) {
    tell!("warning: {words}");
}

/// Runs the program for these arguments (the first is its own name) and returns its exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match parse(args) {
        Ok(cli) => cli,
        Err(answer) => {
            // Help and version are answers, not errors; clap knows which stream and which code.
            answer.print().ok();
            return ExitCode::from(u8::try_from(answer.exit_code()).unwrap_or(2));
        }
    };
    match run(&cli) {
        Ok(End::Done) => ExitCode::SUCCESS,
        Ok(End::SomeFailed) => ExitCode::from(1),
        Ok(End::Cancelled) => stopped(),
        Err(error) if error.is::<Cancelled>() => stopped(),
        Err(error) if is_start(&error) => could_not_start(&reason(&error)),
        Err(error) => {
            tell!("error: {}", reason(&error));
            ExitCode::from(1)
        }
    }
}

fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let command = negative_numbers_are_values(Cli::command());
    Cli::from_arg_matches(&command.try_get_matches_from(args)?)
}

/// What follows an option is its value, also `-1`: options say better than the parser of words what they take.
fn negative_numbers_are_values(command: clap::Command) -> clap::Command {
    let takes = |arg: clap::Arg| {
        let is_option = !arg.is_positional() && arg.get_action().takes_values();
        if is_option {
            arg.allow_negative_numbers(true)
        } else {
            arg
        }
    };
    command
        .mut_args(takes)
        .mut_subcommands(negative_numbers_are_values)
}

/// Whether the command is to blame, and not an input.
fn is_start(error: &anyhow::Error) -> bool {
    let is_there = |cause: &(dyn std::error::Error + 'static)| {
        matches!(cause.downcast_ref(), Some(WriteError::Exists))
    };
    error.is::<CannotStart>() || error.chain().any(is_there)
}

fn stopped() -> ExitCode {
    tell!("stopped");
    ExitCode::from(progress::STOPPED)
}

fn run(cli: &Cli) -> anyhow::Result<End> {
    if let Some(threads) = cli.common.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(threads))
            .build_global()
            .map_err(|e| usage(e.to_string()))?;
    }
    // Before any work, so that every command ends whole, whether it looks at a ticket or not.
    progress::ticket_for_ctrl_c()?;
    match &cli.command {
        Command::Demo(args) => demo::run(args, &cli.common),
        Command::Info(args) => info::run(args, &cli.common),
        Command::Convert(args) => convert::run(args, &cli.common),
        Command::Cycles(args) => cycles::run(args, &cli.common),
        Command::Repeats(args) => repeats::run(args, &cli.common),
        Command::Similar(args) => similar::run(args, &cli.common),
        Command::Learn(args) => learn::run(args, &cli.common),
        Command::Vary(args) => vary::run(args, &cli.common),
        Command::Stroke(args) => stroke::run(args, &cli.common),
        Command::Map(args) => map::run(args, &cli.common),
        Command::Retarget(args) => retarget::run(args, &cli.common),
        Command::Measure(args) => measure::run(args, &cli.common),
        Command::Study(args) => study::run(args, &cli.common),
        Command::Collect(args) => study::collect::run(args, &cli.common),
        Command::Render(args) => render::run(args, &cli.common),
        Command::Style(args) => style::run(args, &cli.common),
        Command::Pose(args) => pose::run(args, &cli.common),
        Command::Keyframe(args) => keyframe::run(args, &cli.common),
        Command::Fill(args) => fill::run(args, &cli.common),
        Command::Graph(args) => graph::run(args, &cli.common),
        Command::Sequence(args) => sequence::run(args, &cli.common),
        Command::Texture(args) => texture::run(args, &cli.common),
        Command::PackageFiles(args) => package_files::run(args, &cli.common),
    }
}

/// A number over zero, below the longest length that files may hold.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value < LONGEST => Ok(value),
        _ => Err(format!("expected a number over zero and below {LONGEST:e}")),
    }
}

/// A number in this range, ends included.
fn between(least: f64, most: f64) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| match text.parse::<f64>() {
        Ok(value) if (least..=most).contains(&value) => Ok(value),
        _ => Err(format!("expected a number from {least} to {most}")),
    }
}

/// A whole number in this range, ends included.
fn whole(least: usize, most: usize) -> impl Fn(&str) -> Result<usize, String> + Clone {
    move |text| match text.parse() {
        Ok(n) if (least..=most).contains(&n) => Ok(n),
        _ => Err(format!("expected a whole number from {least} to {most}")),
    }
}

/// Frames a second: no camera or program of this trade has fewer or more, and a clip at a million of them would fill the
/// memory.
fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(fps) if (1.0..=1000.0).contains(&fps) => Ok(fps),
        _ => Err("expected frames per second, from 1 to 1000".to_owned()),
    }
}

/// How many results are made: at least one, and no more than a folder can take.
fn count(text: &str) -> Result<usize, String> {
    whole(1, 1_000_000)(text)
}

/// Frames `A` up to, not including, `B`; either may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FrameRange {
    from: usize,
    to: Option<usize>,
}

impl FrameRange {
    /// As frames of a clip of this length. What lies outside is left for the operation to refuse.
    fn within(self, n_frames: usize) -> Range<usize> {
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
fn reason(error: &anyhow::Error) -> String {
    let mut told: Vec<String> = Vec::new();
    for cause in error.chain().map(ToString::to_string) {
        if !told.last().is_some_and(|before| before.ends_with(&cause)) {
            told.push(cause);
        }
    }
    told.join(": ")
}

/// Why `write!` to a `String` may be expected to work.
const TO_STRING: &str = "writing to a string does not fail";

/// Writes a result whole, and only over another one if that was allowed.
fn write_file(path: &Path, bytes: &[u8], common: &Common) -> anyhow::Result<PathBuf> {
    atomic::write(path, bytes, common.overwrite()).with_context(|| path.display().to_string())?;
    Ok(path.to_owned())
}

/// Refuses before the work what [`write_file`] would refuse after it.
fn check_file(path: &Path, common: &Common) -> anyhow::Result<()> {
    let checked = atomic::check(path, common.overwrite());
    let checked = checked.and_then(|()| atomic::check_folder(path.parent().unwrap_or(path)));
    checked.map_err(|why| usage(format!("{}: {why}", path.display())))
}

/// The same for files below one folder that come one by one.
fn check_files<'a>(
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
fn check_folder(folder: &Path) -> anyhow::Result<()> {
    let checked = atomic::check_folder(folder);
    checked.map_err(|why| usage(format!("{}: {why}", folder.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_told_once_and_with_all_that_led_to_it() {
        let missing = std::io::Error::from(std::io::ErrorKind::NotFound);
        let read = crate::file::ReadError::from(missing);
        let words = read.to_string();
        let error = anyhow::Error::new(read).context("walk.ron");
        assert_eq!(reason(&error), format!("walk.ron: {words}"));
        let error = anyhow::anyhow!("no joint \"Tail\"").context("line 3");
        assert_eq!(reason(&error), "line 3: no joint \"Tail\"");
    }

    #[test]
    fn old_and_new_spellings_of_cleaning_mean_the_same() {
        let parsed = |options: [&str; 2]| {
            let words = ["kinfolk", "convert", "a.bvh", "--out", "b"];
            let words = words.into_iter().chain(options);
            let cli = parse(words.map(OsString::from)).unwrap();
            format!("{:?}", cli.command)
        };
        let old = parsed(["--mend-glitches", "--plant-feet"]);
        assert!(old.contains("mend_glitches: true") && old.contains("plant_feet: true"));
        assert_eq!(parsed(["--remove-spikes", "--foot-lock"]), old);
    }
}
