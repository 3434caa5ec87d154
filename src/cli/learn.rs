//! `kinfolk learn`: a variation model from a few clips.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use serde_json::json;

use super::inputs::load_all;
use super::progress::{Watched, ticket_for_ctrl_c};
use super::{Common, End, TO_STRING, check_file, print, print_json, write_file};
use crate::file::{network, variation_model};
use crate::jobs::Ticket;
use crate::variation::{ClipModel, Course, LearnError, LearnSettings};

/// Learns a variation model from a few clips
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Two or more similar clips on one skeleton; four are usual. Files, or folders with all .bvh files below
    #[arg(required = true, value_name = "CLIP")]
    clips: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "MODEL.ron")]
    out: PathBuf,
    /// Also writes both networks, who listens to whom, as graphs for Graphviz
    #[arg(long, value_name = "NETWORKS.dot")]
    dot: Option<PathBuf>,
    /// Also writes all edges of both networks as a table, with what each brings to the score
    #[arg(long, value_name = "EDGES.csv")]
    edges: Option<PathBuf>,
    #[command(flatten)]
    settings: SettingArgs,
}

/// How the motion runs, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum CourseArg {
    /// From a beginning to an end
    Through,
    /// Each clip is one cycle
    Around,
    /// Clips begin and end anywhere; no progress is known
    Free,
}

/// Settings that can be given on the command line.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct SettingArgs {
    /// How the motion runs [default: judged by whether the clips close]
    #[arg(long, value_enum)]
    course: Option<CourseArg>,
    /// How many of the most alike moments each degree of freedom goes by
    #[arg(long, value_name = "K", default_value_t = LearnSettings::default().neighbours)]
    neighbours: usize,
}

impl SettingArgs {
    pub(super) fn settings(&self, common: &Common) -> LearnSettings {
        LearnSettings {
            course: self.course.map(|course| match course {
                CourseArg::Through => Course::Through,
                CourseArg::Around => Course::Around,
                CourseArg::Free => Course::Free,
            }),
            neighbours: self.neighbours,
            seed: common.seed,
            ..LearnSettings::default()
        }
    }
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    for file in [Some(&args.out), args.dot.as_ref(), args.edges.as_ref()] {
        file.map_or(Ok(()), |file| check_file(file, common))?;
    }
    let ticket = ticket_for_ctrl_c()?;
    let set = load_all(&args.clips, common, &ticket)?;
    let started = Instant::now();
    let settings = args.settings.settings(common);
    let watched = Watched::start("learning", &ticket, common.quiet);
    let learned = ClipModel::learn(&set.refs(), &settings, &ticket);
    watched.finish();
    let model = match learned {
        Err(LearnError::Cancelled(_)) => return Ok(End::Cancelled),
        other => other?,
    };
    let seconds = started.elapsed().as_secs_f64();
    let text = variation_model::write_clips(&model)?;
    write_file(&args.out, text.as_bytes(), common)?;
    write_networks(args, &model, common)?;
    let (inner, report) = (model.model(), model.model().report());
    if common.json {
        print_json(&json!({
            "file": args.out.display().to_string(),
            "clips": inner.examples().n_takes(),
            "frames": inner.examples().n_frames(),
            "fps": model.fps(),
            "dofs": inner.examples().n_dofs(),
            "course": format!("{:?}", inner.examples().course()).to_lowercase(),
            "parents_mean": inner.structure().mean_parents(),
            "score": report.score(),
            "prior_score": report.prior_score,
            "runs": report.n_runs,
            "left_out": inner.remake_takes().iter().map(|one| json!({
                "clip": one.take, "likelihood": one.log_likelihood, "error": one.error,
            })).collect::<Vec<_>>(),
            "seconds": seconds,
        }))?;
    } else {
        print(&as_text(&model, seconds))?;
    }
    Ok(if set.all_read {
        End::Done
    } else {
        End::SomeFailed
    })
}

/// The files beside the model that were asked for.
fn write_networks(args: &Args, model: &ClipModel, common: &Common) -> anyhow::Result<()> {
    if let Some(file) = &args.dot {
        let text = [network::transition_dot(model), network::prior_dot(model)].concat();
        write_file(file, text.as_bytes(), common)?;
    }
    if let Some(file) = &args.edges {
        let inner = model.model();
        let transition = inner.worth_of_all_parents(&Ticket::default())?.concat();
        let prior = inner.worth_of_prior_parents()?.concat();
        let text = network::edges_csv(model, &transition, &prior);
        write_file(file, text.as_bytes(), common)?;
    }
    Ok(())
}

fn as_text(model: &ClipModel, seconds: f64) -> String {
    let inner = model.model();
    let examples = inner.examples();
    let course = match examples.course() {
        Course::Through => "runs from a beginning to an end",
        Course::Around => "is a cycle",
        Course::Free => "may begin and end anywhere",
    };
    let mut text = format!(
        "{} clips, {} frames at {:.0} a second, {} degrees of freedom; the motion {course}\n",
        examples.n_takes(),
        examples.n_frames(),
        model.fps(),
        examples.n_dofs()
    );
    let steps = &inner.report().steps;
    if let (Some(first), Some(last)) = (steps.first(), steps.last()) {
        writeln!(
            text,
            "{:.1} parents per node; score {:.3}, from {:.3} without any; {seconds:.1} s",
            inner.structure().mean_parents(),
            last.1,
            first.1
        )
        .expect(TO_STRING);
    }
    text.push_str("each clip made again from the others, error in standard deviations:\n");
    for one in inner.remake_takes() {
        writeln!(
            text,
            "{:>8.2}  likelihood {:>8.3}  {}",
            one.error, one.log_likelihood, one.take
        )
        .expect(TO_STRING);
    }
    text
}
