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

mod common;
mod consistent_clips;
mod convert;
mod cuts;
mod cycles;
mod demo;
mod fill;
mod graph;
mod info;
mod inputs;
mod join_json;
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
mod scene_args;
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
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};

use crate::file::WriteError;
use crate::jobs::Cancelled;

use common::{
    CannotStart, Common, End, FrameRange, TO_STRING, between, check_file, check_files,
    check_folder, count, positive, reason, usage, whole, write_file,
};
use terminal::{print, print_json};

/// Turns a handful of motion-capture clips into a whole family of motions.
#[derive(Debug, clap::Parser)]
#[command(name = "kinfolk", version = crate::version(), max_term_width = 100)]
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
        Command::PackageFiles(args) => package_files::run(args, &cli.common, Cli::command()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;

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
