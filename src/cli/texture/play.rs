//! `kinfolk texture play`: a motion from a list of actions, along a path, or steered.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;

use super::actions::{Actions, seconds};
use super::course::Course;
use super::played::{Along, Played};
use super::{open, plan, report};
use crate::cli::progress::{Watched, ticket_for_ctrl_c};
use crate::cli::styles::write_bvh;
use crate::cli::{Common, End, between, check_file, onto, positive};
use crate::file::{bytes_of, texture_csv};
use crate::jobs::Ticket;
use crate::texture::{PlaySettings, Source, Steer, Texture};

/// How long the last row of a steering table is followed if nobody says; seconds.
const LAST_SECS: f64 = 3.0;

/// Larger deviations than so many times the usual are no motion any more.
const MOST_AMOUNT: f64 = 3.0;

/// Plays actions in an order, along a path on the floor, or as they are steered
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true).multiple(true).args(["actions", "path", "steer"]))]
#[command(after_long_help = "\
Without --path and --steer the actions follow each other. All lengths are in units of the clips. --json tells: path_error_mean, \
path_error_p95 and path_error_max, how far the smoothed root is from the rounded path; hits, the share of points of the path that \
it passes within 10 cm of a body of 1.75 m; covered, the share of the path that was gone; foot_skate, the mean speed of toes that are \
down; bends, where the clips do not turn as the path does and had to be bent, by how much; off_label, where another action is shown \
than the one asked for; unreached, actions that no transition leads to and which were joined directly; detours, what is shown on the \
way from one action to the next; labels, what is shown from which frame on; joins, as `kinfolk sequence` tells them, with fallback for \
those that lead further than transitions do otherwise. Without a path the numbers about it are null.")]
pub(super) struct Args {
    /// What `kinfolk texture learn` wrote
    #[arg(value_name = "TEXTURE.ron")]
    texture: PathBuf,
    /// The motion, at the frame rate of the texture
    #[arg(long, value_name = "OUT.bvh")]
    out: PathBuf,
    /// Actions in this order, each for 4 seconds or as said; names with commas in double quotes. With --path: what is
    /// allowed where the path does not say
    #[arg(long, value_name = "NAME[:SECS],...")]
    actions: Option<Actions>,
    /// A path on the floor: a table x,z, in units of the clips, with the action from there on as an optional third
    /// column. If Y is not up, these are to the left and forward
    #[arg(long, value_name = "PATH.csv")]
    path: Option<PathBuf>,
    /// The least radius of corners of the path, in units of the clips [default: what the actions turn with, 0.3 to 2
    /// m of a body of 1.75 m]
    #[arg(long, value_name = "R", requires = "path", conflicts_with = "steer", value_parser = positive)]
    radius: Option<f64>,
    /// Steering: a table time,heading,speed,action. Seconds; degrees with 0 forward and 90 to the left; units of the
    /// clips a second, or empty; an action, or empty to keep the one before
    #[arg(long, value_name = "STEER.csv", conflicts_with_all = ["actions", "path"])]
    steer: Option<PathBuf>,
    // clap passes over what is required when it conflicts with what is there, hence conflicts.
    /// How long to steer [default: 3 seconds after the last row]
    #[arg(long, value_name = "SECS", conflicts_with_all = ["actions", "path"], value_parser = seconds)]
    secs: Option<f64>,
    /// Bring the motion onto the skeleton of this BVH or FBX file
    #[arg(long, value_name = "SKELETON")]
    to: Option<PathBuf>,
    /// Also draws the motion from above: the path grey, the way of the body in the colour of its action, dots where
    /// feet stand
    #[arg(long, value_name = "PLAN.png")]
    plan: Option<PathBuf>,
    /// Plays the clips' own frames instead of those of the systems
    #[arg(long, conflicts_with = "amount")]
    replay: bool,
    /// How much the motion differs from the clips: 0 not at all, 1 as takes differ from each other, up to 3
    #[arg(long, value_name = "A", default_value_t = 1.0, value_parser = between(0.0, MOST_AMOUNT))]
    amount: f64,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    check_file(&args.out, common)?;
    let target = onto::character(args.to.as_deref())?;
    if let Some(plan) = &args.plan {
        check_file(plan, common)?;
    }
    let texture = open(&args.texture, common, &ticket)?;
    notes(args, &texture, common);
    let started = Instant::now();
    let mut played = played(args, &texture, common, &ticket)?;
    ticket.check()?;
    let ms = started.elapsed().as_secs_f64() * 1e3;
    played.ms_per_frame = ms / played.motion.clip.n_frames() as f64;
    let info = &mut played.motion.clip.info;
    let name = args.out.file_stem().unwrap_or_default().to_string_lossy();
    info.name = name.into_owned();
    info.history.push(described(args));
    let brought = onto::bring(&played.motion.clip, target.as_ref())?;
    write_bvh(&brought, &args.out, common)?;
    if let Some(file) = &args.plan {
        let legend = plan::write(&played, &texture, file, common)?;
        if !common.quiet {
            let words = legend
                .iter()
                .map(|(name, colour)| format!("{name} {colour}"));
            let words = words.collect::<Vec<_>>().join(", ");
            tell!("{}: {words}", file.display());
        }
    }
    report::print(&played, &texture, &args.out, common)?;
    Ok(End::Done)
}

fn notes(args: &Args, texture: &Texture, common: &Common) {
    if common.quiet {
        return;
    }
    if common.fps.is_some() {
        let fps = texture.corpus().fps();
        tell!(
            "note: the motion has the {fps} frames a second of the texture; --fps changes nothing"
        );
    }
    if args.path.is_some() && args.actions.as_ref().is_some_and(Actions::has_times) {
        tell!("note: along a path the times of --actions change nothing");
    }
}

fn described(args: &Args) -> String {
    let name = |path: &Path| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    let names = args.actions.as_ref().map(|a| a.names().join(", "));
    let what = match (&args.path, &args.steer) {
        (Some(path), _) => format!("along {}", name(path)),
        (_, Some(steer)) => format!("steered by {}", name(steer)),
        _ => names.unwrap_or_default(),
    };
    let how = if args.replay { "replayed" } else { "played" };
    format!("{what}, {how} from {}", name(&args.texture))
}

fn played(
    args: &Args,
    texture: &Texture,
    common: &Common,
    ticket: &Ticket,
) -> anyhow::Result<Played> {
    let settings = PlaySettings {
        source: if args.replay {
            Source::Replay
        } else {
            Source::Systems
        },
        amount: args.amount,
        seed: common.seed,
        ..PlaySettings::default()
    };
    let names = args.actions.as_ref().map(Actions::names);
    let names = names.unwrap_or_default();
    if let Some(file) = &args.path {
        let course = Course::read(file, args.radius, &names, texture)?;
        return watched(common, ticket, || along(course, texture, &settings, ticket));
    }
    if let Some(file) = &args.steer {
        let steering = steering(file, texture).with_context(|| file.display().to_string())?;
        let last = steering.last().map_or(0.0, |s| s.secs);
        let secs = args.secs.unwrap_or(last + LAST_SECS);
        return watched(common, ticket, || {
            let motion = texture.perform_steering(&steering, secs, &settings, ticket);
            Ok(motion?.into())
        });
    }
    let order = args.actions.as_ref().map(Actions::order);
    let order = order.unwrap_or_default();
    watched(common, ticket, || {
        Ok(texture.perform_order(&order, &settings, ticket)?.into())
    })
}

fn watched<T>(
    common: &Common,
    ticket: &Ticket,
    work: impl FnOnce() -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let watched = Watched::start("playing", ticket, common.quiet);
    let done = work();
    watched.finish();
    done
}

pub(super) fn along(
    course: Course,
    texture: &Texture,
    settings: &PlaySettings,
    ticket: &Ticket,
) -> anyhow::Result<Played> {
    let made = texture.perform_path(&course.path, &course.actions, settings, ticket)?;
    Ok(Played {
        motion: made.motion,
        along: Some(Along {
            course,
            fit: made.fit,
            followed: made.followed,
            stretch: made.stretch,
        }),
        ms_per_frame: 0.0,
    })
}

/// Reads a steering table. Actions that no clip has are refused with the line that asks for them.
fn steering(file: &Path, texture: &Texture) -> anyhow::Result<Vec<Steer>> {
    let rows = texture_csv::steering(&bytes_of(file)?)?;
    let mut steering = Vec::with_capacity(rows.len());
    for row in rows {
        if let Some(action) = &row.action {
            let known = texture.command(action);
            known.with_context(|| format!("line {}", row.line))?;
        }
        steering.push(Steer {
            secs: row.secs,
            heading_rad: row.heading_deg.to_radians(),
            speed: row.speed,
            action: row.action,
        });
    }
    Ok(steering)
}
