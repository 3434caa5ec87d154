//! `kinfolk learn`: a variation model from a few clips.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use serde_json::json;

use super::inputs::load_all;
use super::onto::OntoArgs;
use super::progress::{Watched, ticket_for_ctrl_c};
use super::{Common, End, TO_STRING, check_file, print, print_json, reason, whole, write_file};
use crate::file::{network, variation_model};
use crate::motion::Clip;
use crate::variation::{
    ClipModel, Concern, LearnError, LearnSettings, Method, MotionType, OneTake, PaperSettings,
    Structure, StructureKind, check_takes, one_or_more,
};

/// Learns a variation model from a few clips
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Similar clips on one skeleton; four are usual. A single one that repeats itself is cut into its repeats; a short one
    /// varies each joint by itself (see `vary --from`). Files, or folders with all .bvh files below
    #[arg(required = true, value_name = "CLIP")]
    clips: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "MODEL.ron")]
    out: PathBuf,
    /// Also writes the network, who depends on whom, as a graph for Graphviz
    #[arg(long, value_name = "NETWORK.dot")]
    dot: Option<PathBuf>,
    /// Also writes all edges as a table: coefficient, partial correlation, and worth on takes left out
    #[arg(long, value_name = "EDGES.csv")]
    edges: Option<PathBuf>,
    #[command(flatten)]
    onto: OntoArgs,
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

/// Where the edges come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum StructureArg {
    /// Found by search
    Learned,
    /// No edges, for comparison
    None,
    /// As many edges between random nodes, for comparison
    Random,
    /// Every node depends on all before it, for comparison
    Full,
}

/// Which recipe a model is learned by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum MethodArg {
    /// One network that is scored, sampled and shown
    Network,
    /// The paper's own: kernel regression on changes
    Paper,
}

/// Settings that can be given on the command line.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct SettingArgs {
    /// How the motion runs [default: judged by whether the clips close]
    #[arg(long, value_enum)]
    course: Option<CourseArg>,
    /// Where the edges of the network come from
    #[arg(long, value_enum, default_value = "learned")]
    structure: StructureArg,
    /// Which recipe
    #[arg(long, value_enum, default_value = "network")]
    method: MethodArg,
    /// How many of the most alike moments each degree of freedom goes by, with --method paper
    #[arg(long, value_name = "K", default_value_t = PaperSettings::default().neighbours, value_parser = whole(2, 1000))]
    neighbours: usize,
}

impl SettingArgs {
    pub(super) fn settings(&self, common: &Common) -> LearnSettings {
        LearnSettings {
            motion_type: self.course.map(|course| match course {
                CourseArg::Through => MotionType::OneShot,
                CourseArg::Around => MotionType::Cyclic,
                CourseArg::Free => MotionType::Unaligned,
            }),
            method: match self.method {
                MethodArg::Network => Method::Network,
                MethodArg::Paper => Method::Paper,
            },
            structure: match self.structure {
                StructureArg::Learned => StructureKind::Learned,
                StructureArg::None => StructureKind::None,
                StructureArg::Random => StructureKind::Random,
                StructureArg::Full => StructureKind::Full,
            },
            paper: PaperSettings {
                neighbours: self.neighbours,
                seed: common.seed,
                ..PaperSettings::default()
            },
            ..LearnSettings::default()
        }
    }
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    for file in [Some(&args.out), args.dot.as_ref(), args.edges.as_ref()] {
        file.map_or(Ok(()), |file| check_file(file, common))?;
    }
    let ticket = ticket_for_ctrl_c()?;
    let mut set = load_all(&args.clips, common, &ticket)?;
    set.clips = args.onto.bring(set.clips)?;
    let started = Instant::now();
    let settings = args.settings.settings(common);
    let (takes, one) = one_or_more(set.clips.clone());
    let checked = match check_takes(&takes.iter().collect::<Vec<&Clip>>()) {
        Ok(checked) => checked,
        Err(error) => return Ok(refused(&error.into())),
    };
    if !go_on(&checked.concerns, common) {
        return Ok(End::SomeFailed);
    }
    let clips: Vec<&Clip> = checked.clips.iter().collect();
    let watched = Watched::start("learning", &ticket, common.quiet);
    let learned = ClipModel::learn(&clips, &settings, &ticket);
    watched.finish();
    let model = match learned {
        Err(LearnError::Cancelled(_)) => return Ok(End::Cancelled),
        Err(error) => return Ok(refused(&error.into())),
        Ok(model) => model,
    };
    let seconds = started.elapsed().as_secs_f64();
    let text = variation_model::write_clips(&model)?;
    write_file(&args.out, text.as_bytes(), common)?;
    write_networks(args, &model, common)?;
    if model.model().method() == Method::Paper
        && settings.method == Method::Network
        && !common.quiet
    {
        tell!(
            "note: takes that are not in step have no phase for a network; learned by the paper's regression"
        );
    }
    if let Some(one) = &one
        && !common.quiet
    {
        tell!("note: {one}");
        if *one == OneTake::Plain {
            tell!(
                "note: with a model of others, `kinfolk vary MODEL --from CLIP` varies it as it does"
            );
        }
    }
    let inner = model.model();
    if common.json {
        print_json(&json!({
            "one_take": one.as_ref().map(ToString::to_string),
            "file": args.out.display().to_string(),
            "clips": inner.examples().n_takes(),
            "frames": inner.examples().n_frames(),
            "fps": model.fps(),
            "dofs": inner.examples().n_dofs(),
            "course": course_word(inner.examples().motion_type()),
            "method": match inner.method() { Method::Network => "network", Method::Paper => "paper" },
            "parents_mean": inner.mean_parents(),
            "edges": inner.network().map(|network| network.structure().n_edges()),
            "score": inner.score(),
            "concerns": checked.concerns.iter().map(ToString::to_string).collect::<Vec<_>>(),
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

/// Clips that cannot be learned from are bad inputs, not a failure to start.
fn refused(error: &anyhow::Error) -> End {
    tell!("error: {}", reason(error));
    End::SomeFailed
}

/// Says what speaks against learning, and whether to go on all the same.
pub(super) fn go_on(concerns: &[Concern], common: &Common) -> bool {
    let mut is_grave = false;
    for concern in concerns {
        let is_error = concern.is_grave() && !common.force;
        is_grave |= is_error;
        if is_error {
            tell!("error: {concern}");
        } else if !common.quiet {
            tell!("warning: {concern}");
        }
    }
    if is_grave {
        tell!("nothing was learned; --force learns all the same");
    }
    !is_grave
}

/// How a motion runs, as `--course` spells it.
const fn course_word(motion_type: MotionType) -> &'static str {
    match motion_type {
        MotionType::OneShot => "through",
        MotionType::Cyclic => "around",
        MotionType::Unaligned => "free",
    }
}

/// The files beside the model that were asked for.
fn write_networks(args: &Args, model: &ClipModel, common: &Common) -> anyhow::Result<()> {
    if let Some(file) = &args.dot {
        write_file(file, network::network_dot(model).as_bytes(), common)?;
    }
    if let Some(file) = &args.edges {
        write_file(file, network::edges_csv(model).as_bytes(), common)?;
    }
    Ok(())
}

fn as_text(model: &ClipModel, seconds: f64) -> String {
    let inner = model.model();
    let examples = inner.examples();
    let course = match examples.motion_type() {
        MotionType::OneShot => "runs from a beginning to an end",
        MotionType::Cyclic => "is a cycle",
        MotionType::Unaligned => "may begin and end anywhere",
    };
    let n_takes = examples.n_takes();
    let mut text = format!(
        "{n_takes} {}, {} frames at {:.0} a second, {} degrees of freedom; the motion {course}\n",
        if n_takes == 1 { "clip" } else { "clips" },
        examples.n_frames(),
        model.fps(),
        examples.n_dofs()
    );
    if n_takes == 1 {
        // There are no others to be foretold by, nor one to leave out.
        writeln!(text, "each joint varies by itself; {seconds:.1} s").expect(TO_STRING);
        return text;
    }
    if let Some(score) = inner.score() {
        let bare = inner.score_of(&Structure::none(inner.nodes().len()));
        let from = bare.map_or_else(String::new, |bare| format!(", {bare:.3} without edges"));
        writeln!(
            text,
            "{:.1} parents per node; score on takes left out {score:.3}{from}; {seconds:.1} s",
            inner.mean_parents(),
        )
        .expect(TO_STRING);
    }
    text.push_str("each clip foretold by the others, distance in standard deviations:\n");
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
