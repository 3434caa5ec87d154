//! `kinfolk graph`: the transition graph of a set of clips.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use serde_json::json;

use super::consistent_clips::{
    at_one_rate, leave_out, no_clip, on_one_skeleton, with_motion, with_own_names,
};
use super::inputs::load_all;
use super::progress::{Watched, ticket_for_ctrl_c};
use super::{
    Common, End, TO_STRING, between, check_file, onto, parts, positive, print, print_json, styles,
    usage, whole, write_file,
};
use crate::file::graph_file::{self, MOST_PATHS};
use crate::jobs::Ticket;
use crate::motion::PoseMetricSettings;
use crate::transition::{
    GraphParts, GraphSettings, GraphSummary, TransitionError, TransitionGraph,
};

/// A table of all candidate paths grows with the square of the clusters; of so many it takes about a gigabyte.
const MOST_COUNTED: usize = 3000;

/// Builds the transition graph of clips
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Clips on one skeleton. Files, or folders with all .bvh files below
    #[arg(
        required_unless_present = "to",
        conflicts_with = "to",
        value_name = "CLIP"
    )]
    clips: Vec<PathBuf>,
    /// The file to write; it holds the clips, too
    #[arg(long, value_name = "GRAPH.ron")]
    out: PathBuf,
    /// A graph to change with --add, --remove or the options of the graph, instead of clips
    #[arg(long, value_name = "GRAPH.ron")]
    to: Option<PathBuf>,
    /// Bring every clip onto the skeleton of this BVH or FBX file first
    #[arg(long, value_name = "SKELETON", conflicts_with = "to")]
    onto: Option<PathBuf>,
    /// Clips to add to the graph of --to; its threshold stays
    #[arg(long, num_args = 1.., value_name = "CLIP")]
    add: Vec<PathBuf>,
    /// Names of clips to take out of the graph of --to
    #[arg(long, num_args = 1.., value_name = "NAME")]
    remove: Vec<String>,
    /// Clips may be played backwards on the way from one cluster to another
    #[arg(long)]
    undirected: bool,
    /// Poses nearer than this to a cluster's centre belong to it: radians over all counted joints [default: the finest
    /// that makes a connected graph]
    #[arg(long, value_name = "T", value_parser = positive)]
    threshold: Option<f64>,
    /// Candidate paths of each pair of clusters [default: 5]
    #[arg(long, value_name = "K", value_parser = whole(1, MOST_PATHS))]
    paths: Option<usize>,
    /// Weight of velocities against poses, in seconds [default: 0.1]
    #[arg(long, value_name = "SECS", value_parser = between(0.0, HEAVIEST), conflicts_with = "to")]
    velocity: Option<f64>,
    /// The weight of a joint in the distance of poses; 0 leaves it out; may be given several times [default: 1 for
    /// hips, knees, shoulders, elbows, pelvis and spine, 0 for the rest]
    #[arg(long, value_name = "JOINT=W", value_parser = weight, conflicts_with = "to")]
    weight: Vec<(String, f64)>,
    /// Also writes the graph for Graphviz: clusters by the clip and frame of their centre, edges with their costs
    #[arg(long, value_name = "GRAPH.dot")]
    dot: Option<PathBuf>,
}

/// Weights and seconds beyond this leave nothing of what is weighed against them.
const HEAVIEST: f64 = 1e6;

fn weight(text: &str) -> Result<(String, f64), String> {
    let wrong = |why: String| format!("{why}; expected a joint and a weight, such as LeftHand=0.5");
    let (joint, value) = parts::split(text).map_err(|_split| wrong("no \"=\"".to_owned()))?;
    Ok((joint, between(0.0, HEAVIEST)(&value).map_err(wrong)?))
}

/// A graph and how it came about.
struct BuiltGraph {
    graph: TransitionGraph,
    text: String,
    /// Whether no clip had to be left out.
    all_used: bool,
    seconds: f64,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    for file in [Some(&args.out), args.dot.as_ref()] {
        file.map_or(Ok(()), |file| check_file(file, common))?;
    }
    // Said here because clap passes over what is required when it conflicts with what is there.
    let changes = !(args.add.is_empty() && args.remove.is_empty());
    anyhow::ensure!(
        args.to.is_some() || !changes,
        usage("--add and --remove change a graph that --to names")
    );
    let ticket = ticket_for_ctrl_c()?;
    let made = match &args.to {
        Some(path) => changed(path, args, common, &ticket),
        None => built(args, common, &ticket),
    };
    let made = match made {
        Err(error) if is_cancelled(&error) => return Ok(End::Cancelled),
        made => made?,
    };
    let summary = made.graph.summary();
    let started = Instant::now();
    let n_pairs = pairs_with_path(&made.graph, &summary, common, &ticket);
    ticket.check()?;
    let path_seconds = started.elapsed().as_secs_f64();
    write_file(&args.out, made.text.as_bytes(), common)?;
    if let Some(file) = &args.dot {
        write_file(file, graph_file::dot(&made.graph).as_bytes(), common)?;
    }
    if common.json {
        print_json(&json!({
            "file": args.out.display().to_string(),
            "clips": made.graph.clips().count(),
            "fps": made.graph.rig().fps,
            "frames": summary.frames,
            "left_out": summary.left_out,
            "clusters": summary.clusters,
            "short_clips": summary.short_clips,
            "edges": summary.edges,
            "transitions": summary.transitions,
            "pairs": summary.clusters * summary.clusters.saturating_sub(1),
            "pairs_with_path": n_pairs,
            "connected": summary.connected,
            "threshold": summary.threshold,
            "islands": summary.islands,
            "cluster_seconds": made.seconds,
            "path_seconds": path_seconds,
        }))?;
    } else {
        print(&as_text(args, &made, &summary, n_pairs, path_seconds))?;
    }
    Ok(if made.all_used {
        End::Done
    } else {
        End::SomeFailed
    })
}

pub(super) fn is_cancelled(error: &anyhow::Error) -> bool {
    matches!(
        error.downcast_ref::<TransitionError>(),
        Some(TransitionError::Cancelled(_))
    )
}

fn built(args: &Args, common: &Common, ticket: &Ticket) -> anyhow::Result<BuiltGraph> {
    let mut set = load_all(&args.clips, common, ticket)?;
    set.clips = onto::bring_all(set.clips, args.onto.as_deref())?;
    let mut all_used = set.all_read;
    let clips = on_one_skeleton(with_motion(set.clips, &mut all_used), &mut all_used)?;
    let first = clips.first().context("none of the clips can be used")?;
    for (name, _) in &args.weight {
        styles::site(first.skeleton(), name)?;
    }
    let fps = first.fps();
    let clips = at_one_rate(clips, fps, "graph", &mut all_used, common);
    let clips = with_own_names(clips, &[], "graph", common);
    let defaults = GraphSettings::default();
    let settings = GraphSettings {
        metric: PoseMetricSettings {
            velocity_secs: args.velocity.unwrap_or(defaults.metric.velocity_secs),
            weights: args.weight.clone(),
        },
        threshold: args.threshold,
        is_undirected: args.undirected,
        n_paths: args.paths.unwrap_or(defaults.n_paths),
        ..defaults
    };
    let started = Instant::now();
    let watched = Watched::start("clustering", ticket, common.quiet);
    let graph = TransitionGraph::build(&clips, &settings, ticket);
    watched.finish();
    let graph = graph?;
    Ok(BuiltGraph {
        text: graph_file::write(&graph)?,
        graph,
        all_used,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// Another set of clips in the graph of a file. It is clustered with the threshold and the metric it had, so that the
/// reported numbers are those of the graph as it will be opened.
fn changed(
    path: &Path,
    args: &Args,
    common: &Common,
    ticket: &Ticket,
) -> anyhow::Result<BuiltGraph> {
    let mut parts = graph_file::read(path).with_context(|| path.display().to_string())?;
    for name in &args.remove {
        let at = parts.clips.iter().position(|c| c.info.name == *name);
        let at = at.with_context(|| no_clip("graph", name, parts.clips.iter().map(|c| &**c)))?;
        parts.clips.remove(at);
    }
    let mut all_used = true;
    if !args.add.is_empty() {
        let set = load_all(&args.add, common, ticket)?;
        all_used = set.all_read;
        let mut clips = with_motion(set.clips, &mut all_used);
        clips.retain(|clip| {
            let fits = parts.rig.metric.fits(clip);
            if !fits {
                leave_out(
                    clip,
                    "it is on another skeleton than the graph; `kinfolk retarget` brings it there",
                );
                all_used = false;
            }
            fits
        });
        let clips = at_one_rate(clips, parts.rig.fps, "graph", &mut all_used, common);
        let clips = with_own_names(clips, &parts.clips, "graph", common);
        parts.clips.extend(clips);
    }
    set_options(&mut parts, args);
    let started = Instant::now();
    let watched = Watched::start("clustering", ticket, common.quiet);
    let graph = parts.build(ticket);
    watched.finish();
    Ok(BuiltGraph {
        graph: graph?,
        text: graph_file::write_parts(&parts)?,
        all_used,
        seconds: started.elapsed().as_secs_f64(),
    })
}

fn set_options(parts: &mut GraphParts, args: &Args) {
    if let Some(threshold) = args.threshold {
        parts.settings.threshold = Some(threshold);
        parts.threshold = threshold;
    }
    parts.settings.is_undirected |= args.undirected;
    parts.settings.n_paths = args.paths.unwrap_or(parts.settings.n_paths);
}

/// How many ordered pairs of clusters have a path; `None` if there are too many to look at.
fn pairs_with_path(
    graph: &TransitionGraph,
    summary: &GraphSummary,
    common: &Common,
    ticket: &Ticket,
) -> Option<usize> {
    if summary.clusters > MOST_COUNTED {
        return None;
    }
    let watched = Watched::start("searching paths", ticket, common.quiet);
    let table = graph.path_table(ticket);
    watched.finish();
    table.map(|table| table.n_pairs_with_path())
}

fn as_text(
    args: &Args,
    made: &BuiltGraph,
    summary: &GraphSummary,
    n_pairs: Option<usize>,
    path_seconds: f64,
) -> String {
    let graph = &made.graph;
    let mut text = format!(
        "{} clips, {} frames at {:.0} a second",
        graph.clips().count(),
        summary.frames + summary.left_out,
        graph.rig().fps
    );
    if summary.left_out > 0 {
        let n = summary.left_out;
        write!(text, "; {n} in which a joint jumps are left out").expect(TO_STRING);
    }
    writeln!(
        text,
        "\n{} clusters (threshold {:.2}), {} short clips, {} transitions along {} edges; {:.2} s",
        summary.clusters,
        summary.threshold,
        summary.short_clips,
        summary.transitions,
        summary.edges,
        made.seconds
    )
    .expect(TO_STRING);
    match n_pairs {
        Some(n) => {
            let pairs = summary.clusters * summary.clusters.saturating_sub(1);
            let percent = 100.0 * n as f64 / pairs.max(1) as f64;
            writeln!(
                text,
                "{n} of {pairs} pairs of clusters ({percent:.0} %) have a path; {path_seconds:.2} s"
            )
            .expect(TO_STRING);
        }
        None => text.push_str("too many clusters to count the pairs with a path\n"),
    }
    let percent = 100.0 * summary.connected;
    if summary.islands.is_empty() {
        writeln!(
            text,
            "connected: the start of every clip is reached from at least half of all frames; {percent:.0} % of the clusters lead to each other"
        )
        .expect(TO_STRING);
    } else {
        writeln!(
            text,
            "not connected: these clips begin where fewer than half of all frames lead to: {}",
            summary.islands.join(", ")
        )
        .expect(TO_STRING);
        let backwards = if graph.settings().is_undirected {
            ""
        } else {
            "--undirected or "
        };
        writeln!(
            text,
            "they are joined directly or by interpolation; clips that pass near their first poses would help, {backwards}a --threshold over {:.2} may",
            summary.threshold
        )
        .expect(TO_STRING);
    }
    writeln!(text, "{}", args.out.display()).expect(TO_STRING);
    text
}
