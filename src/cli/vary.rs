//! `kinfolk vary`: variants of a learned motion.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;

use anyhow::Context as _;
use rayon::prelude::*;
use serde_json::json;

use super::inputs::load_motion;
use super::parts;
use super::progress::{Progress, ticket_for_ctrl_c};
use super::{
    Common, End, TO_STRING, check_files, count, onto, print, print_json, usage, write_file,
};
use crate::file::{bvh, csv, variation_model};
use crate::variation::{ClipModel, Hold, Length, SampleSettings, Track, Variant};

/// Makes variants of a learned motion
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What `kinfolk learn` wrote
    #[arg(value_name = "MODEL.ron")]
    model: PathBuf,
    /// How many variants
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = count)]
    count: usize,
    /// Folder for the clips and their manifest.csv
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How much they vary: 0 is the mean motion, 1 as much as the clips that were learned from
    #[arg(long, value_name = "A", default_value_t = 1.0, value_parser = amount, allow_negative_numbers = true)]
    amount: f64,
    /// Length of each in frames, for motions without an end [default: one run or round]
    #[arg(long, value_name = "N")]
    frames: Option<usize>,
    /// Vary this one clip, with the structure of the model
    #[arg(long, value_name = "CLIP")]
    from: Option<PathBuf>,
    /// How much a part of the body varies beside --amount: a joint, or root, spine, head, arm, leg, "left arm"...; may be
    /// given several times
    #[arg(long, value_name = "PART=A", value_parser = part_amount)]
    part: Vec<(String, f64)>,
    /// Has a part of the body go as in a clip while the rest varies with it; may be given several times
    #[arg(long, value_name = "PART=CLIP", value_parser = parts::split)]
    fix: Vec<(String, String)>,
    /// What stays where it stands
    #[arg(long, value_delimiter = ',', default_value = "feet")]
    constrain: Vec<Constrain>,
    /// Bring the variants onto the skeleton of this BVH or FBX file
    #[arg(long, value_name = "SKELETON")]
    to: Option<PathBuf>,
    /// Makes every n-th variant of the same numbered set only: 0/4, 1/4, 2/4 and 3/4 make one set on four machines; 4/4 is
    /// 0/4, for schedulers that count from 1
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Constrain {
    Feet,
    Hands,
    None,
}

/// Said of models from before there was one network for everything.
pub(super) const EARLIER_VERSION: &str = "this model was learned by an earlier version of Kinfolk and is sampled by the paper's regression; learn it again from its takes for better variants";

/// One part of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shard {
    index: usize,
    count: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let numbers: Option<(usize, usize)> =
            parts.and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index, count)) if count > 0 && index <= count => Ok(Self {
                index: index % count,
                count,
            }),
            _ => Err(format!(
                "expected a part of a set such as 0/4 (the first of four), found \"{text}\""
            )),
        }
    }
}

/// How much variants vary.
pub(super) fn amount(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=4.0).contains(&value) => Ok(value),
        _ => Err("expected a number from 0 to 4".to_owned()),
    }
}

fn part_amount(text: &str) -> Result<(String, f64), String> {
    let (part, value) = parts::split(text)?;
    Ok((part, amount(&value)?))
}

/// How variants are drawn, as told on the command line.
fn sample_settings(
    args: &Args,
    common: &Common,
    model: &ClipModel,
) -> anyhow::Result<SampleSettings> {
    let mut settings = SampleSettings {
        amount: args.amount,
        seed: common.seed,
        ..SampleSettings::default()
    };
    if !args.part.is_empty() {
        settings.part_amounts = vec![1.0; model.chart().n_dofs()];
    }
    for (part, amount) in &args.part {
        for dof in parts::dofs_of(model.chart(), part)? {
            settings.part_amounts[dof] = *amount;
        }
    }
    for (part, path) in &args.fix {
        let clip = load_motion(Path::new(path), None, common).with_context(|| path.clone())?;
        let take = model.take(&clip).with_context(|| path.clone())?;
        let n = model.chart().n_dofs();
        for dof in parts::dofs_of(model.chart(), part)? {
            let values = take.values.iter().skip(dof).step_by(n).copied().collect();
            settings.fixed.push(Track { dof, values });
        }
    }
    Ok(settings)
}

fn hold(constrain: &[Constrain]) -> anyhow::Result<Hold> {
    let has = |what| constrain.contains(&what);
    anyhow::ensure!(
        !(has(Constrain::None) && constrain.len() > 1),
        usage("--constrain none goes alone")
    );
    Ok(match (has(Constrain::Feet), has(Constrain::Hands)) {
        (false, false) => Hold::None,
        (true, false) => Hold::Feet,
        (false, true) => Hold::Hands,
        (true, true) => Hold::FeetAndHands,
    })
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    let mut model = variation_model::read_file(&args.model)
        .and_then(variation_model::AnyModel::into_clips)
        .with_context(|| args.model.display().to_string())?;
    if let Some(path) = &args.from {
        let clip = load_motion(path, None, common).with_context(|| path.display().to_string())?;
        model = model
            .for_clips(&[&clip])
            .with_context(|| path.display().to_string())?;
    }
    if model.model().settings().is_of_earlier_version && !common.quiet {
        tell!("warning: {}: {EARLIER_VERSION}", args.model.display());
    }
    let settings = sample_settings(args, common, &model)?;
    if common.fps.is_some() && !common.quiet {
        let fps = model.fps();
        tell!(
            "note: variants have the {fps:.0} frames a second of the model; --fps changes what is loaded"
        );
    }
    let hold = hold(&args.constrain)?;
    let target = onto::character(args.to.as_deref())?;
    let length = args.frames.map_or(Length::Once, Length::Frames);
    let shard = args.shard.unwrap_or(Shard { index: 0, count: 1 });
    let numbers: Vec<usize> = (shard.index..args.count).step_by(shard.count).collect();
    let stem = args.model.file_stem().unwrap_or_default().to_string_lossy();
    let place = |number: usize| args.out.join(format!("{stem}_{number:03}.bvh"));
    let manifest_place = args.out.join(args.shard.map_or_else(
        || "manifest.csv".to_owned(),
        |shard| format!("manifest_{}_of_{}.csv", shard.index, shard.count),
    ));
    let places: Vec<PathBuf> = numbers.iter().map(|&number| place(number)).collect();
    check_files(&args.out, places.iter().chain([&manifest_place]), common)?;
    let started = Instant::now();
    let progress = Progress::start("varying", numbers.len(), common.quiet);
    // Made and written one by one: a thousand variants need no more memory than a few.
    let made = numbers
        .par_iter()
        .map(|&number| {
            ticket.check()?;
            let mut variant = model.vary(&settings, number as u64, length, hold)?;
            let name = format!("{stem}_{number:03}");
            variant.clip.info.name.clone_from(&name);
            variant.clip = onto::bring(&variant.clip, target.as_ref())?;
            let bytes = bvh::write(&variant.clip, &bvh::WriteSettings::default()).bytes;
            let path = write_file(&place(number), &bytes, common)?;
            progress.tick();
            Ok(Row::new(number, path, &variant))
        })
        .collect::<anyhow::Result<Vec<Row>>>();
    progress.finish();
    // Without a manifest the set is not whole: that is how a stopped run is told from a finished one.
    let made = made?;
    write_file(
        &manifest_place,
        manifest(&made, &settings).as_bytes(),
        common,
    )?;
    report(&made, started.elapsed().as_secs_f64(), common)
}

fn report(made: &[Row], seconds: f64, common: &Common) -> anyhow::Result<End> {
    let frames: usize = made.iter().map(|row| row.frames).sum();
    if common.json {
        let files: Vec<String> = made
            .iter()
            .map(|row| row.path.display().to_string())
            .collect();
        print_json(&json!({ "files": files, "seconds": seconds, "frames": frames }))?;
    } else {
        print(&format!(
            "{} variants, {frames} frames, {seconds:.2} s\n",
            made.len()
        ))?;
    }
    Ok(End::Done)
}

/// One line of the manifest.
struct Row {
    number: usize,
    path: PathBuf,
    frames: usize,
    log_likelihood: Option<f64>,
    holds: usize,
    misses: usize,
}

impl Row {
    fn new(number: usize, path: PathBuf, variant: &Variant) -> Self {
        let held = variant.held.as_ref();
        Self {
            number,
            path,
            frames: variant.clip.n_frames(),
            log_likelihood: variant.log_likelihood,
            holds: held.map_or(0, |h| h.n_holds),
            misses: held.map_or(0, |h| h.n_misses),
        }
    }
}

fn manifest(rows: &[Row], settings: &SampleSettings) -> String {
    let mut text =
        "file,variant,seed,amount,frames,log_likelihood,holds,missed_frames\n".to_owned();
    for row in rows {
        let file = row.path.file_name().unwrap_or_default().to_string_lossy();
        let likelihood = row
            .log_likelihood
            .map_or_else(String::new, |l| format!("{l:.4}"));
        writeln!(
            text,
            "{},{},{},{},{},{likelihood},{},{}",
            csv::field(file.into_owned()),
            row.number,
            settings.seed,
            settings.amount,
            row.frames,
            row.holds,
            row.misses
        )
        .expect(TO_STRING);
    }
    text
}
