//! `kinfolk stroke`: the same for pen strokes, `t,x,y` tables.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use serde_json::json;

use super::learn::SettingArgs;
use super::progress::{Progress, ticket_for_ctrl_c};
use super::vary::amount;
use super::{
    Common, End, check_file, check_files, count, positive, print, print_json, reason, write_file,
};
use crate::file::{has_ending, stroke_csv, variation_model};
use crate::motion::Stroke;
use crate::variation::{Circles, LearnError, Length, STROKE_FPS, SampleSettings, StrokeModel};

/// Learns and varies pen strokes in CSV files (t,x,y)
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Learns a model from two or more strokes
    Learn {
        /// Strokes: files, or folders with .csv files
        #[arg(required = true, value_name = "STROKE.csv")]
        strokes: Vec<PathBuf>,
        /// The file to write
        #[arg(long, value_name = "MODEL.ron")]
        out: PathBuf,
        #[command(flatten)]
        settings: SettingArgs,
    },
    /// Makes variants of strokes from a model
    Vary {
        /// The model file, from `kinfolk stroke learn`
        #[arg(value_name = "MODEL.ron")]
        model: PathBuf,
        /// Number of variants
        #[arg(long, value_name = "N", default_value_t = 15, value_parser = count)]
        count: usize,
        /// Folder for the strokes
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Amount of variation: 0 is the mean stroke, 1 as much as the training strokes
        #[arg(long, value_name = "A", default_value_t = 1.0, value_parser = amount)]
        amount: f64,
    },
    /// Draws circles of known variation, the ground truth of the paper's Fig. 7
    Truth {
        /// Number of circles
        #[arg(long, value_name = "N", default_value_t = 15, value_parser = count)]
        count: usize,
        /// Folder for the strokes
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Mean radius of the circles
        #[arg(long, value_name = "LENGTH", default_value_t = 5.0, value_parser = positive)]
        radius: f64,
    },
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    match &args.command {
        Command::Learn {
            strokes,
            out,
            settings,
        } => learn(strokes, out, settings, common),
        Command::Vary {
            model,
            count,
            out,
            amount,
        } => vary(model, *count, out, *amount, common),
        Command::Truth { count, out, radius } => truth(*count, out, *radius, common),
    }
}

fn learn(
    paths: &[PathBuf],
    out: &Path,
    settings: &SettingArgs,
    common: &Common,
) -> anyhow::Result<End> {
    check_file(out, common)?;
    let ticket = ticket_for_ctrl_c()?;
    let mut strokes = Vec::new();
    let mut all_read = true;
    for path in expand(paths) {
        match stroke_csv::read_file(&path) {
            Ok((stroke, _)) => strokes.push(stroke),
            Err(error) => {
                let error = anyhow::Error::new(error);
                tell!("error: {}: {}", path.display(), reason(&error));
                all_read = false;
            }
        }
    }
    let started = Instant::now();
    let settings = settings.settings(common);
    let fps = common.fps.unwrap_or(STROKE_FPS);
    let refs: Vec<&Stroke> = strokes.iter().collect();
    let model = match StrokeModel::learn(&refs, fps, &settings, &ticket) {
        Err(LearnError::Cancelled(_)) => return Ok(End::Cancelled),
        other => other?,
    };
    let seconds = started.elapsed().as_secs_f64();
    let text = variation_model::write_strokes(&model)?;
    write_file(out, text.as_bytes(), common)?;
    let inner = model.model();
    if common.json {
        print_json(&json!({
            "file": out.display().to_string(),
            "strokes": inner.examples().n_takes(), "frames": inner.examples().n_frames(),
            "dofs": 2, "parents_mean": inner.mean_parents(),
            "score": inner.score(), "seconds": seconds,
        }))?;
    } else {
        print(&format!(
            "{} strokes, {} points, {seconds:.1} s\n",
            inner.examples().n_takes(),
            inner.examples().n_frames()
        ))?;
    }
    Ok(if all_read { End::Done } else { End::SomeFailed })
}

/// Files as they are; of folders every `.csv` in them, sorted, but no manifest.
fn expand(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for path in paths {
        let Ok(entries) = std::fs::read_dir(path) else {
            all.push(path.clone());
            continue;
        };
        let is_stroke = |path: &PathBuf| {
            has_ending(path, &["csv"]) && path.file_name().is_some_and(|n| n != "manifest.csv")
        };
        let mut inside: Vec<PathBuf> = entries
            .filter_map(Result::ok)
            .map(|entry| entry.path())
            .filter(is_stroke)
            .collect();
        inside.sort();
        all.extend(inside);
    }
    all
}

fn vary(
    path: &Path,
    count: usize,
    out: &Path,
    amount: f64,
    common: &Common,
) -> anyhow::Result<End> {
    let model = variation_model::read_file(path)
        .and_then(variation_model::AnyModel::into_strokes)
        .with_context(|| path.display().to_string())?;
    let settings = SampleSettings {
        amount,
        seed: common.seed,
        ..SampleSettings::default()
    };
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    write_all(count, &stem, out, common, |number| {
        Ok(model.vary(&settings, number, Length::Once)?)
    })
}

fn truth(count: usize, out: &Path, radius: f64, common: &Common) -> anyhow::Result<End> {
    let usual = Circles::default();
    let circles = Circles {
        radius,
        radius_deviation: usual.radius_deviation * radius / usual.radius,
        centre_deviation: usual.centre_deviation * radius / usual.radius,
        ..usual
    };
    write_all(count, "circle", out, common, |number| {
        Ok(circles.draw(common.seed, number)?)
    })
}

/// Makes and writes strokes one by one.
fn write_all(
    count: usize,
    stem: &str,
    out: &Path,
    common: &Common,
    make: impl Fn(u64) -> anyhow::Result<Stroke>,
) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    let started = Instant::now();
    let places: Vec<PathBuf> = (0..count)
        .map(|number| out.join(format!("{stem}_{number:03}.csv")))
        .collect();
    check_files(out, &places, common)?;
    let progress = Progress::start("drawing", count, common.quiet);
    let mut points = 0;
    for (number, place) in places.iter().enumerate() {
        ticket.check()?;
        let stroke = make(number as u64)?;
        points += stroke.n_points();
        write_file(place, &stroke_csv::write(&stroke), common)?;
        progress.tick();
    }
    progress.finish();
    let seconds = started.elapsed().as_secs_f64();
    if common.json {
        let files: Vec<String> = places.iter().map(|f| f.display().to_string()).collect();
        print_json(&json!({ "files": files, "seconds": seconds, "frames": points }))?;
    } else {
        print(&format!("{count} strokes, {points} points\n"))?;
    }
    Ok(End::Done)
}
