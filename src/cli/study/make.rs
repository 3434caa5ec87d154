//! `kinfolk study make`: a rating session as a folder.

use std::path::PathBuf;

use anyhow::Context as _;
use serde_json::json;

use super::super::inputs::{LoadedClips, load_all};
use super::super::progress::{Progress, ticket_for_ctrl_c};
use super::super::{Common, End, check_files, count, print, print_json, usage, write_file};
use crate::file::{bvh, study_page, study_plan};
use crate::jobs::Ticket;
use crate::motion::Clip;
use crate::motion::edit::{Placement, align};
use crate::study::sequences::{FEWEST_CLIPS, Sequencer, cycle_orders, varied_orders};
use crate::study::session::{Experiment, PER_RATER, Plan};

/// Makes a blind rating session: experiment A or B of Lau 2009, as a page that runs in any browser
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What raters are asked: natural (experiment A) or repetitive (experiment B)
    #[arg(long, value_enum)]
    experiment: What,
    /// Generated clips; for repetitive the clips that sequences are made of
    #[arg(long, required = true, num_args = 1.., value_name = "CLIP")]
    variants: Vec<PathBuf>,
    /// Natural: motion capture to mix them with
    #[arg(long, num_args = 1.., value_name = "CLIP", required_if_eq("experiment", "natural"))]
    real: Vec<PathBuf>,
    /// Repetitive: the clips that cycle animation plays again and again
    #[arg(long, num_args = 1.., value_name = "CLIP", required_if_eq("experiment", "repetitive"))]
    inputs: Vec<PathBuf>,
    /// Folder for the study; `page` in it is for raters, `study.ron` and `key.csv` are not
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// What raters see above it
    #[arg(long, value_name = "TEXT", default_value = "Motion study")]
    title: String,
    /// How many clips each rater watches
    #[arg(long, value_name = "N", default_value_t = PER_RATER, value_parser = count)]
    per_rater: usize,
    /// Repetitive: clips in a sequence
    #[arg(long, value_name = "N", default_value_t = FEWEST_CLIPS, value_parser = count)]
    clips: usize,
    /// Repetitive: sequences of each kind
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = count)]
    sequences: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum What {
    Natural,
    Repetitive,
}

/// Something to rate, with what it is.
struct Shown {
    condition: &'static str,
    source: String,
    clip: Clip,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    let variants = load_all(&args.variants, common, &ticket)?;
    let (experiment, shown, all_read) = match args.experiment {
        What::Natural => {
            let real = load_all(&args.real, common, &ticket)?;
            let mut shown = plain("variants", &variants);
            shown.extend(plain("motion capture", &real));
            (
                Experiment::Natural,
                shown,
                variants.all_read && real.all_read,
            )
        }
        What::Repetitive => {
            let inputs = load_all(&args.inputs, common, &ticket)?;
            let shown = sequences(args, common, &variants, &inputs, &ticket)?;
            (
                Experiment::Repetitive,
                shown,
                variants.all_read && inputs.all_read,
            )
        }
    };
    let listed: Vec<(String, String)> = shown
        .iter()
        .map(|one| (one.condition.to_owned(), one.source.clone()))
        .collect();
    let plan = Plan::new(
        &args.title,
        experiment,
        common.seed,
        args.per_rater,
        &listed,
    )?;
    let files = write(args, common, &plan, &shown)?;
    if common.json {
        let files: Vec<String> = files
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        let decks: Vec<&str> = plan.stimuli().iter().map(|s| s.id.as_str()).collect();
        print_json(&json!({
            "files": files, "stimuli": decks, "per_rater": plan.per_rater(),
            "conditions": plan.conditions(),
        }))?;
    } else {
        print(&format!(
            "{} stimuli, {} for each rater; send the folder {} to raters, keep the rest\n",
            plan.stimuli().len(),
            plan.per_rater(),
            args.out.join("page").display()
        ))?;
    }
    Ok(if all_read { End::Done } else { End::SomeFailed })
}

fn plain(condition: &'static str, set: &LoadedClips) -> Vec<Shown> {
    let one = |clip: &Clip| Shown {
        condition,
        source: clip.info.name.clone(),
        clip: clip.clone(),
    };
    set.clips.iter().map(one).collect()
}

/// Long sequences of both kinds, joined alike.
fn sequences(
    args: &Args,
    common: &Common,
    variants: &LoadedClips,
    inputs: &LoadedClips,
    ticket: &Ticket,
) -> anyhow::Result<Vec<Shown>> {
    anyhow::ensure!(
        args.clips >= FEWEST_CLIPS,
        usage(format!(
            "sequences have at least {FEWEST_CLIPS} clips: in shorter ones repetition is hard to see"
        ))
    );
    let (n, length, seed) = (args.sequences, args.clips, common.seed);
    if variants.clips.len() < length && !common.quiet {
        let found = variants.clips.len();
        tell!("warning: sequences of {length} clips from {found} variants show some of them twice");
    }
    let kinds = [
        (
            "variants",
            variants,
            varied_orders(variants.clips.len(), length, n, seed),
        ),
        (
            "cycle animation",
            inputs,
            cycle_orders(inputs.clips.len(), length, n, seed),
        ),
    ];
    let progress = Progress::start("joining", 2 * n, common.quiet);
    let mut shown = Vec::with_capacity(2 * n);
    for (condition, set, orders) in kinds {
        let sequencer = Sequencer::new(&set.refs())?;
        for (at, order) in orders.iter().enumerate() {
            let name = format!("{condition} {at}");
            shown.push(Shown {
                condition,
                clip: sequencer.play(order, &name, ticket)?,
                source: name,
            });
            progress.tick();
        }
    }
    progress.finish();
    Ok(shown)
}

fn write(
    args: &Args,
    common: &Common,
    plan: &Plan,
    shown: &[Shown],
) -> anyhow::Result<Vec<PathBuf>> {
    let out = &args.out;
    let clips: Vec<PathBuf> = plan
        .stimuli()
        .iter()
        .map(|stimulus| out.join("clips").join(format!("{}.bvh", stimulus.id)))
        .collect();
    let [page, study, key] = ["page/index.html", "study.ron", "key.csv"].map(|name| out.join(name));
    check_files(out, clips.iter().chain([&page, &study, &key]), common)?;
    // All begin at one place and face one way: who sees where a clip was captured knows what it is.
    let mut placed = Vec::with_capacity(clips.len());
    for (given, stimulus) in plan.given().into_iter().zip(plan.stimuli()) {
        let clip = &shown[given].clip;
        let mut clip =
            align(clip, &Placement::at_origin(0)).with_context(|| clip.info.name.clone())?;
        clip.info.name.clone_from(&stimulus.id);
        placed.push(clip);
    }
    let mut files = Vec::with_capacity(clips.len() + 3);
    for (path, clip) in clips.iter().zip(&placed) {
        let bytes = bvh::write(clip, &bvh::WriteSettings::default()).bytes;
        files.push(write_file(path, &bytes, common)?);
    }
    let text = study_page::page(plan, &placed.iter().collect::<Vec<_>>())?;
    files.push(write_file(&page, text.as_bytes(), common)?);
    files.push(write_file(
        &key,
        study_plan::key_csv(plan).as_bytes(),
        common,
    )?);
    // Last, so that a folder with a study is whole.
    files.push(write_file(
        &study,
        study_plan::write(plan)?.as_bytes(),
        common,
    )?);
    Ok(files)
}
