//! `kinfolk vary`: variants of a learned motion.

use std::collections::BTreeMap;
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
use super::run_log::{Fingerprint, RunLog};
use super::{
    Common, End, TO_STRING, between, check_files, count, onto, print, print_json, usage, whole,
    write_file,
};
use crate::file::checksum::Crc32;
use crate::file::{atomic, bvh, bytes_of, csv, variation_model};
use crate::jobs::Ticket;
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
    #[arg(long, value_name = "A", default_value_t = 1.0, value_parser = amount)]
    amount: f64,
    /// Length of each in frames, for motions without an end [default: one run or round]
    #[arg(long, value_name = "N", value_parser = whole(1, 1_000_000))]
    frames: Option<usize>,
    /// Vary this one clip, as the clips of the model differ: which joints go together, and by how much
    #[arg(long, value_name = "CLIP")]
    from: Option<PathBuf>,
    /// How much a part of the body varies beside --amount: a joint, or root, spine, head, arm, leg, "left arm"...; may
    /// be given several times
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
    /// Makes every n-th variant of the same numbered set only: 0/4, 1/4, 2/4 and 3/4 make one set on four machines; 4/4
    /// is 0/4, for schedulers that count from 1
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Goes on where a run that was stopped left off: what is whole is kept, and the set is the same to the byte.
    /// Without such a run, makes the whole set; with one that is done, nothing
    #[arg(long)]
    resume: bool,
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
    between(0.0, 4.0)(text)
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
    let before = Before::find(args, common, &manifest_place, &settings)?;
    if !before.goes_on {
        check_files(&args.out, places.iter().chain([&manifest_place]), common)?;
    }
    let common = &Common {
        force: common.force || before.goes_on,
        ..common.clone()
    };
    let (log, known) = before.log(args)?;
    let started = Instant::now();
    let progress = Progress::start("varying", numbers.len(), common.quiet);
    // Made and written one by one: a thousand variants need no more memory than a few.
    let made = numbers
        .par_iter()
        .map(|&number| {
            ticket.check()?;
            if let Some(row) = known.get(&number).filter(|row| row.path.is_file()) {
                progress.tick();
                return Ok(row.clone());
            }
            if let Some(n_frames) = args.frames.filter(|&n| is_long(n, &model, args)) {
                let job = (&settings, number as u64, n_frames, hold);
                let row = stream_to(&place(number), &model, job, &ticket, common)?;
                log.add(number, &row.line(&settings))?;
                progress.tick();
                return Ok(row);
            }
            let mut variant = model.vary(&settings, number as u64, length, hold)?;
            let name = format!("{stem}_{number:03}");
            variant.clip.info.name.clone_from(&name);
            variant.clip = onto::bring(&variant.clip, target.as_ref())?;
            let bytes = bvh::write(&variant.clip, &bvh::WriteSettings::default()).bytes;
            let path = write_file(&place(number), &bytes, common)?;
            let row = Row::new(number, path, &variant, Crc32::of(&bytes));
            log.add(number, &row.line(&settings))?;
            progress.tick();
            Ok(row)
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
    log.finish();
    report(&made, started.elapsed().as_secs_f64(), common)
}

/// Whether a stream is written as it is made. Bringing it onto another skeleton takes the whole of it.
fn is_long(n_frames: usize, model: &ClipModel, args: &Args) -> bool {
    args.to.is_none() && n_frames > 3 * model.piece_frames()
}

/// Writes a stream piece by piece, so that its length needs no memory.
fn stream_to(
    path: &Path,
    model: &ClipModel,
    (settings, number, n_frames, hold): (&SampleSettings, u64, usize, Hold),
    ticket: &Ticket,
    common: &Common,
) -> anyhow::Result<Row> {
    let mut pieces = model.pieces(settings, number, n_frames, hold)?;
    let mut writer: Option<bvh::PieceWriter> = None;
    let mut crc32 = Crc32::default();
    let n_pieces = n_frames / model.piece_frames() + 1;
    let progress = Progress::start("writing", n_pieces, common.quiet);
    atomic::write_by(path, common.overwrite(), |file| {
        for piece in &mut pieces {
            ticket.check()?;
            let piece = piece?;
            if writer.is_none() {
                let (begun, head) = bvh::PieceWriter::begin(&piece, n_frames);
                crc32.add(&head);
                file.write_all(&head)?;
                writer = Some(begun);
            }
            if let Some(writer) = &mut writer {
                let rows = writer.rows(&piece);
                crc32.add(&rows);
                file.write_all(&rows)?;
            }
            progress.tick();
        }
        anyhow::Ok(())
    })
    .with_context(|| path.display().to_string())?;
    progress.finish();
    let held = pieces.held();
    Ok(Row {
        number: number as usize,
        path: path.to_owned(),
        frames: n_frames,
        log_likelihood: None,
        holds: held.n_holds,
        misses: held.n_misses,
        crc32: Some(crc32),
    })
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

/// What an earlier run left in the folder.
struct Before {
    log_place: PathBuf,
    asked: Fingerprint,
    /// Whether this run goes on with it.
    goes_on: bool,
    /// What its manifest says, if it came to its end.
    manifest: BTreeMap<usize, Row>,
}

impl Before {
    fn find(
        args: &Args,
        common: &Common,
        manifest_place: &Path,
        settings: &SampleSettings,
    ) -> anyhow::Result<Self> {
        anyhow::ensure!(
            !(args.resume && common.force),
            usage("--resume keeps what is there and --force replaces it; one of them is meant")
        );
        let name = manifest_place.file_stem().unwrap_or_default();
        let log_place = args.out.join(format!(".{}.log", name.to_string_lossy()));
        let was_stopped = RunLog::is_there(&log_place);
        anyhow::ensure!(
            args.resume || common.force || !was_stopped,
            usage(format!(
                "{}: a run was stopped here; --resume goes on with it, --force starts anew",
                args.out.display()
            ))
        );
        let manifest = if args.resume && !was_stopped && manifest_place.is_file() {
            told(manifest_place, settings)?
        } else {
            BTreeMap::new()
        };
        Ok(Self {
            asked: asked(args, common),
            goes_on: args.resume && (was_stopped || !manifest.is_empty()),
            manifest,
            log_place,
        })
    }

    /// The log of this run, and what need not be made again.
    fn log(self, args: &Args) -> anyhow::Result<(RunLog, BTreeMap<usize, Row>)> {
        if !self.goes_on || !self.manifest.is_empty() {
            return Ok((RunLog::begin(&self.log_place, &self.asked)?, self.manifest));
        }
        let log = RunLog::resume(&self.log_place, &self.asked)?;
        let rows = (0..args.count).filter_map(|n| Row::parse(log.known(n)?, &args.out));
        let known = rows.map(|row| (row.number, row)).collect();
        Ok((log, known))
    }
}

/// Everything that decides the bytes of variants.
fn asked(args: &Args, common: &Common) -> Fingerprint {
    let words = (
        args.model.file_stem(),
        args.amount,
        args.frames,
        &args.part,
        &args.fix,
        &args.constrain,
        common.seed,
    );
    let files = args.fix.iter().map(|(_, clip)| Path::new(clip));
    let files = files
        .chain([args.model.as_path()])
        .chain(args.from.as_deref())
        .chain(args.to.as_deref());
    let asked = Fingerprint::default().words(&format!("{words:?}"));
    files.fold(asked, Fingerprint::file)
}

/// The rows of a manifest, by number, if they are of such a run.
fn told(manifest: &Path, settings: &SampleSettings) -> anyhow::Result<BTreeMap<usize, Row>> {
    let bytes = bytes_of(manifest).with_context(|| manifest.display().to_string())?;
    let folder = manifest.parent().unwrap_or(manifest);
    let mut rows = BTreeMap::new();
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.lines();
    // Sets of earlier versions have no checksums.
    let is_earlier = lines.next().is_some_and(|head| !head.ends_with(",crc32"));
    for line in lines {
        let line = if is_earlier {
            format!("{line},")
        } else {
            line.to_owned()
        };
        let row = Row::parse(&line, folder).filter(|row| row.line(settings) == line);
        let row = row.ok_or_else(|| {
            usage(format!(
                "{}: the set that lies here has another seed or amount; --force makes it anew",
                manifest.display()
            ))
        })?;
        rows.insert(row.number, row);
    }
    Ok(rows)
}

/// One line of the manifest.
#[derive(Clone)]
struct Row {
    number: usize,
    path: PathBuf,
    frames: usize,
    log_likelihood: Option<f64>,
    holds: usize,
    misses: usize,
    /// Of the file's bytes; sets of earlier versions do not tell.
    crc32: Option<Crc32>,
}

impl Row {
    fn new(number: usize, path: PathBuf, variant: &Variant, crc32: Crc32) -> Self {
        let held = variant.held.as_ref();
        Self {
            number,
            path,
            frames: variant.clip.n_frames(),
            log_likelihood: variant.log_likelihood,
            holds: held.map_or(0, |h| h.n_holds),
            misses: held.map_or(0, |h| h.n_misses),
            crc32: Some(crc32),
        }
    }

    fn line(&self, settings: &SampleSettings) -> String {
        let file = self.path.file_name().unwrap_or_default().to_string_lossy();
        let likelihood = self
            .log_likelihood
            .map_or_else(String::new, |l| format!("{l:.4}"));
        let crc32 = self.crc32.map_or_else(String::new, |sum| sum.to_string());
        format!(
            "{},{},{},{},{},{likelihood},{},{},{crc32}",
            csv::field(file.into_owned()),
            self.number,
            settings.seed,
            settings.amount,
            self.frames,
            self.holds,
            self.misses
        )
    }

    /// From its line. Only the name of the file, which is first, may hold commas.
    fn parse(line: &str, folder: &Path) -> Option<Self> {
        let mut fields = line.rsplitn(9, ',');
        let crc32 = match fields.next()? {
            "" => None,
            sum => Some(Crc32::parse(sum)?),
        };
        let (misses, holds) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        let log_likelihood = match fields.next()? {
            "" => None,
            number => Some(number.parse().ok()?),
        };
        let frames = fields.next()?.parse().ok()?;
        let (_amount, _seed) = (fields.next()?, fields.next()?);
        let number = fields.next()?.parse().ok()?;
        let file = fields.next()?;
        let file = match file.strip_prefix('"').and_then(|f| f.strip_suffix('"')) {
            Some(quoted) => quoted.replace("\"\"", "\""),
            None => file.to_owned(),
        };
        Some(Self {
            number,
            path: folder.join(Path::new(&file).file_name()?),
            frames,
            log_likelihood,
            holds,
            misses,
            crc32,
        })
    }
}

fn manifest(rows: &[Row], settings: &SampleSettings) -> String {
    let mut text =
        "file,variant,seed,amount,frames,log_likelihood,holds,missed_frames,crc32\n".to_owned();
    for row in rows {
        writeln!(text, "{}", row.line(settings)).expect(TO_STRING);
    }
    text
}
