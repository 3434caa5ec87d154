//! `kinfolk study make`: a rating session as a folder.

use std::path::PathBuf;

use serde_json::json;

use super::super::inputs::{LoadedClips, load_all};
use super::super::progress::{Progress, ticket_for_ctrl_c};
use super::super::{Common, End, check_files, count, print, print_json, write_file};
use crate::file::study_folder;
use crate::jobs::Ticket;
use crate::motion::Clip;
use crate::study::sequences::{FEWEST_CLIPS, cycle_orders, varied_orders};
use crate::study::session::{Experiment, PER_RATER, Plan};
use crate::study::stimuli::{self, Shown, StudySettings, blind};

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

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    let variants = load_all(&args.variants, common, &ticket)?;
    let (experiment, shown, all_read) = match args.experiment {
        What::Natural => {
            let real = load_all(&args.real, common, &ticket)?;
            let mut shown = Shown::plain("variants", variants.refs());
            shown.extend(Shown::plain("motion capture", real.refs()));
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
    let settings = StudySettings {
        title: args.title.clone(),
        experiment,
        seed: common.seed,
        per_rater: args.per_rater,
    };
    let (plan, clips) = blind(&settings, &shown, &ticket)?;
    let files = write(args, common, &plan, &clips)?;
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
        "sequences have at least {FEWEST_CLIPS} clips: in shorter ones repetition is hard to see"
    );
    let (n, length, seed) = (args.sequences, args.clips, common.seed);
    if variants.clips.len() < length && !common.quiet {
        let found = variants.clips.len();
        eprintln!(
            "warning: sequences of {length} clips from {found} variants show some of them twice"
        );
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
        let made = stimuli::sequences(condition, &set.refs(), &orders, ticket, || progress.tick());
        shown.extend(made?);
    }
    progress.finish();
    Ok(shown)
}

fn write(
    args: &Args,
    common: &Common,
    plan: &Plan,
    clips: &[Clip],
) -> anyhow::Result<Vec<PathBuf>> {
    let out = &args.out;
    let paths: Vec<PathBuf> = study_folder::paths(plan)
        .iter()
        .map(|path| out.join(path))
        .collect();
    check_files(out, paths.iter(), common)?;
    let files = study_folder::files(plan, &clips.iter().collect::<Vec<_>>())?;
    let mut written = Vec::with_capacity(files.len());
    for (path, bytes) in files {
        written.push(write_file(&out.join(path), &bytes, common)?);
    }
    Ok(written)
}
