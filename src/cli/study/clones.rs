//! `kinfolk study clones`: motion that comes again.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::super::inputs::load_all;
use super::super::progress::{Watched, ticket_for_ctrl_c};
use super::super::{Common, End, TO_STRING, between, print, print_json};
use crate::motion::Clip;
use crate::study::clones::{CloneKind, ClonePair, CloneReport, CloneSettings, NEAR, Span, find};

/// Finds motion that comes again, within clips and between them
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A long sequence, or the clips of a crowd
    #[arg(value_name = "CLIP", required = true)]
    clips: Vec<PathBuf>,
    /// What is nearer than this, in body heights, is a clone
    #[arg(long, value_name = "H", default_value_t = NEAR, value_parser = between(0.0, 10.0))]
    near: f64,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    let set = load_all(&args.clips, common, &ticket)?;
    let settings = CloneSettings { near: args.near };
    let watched = Watched::start("looking", &ticket, common.quiet);
    let report = find(&set.refs(), settings, &ticket);
    watched.finish();
    let report = report?;
    if common.json {
        print_json(&json!({
            "clones": pairs_json(&report.clones, &set.clips), "share": report.share,
            "median": report.median, "window_seconds": report.window_secs,
            "nearest": nearest_json(&report, &set.clips),
        }))?;
    } else {
        print(&as_text(&report, &set.clips))?;
    }
    Ok(if set.all_read {
        End::Done
    } else {
        End::SomeFailed
    })
}

/// Pairs for machines; `collect` prints them, too.
pub(super) fn pairs_json(pairs: &[ClonePair], clips: &[Clip]) -> Vec<Value> {
    let span = |span: &Span| {
        json!({
            "clip": clips[span.clip].info.name, "from": span.frames.start, "to": span.frames.end,
        })
    };
    let one = |pair: &ClonePair| {
        json!({
            "first": span(&pair.first), "second": span(&pair.second),
            "distance": pair.distance, "exact": pair.kind == CloneKind::Exact,
        })
    };
    pairs.iter().map(one).collect()
}

fn nearest_json(report: &CloneReport, clips: &[Clip]) -> Vec<Value> {
    let named = report.nearest.iter().zip(clips);
    named
        .map(|(nearest, clip)| {
            json!({
                "clip": clip.info.name, "mean": nearest.as_ref().map(|n| n.mean),
                "least": nearest.as_ref().map(|n| n.least), "frame": nearest.as_ref().map(|n| n.frame),
                "other": nearest.as_ref().map(|n| &clips[n.other.clip].info.name),
            })
        })
        .collect()
}

/// The first pairs as lines of text, with a word on how many are left out.
pub(super) fn pairs_text(pairs: &[ClonePair], clips: &[Clip]) -> String {
    const MOST: usize = 40;
    let span = |span: &Span| {
        let name = &clips[span.clip].info.name;
        format!("{name} {}..{}", span.frames.start, span.frames.end)
    };
    let mut text = String::new();
    for pair in pairs.iter().take(MOST) {
        let kind = match pair.kind {
            CloneKind::Exact => "copy",
            CloneKind::Near => "near",
        };
        writeln!(
            text,
            "{kind}  {:.4}  {}  =  {}",
            pair.distance,
            span(&pair.first),
            span(&pair.second)
        )
        .expect(TO_STRING);
    }
    if pairs.len() > MOST {
        writeln!(text, "and {} more; --json lists all", pairs.len() - MOST).expect(TO_STRING);
    }
    text
}

fn as_text(report: &CloneReport, clips: &[Clip]) -> String {
    let mut text = pairs_text(&report.clones, clips);
    let median = report
        .median
        .map_or_else(|| "-".to_owned(), |m| format!("{m:.4}"));
    writeln!(
        text,
        "{} clones; {:.1} % of all {:.1}-second windows come again; median distance of a window from the nearest other {median} body heights",
        report.clones.len(),
        100.0 * report.share,
        report.window_secs
    )
    .expect(TO_STRING);
    text
}
