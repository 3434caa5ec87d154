//! `kinfolk study`: rating sessions, their analysis, and motion that repeats itself; `kinfolk collect`: a set made in
//! shards.

mod analyse;
mod clones;
pub(super) mod collect;
pub(super) mod compare;
mod make;
mod words;

use super::{Common, End};
use words::plainly;

/// Makes rating sessions, analyses ratings, and finds motion that repeats itself
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Make(make::Args),
    Analyse(analyse::Args),
    Clones(clones::Args),
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ended = match &args.command {
        Command::Make(args) => make::run(args, common),
        Command::Analyse(args) => analyse::run(args, common),
        Command::Clones(args) => clones::run(args, common),
    };
    ended.map_err(plainly)
}
