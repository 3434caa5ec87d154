//! `kinfolk sequence`: clips in an order, or at random, with transitions between them.

mod random;
mod report;
mod targets;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;

use super::consistent_clips::no_clip;
use super::graph::is_cancelled;
use super::inputs::{expand, load_motion};
use super::progress::{Watched, ticket_for_ctrl_c};
use super::styles::write_bvh;
use super::{Common, End, check_file, onto, positive, usage};
use crate::file::{MOTION_ENDINGS, graph_file};
use crate::jobs::Ticket;
use crate::motion::Clip;
use crate::motion::join::{JoinClip, JoinKind, JoinShape, Match};
use crate::transition::{
    Leave, SequenceAction, SequenceSettings, Transition, TransitionGraph, TransitionMethod,
    TransitionSettings, sequence,
};
use random::Probability;
use targets::{Target, TargetHit};

/// Plays clips in an order, with transitions between them
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
Of each join --json tells: from, to; kind (dead, quintic or fade: joined at once; path: along clusters of the graph; bezier: \
interpolated); at, the first frame that is not the source's; frames, how many are blended, interpolated or of clips in between; \
enter, the frame of the clip it begins with; cost, the distance of the poses that meet, or the cost of the path; pose_jump, the \
largest step between two frames where the sides meet, degrees; velocity_jump, the largest change of velocity there, degrees per second; jerk_ratio and \
space_jerk_ratio, the largest jerk of joints and of head, hands, feet and pelvis in space, over the 99th percentile of the \
clips; overshoot_deg, how far a joint leaves the range of the clips, degrees; foot_slide, mean speed of feet on the floor, metres per \
second of a body of 1.75 m; posture, mean distance from the nearest poses of the clips, radians; path, the clusters.")]
pub(super) struct Args {
    /// The graph file, from `kinfolk graph`
    #[arg(value_name = "GRAPH.ron")]
    graph: PathBuf,
    /// What is played, in this order: names of clips in the graph, files, or folders; the same may stand several times
    #[arg(required = true, value_name = "CLIP")]
    clips: Vec<PathBuf>,
    /// The motion, at the frame rate of the graph
    #[arg(long, value_name = "OUT.bvh")]
    out: PathBuf,
    /// Plays the whole sequence this many times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    repeat: u16,
    /// Leaves clip I, counted from 0 in all that is played, after its frame F at the rate of the graph; may be given
    /// several times
    #[arg(long, value_name = "I@F")]
    interrupt: Vec<Interrupt>,
    /// How poses are blended [default: by measurement]
    #[arg(long, value_enum)]
    join: Option<JoinArg>,
    /// How transitions are made; path falls back to bezier where there is none
    #[arg(long, value_enum, default_value = "best")]
    means: MeansArg,
    /// Length of joins in seconds [default: by measurement]
    #[arg(long, value_name = "SECS", value_parser = length)]
    length: Option<f64>,
    /// The joint whose world position and heading are continuous across a transition
    #[arg(long = "match", value_enum, default_value = "auto")]
    matching: MatchArg,
    /// Foot lock in transitions
    #[arg(long, value_enum, default_value = "lock")]
    feet: FeetArg,
    /// Target position of a joint or end site of clip I at the moment of effect, in units of the clips: the clip is
    /// blended from examples to reach it; one for each clip
    #[arg(long, value_name = "JOINT=x,y,z@I", allow_hyphen_values = true)]
    target: Vec<Target>,
    /// Examples of the action for --target: names, files or folders [default: clips of the graph whose names differ
    /// from the clip's in the last number only]
    #[arg(long, num_args = 1.., requires = "target", value_name = "CLIP")]
    examples: Vec<PathBuf>,
    /// Bring the motion onto the skeleton of this BVH or FBX file
    #[arg(long, value_name = "SKELETON")]
    to: Option<PathBuf>,
    /// Random play: plays the clips in random order for this long
    #[arg(long, value_name = "SECONDS", value_parser = random::seconds, conflicts_with_all = ["interrupt", "target", "repeat"])]
    random: Option<f64>,
    /// Weight of clip B after clip A in random play, against 1 for every other; may be given several times
    #[arg(long, value_name = "A>B=W", requires = "random")]
    probability: Vec<Probability>,
}

/// `I@F`: the clip's number in the sequence, and the frame after which it is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Interrupt {
    action: usize,
    frame: usize,
}

impl FromStr for Interrupt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('@');
        let numbers = numbers.and_then(|(i, f)| Some((i.parse().ok()?, f.parse().ok()?)));
        match numbers {
            Some((action, frame)) => Ok(Self { action, frame }),
            None => Err(format!(
                "expected the number of a clip and a frame such as 1@24, found \"{text}\""
            )),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum JoinArg {
    /// Fitted dead blending: the source goes on by itself and is faded out
    Dead,
    /// Quintic inertialisation
    Quintic,
    /// Cross-fade with the source's own frames
    Fade,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum MeansArg {
    /// All are tried and measured
    Best,
    /// A direct join of two clips
    Direct,
    /// Along a path of the graph
    Path,
    /// Interpolated along a Bezier curve through cluster centres
    Bezier,
    /// As the paper has it, cross-faded and without foot lock, for comparison
    Paper,
    /// Interpolated in a straight line, for comparison
    Linear,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum MatchArg {
    /// A foot in contact on both sides, else the pelvis
    Auto,
    Pelvis,
    LeftFoot,
    RightFoot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum FeetArg {
    Lock,
    Free,
}

/// Seconds of a join. Longer ones would be longer than any action.
fn length(text: &str) -> Result<f64, String> {
    let secs = positive(text)?;
    if secs <= 10.0 {
        Ok(secs)
    } else {
        Err("expected at most 10 seconds".to_owned())
    }
}

/// The sequence that is written and reported.
struct MadeSequence {
    clip: Clip,
    joins: Vec<SequenceJoin>,
    hits: Vec<TargetHit>,
    ms_per_frame: f64,
}

/// One transition, between clips of these names.
struct SequenceJoin {
    from: String,
    to: String,
    made: Transition,
}

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

/// The clips that words on the command line mean, each read once.
struct SequenceClips<'a> {
    graph: &'a Arc<TransitionGraph>,
    common: &'a Common,
    ticket: &'a Ticket,
    read: BTreeMap<PathBuf, Arc<JoinClip>>,
}

impl<'a> SequenceClips<'a> {
    fn new(graph: &'a Arc<TransitionGraph>, common: &'a Common, ticket: &'a Ticket) -> Self {
        Self {
            graph,
            common,
            ticket,
            read: BTreeMap::new(),
        }
    }

    /// Names of clips in the graph, files, or folders.
    fn find(&mut self, words: &[PathBuf]) -> anyhow::Result<Vec<Arc<JoinClip>>> {
        let mut found = Vec::new();
        for word in words {
            if let Some(clip) = self.named(&word.to_string_lossy()) {
                found.push(clip);
                continue;
            }
            for input in expand(std::slice::from_ref(word), self.common, self.ticket)? {
                found.push(self.file(&input.path)?);
            }
        }
        Ok(found)
    }

    fn named(&self, name: &str) -> Option<Arc<JoinClip>> {
        let (_, clip) = self
            .graph
            .clips()
            .find(|(_, clip)| clip.clip.info.name == name)?;
        Some(Arc::clone(clip))
    }

    fn file(&mut self, path: &Path) -> anyhow::Result<Arc<JoinClip>> {
        if let Some(known) = self.read.get(path) {
            return Ok(Arc::clone(known));
        }
        if !path.exists() {
            // A file that the graph was made from, but which is not on this machine.
            let ending = path.extension().unwrap_or_default().to_string_lossy();
            let is_motion = MOTION_ENDINGS.contains(&ending.to_ascii_lowercase().as_str());
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            if let Some(clip) = is_motion.then(|| self.named(&stem)).flatten() {
                return Ok(clip);
            }
            let clips = self.graph.clips().map(|(_, clip)| &*clip.clip);
            let words = no_clip("graph", &path.to_string_lossy(), clips);
            anyhow::bail!("there is no file {}, and {words}", path.display());
        }
        let clip = load_motion(path, None, self.common);
        let clip = clip.and_then(|clip| Ok(JoinClip::new(self.graph.rig(), &Arc::new(clip))?));
        let clip = Arc::new(clip.with_context(|| path.display().to_string())?);
        self.read.insert(path.to_owned(), Arc::clone(&clip));
        Ok(clip)
    }
}

#[cfg(test)]
mod tests {
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
