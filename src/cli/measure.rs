//! `kinfolk measure`: how variants compare with the clips they came from.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::inputs::{LoadedClips, load_all};
use super::progress::ticket_for_ctrl_c;
use super::study::compare;
use super::{Common, End, TO_STRING, print, print_json};
use crate::jobs::Ticket;
use crate::motion::metrics::{ClipReport, MeasureSettings, Report, UNSEEN_SLIDE, Worst, measure};
use crate::motion::{Clip, body};
use crate::variation::baseline::{self, Baseline, Octaves};

/// Measures variants against the clips they came from
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The clips that the variants were made from
    #[arg(long, required = true, num_args = 1.., value_name = "CLIP")]
    inputs: Vec<PathBuf>,
    /// What is measured
    #[arg(long, required = true, num_args = 1.., value_name = "CLIP")]
    variants: Vec<PathBuf>,
    /// Real clips of the same kind that were held back; without them inputs are compared among themselves
    #[arg(long, num_args = 1.., value_name = "CLIP")]
    real: Vec<PathBuf>,
    /// Measure noise and cycle animation beside the variants: as many clips, changed by as much
    #[arg(long)]
    baselines: bool,
    #[command(flatten)]
    more: compare::Args,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    let is_more = args.more.check(common)?;
    let inputs = load_all(&args.inputs, common, &ticket)?;
    let variants = load_all(&args.variants, common, &ticket)?;
    let real = load_all(&args.real, common, &ticket)?;
    let report = measure(
        &inputs.refs(),
        &variants.refs(),
        &real.refs(),
        &MeasureSettings::default(),
    )?;
    let baselines = if args.baselines {
        measure_baselines(&inputs, &variants, &real, common.seed, &ticket)?
    } else {
        Vec::new()
    };
    let given = compare::Given {
        inputs: &inputs,
        variants: &variants,
        real: &real,
        baselines: args.baselines,
    };
    let more = is_more.then(|| args.more.run(&given, common, &ticket));
    let more = more.transpose()?;
    let height = inputs.clips.first().map_or(1.0, body::height);
    if common.json {
        let mut json = as_json(&report, &variants.clips, height);
        if args.baselines {
            json["baselines"] = baselines_json(&baselines, height);
        }
        if let Some(more) = &more {
            json["measures"] = more.json["measures"].clone();
            json["sets"] = more.json["sets"].clone();
        }
        print_json(&json)?;
    } else {
        let mut text = as_text(&report, height);
        if args.baselines {
            text.push_str(&baselines_text(&report, &baselines));
        }
        text.push_str(more.as_ref().map_or("", |more| &more.text));
        print(&text)?;
    }
    let all_read = inputs.all_read && variants.all_read && real.all_read;
    let all_read = all_read && more.is_none_or(|more| more.all_read);
    Ok(if all_read { End::Done } else { End::SomeFailed })
}

/// The same numbers for what variation is not.
fn measure_baselines(
    inputs: &LoadedClips,
    variants: &LoadedClips,
    real: &LoadedClips,
    seed: u64,
    ticket: &Ticket,
) -> anyhow::Result<Vec<(Baseline, Report)>> {
    let kinds = [
        Baseline::SmoothedNoise,
        Baseline::Perlin(Octaves::default()),
        Baseline::CycleAnimation,
    ];
    let count = variants.clips.len();
    kinds
        .into_iter()
        .map(|kind| {
            ticket.check()?;
            let made = baseline::make(kind, &inputs.refs(), &variants.refs(), count, seed)?;
            let made: Vec<&Clip> = made.iter().collect();
            let settings = MeasureSettings::default();
            Ok((
                kind,
                measure(&inputs.refs(), &made, &real.refs(), &settings)?,
            ))
        })
        .collect()
}

fn baselines_json(baselines: &[(Baseline, Report)], height: f64) -> Value {
    let mut all = serde_json::Map::new();
    for (kind, report) in baselines {
        let numbers = json!({
            "nn_ratio": report.nn_ratio, "jerk_ratio": report.jerk_ratio,
            "diversity_ratio": report.diversity_ratio, "coverage": report.coverage,
            "foot_slide": report.foot_slide.map(|s| s * height),
            "copied_frames": report.copied_frames,
        });
        all.insert(kind.name().to_lowercase().replace(' ', "_"), numbers);
    }
    Value::Object(all)
}

fn baselines_text(variants: &Report, baselines: &[(Baseline, Report)]) -> String {
    let mut text = "\n   nearest      jerk diversity  copied  \n".to_owned();
    let all = std::iter::once(("variants", variants))
        .chain(baselines.iter().map(|(kind, report)| (kind.name(), report)));
    for (name, report) in all {
        let number =
            |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |v| format!("{v:.3}"));
        writeln!(
            text,
            "{:>10} {:>9.3} {:>9} {:>7}  {name}",
            number(report.nn_ratio),
            report.jerk_ratio,
            number(report.diversity_ratio),
            report.copied_frames
        )
        .expect(TO_STRING);
    }
    text
}

/// Lengths are in units of the files, as everywhere on the command line; `_heights` says when they are not.
fn as_json(report: &Report, variants: &[Clip], height: f64) -> Value {
    let units = |heights: Option<f64>| heights.map(|h| h * height);
    let each: Vec<Value> = report
        .variants
        .iter()
        .zip(variants)
        .map(|(one, clip)| variant_json(one, clip))
        .collect();
    json!({
        "fps": report.fps, "dofs": report.n_dofs, "has_real": report.has_real,
        "nn": report.nn, "nn_real": report.nn_real, "nn_ratio": report.nn_ratio,
        "jerk_ratio": report.jerk_ratio, "jerk_ratio_real": report.jerk_ratio_real,
        "diversity": report.diversity, "diversity_real": report.diversity_real,
        "diversity_ratio": report.diversity_ratio,
        "coverage": report.coverage, "cover_radius": report.cover_radius,
        "spectrum_overlap": report.spectrum_overlap, "spectrum_shift_hz": report.spectrum_shift_hz,
        "foot_slide": units(report.foot_slide), "foot_slide_inputs": units(report.foot_slide_inputs),
        "foot_slide_heights": report.foot_slide, "foot_slide_ratio": slide_ratio(report),
        "penetration": units(report.penetration), "penetration_inputs": units(report.penetration_inputs),
        "space_jerk_ratio": report.space_jerk_ratio,
        "faster_share": report.faster_share, "peak_speed_ratio": report.peak_speed_ratio,
        "net_turn_degrees": report.net_turn_deg, "net_turn_degrees_real": report.net_turn_real_deg,
        "net_turn_ratio": report.net_turn_ratio,
        "correlation_inside": report.correlation_inside,
        "correlation_between": report.correlation_between,
        "copied_frames": report.copied_frames,
        "variants": each,
    })
}

fn variant_json(one: &ClipReport, clip: &Clip) -> Value {
    let worst = |w: &Worst| {
        json!({
            "frame": w.frame, "value": w.value,
            "joint": clip.skeleton().joints().get(w.joint).map(|j| &j.name),
        })
    };
    json!({
        "name": one.name, "nn": one.nn, "nn_worst": worst(&one.nn_worst),
        "jerk_ratio": one.jerk_ratio, "jerk_worst": worst(&one.jerk_worst),
        "foot_slide": one.foot_slide_units, "foot_slide_worst": one.foot_slide_worst.as_ref().map(worst),
        "penetration_heights": one.penetration, "penetration_worst": one.penetration_worst.as_ref().map(worst),
        "loop_gap_heights": one.loop_gap, "copied_frames": one.copied_frames,
    })
}

/// How many times as fast as those of the inputs feet slide; where those stand perfectly still, as made motions do,
/// against what is just not seen.
fn slide_ratio(report: &Report) -> Option<f64> {
    let inputs = report.foot_slide_inputs?.max(UNSEEN_SLIDE);
    Some(report.foot_slide? / inputs)
}

fn as_text(report: &Report, height: f64) -> String {
    let against = if report.has_real {
        "real clips held back"
    } else {
        "the inputs among themselves"
    };
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |v| format!("{v:.3}"));
    let length = |heights: Option<f64>| number(heights.map(|h| h * height));
    let rows = [
        (
            "nearest pose, ratio",
            number(report.nn_ratio),
            "1 keeps as near to the inputs as real motion",
        ),
        (
            "jerk, ratio",
            number(Some(report.jerk_ratio)),
            "1 as smooth as the inputs, above it trembles",
        ),
        (
            "diversity, ratio",
            number(report.diversity_ratio),
            "1 varies as much as real motion",
        ),
        (
            "jerk in space, ratio",
            number(report.space_jerk_ratio),
            "the same for the places of head, hands and feet",
        ),
        (
            "net turn, ratio",
            number(report.net_turn_ratio),
            "scatter of how far clips turn against real ones",
        ),
        (
            "too fast",
            number(report.faster_share),
            "share of variants with a hand or foot over 1.1 times the fastest real clip",
        ),
        (
            "peak speed, ratio",
            number(report.peak_speed_ratio),
            "the fastest variant against the fastest real clip",
        ),
        (
            "correlation in limbs",
            number(report.correlation_inside),
            "1 if joints of a limb differ together as in real clips",
        ),
        (
            "  between limbs",
            number(report.correlation_between),
            "the same across the body",
        ),
        (
            "coverage",
            number(report.coverage),
            "share of the inputs' poses that are reached",
        ),
        (
            "spectrum overlap",
            number(report.spectrum_overlap),
            "share of power at the same frequencies",
        ),
        (
            "foot slide",
            length(report.foot_slide),
            "median speed of feet while down, units a second",
        ),
        ("  of the inputs", length(report.foot_slide_inputs), ""),
        (
            "  ratio",
            number(slide_ratio(report)),
            "1 slides as the inputs do; what nobody sees counts as sliding a little",
        ),
        (
            "penetration",
            length(report.penetration),
            "mean depth of feet below their level, units",
        ),
        (
            "copied frames",
            report.copied_frames.to_string(),
            "frames that repeat an input",
        ),
    ];
    let mut text = format!(
        "{} degrees of freedom at {} frames a second; ratios are to {against}\n\n",
        report.n_dofs, report.fps
    );
    for (name, value, meaning) in rows {
        writeln!(text, "{name:<22} {value:>10}  {meaning}").expect(TO_STRING);
    }
    text.push_str("\n   nearest      jerk  variant\n");
    for one in &report.variants {
        writeln!(
            text,
            "{:>10.3} {:>9.3}  {}",
            one.nn, one.jerk_ratio, one.name
        )
        .expect(TO_STRING);
    }
    text
}
