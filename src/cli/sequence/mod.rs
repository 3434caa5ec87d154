//! `kinfolk sequence`: clips in an order, or at random, with transitions between them.

mod args;
mod made;
mod random;
mod report;
mod targets;

use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;

use super::graph::is_cancelled;
use super::progress::{Watched, ticket_for_ctrl_c};
use super::styles::write_bvh;
use super::{Common, End, check_file, onto, usage};
use crate::file::graph_file;
use crate::jobs::Ticket;
use crate::motion::join::{JoinClip, JoinKind, JoinShape, Match};
use crate::transition::{
    Leave, SequenceAction, SequenceSettings, TransitionMethod, TransitionSettings, sequence,
};
use args::{FeetArg, Interrupt, JoinArg, MatchArg, MeansArg};
use made::{MadeSequence, SequenceClips, SequenceJoin};

pub(super) use args::Args;

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    check_file(&args.out, common)?;
    let target = onto::character(args.to.as_deref())?;
    match made(args, common, &ticket) {
        Err(error) if is_cancelled(&error) || targets::is_cancelled(&error) => Ok(End::Cancelled),
        Err(error) => Err(error),
        Ok(made) => {
            ticket.check()?;
            write_bvh(
                &onto::bring(&made.clip, target.as_ref())?,
                &args.out,
                common,
            )?;
            report::print(&made, &args.out, common)?;
            Ok(End::Done)
        }
    }
}

fn made(args: &Args, common: &Common, ticket: &Ticket) -> anyhow::Result<MadeSequence> {
    let parts = graph_file::read(&args.graph).with_context(|| args.graph.display().to_string())?;
    if common.fps.is_some() && !common.quiet {
        let fps = parts.rig.fps;
        tell!("note: the motion has the {fps} frames a second of the graph; --fps changes nothing");
    }
    let watched = Watched::start("opening", ticket, common.quiet);
    let graph = parts.build(ticket);
    watched.finish();
    let graph = Arc::new(graph.with_context(|| args.graph.display().to_string())?);
    let mut cast = SequenceClips::new(&graph, common, ticket);
    let clips = cast.find(&args.clips)?;
    let name = args.out.file_stem().unwrap_or_default().to_string_lossy();
    let watched = Watched::start("joining", ticket, common.quiet);
    let made = match args.random {
        Some(seconds) => {
            let settings = transition_settings(args);
            random::play(
                args,
                &graph,
                &clips,
                seconds,
                &settings,
                common.seed,
                ticket,
            )
        }
        None => in_order(args, &mut cast, &clips, common.seed, ticket),
    };
    watched.finish();
    let mut made = made?;
    made.clip.info.name = name.into_owned();
    let source = args.graph.file_name().unwrap_or_default().to_string_lossy();
    let history = format!("{} with transitions of {source}", described(args, &clips));
    made.clip.info.history.push(history);
    Ok(made)
}

fn described(args: &Args, clips: &[Arc<JoinClip>]) -> String {
    let names: Vec<&str> = clips.iter().map(|c| c.clip.info.name.as_str()).collect();
    let names = names.join(", ");
    match (args.random, args.repeat) {
        (Some(seconds), _) => format!("{seconds} s of {names} at random"),
        (None, 1) => format!("{names} in sequence"),
        (None, times) => format!("{names} in sequence, {times} times"),
    }
}

fn in_order(
    args: &Args,
    cast: &mut SequenceClips<'_>,
    clips: &[Arc<JoinClip>],
    seed: u64,
    ticket: &Ticket,
) -> anyhow::Result<MadeSequence> {
    let graph = cast.graph;
    let rounds = (0..args.repeat).flat_map(|_| clips);
    let mut actions: Vec<SequenceAction> = rounds.map(SequenceAction::whole).collect();
    interrupt(&mut actions, &args.interrupt)?;
    let settings = SequenceSettings {
        transition: transition_settings(args),
        seed,
    };
    let aims = targets::aim(args, cast, &mut actions, &settings, ticket)?;
    let started = Instant::now();
    let made = sequence(graph, &actions, &settings, ticket)?;
    let ms = started.elapsed().as_secs_f64() * 1e3;
    let hits = aims.iter().map(|aim| aim.measure(&made)).collect();
    let name = |at: usize| actions[at].clip.clip.info.name.clone();
    let joins = made.transitions.iter().enumerate();
    let joins = joins.map(|(at, made)| SequenceJoin {
        from: name(at),
        to: name(at + 1),
        made: made.clone(),
    });
    Ok(MadeSequence {
        joins: joins.collect(),
        hits,
        clip: made.strip.to_clip("sequence")?,
        ms_per_frame: ms / made.strip.n_frames() as f64,
    })
}

fn interrupt(actions: &mut [SequenceAction], interrupts: &[Interrupt]) -> anyhow::Result<()> {
    let n = actions.len();
    for &Interrupt { action, frame } in interrupts {
        let one = actions.get_mut(action).ok_or_else(|| {
            usage(format!(
                "--interrupt {action}@{frame}: {n} clips are played, counted from 0"
            ))
        })?;
        anyhow::ensure!(
            one.leave == Leave::End,
            usage(format!(
                "--interrupt {action}@{frame}: clip {action} is interrupted already"
            ))
        );
        one.leave = Leave::At(frame);
        // The engine says it, too, but after the targets were aimed at.
        anyhow::ensure!(
            frame < one.clip.n_frames(),
            "--interrupt {action}@{frame}: clip \"{}\" has frames 0 to {} at the rate of the graph",
            one.clip.clip.info.name,
            one.clip.n_frames() - 1
        );
    }
    Ok(())
}

fn transition_settings(args: &Args) -> TransitionSettings {
    TransitionSettings {
        means: match args.means {
            MeansArg::Best => TransitionMethod::Best,
            MeansArg::Direct => TransitionMethod::Direct,
            MeansArg::Path => TransitionMethod::Path,
            MeansArg::Bezier => TransitionMethod::Bezier,
            MeansArg::Paper => TransitionMethod::Paper,
            MeansArg::Linear => TransitionMethod::Linear,
        },
        kind: args.join.map(|join| match join {
            JoinArg::Dead => JoinKind::Dead,
            JoinArg::Quintic => JoinKind::Quintic,
            JoinArg::Fade => JoinKind::Fade,
        }),
        secs: args.length,
        matching: match args.matching {
            MatchArg::Auto => Match::Auto,
            MatchArg::Pelvis => Match::Pelvis,
            MatchArg::LeftFoot => Match::LeftFoot,
            MatchArg::RightFoot => Match::RightFoot,
        },
        lock_feet: args.feet == FeetArg::Lock,
        path: None,
        shape: JoinShape::default(),
        ..TransitionSettings::default()
    }
}

#[cfg(test)]
mod tests {
    use super::args::length;
    use super::*;

    #[test]
    fn interruptions_are_read() {
        let read: Interrupt = "2@31".parse().unwrap();
        assert_eq!((read.action, read.frame), (2, 31));
        for wrong in ["", "2", "@3", "2@", "2@-1", "a@3", "2@3@4"] {
            wrong.parse::<Interrupt>().unwrap_err();
        }
        assert_eq!(length("0.5"), Ok(0.5));
        for wrong in ["0", "-1", "11", "nan", "x"] {
            length(wrong).unwrap_err();
        }
    }
}
