//! `kinfolk texture`: actions as dynamical systems, played in an order, along a path, or steered.

mod actions;
mod annotate;
mod course;
mod labels;
mod learn;
mod list;
mod plan;
mod play;
mod played;
mod read;
mod report;

use super::{Common, End};
use crate::texture::TextureError;
use read::open;

/// Learns actions from labelled clips, and plays them in an order, along a path, or steered
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Learn(learn::Args),
    Play(Box<play::Args>),
    Annotate(annotate::Args),
    List(list::Args),
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ended = match &args.command {
        Command::Learn(args) => learn::run(args, common),
        Command::Play(args) => play::run(args, common),
        Command::Annotate(args) => annotate::run(args, common),
        Command::List(args) => list::run(args, common),
    };
    match ended {
        Err(error) if is_cancelled(&error) => Ok(End::Cancelled),
        ended => ended,
    }
}

fn is_cancelled(error: &anyhow::Error) -> bool {
    matches!(
        error.downcast_ref::<TextureError>(),
        Some(TextureError::Cancelled(_))
    )
}
